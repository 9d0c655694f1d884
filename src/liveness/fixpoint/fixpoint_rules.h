// What PartitionFixpoint (partition_fixpoint.h) computes: the rules of an algorithm, as a class. `owcty` and `map` have
// one each.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "base/image/image.h"

namespace strata {

// Whether a state is expanded, and whether for the first time.
enum class Step : uint8_t { none, first, again };

// Messages to a state that may become one while they wait (message_cache.h).
//   merge(message, other)      makes one message of two; false: they cannot be one
//   redundant(sent, message)   whether the message tells nothing that `sent` did not tell
template <class Rules>
concept MessageRules = std::is_trivially_copyable_v<typename Rules::Message> &&
    requires(typename Rules::Message& message, const typename Rules::Message& other) {
  { Rules::merge(message, other) } -> std::same_as<bool>;
  { Rules::redundant(other, other) } -> std::same_as<bool>;
};

// Payload: what a record has beside the state; its bit `pending` says that the state is to be worked on. Counts: what
// each thread counts for itself, added up by +=. Several threads call begin, send and apply, each with a payload that
// no other thread has.
//   inserts()                         whether a message to an unknown state makes a record of it
//   begin(payload, counts)            a phase begins: whether the state stays; sets pending
//   send(payload, accepting, message, counts)   the message of a state that is worked on; whether it is expanded
//   apply(payload, state, message, fresh)       a message to a state: whether the state is to be worked on
//   stays(payload)                    whether the record is written back
//   survives(payload)                 whether begin will keep the record in the next phase, as the payload is now
//   done()                            whether the search may end at once
//   serialize(image)                  for a checkpoint; none is made when the search may end
template <class Rules>
concept FixpointRules = MessageRules<Rules> && std::is_trivially_copyable_v<typename Rules::Payload> &&
    requires(Rules& rules, typename Rules::Payload& payload, const typename Rules::Payload& written,
             typename Rules::Message& message, const typename Rules::Message& received,
             typename Rules::Counts& counts, const uint8_t* state, bool flag, Image& image) {
  {static_cast<bool>(payload.pending)};
  { counts += counts } -> std::same_as<typename Rules::Counts&>;
  { rules.inserts() } -> std::same_as<bool>;
  { rules.begin(payload, counts) } -> std::same_as<bool>;
  { rules.send(payload, flag, message, counts) } -> std::same_as<Step>;
  { rules.apply(payload, state, received, flag) } -> std::same_as<bool>;
  { rules.stays(written) } -> std::same_as<bool>;
  { rules.survives(written) } -> std::same_as<bool>;
  { rules.done() } -> std::same_as<bool>;
  rules.serialize(image);
};

}  // namespace strata
