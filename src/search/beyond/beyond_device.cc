#include "search/beyond/beyond_device.h"

#include <algorithm>

namespace strata {

Status BeyondDevice::begin(const BeyondPlan& plan, const DeviceStates::Spare& spare) {
  using device::kernels::kBucketBytes;
  plan_ = plan;
  word_bytes_ = states_.list_bytes();
  key_bytes_ = states_.key_bytes();
  device::Address next = spare.memory;
  const auto give = [&](uint64_t bytes) {
    const device::Address address = next;
    next += round_up(bytes, kDeviceAlignment);
    return address;
  };
  beyond_ = give(sizeof(device::kernels::Beyond));
  room_count_ = give(2 * sizeof(uint64_t));
  part_counts_ = give(plan.partitions * sizeof(uint64_t));
  window_ = give(plan.window * word_bytes_);
  candidates_ = give(plan.candidates * word_bytes_);
  grouped_ = give(plan.candidates * word_bytes_);
  if (plan.recents > 0) recent_ = give(plan.recents * word_bytes_);
  if (plan.filter > 0) {
    filter_ = give(plan.filter * sizeof(uint64_t));
    fresh_ = give(plan.candidates * word_bytes_);
  }
  room_slots_ = give(plan.room_buckets * kBucketBytes);
  room_list_ = next;
  if (next + plan.room * word_bytes_ > spare.memory + spare.bytes)
    return Status::internal("the plan of a search beyond the memory of its device does not fit");
  device::kernels::Beyond beyond{};
  beyond.early = spare.early;
  beyond.recent = recent_;
  beyond.recents = plan.recents;
  beyond.candidates = {candidates_, plan.candidates, states_.candidate_count()};
  beyond.filter = filter_;
  beyond.filter_words = plan.filter;
  beyond.fresh = {fresh_, plan.candidates, states_.fresh_count()};
  if (Status status = device_.copy_to(beyond_, &beyond, sizeof beyond); !status.ok()) return status;
  if (Status status = forget_recent(); !status.ok()) return status;
  if (filter_ != 0)
    if (Status status = device_.fill(filter_, 0, plan.filter * sizeof(uint64_t)); !status.ok()) return status;
  states_.look_at(window_, beyond_);
  return states_.forget_found();
}

// Keys of the host come to the device through the halves of the buffer of grouped candidates: while kernels read one,
// the other is filled. What group() has put there was copied away before (settle()).
template <class Run>
Status BeyondDevice::in_pieces(const uint8_t* keys, uint64_t n, const Run& run) {
  const uint64_t most = plan_.candidates / device::Device::kPlacesBeside;
  for (uint64_t done = 0; done < n; done += most) {
    const uint64_t count = std::min(most, n - done);
    const device::Address half = grouped_ + next_half_ * most * word_bytes_;
    if (Status status = device_.copy_beside(next_half_, half, keys + done * key_bytes_, count * key_bytes_);
        !status.ok())
      return status;
    if (Status status = run(half, done, count); !status.ok()) return status;
    if (Status status = device_.leave(next_half_); !status.ok()) return status;
    next_half_ = (next_half_ + 1) % device::Device::kPlacesBeside;
  }
  return {};
}

Status BeyondDevice::load(uint64_t place, const uint8_t* keys, uint64_t n) {
  return in_pieces(keys, n, [&](device::Address from, uint64_t done, uint64_t count) {
    return unpack(from, window_ + (place + done) * word_bytes_, count);
  });
}

Status BeyondDevice::unpack(device::Address from, device::Address to, uint64_t n) {
  const device::kernels::Packing argument{to, n, from, key_bytes_};
  return states_.launch(kernels_.unpack_keys, n, argument);
}

Status BeyondDevice::forget_recent() {
  return plan_.recents == 0 ? Status() : device_.fill(recent_, 0, plan_.recents * word_bytes_);
}

// ---- partitions

Result<std::vector<uint64_t>> BeyondDevice::group(device::Address keys, uint64_t n) {
  const uint64_t bytes = plan_.partitions * sizeof(uint64_t);
  const device::kernels::Parting argument{keys, n, plan_.partitions, part_counts_, grouped_, key_bytes_};
  if (Status status = device_.fill(part_counts_, 0, bytes); !status.ok()) return status;
  if (Status status = states_.launch(kernels_.count_parts, n, argument); !status.ok()) return status;
  std::vector<uint64_t> sizes(plan_.partitions), begins(plan_.partitions, 0);
  if (Status status = device_.copy_from(sizes.data(), part_counts_, bytes); !status.ok()) return status;
  for (uint64_t p = 1; p < plan_.partitions; ++p) begins[p] = begins[p - 1] + sizes[p - 1];
  if (Status status = device_.copy_to(part_counts_, begins.data(), bytes); !status.ok()) return status;
  if (Status status = states_.launch(kernels_.part_keys, n, argument); !status.ok()) return status;
  return sizes;
}

Result<std::vector<uint64_t>> BeyondDevice::part_candidates(uint64_t n) { return group(candidates_, n); }

Result<std::vector<uint64_t>> BeyondDevice::part_fresh(uint64_t n) { return group(fresh_, n); }

Result<std::vector<uint64_t>> BeyondDevice::part_room(uint64_t first, uint64_t n) {
  return group(room_list_ + first * word_bytes_, n);
}

// REQUIRES: there are no candidates.
Result<std::vector<uint64_t>> BeyondDevice::part(const uint8_t* keys, uint64_t n) {
  if (Status status = device_.copy_to(grouped_, keys, n * key_bytes_); !status.ok()) return status;
  if (Status status = unpack(grouped_, candidates_, n); !status.ok()) return status;
  if (filter_ != 0) {
    const device::kernels::Passing argument{beyond_, candidates_, n};
    if (Status status = states_.launch(kernels_.fill_filter, n, argument); !status.ok()) return status;
  }
  return group(candidates_, n);
}

Status BeyondDevice::copy_parted(uint8_t* to, uint64_t first, uint64_t n) {
  return device_.queue_copy_from(to, grouped_ + first * key_bytes_, n * key_bytes_);
}

// ---- the room

device::kernels::VisitedStates BeyondDevice::room() const {
  device::kernels::VisitedStates room = states_.visited();
  room.slots = room_slots_;
  room.buckets = plan_.room_buckets;
  room.list = room_list_;
  room.capacity = plan_.room;
  room.count = room_count_;
  room.full = room_count_ + sizeof(uint64_t);
  room.beyond = 0;
  return room;
}

Status BeyondDevice::open_room(uint64_t parts, uint64_t part) {
  parts_ = parts;
  part_ = part;
  if (Status status = device_.fill(room_count_, 0, 2 * sizeof(uint64_t)); !status.ok()) return status;
  return device_.fill(room_slots_, 0, plan_.room_buckets * device::kernels::kBucketBytes);
}

Status BeyondDevice::take_visited(const uint8_t* keys, uint64_t n) {
  return in_pieces(keys, n, [&](device::Address from, uint64_t, uint64_t count) {
    const device::kernels::Joining argument{room(), from, count, parts_, part_, key_bytes_};
    return states_.launch(kernels_.take_visited, count, argument);
  });
}

Status BeyondDevice::join(const uint8_t* keys, uint64_t n) {
  return in_pieces(keys, n, [&](device::Address from, uint64_t, uint64_t count) {
    const device::kernels::Joining argument{room(), from, count, parts_, part_, key_bytes_};
    return states_.launch(kernels_.join, count, argument);
  });
}

Result<BeyondDevice::Room> BeyondDevice::read_room() {
  uint64_t words[2] = {};
  if (Status status = device_.copy_from(words, room_count_, sizeof words); !status.ok()) return status;
  return Room{words[0], words[1] != 0};
}

Status BeyondDevice::weigh(uint64_t first, uint64_t n) {
  const device::kernels::Weighing argument{room(), room_list_ + first * word_bytes_, n,
                                           states_.orbit_counter()};
  return states_.launch(kernels_.weigh, n, argument);
}

}  // namespace strata
