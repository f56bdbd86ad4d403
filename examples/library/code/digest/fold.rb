# frozen_string_literal: true

module Lantern
  # Entries with one fold key become one line: the newest text and a count.
  module Fold
    Line = Struct.new(:text, :count)

    def self.by_key(notifications)
      notifications
        .group_by { |entry| entry[:fold_key] || entry[:id] }
        .map { |_key, entries| Line.new(entries.max_by { |entry| entry[:at] }[:text], entries.size) }
    end
  end
end
