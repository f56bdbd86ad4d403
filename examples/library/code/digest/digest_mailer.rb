# frozen_string_literal: true

require 'erb'
require_relative 'fold'

module Lantern
  # Folds low-priority notifications of one recipient into a single e-mail.
  class DigestMailer
    MAX_ITEMS = 40
    WINDOW_HOURS = 6

    def initialize(template, clock: -> { Time.now.utc })
      @template = ERB.new(template, trim_mode: '-')
      @clock = clock
    end

    # Returns the text of the digest, or nil when there is nothing worth a message.
    def render_digest(notifications)
      lines = Fold.by_key(notifications).first(MAX_ITEMS)
      return nil if lines.size < 2

      @template.result_with_hash(lines: lines, sent_at: @clock.call)
    end

    def window_open?(first_entry_at)
      @clock.call - first_entry_at < WINDOW_HOURS * 3600
    end
  end
end
