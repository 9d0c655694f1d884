#include "store/cache/recent_set.h"

namespace strata {

RecentSet::RecentSet(uint64_t state_bytes, uint8_t* memory, uint64_t bytes)
    : state_bytes_(state_bytes),
      record_bytes_(state_bytes + sizeof(uint32_t)),
      capacity_(std::min<uint64_t>(bytes / bytes_for(state_bytes), kNoSlot - 1)),
      heads_(reinterpret_cast<uint32_t*>(memory)),
      ring_(memory + capacity_ * sizeof(uint32_t)),
      first_(capacity_),
      end_(capacity_),
      round_(capacity_) {
  std::fill(heads_, heads_ + capacity_, kNoSlot);
}

void RecentSet::find(const Keys& keys, uint32_t* slots) const {
  for (uint64_t begin = 0; begin < keys.count; begin += kKeysAhead) {
    const uint64_t end = std::min(keys.count, begin + kKeysAhead);
    for (uint64_t i = begin; i < end; ++i) __builtin_prefetch(heads_ + place(keys.hashes[i]));
    for (uint64_t i = begin; i < end; ++i) {
      const uint32_t slot = heads_[place(keys.hashes[i])];
      if (slot != kNoSlot) __builtin_prefetch(record(slot));
    }
    for (uint64_t i = begin; i < end; ++i) slots[i] = find(keys.key(i), keys.hashes[i]);
  }
}

uint32_t RecentSet::add(const uint8_t* state, uint64_t hash) {
  STRATA_CHECK(size() < capacity());
  uint32_t& head = heads_[place(hash)];
  uint32_t next = head;
  // If all states of a chain have left, its head may lead to another chain by now.
  if (next != kNoSlot) {
    const uint64_t number = number_of(next);
    if (number < first_ || place(hash_bytes(state_in(next), state_bytes_)) != place(hash)) next = kNoSlot;
  }
  const auto slot = static_cast<uint32_t>(end_ - round_);
  std::memcpy(record(slot), &next, sizeof next);
  copy_bytes(record(slot) + sizeof(uint32_t), state, state_bytes_);
  head = slot;
  if (++end_ == round_ + capacity_) round_ = end_;
  return slot;
}

std::string RecentSet::check_invariants() const {
  InvariantCheck check("RecentSet");
  check.holds(1, first_ <= end_ && size() <= capacity_, "there are at most capacity() states");
  check.holds(1, capacity_ == 0 || (round_ % capacity_ == 0 && round_ <= end_ && end_ < round_ + capacity_),
              "the next state comes in the present round");
  for (uint64_t number = first_; number < end_ && check.ok(); ++number) {
    const auto slot = static_cast<uint32_t>(number % capacity_);
    check.holds(2, number_of(slot) == number, "a slot has the number of its state", number);
    check.holds(3, find(state(number), hash_bytes(state(number), state_bytes_)) == slot,
                "a state is found in its slot", number);
  }
  return check.broken();
}

}  // namespace strata
