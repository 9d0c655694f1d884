// A list of numbers, most of which are small: each takes a byte for every seven bits. Used for numbers per level of a
// search, because a search may have millions of levels.
//
// Invariants
//  1. bytes_ has the numbers one after another, seven bits a byte, the lowest first; all bytes of a number
//     but its last have the highest bit set.
//  2. marks_[k] is the place of number k * kStep and the sum of all before it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <vector>

namespace strata {

class NumberList {
 public:
  NumberList() = default;
  NumberList(std::initializer_list<uint64_t> numbers) {
    for (const uint64_t number : numbers) push_back(number);
  }

  uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  void push_back(uint64_t number) {
    if (size_++ % kStep == 0) marks_.push_back({bytes_.size(), sum_});
    sum_ += number;
    for (; number >= 128; number >>= 7) bytes_.push_back(static_cast<uint8_t>(number | 128));
    bytes_.push_back(static_cast<uint8_t>(number));
  }
  void pop_back() {
    sum_ -= back();
    bytes_.resize(last());
    if (--size_ % kStep == 0) marks_.pop_back();
  }
  void append(const NumberList& other) {
    for (const uint64_t number : other) push_back(number);
  }

  uint64_t back() const { return number_at(last()); }
  uint64_t operator[](uint64_t i) const { return *std::next(at(i / kStep), static_cast<int64_t>(i % kStep)); }
  uint64_t sum() const { return sum_; }
  // The sum of the first n numbers.
  uint64_t sum_of(uint64_t n) const {
    if (n >= size_) return sum_;
    uint64_t sum = marks_[n / kStep].sum;
    auto next = at(n / kStep);
    for (uint64_t i = 0; i < n % kStep; ++i) sum += *next++;
    return sum;
  }

  class const_iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = uint64_t;
    using difference_type = std::ptrdiff_t;
    using pointer = const uint64_t*;
    using reference = uint64_t;

    const_iterator() = default;
    const_iterator(const NumberList& list, uint64_t place) : list_(&list), place_(place) {}
    uint64_t operator*() const { return list_->number_at(place_); }
    const_iterator& operator++() {
      while (list_->bytes_[place_++] >= 128) {
      }
      return *this;
    }
    const_iterator operator++(int) {
      const const_iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const const_iterator& other) const { return place_ == other.place_; }

   private:
    const NumberList* list_ = nullptr;
    uint64_t place_ = 0;
  };
  using iterator = const_iterator;
  using value_type = uint64_t;
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, bytes_.size()}; }

  bool operator==(const NumberList& other) const { return bytes_ == other.bytes_; }
  friend bool operator==(const std::vector<uint64_t>& a, const NumberList& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
  }

 private:
  static constexpr uint64_t kStep = 256;
  struct Mark {
    uint64_t place, sum;
  };

  const_iterator at(uint64_t mark) const { return {*this, marks_[mark].place}; }
  uint64_t number_at(uint64_t place) const {
    uint64_t number = bytes_[place] & 127u;
    for (unsigned shift = 7; bytes_[place] >= 128; shift += 7) number |= (bytes_[++place] & 127ull) << shift;
    return number;
  }
  // The place of the last number.
  uint64_t last() const {
    uint64_t place = bytes_.size() - 1;
    while (place > 0 && bytes_[place - 1] >= 128) --place;
    return place;
  }

  std::vector<uint8_t> bytes_;
  std::vector<Mark> marks_;
  uint64_t size_ = 0, sum_ = 0;
};

}  // namespace strata
