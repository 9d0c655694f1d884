// The messages between transports: a head of 16 bytes, then the content. Ranks run the same build
// (cluster/agreement.h), so the head is as it is in memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "cluster/transport/buffer_pool.h"

namespace strata::cluster {

enum class MessageType : uint8_t {
  batch,   // of a round
  credit,  // nothing but the head's credits
  up,      // a part of a collective, to the parent in the tree; number: which collective, kind: its operation
  down,    // the result of a collective, from the parent
  counts_up,  // the same two for the counts of a round
  counts_down,
  beat,  // a sign of life
  ping,  // asks for one; number: of the probe
  pong,
  posted,  // numbers for rank 0
  stop,    // kind: StatusCode; content: the reason
  fail,    // kind: StatusCode; number: 0, or 1 + the rank that was lost; content: the reason
  left,    // the same, and this rank has nothing left to do
};

struct Head {
  MessageType type = MessageType::beat;
  uint8_t kind = 0;
  uint16_t credits = 0;  // batches of the receiver that the sender has let go of since it last said so
  uint32_t round = 0;
  uint64_t number = 0;
};
static_assert(sizeof(Head) == 16);

inline void write_head(Buffer& message, const Head& head) { std::memcpy(message.data(), &head, sizeof head); }

inline Buffer make_message(const Head& head, std::string_view content = {}) {
  Buffer message(sizeof head + content.size());
  write_head(message, head);
  if (!content.empty()) std::memcpy(message.data() + sizeof head, content.data(), content.size());
  return message;
}

// The message has sizeof(Head) bytes or more.
inline Head read_head(const Buffer& message) {
  Head head;
  std::memcpy(&head, message.data(), sizeof head);
  return head;
}
inline std::span<const uint8_t> content_of(const Buffer& message) {
  return std::span(message).subspan(sizeof(Head));
}
inline std::string content_text(const Buffer& message) {
  const std::span<const uint8_t> content = content_of(message);
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

}  // namespace strata::cluster
