#include "view/fold/fold_sample.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <string_view>
#include <tuple>
#include <unordered_set>

namespace strata {

namespace {

constexpr uint64_t kMostSteps = 4096, kLeastSteps = 64;
constexpr uint64_t kStepsOfAWalk = 64;
constexpr uint64_t kMostStarts = 64;
constexpr uint64_t kStepsOfAState = 4;  // of the successors of one state
// Successors that are made for the sample, whether they become part of it or not.
constexpr uint64_t kMostMadeBytes = 64 << 20, kMostMade = 100'000;
// The values of a chunk are few if they are at most one for so many steps.
constexpr uint64_t kStepsOfAValue = 64;
constexpr uint64_t kMostChunks = 2048;

uint64_t count(const std::vector<uint64_t>& bits) {
  uint64_t result = 0;
  for (const uint64_t word : bits) result += static_cast<uint64_t>(std::popcount(word));
  return result;
}

uint64_t count_either(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  uint64_t result = 0;
  for (size_t i = 0; i < a.size(); ++i) result += static_cast<uint64_t>(std::popcount(a[i] | b[i]));
  return result;
}

}  // namespace

class FoldSample::Walker {
 public:
  Walker(const Model& model, FoldSample& sample, const std::atomic<bool>& stop)
      : model_(model),
        sample_(sample),
        stop_(stop),
        out_(model.info(), std::max<uint64_t>(1, model.info().max_successors)),
        bytes_(model.info().state_bytes) {
    out_.check_properties = false;
    out_.deadlock = DeadlockMode::off;
  }

  void run() {
    find_starts();
    while (goes_on()) {
      const uint64_t before = made_;
      for (const std::vector<uint8_t>& start : starts_)
        if (goes_on()) walk_from(start);
      if (made_ == before) return;  // nothing happens in this model
    }
  }

 private:
  void find_starts() {
    const auto take = [&] {
      for (uint64_t i = 0; i < out_.count && starts_.size() < kMostStarts; ++i)
        starts_.emplace_back(out_.successor(i), out_.successor(i) + bytes_);
    };
    out_.reset();
    model_.starts(out_, take);
    take();
  }
  bool goes_on() const {
    return sample_.steps_ < sample_.most_steps_ && made_ < kMostMade && made_ * bytes_ < kMostMadeBytes &&
           !stop_;
  }
  void walk_from(std::vector<uint8_t> state) {
    state.resize(bytes_ + 16);  // models may read whole words
    for (uint64_t step = 0; step < kStepsOfAWalk && goes_on(); ++step) {
      out_.reset();
      model_.expand(state.data(), 1, out_);
      if (out_.count == 0) return;
      made_ += out_.count;
      for (uint64_t i = 0; i < std::min(kStepsOfAState, out_.count); ++i)
        sample_.add(state.data(), out_.successor(random_() % out_.count));
      std::memcpy(state.data(), out_.successor(random_() % out_.count), bytes_);
    }
  }

