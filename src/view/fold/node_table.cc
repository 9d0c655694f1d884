#include "view/fold/node_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/checks.h"

namespace strata {

namespace {

// Keys are made of two numbers.
constexpr unsigned kMostNumberBits = 32;
// Buckets of the first index, in parts of what it may become.
constexpr uint64_t kLeastBuckets = 32, kMostFirstBuckets = 4096, kPartOfFirst = 2048;
// Memory for nodes is taken in steps, a part of what there is.
constexpr uint64_t kLeastStep = 256, kMostStep = 4 << 20;
// How full an index may be before it grows, in percent, and when there is no memory for that.
constexpr uint64_t kMostLoad = 80, kLastLoad = 97;

}  // namespace

template <unsigned kWords>
NodeTable<kWords>::NodeTable(MemoryBudget& budget, uint64_t shape_bytes)
    : budget_(budget),
      number_bits_(
          std::min(kMostNumberBits, static_cast<unsigned>(std::bit_width(shape_bytes / sizeof(Node))))) {
  Result<MemoryMap> memory =
      MemoryMap::reserve(std::max(uint64_t{1} << number_bits_, uint64_t{2}) * sizeof(Node));
  if (!memory.ok() || !memory->commit(0, kPageBytes, MemoryMap::Pages::small)) {
    number_bits_ = 0;
    return;
  }
  memory_ = std::move(*memory);
  nodes_ = reinterpret_cast<Word*>(memory_.data());
}

template <unsigned kWords>
template <class F>
bool NodeTable<kWords>::any_bucket(const Index& index, uint64_t hash, const F& f) {
  const uint64_t home = index.home(hash);
  uint64_t line = home & ~uint64_t{1};
  for (uint64_t lines = index.count / 2; lines > 0; --lines) {
    if (f(index.buckets[line + (home & 1)]) || f(index.buckets[line + (~home & 1)])) return true;
    line = line + 2 == index.count ? 0 : line + 2;
  }
  return false;
}

// The number of the node; 0: it is not there.
template <unsigned kWords>
uint32_t NodeTable<kWords>::find(const Index* index, const Node& node, uint64_t hash) const {
  uint32_t result = 0;
  if (index == nullptr) return result;
  any_bucket(*index, hash, [&](const Bucket& bucket) {
    const uint64_t head = bucket.head.load(std::memory_order_acquire);
    for (uint64_t same = same_tags(head, hash); same != 0; same &= same - 1) {
      const uint32_t number = bucket.numbers[way_of(same)].load(std::memory_order_relaxed);
      if (number == 0 || !is_node(number, node)) continue;
      result = number;
      return true;
    }
    return (head & kCount) < kWays;
  });
  return result;
}

template <unsigned kWords>
uint32_t NodeTable<kWords>::find_or_add(const Node& node, uint64_t hash) {
  if (node == Node{}) return 0;
  if (const uint32_t number = find(index_.load(std::memory_order_acquire), node, hash); number != 0)
    return number;
  while (true) {
    const Index* index;
    {
      // Another thread may have added it meanwhile.
      const SpinLockGuard lock(lock_of(hash));
      index = index_.load(std::memory_order_relaxed);
      uint32_t number = find(index, node, hash);
      if (number != 0) return number;
      if (size() < limit_.load(std::memory_order_relaxed)) {
        if ((number = new_number()) == 0) break;
        for (unsigned i = 0; i < kWords; ++i) place(number)[i].store(node[i], std::memory_order_relaxed);
        put(*index, number, hash);
        return number;
      }
    }
    if (!grow(index)) break;
  }
  full_.store(true, std::memory_order_relaxed);
  return 0;
}

// There is room: of those who come at the limit, each has a lock and a slot that the limit leaves.
template <unsigned kWords>
void NodeTable<kWords>::put(const Index& index, uint32_t number, uint64_t hash) {
  while (!any_bucket(index, hash, [&](Bucket& bucket) { return put(bucket, number, hash); })) {
  }
}

// False: the bucket is full. Who reads the head reads the number and its node as they are now.
template <unsigned kWords>
bool NodeTable<kWords>::put(Bucket& bucket, uint32_t number, uint64_t hash) {
  uint64_t head = bucket.head.load(std::memory_order_relaxed);
  do {
    while ((head & kBusy) != 0) head = bucket.head.load(std::memory_order_relaxed);
    if ((head & kCount) == kWays) return false;
  } while (!bucket.head.compare_exchange_weak(head, head | kBusy, std::memory_order_acquire));
  const uint64_t way = head & kCount;
  bucket.numbers[way].store(number, std::memory_order_relaxed);
  bucket.head.store((head + 1) | (hash & kTag) << (kTagsFrom + way * kTagBits), std::memory_order_release);
  return true;
}

template <unsigned kWords>
bool NodeTable<kWords>::grow(const Index* from) {
  const MutexLock one(grows_);
  if (index_.load(std::memory_order_relaxed) != from) return true;
  const uint64_t least = round_up(
      std::clamp(budget_.limit() / kPartOfFirst / sizeof(Bucket), kLeastBuckets, kMostFirstBuckets), 2);
  std::unique_ptr<Index> more = make_index(from == nullptr ? least : round_up(from->count * 3 / 2, 2));
  if (more == nullptr) {
    // The one that there is gets fuller.
    limit_ = from == nullptr ? 0 : from->limit(kLastLoad);
    return size() < limit_;
  }
  lock_all();
  enter_all(*more);
  index_.store(more.get(), std::memory_order_release);
  limit_ = more->limit(kMostLoad);
  unlock_all();
  if (from != nullptr && from->little == nullptr) {
    indexes_.back()->memory.forget(0, from->bytes());
    budget_.release(from->bytes());
  }
  indexes_.push_back(std::move(more));
  return true;
}

// All nodes, some at a time, so that they wait for memory together.
template <unsigned kWords>
void NodeTable<kWords>::enter_all(const Index& index) const {
  constexpr uint64_t kSome = 32;
  uint64_t hashes[kSome];
  for (uint64_t first = 1; first <= size(); first += kSome) {
    const uint64_t n = std::min(kSome, size() + 1 - first);
    for (uint64_t i = 0; i < n; ++i) {
      hashes[i] = hash(node(static_cast<uint32_t>(first + i)));
      __builtin_prefetch(index.buckets + index.home(hashes[i]), 1);
    }
    for (uint64_t i = 0; i < n; ++i) put(index, static_cast<uint32_t>(first + i), hashes[i]);
  }
}

template <unsigned kWords>
std::unique_ptr<typename NodeTable<kWords>::Index> NodeTable<kWords>::make_index(uint64_t buckets) {
  auto index = std::make_unique<Index>();
  index->count = buckets;
  const uint64_t bytes = index->bytes();
  if (!budget_.reserve(bytes)) return nullptr;
  if (bytes < kPageBytes) {
    index->little = std::make_unique<Bucket[]>(buckets);
    index->buckets = index->little.get();
    return index;
  }
  Result<MemoryMap> memory = MemoryMap::reserve(bytes);
  const MemoryMap::Pages pages = bytes >= kHugePageBytes ? MemoryMap::Pages::huge : MemoryMap::Pages::small;
  if (!memory.ok() || !memory->commit(0, round_up(bytes, kPageBytes), pages)) {
    budget_.release(bytes);
    return nullptr;
  }
  index->memory = std::move(*memory);
  index->buckets = reinterpret_cast<Bucket*>(index->memory.data());
  return index;
}

template <unsigned kWords>
uint32_t NodeTable<kWords>::new_number() {
  for (uint64_t size = size_.load(std::memory_order_relaxed);;) {
    if (size >= room_.load(std::memory_order_acquire)) {
      if (!make_nodes(size + 1)) return 0;
      size = size_.load(std::memory_order_relaxed);
    } else if (size_.compare_exchange_weak(size, size + 1, std::memory_order_relaxed)) {
      return static_cast<uint32_t>(size + 1);
    }
  }
}

// Room for so many nodes at least.
template <unsigned kWords>
bool NodeTable<kWords>::make_nodes(uint64_t nodes) {
  const MutexLock lock(makes_nodes_);
  const uint64_t room = room_.load(std::memory_order_relaxed);
  if (nodes <= room) return true;
  const uint64_t most = (uint64_t{1} << number_bits_) - 1;  // 0 where there are no addresses
  if (nodes > most) return false;
  uint64_t step = std::clamp(round_down(room * sizeof(Node) / 4, kLeastStep), kLeastStep, kMostStep);
  step = std::max(step, round_up((nodes - room) * sizeof(Node), kLeastStep));
  const uint64_t bytes = std::min(step, (most - room) * sizeof(Node));
  if (!budget_.reserve(bytes)) return false;
  const uint64_t from = round_down((1 + room) * sizeof(Node), kPageBytes);
  const uint64_t to = round_up((1 + room) * sizeof(Node) + bytes, kPageBytes);
  if (!memory_.commit(from, to - from,
                      step == kMostStep ? MemoryMap::Pages::huge : MemoryMap::Pages::small)) {
    budget_.release(bytes);
    return false;
  }
  room_.store(room + bytes / sizeof(Node), std::memory_order_release);
  return true;
}

template <unsigned kWords>
void NodeTable<kWords>::serialize(Image& image) {
  constexpr uint64_t kPiece = (64 << 10) / sizeof(Node);
  uint64_t count = size();
  image.value("nodes", count);
  if (!image.ok()) return;
  const auto too_small = [&] {
    image.fail(Status::limit(
        fmt::format("--memory is too small: the parts of folded states alone had {} MiB; raise it",
                    count * kNodeBytes >> 20)));
  };
  if (image.restores() && count > 0 && !make_nodes(count)) return too_small();
  for (uint64_t first = 1; first <= count && image.ok(); first += kPiece)
    image.bytes(nodes_ + first * kWords, std::min(kPiece, count + 1 - first) * sizeof(Node));
  if (!image.restores() || !image.ok() || count == 0) return;
  const MutexLock one(grows_);
  std::unique_ptr<Index> index = make_index(round_up(count * 100 / kMostLoad / kWays + kLeastBuckets, 2));
  if (index == nullptr) return too_small();
  size_ = count;
  enter_all(*index);
  limit_ = index->limit(kMostLoad);
  index_ = index.get();
  indexes_.push_back(std::move(index));
}

template <unsigned kWords>
std::string NodeTable<kWords>::check_invariants() const {
  InvariantCheck check("NodeTable");
  const uint64_t nodes = size();
  check.holds(4, nodes <= room_ && (nodes == 0 || nodes >> number_bits_ == 0),
              "there is memory for all nodes");
  const Index* index = index_;
  if (index == nullptr || !check.ok()) return check.broken();
  uint64_t entered = 0;
  for (uint64_t b = 0; b < index->count && check.ok(); ++b) {
    const uint64_t head = index->buckets[b].head, count = head & kCount;
    check.holds(3, count <= kWays && (head & kBusy) == 0, "a bucket is not busy", b);
    for (uint64_t way = 0; way < count && way < kWays; ++way) {
      const uint32_t number = index->buckets[b].numbers[way];
      check.holds(1, number != 0 && number <= nodes, "a number of the index is that of a node", b);
    }
    entered += count;
  }
  check.holds(1, entered == nodes, "the index has as many numbers as there are nodes");
  for (uint64_t i = 1; i <= nodes && check.ok(); ++i) {
    const Node own = node(static_cast<uint32_t>(i));
    check.holds(2, own != Node{}, "no node is all zeros", i);
    // Of equal nodes, the search finds the first one.
    check.holds(1, find(index, own, hash(own)) == i, "a search finds a node by its number", i);
  }
  return check.broken();
}

template class NodeTable<1>;
template class NodeTable<2>;
template class NodeTable<4>;
template class NodeTable<8>;

}  // namespace strata
