// Which candidates of a search beyond the device's memory are new (beyond.cuh). Keys are divided by bits of their hash.
// For one part of them at a time, the visited keys are put into an empty table, the room, and the candidates are added
// to it: those that were not there are new. They stand behind the visited ones in the room's list.
//
// Tables find the bucket of a key by the high bits of its hash; the part is told by the low ones, so that a room is
// filled evenly. Compiled after search.cuh.
#pragma once

inline u64 part_of(const u64* key, u64 parts) { return (hash_of<kListWords>(key) & 0xffffffffull) * parts >> 32; }

// Keys on their way to the host and back have as many bytes as states or folded keys have.
inline void pack_key(const u64* key, u8* to, u64 bytes) {
  for (u64 i = 0; i < bytes; ++i) to[i] = u8(key[i / 8] >> 8 * (i % 8));
}
inline void unpack_key(const u8* from, u64* key, u64 bytes) {
  for (u32 k = 0; k < kListWords; ++k) {
    u64 word = 0;
    for (u32 i = 0; i < 8; ++i)
      if (8 * k + i < bytes) word |= u64(from[8 * k + i]) << 8 * i;
    key[k] = word;
  }
}

struct Packing {
  u64* keys;
  u64 n;
  u8* packed;
  u64 bytes;  // of a packed key
};

KERNEL(pack_keys, Packing) {
  for (u64 i = warp() * kLanes + lane(); i < argument.n; i += warps() * kLanes)
    pack_key(argument.keys + i * kListWords, argument.packed + i * argument.bytes, argument.bytes);
}
KERNEL(unpack_keys, Packing) {
  for (u64 i = warp() * kLanes + lane(); i < argument.n; i += warps() * kLanes)
    unpack_key(argument.packed + i * argument.bytes, argument.keys + i * kListWords, argument.bytes);
}

struct Parting {
  const u64* keys;
  u64 n;
  u64 parts;
  u64* counts;  // of each part: how many keys it has; for part_keys, where its next key goes
  u8* to;
  u64 bytes;  // of a packed key
};

// A warp counts so many keys in its own memory before it adds to the counters of all warps: there are few of these.
constexpr u32 kMostParts = 128;
constexpr u64 kKeysOfWarp = 4096;

// The keys [from, to) of each part. REQUIRES all lanes of the warp.
inline void count_own(const Parting& all, u64 from, u64 to, u32* counts) {
  for (u64 p = lane(); p < all.parts; p += kLanes) counts[p] = 0;
  meet();
  for (u64 i = from + lane(); i < to; i += kLanes) add_shared(counts + part_of(all.keys + i * kListWords, all.parts), 1);
  meet();
}
inline u64 end_of_warp(u64 from, u64 n) { return n - from < kKeysOfWarp ? n : from + kKeysOfWarp; }

KERNEL(count_parts, Parting) {
  WARP_MEMORY(u32, own, kMostParts, kWarpsOfBlock);
  for (u64 from = warp() * kKeysOfWarp; from < argument.n; from += warps() * kKeysOfWarp) {
    count_own(argument, from, end_of_warp(from, argument.n), own);
    for (u64 p = lane(); p < argument.parts; p += kLanes)
      if (own[p] != 0) add64(argument.counts + p, own[p]);
    meet();
  }
}

// Packs keys, those of a part together.
KERNEL(part_keys, Parting) {
  WARP_MEMORY(u32, own, kMostParts, kWarpsOfBlock);
  WARP_MEMORY(u64, begins, kMostParts, kWarpsOfBlock);
  for (u64 from = warp() * kKeysOfWarp; from < argument.n; from += warps() * kKeysOfWarp) {
    const u64 to = end_of_warp(from, argument.n);
    count_own(argument, from, to, own);
    for (u64 p = lane(); p < argument.parts; p += kLanes) {
      if (own[p] != 0) begins[p] = add64(argument.counts + p, own[p]);
      own[p] = 0;
    }
    meet();
    for (u64 i = from + lane(); i < to; i += kLanes) {
      const u64* const key = argument.keys + i * kListWords;
      const u64 part = part_of(key, argument.parts);
      const u64 place = begins[part] + add_shared(own + part, 1);
      pack_key(key, argument.to + place * argument.bytes, argument.bytes);
    }
    meet();
  }
}

struct Passing {
  const Beyond* beyond;
  const u64* keys;
  u64 n;
};

// Puts visited states into the filter.
KERNEL(fill_filter, Passing) {
  for (u64 i = warp() * kLanes + lane(); i < argument.n; i += warps() * kLanes)
    passes_filter(*argument.beyond, argument.keys + i * kListWords);
}

struct Joining {
  VisitedStates room;
  const u8* packed;
  u64 n;
  u64 parts, part;  // keys of other parts are left out
  u64 bytes;        // of a packed key
};

// Puts visited keys, which are different, into the room.
KERNEL(take_visited, Joining) {
  const VisitedStates& room = argument.room;
  for (u64 base = warp() * kLanes; base < argument.n; base += warps() * kLanes) {
    u64 key[kListWords];
    bool has = base + lane() < argument.n;
    if (has) unpack_key(argument.packed + (base + lane()) * argument.bytes, key, argument.bytes);
    has = has && part_of(key, argument.parts) == argument.part;
    const u64 place = place_for(room, has);
    if (!has) continue;
    if (place >= room.capacity) {
      or32(room.full, kStatesFull);
      continue;
    }
    for (u32 k = 0; k < kListWords; ++k) room.list[place * kListWords + k] = key[k];
    Keys::keep(room, key, place);
  }
}

KERNEL(join, Joining) {
  for (u64 base = warp() * kLanes; base < argument.n; base += warps() * kLanes) {
    u64 key[kListWords];
    bool has = base + lane() < argument.n;
    if (has) unpack_key(argument.packed + (base + lane()) * argument.bytes, key, argument.bytes);
    has = has && part_of(key, argument.parts) == argument.part;
    Keys::add(argument.room, key, has);
  }
}
