#include "engine/ram/level_stack.h"

namespace strata {

namespace {

// Seven bits in each byte, the low ones first. The high bit says that more bytes follow.
void write_number(std::vector<uint8_t>& out, uint64_t value) {
  for (; value >= 128; value >>= 7) out.push_back(static_cast<uint8_t>(value | 128));
  out.push_back(static_cast<uint8_t>(value));
}

uint64_t read_number(const std::vector<uint8_t>& in, uint64_t& offset) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint8_t byte = in[offset++];
    value |= uint64_t{byte & 127u} << shift;
    if (byte < 128) return value;
  }
}

}  // namespace

LevelStack::LevelStack(const LevelTable& table, MemoryBudget& budget)
    : table_(table), budget_(budget), begin_(table.shard_count(), 0), end_(table.shard_count(), 0) {}

LevelStack::~LevelStack() { budget_.release(charged_); }

bool LevelStack::grown() const {
  bool grown = false;
  for (uint64_t shard = 0; shard < end_.size(); ++shard) grown |= table_.shard_size(shard) != end_[shard];
  return grown;
}

bool LevelStack::push_level() {
  const uint64_t offset = records_.size();
  uint64_t last = 0;
  for (uint64_t shard = 0; shard < end_.size(); ++shard) {
    begin_[shard] = end_[shard];
    end_[shard] = table_.shard_size(shard);
    if (end_[shard] == begin_[shard]) continue;
    write_number(records_, shard - last);
    write_number(records_, end_[shard] - begin_[shard]);
    last = shard;
  }
  offsets_.push_back(offset);
  // Charged twice: vectors keep room to grow, and the result and the progress keep the sizes of levels, too.
  const uint64_t bytes = 2 * (records_.size() - offset) + 6 * sizeof(uint64_t);
  if (budget_.reserve(bytes)) {
    charged_ += bytes;
  } else {
    out_of_memory_ = true;
  }
  return true;
}

void LevelStack::pop() {
  records_.resize(offsets_.back());
  offsets_.pop_back();
  end_ = begin_;
  if (offsets_.empty()) return;
  uint64_t shard = 0;
  for (uint64_t offset = offsets_.back(); offset < records_.size();) {
    shard += read_number(records_, offset);
    begin_[shard] -= read_number(records_, offset);
  }
}

void LevelStack::for_each_level(
    const std::function<void(uint64_t shard, uint64_t begin, uint64_t end)>& visit,
    const std::function<void()>& done) const {
  std::vector<uint64_t> ends(end_.size(), 0);
  uint64_t offset = 0;
  for (uint64_t level = 0; level < offsets_.size(); ++level) {
    const uint64_t next = level + 1 < offsets_.size() ? offsets_[level + 1] : records_.size();
    for (uint64_t shard = 0; offset < next;) {
      shard += read_number(records_, offset);
      const uint64_t begin = ends[shard];
      ends[shard] += read_number(records_, offset);
      visit(shard, begin, ends[shard]);
    }
    done();
  }
}

void LevelStack::for_each_level_back(
    const std::function<void(uint64_t shard, uint64_t begin, uint64_t end)>& visit) const {
  std::vector<uint64_t> ends = end_;
  uint64_t next = records_.size();
  for (uint64_t level = offsets_.size(); level-- > 0; next = offsets_[level]) {
    uint64_t shard = 0;
    for (uint64_t offset = offsets_[level]; offset < next;) {
      shard += read_number(records_, offset);
      const uint64_t end = ends[shard];
      ends[shard] -= read_number(records_, offset);
      visit(shard, ends[shard], end);
    }
  }
}

uint64_t LevelStack::top_size() const {
  uint64_t sum = 0;
  for (uint64_t shard = 0; shard < end_.size(); ++shard) sum += end_[shard] - begin_[shard];
  return sum;
}

}  // namespace strata
