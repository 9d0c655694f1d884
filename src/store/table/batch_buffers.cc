#include "store/table/batch_buffers.h"

#include <cstring>

namespace strata {

BatchBuffers::BatchBuffers(const TableSizes& sizes, uint64_t state_bytes)
    : sizes_(sizes), state_bytes_(state_bytes) {
  const uint64_t batch = sizes_.batch, waiting = sizes_.waiting_states();
  unordered_.resize(batch);
  items_.resize(batch);
  places_.resize(batch);
  unordered_places_.resize(batch);
  unordered_shards_.resize(batch);
  blocked_.reserve(sizes_.shards.shards());
  waiting_.reserve(sizes_.waiting_groups());
  waiting_states_.resize(waiting * state_bytes);
  waiting_items_.resize(waiting);
  for (uint64_t i = 0; i < waiting; ++i) counting_.push_back(static_cast<uint32_t>(i));
}

void BatchBuffers::keep_if_refused(const uint8_t* state) {
  if (keeps_refused_) refused_.insert(refused_.end(), state, state + state_bytes_);
}

bool BatchBuffers::put_aside(const ShardGroup& group) {
  if (waiting_.size() == waiting_.capacity()) return false;
  if (waiting_count_ + group.count > waiting_items_.size()) return false;
  uint8_t* base = waiting_states_.data() + waiting_count_ * state_bytes_;
  for (uint64_t i = 0; i < group.count; ++i) {
    std::memcpy(base + i * state_bytes_, group.base + group.places[i] * state_bytes_, state_bytes_);
    waiting_items_[waiting_count_ + i] = group.items[i];
  }
  waiting_.push_back(
      {group.shard, base, counting_.data(), waiting_items_.data() + waiting_count_, group.count});
  waiting_count_ += group.count;
  return true;
}

}  // namespace strata
