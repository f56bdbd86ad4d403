// The agent on an edge device: receives frames and shows them on a small display.
#include "../wick/wick.h"

#include <deque>
#include <optional>
#include <string>

namespace lantern {

/// Keeps the newest lines that fit on the display.
class DisplayBuffer {
public:
    explicit DisplayBuffer(std::size_t lines) : capacity_(lines) {}

    void push(std::string line) {
        if (lines_.size() == capacity_) lines_.pop_front();
        lines_.push_back(std::move(line));
    }

    const std::deque<std::string>& lines() const { return lines_; }

private:
    std::size_t capacity_;
    std::deque<std::string> lines_;
};

/// Turns one received frame into text; nothing when it is damaged or not a message.
std::optional<std::string> textOfFrame(const std::string& bytes) {
    wick_frame frame{};
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    if (wick_decode_frame(data, bytes.size(), &frame) != WICK_OK) return std::nullopt;
    if (frame.kind != WICK_MESSAGE) return std::nullopt;
    return std::string(reinterpret_cast<const char*>(frame.payload), frame.length);
}

}  // namespace lantern
