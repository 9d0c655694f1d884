#include "lsp/protocol/message_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace strata::lsp {
namespace {

constexpr std::string_view kLength = "Content-Length:", kLineEnd = "\r\n", kHeaderEnd = "\r\n\r\n";

std::optional<uint64_t> length_in(std::string_view header) {
  while (!header.empty()) {
    const size_t end = std::min(header.find(kLineEnd), header.size());
    std::string_view line = header.substr(0, end);
    header.remove_prefix(std::min(end + kLineEnd.size(), header.size()));
    if (!line.starts_with(kLength)) continue;
    line.remove_prefix(kLength.size());
    while (line.starts_with(' ')) line.remove_prefix(1);
    uint64_t length = 0;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), length);
    if (error == std::errc() && rest == line.data() + line.size()) return length;
  }
  return std::nullopt;
}

}  // namespace

void MessageStream::feed(std::string_view bytes) {
  const auto skipped = static_cast<size_t>(std::min<uint64_t>(to_skip_, bytes.size()));
  to_skip_ -= skipped;
  buffer_.append(bytes.substr(skipped));
}

std::optional<StreamMessage> MessageStream::next() {
  if (!expected_) {
    if (auto problem = read_header()) return problem;
    if (!expected_) return std::nullopt;
  }
  if (buffer_.size() - done_ < *expected_) return std::nullopt;
  StreamMessage message{buffer_.substr(done_, static_cast<size_t>(*expected_)), ""};
  done_ += static_cast<size_t>(*expected_);
  expected_.reset();
  // Bytes are moved only when many were read, so that a long input takes linear time.
  if (done_ > buffer_.size() / 2) {
    buffer_.erase(0, done_);
    done_ = 0;
  }
  return message;
}

std::optional<StreamMessage> MessageStream::read_header() {
  const std::string_view rest = std::string_view(buffer_).substr(done_);
  if (lost_) {
    const size_t begin = rest.find(kLength);
    const size_t kept =
        begin == std::string_view::npos ? std::min(rest.size(), kLength.size() - 1) : rest.size() - begin;
    buffer_ = std::string(rest.substr(rest.size() - kept));
    done_ = 0;
    if (begin == std::string_view::npos) return std::nullopt;
    lost_ = false;
    return read_header();
  }
  const size_t end = rest.find(kHeaderEnd);
  const std::string_view header = rest.substr(0, std::min<size_t>(end, kMostHeader));
  const std::optional<uint64_t> length = length_in(header);
  if (end > kMostHeader || !length) {
    if (end == std::string_view::npos && rest.size() <= kMostHeader) return std::nullopt;
    lost_ = true;
    // The beginning of this header would be found again.
    done_ += std::min<size_t>(rest.size(), end == std::string_view::npos ? kLength.size() : end);
    return StreamMessage{"", "a message without a header Content-Length"};
  }
  done_ += end + kHeaderEnd.size();
  if (*length <= kMostBody) {
    expected_ = length;
    return std::nullopt;
  }
  const auto here = static_cast<size_t>(std::min<uint64_t>(*length, buffer_.size() - done_));
  done_ += here;
  to_skip_ = *length - here;
  return StreamMessage{"", fmt::format("a message of {} bytes; at most {} are read", *length, kMostBody)};
}

std::string framed(const std::string& body) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace strata::lsp
