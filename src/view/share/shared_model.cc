#include "view/share/shared_model.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "store/key/keys.h"
#include "store/key/thread_cache.h"
#include "view/share/state_packing.h"

namespace strata {

namespace {

// A rank uses at most this share of its memory for messages.
constexpr uint64_t kMemoryShare = 16;
constexpr uint64_t kLeastBatch = 1 << 10, kMostBatch = 32 << 10, kMostCache = 1 << 20;
// Batches between a pair of ranks: if memory allows, as many as a rank produces while the other one is busy elsewhere.
constexpr uint64_t kLeastWindow = 4, kMostWindow = 32;
constexpr uint64_t kStatesAhead = 8;  // hashes are computed this many states ahead

}  // namespace

// A thread's open letters to the other ranks, and the letter that it reads.
struct alignas(128) SharedModel::Scratch : InnerScratch {
  // States for a rank that are not sent yet.
  struct Letter {
    explicit Letter(uint64_t state_bytes) : packer(state_bytes) {}
    StatePacker packer;
    std::vector<uint8_t> bytes;
    uint64_t used = 0;
  };
  struct Ready {
    uint64_t to;
    std::vector<uint8_t> bytes;
    uint64_t used;
  };

  Scratch(const ModelInfo& info, uint64_t capacity, uint64_t ranks, const Sizes& sizes)
      : InnerScratch(info, capacity),
        most(packed_bytes(info.state_bytes)),
        batch(std::max(sizes.batch, most)),
        unpacker(info.state_bytes) {
    letters.reserve(ranks);
    for (uint64_t i = 0; i < ranks; ++i) letters.emplace_back(info.state_bytes);
    latest.resize(KeyBytes(info.state_bytes), sizes.cache);
  }

  void add(uint64_t to, const uint8_t* state) {
    Letter& letter = letters[to];
    if (letter.used + most > batch) close(to);
    if (letter.used == 0) {
      if (letter.bytes.empty()) letter.bytes = take_spare();
      letter.packer.begin();
    }
    letter.used = static_cast<uint64_t>(letter.packer.pack(state, letter.bytes.data() + letter.used) -
                                        letter.bytes.data());
  }
  void close(uint64_t to) {
    Letter& letter = letters[to];
    if (letter.used == 0) return;
    ready.push_back({to, std::move(letter.bytes), std::exchange(letter.used, 0)});
    letter.bytes.clear();
  }
  void make_room(uint64_t successors) {
    if (kept.size() >= successors + 1) return;
    kept.resize(successors + 1);
    foreign.resize(successors + 1);
  }
  std::vector<uint8_t> take_spare() {
    if (spare.empty()) return std::vector<uint8_t>(batch);
    std::vector<uint8_t> bytes = std::move(spare.back());
    spare.pop_back();
    return bytes;
  }

  const uint64_t most, batch;
  std::vector<Letter> letters;
  std::vector<Ready> ready;
  std::vector<std::vector<uint8_t>> spare;
  ThreadCache<KeyBytes> latest;
  // Successors of the current call: the rank's own, and the others.
  struct Foreign {
    uint64_t hash;
    uint32_t number, to;
  };
  std::vector<uint32_t> kept;
  std::vector<Foreign> foreign;
  cluster::Batch arrived;
  uint64_t read = 0;  // bytes of `arrived` that are read
  StateUnpacker unpacker;
  Counts counts;  // since note() was called last
};

SharedModel::SharedModel(const Model& model, cluster::Exchange& exchange, const Sizes& sizes,
                         StateOwner owner)
    : View(model), exchange_(exchange), sizes_(sizes), owner_(std::move(owner)) {}

uint64_t SharedModel::scratch_bytes(const ModelInfo& info, uint64_t ranks, const Sizes& sizes) {
  const uint64_t batch = std::max(sizes.batch, packed_bytes(info.state_bytes));
  constexpr uint64_t kBesides = 256;
  return ranks * (batch + info.state_bytes + kBesides) + sizes.cache;
}

SharedModel::Sizes SharedModel::fit(const ModelInfo& info, uint64_t ranks, unsigned threads,
                                    uint64_t memory) {
  const uint64_t share = memory / kMemoryShare;
  // Each thread has a batch for each rank; the windows limit the batches in transit.
  const uint64_t batches = ranks * (threads + 2 * kLeastWindow);
  Sizes sizes;
  sizes.cache = std::min(kMostCache, share / 4 / threads);
  sizes.batch =
      std::max(std::clamp(share / 2 / batches, kLeastBatch, kMostBatch), packed_bytes(info.state_bytes));
  const uint64_t of_rank = share / 2 / ranks / sizes.batch;
  sizes.window = std::clamp((of_rank - std::min<uint64_t>(of_rank, threads)) / 2, kLeastWindow, kMostWindow);
  return sizes;
}

std::unique_ptr<InnerScratch> SharedModel::make_scratch(uint64_t capacity) const {
  return std::make_unique<Scratch>(model_.info(), capacity, exchange_.ranks(), sizes_);
}

SharedModel::Scratch& SharedModel::sharing(Expansion& out) const {
  Scratch& own = static_cast<Scratch&>(scratch(out));
  own.inner.emit_self_loops = out.emit_self_loops;
  return own;
}

uint64_t SharedModel::owner_of(const uint8_t* state) const {
  return owner_(state, quick_hash(state, info_.state_bytes));
}

void SharedModel::starts(Expansion& out, const Full& full) const {
  Expansion& inner = sharing(out).inner;
  const auto hand_on = [&] {
    for (uint64_t i = 0; i < inner.count; ++i) {
      if (owner_of(inner.successor(i)) != exchange_.rank()) continue;
      out.make_room(full);
      std::memcpy(out.states.data() + out.count * info_.state_bytes, inner.successor(i), info_.state_bytes);
      out.rules[out.count] = inner.rules[i];
      out.parents[out.count++] = 0;
    }
    add_findings(inner, out);
    inner.failures.clear();
  };
  model_.starts(inner, hand_on);
  hand_on();
}

void SharedModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  Scratch& own = sharing(out);
  Expansion& inner = own.inner;
  model_.expand(states, n, inner);
  const uint64_t bytes = info_.state_bytes, count = inner.count;
  const uint64_t rank = exchange_.rank();
  own.make_room(count);
  // Fills two lists without a branch, which could not be predicted.
  uint64_t kept = 0, foreign = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t hash = quick_hash(inner.successor(i), bytes);
    const uint64_t to = owner_(inner.successor(i), hash);
    const bool is_own = to == rank;
    own.kept[kept] = static_cast<uint32_t>(i);
    own.foreign[foreign] = {hash, static_cast<uint32_t>(i), static_cast<uint32_t>(to)};
    kept += is_own;
    foreign += !is_own;
  }
  for (uint64_t k = 0; k < kept; ++k, ++out.count) {
    const uint64_t i = own.kept[k];
    copy_bytes(out.states.data() + out.count * bytes, inner.successor(i), bytes);
    out.rules[out.count] = inner.rules[i];
    out.parents[out.count] = inner.parents[i];
  }
  uint64_t sent = 0;
  for (uint64_t k = 0; k < foreign; ++k) {
    if (k + kStatesAhead < foreign) own.latest.fetch(own.foreign[k + kStatesAhead].hash);
    const auto [hash, i, to] = own.foreign[k];
    if (own.latest.meet(inner.successor(i), hash)) continue;
    ++sent;
    own.add(to, inner.successor(i));
  }
  own.counts.successors += count;
  own.counts.foreign += foreign;
  own.counts.sent += sent;
  add_findings(inner, out);
  out.consumed = inner.consumed;
  out.transitions = inner.transitions;
  out.orbit_states = inner.orbit_states;
  out.canonicalise_seconds = inner.canonicalise_seconds;
}

