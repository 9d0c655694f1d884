#include "view/fold/fold_sample.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <string_view>
#include <tuple>
#include <unordered_map>

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

uint64_t FoldSample::most_values() const { return steps_ / kStepsOfAValue; }

bool FoldSample::is_cut(const FoldTree::Run& run) const { return part_of(run).values.empty(); }

FoldSample::Part FoldSample::part_of(const FoldTree::Run& run) const {
  Part result;
  result.chunk = FoldTree::chunk_of_run(run, state_bytes_);
  const uint64_t end = std::min<uint64_t>(run.first + run.bytes, state_bytes_);
  std::unordered_map<std::string_view, uint16_t> numbers;
  result.values.reserve(steps_);
  for (uint64_t i = 0; i < steps_; ++i) {
    const std::string_view value(reinterpret_cast<const char*>(states_.data()) + i * state_bytes_ + run.first,
                                 end - std::min<uint64_t>(run.first, end));
    result.values.push_back(numbers.emplace(value, static_cast<uint16_t>(numbers.size())).first->second);
    if (numbers.size() <= most_values()) continue;
    result.values.clear();
    break;
  }
  result.distinct = static_cast<uint32_t>(numbers.size());
  result.changes.assign(changes_.front().size(), 0);
  for (uint64_t at = run.first; at < end; at += FoldTree::kLeaf)
    for (size_t i = 0; i < result.changes.size(); ++i) result.changes[i] |= changes_[at / FoldTree::kLeaf][i];
  result.change_count = count(result.changes);
  return result;
}

// Joins two parts until one is left, each time the pair of which one or the other changes in the fewest steps; of
// several such pairs the lowest one, so that parts that never change do not become a long chain.
class FoldSample::Joiner {
 public:
  Joiner(std::vector<Part> parts, uint64_t most_values)
      : parts_(std::move(parts)), best_(parts_.size()), most_values_(most_values) {}

  FoldTree run(uint64_t state_bytes) {
    for (size_t a = 0; a < parts_.size(); ++a) find_best(a);
    while (parts_.size() > 1) {
      const auto [steps, height, a, b] = *std::min_element(best_.begin(), best_.end());
      join(parts_[a], parts_[b]);
      parts_[a].change_count = steps;
      remove(a, b);
    }
    // Chunks come before nodes.
    std::vector<FoldTree::Node> nodes;
    for (const auto& [left, right] : nodes_) nodes.push_back({number(left), number(right)});
    return FoldTree(state_bytes, std::move(chunks_), std::move(nodes));
  }

 private:
  // Of joining two, and their places in the list.
  using Cost = std::tuple<uint64_t, uint32_t, uint32_t, uint32_t>;
  static constexpr uint64_t kNone = ~uint64_t{0};
  struct Reference {
    bool is_chunk;
    uint32_t place;
  };

  Cost cost(size_t a, size_t b) const {
    return Cost(count_either(parts_[a].changes, parts_[b].changes),
                std::max(parts_[a].height, parts_[b].height), static_cast<uint32_t>(a),
                static_cast<uint32_t>(b));
  }
  // The best partner of each part among the parts after it.
  void find_best(size_t a) {
    best_[a] = Cost(kNone, 0, 0, 0);
    for (size_t b = a + 1; b < parts_.size(); ++b) {
      if (std::max(parts_[a].change_count, parts_[b].change_count) > std::get<0>(best_[a])) continue;
      best_[a] = std::min(best_[a], cost(a, b));
    }
  }
  // Part a is the joined part.
  void remove(uint32_t a, uint32_t b) {
    parts_.erase(parts_.begin() + b);
    best_.erase(best_.begin() + b);
    // Parts whose partner was one of the two look for another; for the others only the new part can be better.
    for (size_t i = 0; i < parts_.size(); ++i) {
      auto& [steps, height, self, partner] = best_[i];
      self = static_cast<uint32_t>(i);
      if (i == a || steps == kNone || partner == a || partner == b) {
        find_best(i);
        continue;
      }
      if (partner > b) --partner;
      if (i < a) best_[i] = std::min(best_[i], cost(i, a));
    }
  }
  void join(Part& a, Part& b) {
    for (size_t i = 0; i < a.changes.size(); ++i) a.changes[i] |= b.changes[i];
    if (parts_.size() > 2 && join_chunks(a, b)) return;
    const Reference left = refer(a), right = refer(b);
    a.number = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({left, right});
    a.is_chunk = false;
    a.values.clear();
    a.height = std::max(a.height, b.height) + 1;
  }
  // One chunk of two, if it has few values; false: it has not.
  bool join_chunks(Part& a, const Part& b) const {
    if (a.values.empty() || b.values.empty() || a.chunk.count + b.chunk.count > FoldTree::kMostLeaves)
      return false;
    std::vector<uint32_t> numbers(a.distinct * b.distinct, kNoNumber);
    std::vector<uint16_t> values(a.values.size());
    uint32_t distinct = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      uint32_t& number = numbers[a.values[i] * b.distinct + b.values[i]];
      if (number == kNoNumber) number = distinct++;
      if (distinct > most_values_) return false;
      values[i] = static_cast<uint16_t>(number);
    }
    for (uint32_t k = 0; k < b.chunk.count; ++k) a.chunk.add(b.chunk.leaves[k]);
    std::sort(a.chunk.leaves.begin(), a.chunk.leaves.begin() + a.chunk.count);
    a.values = std::move(values);
    a.distinct = distinct;
    return true;
  }
  Reference refer(const Part& part) {
    if (!part.is_chunk) return {false, part.number};
    chunks_.push_back(part.chunk);
    return {true, static_cast<uint32_t>(chunks_.size() - 1)};
  }
  uint32_t number(const Reference& part) const {
    return part.place + (part.is_chunk ? 0 : static_cast<uint32_t>(chunks_.size()));
  }

  static constexpr uint32_t kNoNumber = ~uint32_t{0};
  std::vector<Part> parts_;
  std::vector<Cost> best_;
  const uint64_t most_values_;
  std::vector<FoldTree::Chunk> chunks_;
  std::vector<std::pair<Reference, Reference>> nodes_;
};

FoldTree FoldSample::tree() const {
  if (steps_ < kLeastSteps) return FoldTree::even(state_bytes_);
  uint64_t left = kMostChunks - std::min(kMostChunks, state_bytes_ / FoldTree::kMostChunk);
  std::vector<Part> parts;
  for (const FoldTree::Run& run : FoldTree::cut(state_bytes_, [&](const FoldTree::Run& one) {
         if (left == 0 || !is_cut(one)) return false;
         --left;
         return true;
       }))
    parts.push_back(part_of(run));
  return Joiner(std::move(parts), most_values()).run(state_bytes_);
}

}  // namespace strata
