// A sequence of keys that grows at its end: states of a search beyond the device's memory, in the host's memory or on
// disk (key_space.h). A log has the keys of one partition that are visited, or that are candidates, or the early
// states.
//
// Invariants
//  1. Key i is in chunk i / per_chunk, at place i mod per_chunk.
//  2. All chunks but the last are full. The last one is in memory unless it is full.
//
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "store/tiered/key_space.h"

namespace strata {

class KeyLog {
 public:
  // Logs of a smaller order go to disk first.
  KeyLog(KeySpace& space, uint64_t key_bytes, unsigned order);
  ~KeyLog() { clear(); }
  KeyLog(const KeyLog&) = delete;
  KeyLog& operator=(const KeyLog&) = delete;

  uint64_t size() const { return size_; }
  // Appends n keys, which copy(to, first, count) puts where they belong, some at a time.
  using Copy = std::function<Status(uint8_t* to, uint64_t first, uint64_t count)>;
  Status append(uint64_t n, const Copy& copy);
  void clear();

 private:
  friend class KeyReader;

  KeySpace& space_;
  const uint64_t key_bytes_, per_chunk_;
  const unsigned order_;
  uint64_t size_ = 0;
  std::vector<std::unique_ptr<KeyChunk>> chunks_;
};

// Reads a part of a log from front to back; chunks on disk are read ahead. One reader of a space at a time.
class KeyReader {
 public:
  struct Span {
    const uint8_t* keys = nullptr;
    uint64_t count = 0;
    bool stays = false;  // in memory until a log of the space grows
  };

  // Keys [first, end) of the log.
  KeyReader(KeyLog& log, uint64_t first, uint64_t end) : log_(log), next_(first), end_(end) {}
  ~KeyReader();
  KeyReader(const KeyReader&) = delete;
  KeyReader& operator=(const KeyReader&) = delete;

  // The next keys, in place, until the next call or until a log of the space grows; none at the end.
  Result<Span> next();

 private:
  void read_ahead(uint64_t number);

  KeyLog& log_;
  uint64_t next_;
  const uint64_t end_;
  uint64_t asked_ = 0;  // the chunk after the last one that was looked at
};

}  // namespace strata