void SharedModel::check(const uint8_t* states, uint64_t n, Expansion& out) const {
  Expansion& inner = sharing(out).inner;
  model_.check(states, n, inner);
  out.consumed = inner.consumed;
  add_findings(inner, out);
}

bool SharedModel::send_ready(Scratch& own) const {
  std::erase_if(own.ready, [&](Scratch::Ready& ready) {
    if (!exchange_.try_send(ready.to, {ready.bytes.data(), ready.used})) return false;
    own.spare.push_back(std::move(ready.bytes));
    return true;
  });
  return own.ready.empty();
}

void SharedModel::note(Scratch& own) const {
  const Counts counts = std::exchange(own.counts, {});
  successors_.fetch_add(counts.successors, std::memory_order_relaxed);
  foreign_.fetch_add(counts.foreign, std::memory_order_relaxed);
  sent_.fetch_add(counts.sent, std::memory_order_relaxed);
}

bool SharedModel::arrivals(Expansion& out, bool flush) const {
  Scratch& own = static_cast<Scratch&>(scratch(out));
  if (flush) {
    for (uint64_t to = 0; to < own.letters.size(); ++to) own.close(to);
    note(own);
  }
  const bool all_sent = send_ready(own);
  while (out.count < out.capacity()) {
    const std::span<const uint8_t> letter = own.arrived.bytes();
    if (own.read == letter.size()) {
      own.arrived.release();
      own.read = 0;
      if (!exchange_.try_receive(own.arrived)) break;
      own.unpacker.begin();
      continue;
    }
    const uint8_t* const begin = letter.data() + own.read;
    const uint8_t* const end = own.unpacker.unpack(begin, letter.data() + letter.size(),
                                                   out.states.data() + out.count * info_.state_bytes);
    if (end == nullptr) {
      exchange_.transport().fail(
          Status::internal("a batch of states that cannot be read; please report this as a bug of strata"));
      break;
    }
    own.read += static_cast<uint64_t>(end - begin);
    ++out.count;
  }
  return all_sent;
}

void SharedModel::hand_out(const uint8_t* states, uint64_t n, Expansion& out) const {
  Scratch& own = static_cast<Scratch&>(scratch(out));
  const uint64_t bytes = info_.state_bytes;
  for (const uint8_t* state = states; state < states + n * bytes; state += bytes) {
    const uint64_t to = owner_of(state);
    if (to == exchange_.rank())
      std::memcpy(out.states.data() + out.count++ * bytes, state, bytes);
    else
      own.add(to, state);
  }
}

void SharedModel::make_whole(const uint8_t* states, uint64_t n, uint8_t* result) const {
  std::memcpy(result, states, n * info_.state_bytes);
}

SharedModel::Counts SharedModel::counts() const {
  return {successors_.load(std::memory_order_relaxed), foreign_.load(std::memory_order_relaxed),
          sent_.load(std::memory_order_relaxed)};
}

}  // namespace strata