  const Model& model_;
  FoldSample& sample_;
  const std::atomic<bool>& stop_;
  Expansion out_;
  const uint64_t bytes_;
  std::vector<std::vector<uint8_t>> starts_;
  uint64_t made_ = 0;
  std::mt19937_64 random_{1};
};

FoldSample::FoldSample(const Model& model, uint64_t most_bytes, const std::atomic<bool>& stop)
    : state_bytes_(model.info().state_bytes) {
  const uint64_t successors = std::max<uint64_t>(1, model.info().max_successors) * state_bytes_;
  if (successors > most_bytes / 2) return;
  // A step takes its state, and as much again while the tree is made.
  most_steps_ = std::min(kMostSteps, most_bytes / 4 / state_bytes_);
  if (most_steps_ < kLeastSteps) return;
  states_.reserve(most_steps_ * state_bytes_);
  changes_.assign((state_bytes_ + 3) / 4, Bits((most_steps_ + 63) / 64, 0));
  Walker(model, *this, stop).run();
}

void FoldSample::add(const uint8_t* before, const uint8_t* after) {
  if (steps_ == most_steps_ || std::memcmp(before, after, state_bytes_) == 0) return;
  states_.insert(states_.end(), after, after + state_bytes_);
  for (uint64_t at = 0; at < state_bytes_; at += 4)
    if (std::memcmp(before + at, after + at, std::min<uint64_t>(4, state_bytes_ - at)) != 0)
      changes_[at / 4][steps_ / 64] |= uint64_t{1} << steps_ % 64;
  ++steps_;
}

bool FoldSample::is_cut(const FoldTree::Chunk& chunk) const {
  const uint64_t bytes = std::min<uint64_t>(chunk.bytes, state_bytes_ - chunk.first);
  std::unordered_set<std::string_view> values;
  for (uint64_t i = 0; i < steps_ && values.size() <= steps_ / kStepsOfAValue; ++i)
    values.emplace(reinterpret_cast<const char*>(states_.data()) + i * state_bytes_ + chunk.first, bytes);
  return values.size() > steps_ / kStepsOfAValue;
}

FoldSample::Bits FoldSample::steps_that_change(const FoldTree::Chunk& chunk) const {
  Bits result(changes_.front().size(), 0);
  const uint64_t end = std::min<uint64_t>(chunk.first + chunk.bytes, state_bytes_);
  for (uint64_t at = chunk.first; at < end; at += 4)
    for (size_t i = 0; i < result.size(); ++i) result[i] |= changes_[at / 4][i];
  return result;
}

// Joins two parts until one is left, each time those of which one or the other changes in the fewest steps; of several such pairs the
// one that is least high, so that what never changes does not become a long chain.
std::vector<FoldTree::Node> FoldSample::nodes(std::vector<Bits> changes) const {
  struct Part {
    uint32_t number = 0, height = 0;
    Bits changes;
    uint64_t count = 0;
  };
  using Cost =
      std::tuple<uint64_t, uint32_t, uint32_t, uint32_t>;  // of joining two, and their places in the list
  std::vector<Part> parts;
  for (Bits& own : changes) parts.push_back({static_cast<uint32_t>(parts.size()), 0, std::move(own), 0});
  for (Part& part : parts) part.count = count(part.changes);
  const auto cost = [&](size_t a, size_t b) {
    return Cost(count_either(parts[a].changes, parts[b].changes), std::max(parts[a].height, parts[b].height),
                static_cast<uint32_t>(a), static_cast<uint32_t>(b));
  };
  // The best partner of each among those behind it.
  std::vector<Cost> best(parts.size());
  const auto find_best = [&](size_t a) {
    best[a] = Cost(~uint64_t{0}, 0, 0, 0);
    for (size_t b = a + 1; b < parts.size(); ++b) {
      if (std::max(parts[a].count, parts[b].count) > std::get<0>(best[a])) continue;
      best[a] = std::min(best[a], cost(a, b));
    }
  };
  for (size_t a = 0; a < parts.size(); ++a) find_best(a);
  std::vector<FoldTree::Node> result;
  uint32_t next = static_cast<uint32_t>(parts.size());
  for (size_t left = parts.size(); left > 1; --left) {
    const auto [steps, height, a, b] = *std::min_element(best.begin(), best.end());
    result.push_back({parts[a].number, parts[b].number});
    for (size_t i = 0; i < parts[a].changes.size(); ++i) parts[a].changes[i] |= parts[b].changes[i];
    parts[a].number = next++;
    parts[a].height = height + 1;
    parts[a].count = steps;
    parts.erase(parts.begin() + b);
    best.erase(best.begin() + b);
    // Those whose partner was one of the two look for another; the others have at most the new part as a better one.
    for (size_t i = 0; i < parts.size(); ++i) {
      auto& [own_steps, own_height, self, partner] = best[i];
      self = static_cast<uint32_t>(i);
      if (i == a || own_steps == ~uint64_t{0} || partner == a || partner == b) {
        find_best(i);
        continue;
      }
      if (partner > b) --partner;
      if (i < a) best[i] = std::min(best[i], cost(i, a));
    }
  }
  return result;
}

FoldTree FoldSample::tree() const {
  if (steps_ < kLeastSteps) return FoldTree::even(state_bytes_);
  uint64_t left = kMostChunks - std::min(kMostChunks, state_bytes_ / FoldTree::kMostChunk);
  std::vector<FoldTree::Chunk> chunks = FoldTree::cut(state_bytes_, [&](const FoldTree::Chunk& chunk) {
    if (left == 0 || !is_cut(chunk)) return false;
    --left;
    return true;
  });
  std::vector<Bits> changes;
  for (const FoldTree::Chunk& chunk : chunks) changes.push_back(steps_that_change(chunk));
  std::vector<FoldTree::Node> pairs = nodes(std::move(changes));
  return FoldTree(std::move(chunks), std::move(pairs));
}

}  // namespace strata
