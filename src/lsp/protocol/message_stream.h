// Messages of the language server protocol on a stream of bytes, in bounded memory:
//
//   message = "Content-Length: " digits CR LF { header CR LF } CR LF body
//
// A header without a length cannot be the beginning of a message: bytes are skipped up to the next "Content-Length:". A
// body above kMostBody is skipped, too; both are told as problems, so that a server can answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strata::lsp {

struct StreamMessage {
  std::string body;
  std::string problem;  // not empty: there is no body, for this reason
};

class MessageStream {
 public:
  static constexpr uint64_t kMostHeader = 4096;
  static constexpr uint64_t kMostBody = uint64_t{16} << 20;

  void feed(std::string_view bytes);
  // The next message; nothing: it is not complete.
  std::optional<StreamMessage> next();

 private:
  std::optional<StreamMessage> read_header();

  std::string buffer_;
  size_t done_ = 0;                   // bytes of the buffer that were read
  std::optional<uint64_t> expected_;  // the length of the body that comes next
  uint64_t to_skip_ = 0;              // bytes of a body that is too long
  bool lost_ = false;                 // searching for the next header
};

std::string framed(const std::string& body);

}  // namespace strata::lsp
