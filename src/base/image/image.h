// What something is at one moment, written down so that it can be made again: values by name, in a fixed
// order. One function, serialize(image), serves both ways: with an image that saves it writes what there is,
// with one that restores it reads it back. So both cannot differ.
//
//   field   = length:u8 name bytes:u64 content
//
// Numbers are little-endian, as they lie in memory. A name or a length that is not the expected one ends the
// restoring. Trouble is noted (status), and what is exchanged after it stays as it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/number_list.h"
#include "base/status.h"

namespace strata {

class Image {
 public:
  enum class Mode { saves, restores };
  explicit Image(Mode mode) : mode_(mode) {}
  virtual ~Image() = default;
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  bool restores() const { return mode_ == Mode::restores; }
  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }
  // The first one counts.
  void fail(Status status) {
    if (status_.ok()) status_ = std::move(status);
  }

  // Numbers, truth values, enumerations, and structs of these without padding.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void value(std::string_view name, T& value) {
    begin_field(name, sizeof(T));
    bytes(&value, sizeof(T));
  }
  void value(std::string_view name, std::atomic<uint64_t>& value) {
    uint64_t plain = value.load(std::memory_order_relaxed);
    this->value(name, plain);
    value.store(plain, std::memory_order_relaxed);
  }
  // Some of them, and texts.
  template <class List>
  requires std::is_trivially_copyable_v<typename List::value_type>
  void list(std::string_view name, List& list) {
    const uint64_t each = sizeof(typename List::value_type);
    const uint64_t n = begin_list(name, list.size() * each);
    if (!ok()) return;
    if (n % each != 0) return mismatch(name);
    list.resize(n / each);
    bytes(list.data(), n);
  }
  void list(std::string_view name, NumberList& list);

  // As many bytes as both sides know of.
  void bytes(void* data, uint64_t n) {
    if (!ok() || n == 0) return;
    if (restores())
      fail(read(static_cast<uint8_t*>(data), n));
    else
      fail(write(static_cast<const uint8_t*>(data), n));
  }

 protected:
  virtual Status write(const uint8_t* data, uint64_t n) = 0;
  virtual Status read(uint8_t* data, uint64_t n) = 0;
  // The most that there can be left to read.
  virtual uint64_t left() const = 0;
  virtual std::string where() const = 0;  // for messages

 private:
  void begin_field(std::string_view name, uint64_t bytes) {
    if (begin_list(name, bytes) != bytes && ok()) mismatch(name);
  }
  // The field's length as it was saved.
  uint64_t begin_list(std::string_view name, uint64_t bytes);
  void mismatch(std::string_view name);

  const Mode mode_;
  Status status_;
};

}  // namespace strata
