// Delayed duplicate detection: candidates are added now, and it is learned later which of them are new, by
// comparing the whole set with visited states read from disk. Calls carry batches of keys.
//
//   add       now: is this key a candidate already?
//   erase     later: these keys were visited; they are no longer candidates
//   take      last: is this key still a candidate? Each key is taken once
//
// Contract (candidate_set_test.cc tests it for every implementation):
//  1. Of equal keys given to add, by whichever threads, one is `fresh` and the others `seen`; or all of them are
//     `full`, when the set has no room for now (see reserve).
//  2. A key that was erased is never taken. A key that was added and not erased is taken once, by the first take.
//  3. Any number of threads may call the same function at the same time; not different ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "base/memory_budget.h"
#include "base/status.h"
#include "store/key/keys.h"
#include "store/table/visited_set.h"

namespace strata {

class CandidateSet {
 public:
  virtual ~CandidateSet() = default;

  // Sets outcomes[0 .. keys.count) where it is not null. Each thread gives its own number. A key that is fresh gets the
  // label, for instance a level: a number up to kMostLabel.
  virtual InsertCounts add(unsigned thread, const Keys& keys, uint8_t label, Outcome* outcomes) = 0;
  // Adds keys. False: there was no room for all of them. REQUIRES: reserve() was called for this many; the keys differ
  // from each other and from those in the set.
  [[nodiscard]] virtual bool load(unsigned thread, const Keys& keys) = 0;
  // If by_label is not null, counts in by_label[0 .. kMostLabel] the labels of the candidates among the keys.
  virtual void erase(const Keys& keys, uint64_t* by_label) = 0;
  // Sets taken[0 .. keys.count) to 1 or 0; how many are 1.
  virtual uint64_t take(const Keys& keys, uint8_t* taken) = 0;
  // Empties the set.
  virtual void clear() = 0;

  // Keys added since it was empty.
  virtual uint64_t size() const = 0;
  // How many keys it certainly has room for when it has grown to its full size.
  virtual uint64_t capacity() const = 0;
  // Grows to hold this many keys, including those it has; false if its full size is too small. A small set takes little
  // memory and little time to empty. REQUIRES: no other function is being called.
  virtual bool reserve(uint64_t keys) = 0;
  // See base/checks.h. REQUIRES: no other function is being called.
  virtual std::string check_invariants() const = 0;
  // For an `add` that found no room: grows, unless the set has its full size.
  bool grow() { return size() < capacity() && reserve(std::min(capacity(), 4 * size() + 1024)); }

  static constexpr uint8_t kMostLabel = 250;

 protected:
  // Bytes that a set leaves to batches that are larger than expected.
  static constexpr uint64_t kSlack = 2 * kPageBytes;
  // The state of a key: a candidate with a label has kCandidate + label.
  enum Mark : uint8_t { kEmpty, kBeingWritten, kErased, kTaken, kCandidate };
};

enum class TableKind { chained, open };

// A set that takes at most `bytes` of the budget. Fails when that is too little for a few keys a thread: less than
// least_candidate_set_bytes().
Result<std::unique_ptr<CandidateSet>> make_candidate_set(TableKind kind, uint64_t key_bytes, unsigned threads,
                                                         uint64_t bytes, MemoryBudget& budget);
uint64_t least_candidate_set_bytes(TableKind kind, uint64_t key_bytes, unsigned threads);

}  // namespace strata
