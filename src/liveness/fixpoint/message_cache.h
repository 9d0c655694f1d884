// Messages of one thread to states of other partitions, held back for a while: messages to the same state are merged,
// and a message that tells nothing new is dropped. Direct-mapped by the state's hash; a message that loses its slot, or
// that flush() finds unsent, is sent. Sent messages stay, so that repetitions are recognised.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "base/memory_budget.h"
#include "base/system/memory_map.h"
#include "liveness/fixpoint/fixpoint_rules.h"
#include "store/key/keys.h"

namespace strata {

// A slot has the head, the state and its message; behind the slots are the numbers of those that are unsent.
inline uint64_t message_slot_bytes(uint64_t state_bytes, uint64_t message_bytes) {
  return sizeof(uint32_t) + state_bytes + message_bytes;
}
// As many slots as this many bytes have room for, a power of two and one at least.
inline uint64_t message_slots(uint64_t state_bytes, uint64_t message_bytes, uint64_t bytes) {
  const uint64_t each = message_slot_bytes(state_bytes, message_bytes) + sizeof(uint32_t);
  return std::bit_floor(std::max<uint64_t>(bytes / each, 1));
}
// Their bytes.
inline uint64_t message_cache_bytes(uint64_t state_bytes, uint64_t message_bytes, uint64_t bytes) {
  return message_slots(state_bytes, message_bytes, bytes) *
         (message_slot_bytes(state_bytes, message_bytes) + sizeof(uint32_t));
}

template <MessageRules Rules>
class MessageCache {
 public:
  using Message = typename Rules::Message;

  // Slots for about this many bytes, one at least.
  MessageCache(uint64_t state_bytes, uint64_t bytes, MemoryBudget& budget)
      : state_bytes_(state_bytes),
        slot_bytes_(message_slot_bytes(state_bytes, sizeof(Message))),
        slots_(message_slots(state_bytes, sizeof(Message), bytes)),
        memory_(budget, message_cache_bytes(state_bytes, sizeof(Message), bytes)) {}

  bool ok() const { return memory_.data() != nullptr; }
  // Forgets sent messages. REQUIRES: no message waits.
  void clear() {
    std::memset(memory_.data(), 0, slots_ * slot_bytes_);
    waiting_ = 0;
  }

  // Takes a message; send(record) is called for a message that must be sent: a state and its message.
  template <class Send>
  void put(const uint8_t* state, uint64_t hash, const Message& message, const Send& send) {
    const uint32_t number = static_cast<uint32_t>(hash >> 20 & (slots_ - 1));
    uint8_t* const slot = memory_.data() + number * slot_bytes_;
    const uint32_t tag = (static_cast<uint32_t>(hash) & ~kUnsent) | kUsed;
    uint32_t head;
    std::memcpy(&head, slot, kHead);
    Message held;
    std::memcpy(&held, slot + kHead + state_bytes_, sizeof held);
    if ((head & ~kUnsent) == tag && equal_bytes(slot + kHead, state, state_bytes_)) {
      if ((head & kUnsent) == 0) {
        if (Rules::redundant(held, message)) return;
        held = message;
      } else if (!Rules::merge(held, message)) {
        send(slot + kHead);
        held = message;
      }
    } else {
      if ((head & kUnsent) != 0) send(slot + kHead);
      copy_bytes(slot + kHead, state, state_bytes_);
      held = message;
    }
    std::memcpy(slot + kHead + state_bytes_, &held, sizeof held);
    if ((head & kUnsent) == 0) set_waiting(waiting_++, number);
    head = tag | kUnsent;
    std::memcpy(slot, &head, kHead);
  }
  // Sends all waiting messages.
  template <class Send>
  void flush(const Send& send) {
    for (uint64_t i = 0; i < waiting_; ++i) {
      uint32_t number, head;
      std::memcpy(&number, waiting(i), sizeof number);
      uint8_t* const slot = memory_.data() + number * slot_bytes_;
      std::memcpy(&head, slot, kHead);
      send(slot + kHead);
      head &= ~kUnsent;
      std::memcpy(slot, &head, kHead);
    }
    waiting_ = 0;
  }

 private:
  static constexpr uint32_t kUsed = 1, kUnsent = 2;
  static constexpr uint64_t kHead = sizeof(uint32_t);

  uint8_t* waiting(uint64_t i) { return memory_.data() + slots_ * slot_bytes_ + i * sizeof(uint32_t); }
  void set_waiting(uint64_t i, uint32_t number) { std::memcpy(waiting(i), &number, sizeof number); }

  const uint64_t state_bytes_, slot_bytes_, slots_;
  BudgetedBytes memory_;
  uint64_t waiting_ = 0;
};

}  // namespace strata
