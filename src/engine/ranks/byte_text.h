// Values as bytes of a text, for messages between ranks of one version of this program.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace strata {

inline void append_bytes(std::string& text, const void* bytes, uint64_t n) {
  text.append(static_cast<const char*>(bytes), n);
}

template <class T>
requires std::is_trivially_copyable_v<T>
void append_value(std::string& text, const T& value) { append_bytes(text, &value, sizeof value); }

// Reads what was appended. A text that is too short gives zeros, and is at its end.
class ByteText {
 public:
  explicit ByteText(const std::string& text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  void read(void* bytes, uint64_t n) {
    if (n == 0) return;
    std::memset(bytes, 0, n);
    if (text_.size() - at_ < n) {
      at_ = text_.size();
      return;
    }
    std::memcpy(bytes, text_.data() + at_, n);
    at_ += n;
  }
  template <class T>
  T value() {
    T value;
    read(&value, sizeof value);
    return value;
  }
  // A number of bytes that follow; 0 if the text has fewer.
  uint64_t count() {
    const auto n = value<uint64_t>();
    if (n <= text_.size() - at_) return n;
    at_ = text_.size();
    return 0;
  }

 private:
  const std::string& text_;
  uint64_t at_ = 0;
};

}  // namespace strata
