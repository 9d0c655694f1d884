// The arguments of the kernels of a search, as the host passes them: the structs of visited.cuh, level.cuh, search.cuh,
// beyond.cuh and resolve.cuh with the same members in the same order.
#pragma once

#include <cstdint>

namespace strata::device::kernels {

using Address = uint64_t;

struct VisitedStates {
  Address slots;
  uint64_t buckets;
  Address list;
  uint64_t capacity;
  Address count, on_way, full;
  Address nodes;
  uint64_t node_buckets;
  Address node_count;
  Address beyond;
};

inline constexpr uint64_t kMostOfCourse = 16;
struct Course {
  uint64_t from, to, levels;
  uint64_t ends[kMostOfCourse];
};

struct Marks {
  Address marks;
  uint64_t size;
};

struct Level {
  VisitedStates visited;
  uint64_t from, to;
  Address course, data, queues, orbits, fired, noted, flagged, flags;
  uint64_t most_flagged;
  uint32_t deadlock, properties, in_step;
  Marks wanted;
  Address told, found, sizes, begins;
  uint64_t most;
};

struct Beginning {
  Address course;
  uint64_t from, to;
};

struct Advance {
  Address course, count, flags, full;
  uint64_t most_states, most_listed;
};

struct States {
  VisitedStates visited;
  Address states;
  uint64_t n;
  Address orbits;
};

struct Refolding {
  VisitedStates from, to;
  uint64_t n;
};

struct Gathering {
  VisitedStates visited;
  Address places;
  uint64_t from, n;
  Address states;
};

struct Targets {
  Marks marks;
  Address states;
  uint64_t n;
};

// beyond.cuh; in the device's memory.
struct KeyBuffer {
  Address keys;
  uint64_t most;
  Address count;
};
struct Beyond {
  VisitedStates early;
  Address recent;
  uint64_t recents;
  KeyBuffer candidates;
  Address filter;
  uint64_t filter_words;
  KeyBuffer fresh;
};

// resolve.cuh
struct Parting {
  Address keys;
  uint64_t n, parts;
  Address counts, to;
  uint64_t bytes;
};

inline constexpr uint64_t kMostParts = 128;  // of Parting

struct Packing {
  Address keys;
  uint64_t n;
  Address packed;
  uint64_t bytes;
};

struct Passing {
  Address beyond, keys;
  uint64_t n;
};

struct Joining {
  VisitedStates room;
  Address packed;
  uint64_t n, parts, part, bytes;
};

struct Weighing {
  VisitedStates room;
  Address keys;
  uint64_t n;
  Address orbits;
};

// visited.cuh and beyond.cuh: bits of `full`; the most that the number of a pair may be (folded.cuh).
inline constexpr uint64_t kStatesFull = 1, kNodesFull = 2, kCandidatesFull = 4;
inline constexpr uint64_t kMostNodes = (uint64_t{1} << 31) - 1;
// visited.cuh: the bytes of a bucket, which has slots of 8 bytes, or as many states as it has room for.
inline constexpr uint64_t kBucketBytes = 64;
// firing.cuh, level.cuh: of how many rules a warp has the counts at hand, at most; the bytes that it has at hand
// beside its queue.
inline constexpr uint64_t kMostRulesAtHand = 128;
constexpr uint64_t count_bytes(uint64_t rules_at_hand) { return (2 * rules_at_hand + 1) * sizeof(uint32_t); }
// two_passes.cuh: what is told of each state, in a text with so many rules with several instances.
constexpr uint64_t told_bytes(uint64_t repeated) { return (1 + (repeated + 31) / 32) * sizeof(uint32_t); }
// Bits of a place in a slot.
inline constexpr unsigned kPlaceBits = 38;

}  // namespace strata::device::kernels
