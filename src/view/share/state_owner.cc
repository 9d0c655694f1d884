#include "view/share/state_owner.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "store/key/bit_statistics.h"

namespace strata {

namespace {

// Walks from initial states. Their lengths begin with kShortest and are doubled up to kLengths - 1 times. States that
// all walks meet at the beginning are left out.
constexpr uint64_t kWalks = 160, kShortest = 64, kLengths = 5;
constexpr uint64_t kSampleBytes = 4 << 20;
// With R ranks, a rank has about 1 / R of the states; by chance, its share differs from that by this much.
constexpr double kUnevenness = 0.05;

struct Sample {
  explicit Sample(uint64_t state_bytes) : ones(state_bytes), statistics(state_bytes) {}

  const uint8_t* state(uint64_t i, uint64_t bytes) const { return states.data() + i * bytes; }

  std::vector<uint8_t> states;
  std::vector<uint32_t> walks;  // of each state
  BitCounts ones;
  BitStatistics statistics;
};

class Walker {
 public:
  explicit Walker(const Model& model)
      : model_(model),
        bytes_(model.info().state_bytes),
        out_(model.info(), std::max<uint64_t>({model.info().max_successors, kStarts, 1})),
        state_(bytes_ + sizeof(uint64_t)) {
    // The first of them are enough.
    const auto keep = [&] {
      const uint64_t room = kStarts - std::min(kStarts, starts_.size() / bytes_);
      starts_.insert(starts_.end(), out_.states.data(),
                     out_.states.data() + std::min(out_.count, room) * bytes_);
    };
    out_.reset();
    model_.starts(out_, keep);
    keep();
  }

  Sample walk() {
    Sample sample(bytes_);
    const uint64_t most = kSampleBytes / bytes_ / kWalks + 1;  // states of a walk
    for (uint32_t i = 0; i < kWalks && !starts_.empty(); ++i) {
      const uint64_t length = kShortest << i % kLengths;
      const uint64_t begin = length / 2, every = (length - begin + most - 1) / most;
      std::copy_n(starts_.data() + random_.below(starts_.size() / bytes_) * bytes_, bytes_, state_.data());
      for (uint64_t step = 0; step < length; ++step) {
        out_.reset();
        model_.expand(state_.data(), 1, out_);
        if (step >= begin && (step - begin) % every == 0) note(i, sample);
        if (out_.count == 0) break;
        std::copy_n(out_.successor(random_.below(out_.count)), bytes_, state_.data());
      }
    }
    return sample;
  }

 private:
  static constexpr uint64_t kStarts = 4096;

  void note(uint32_t walk, Sample& sample) {
    sample.states.insert(sample.states.end(), state_.data(), state_.data() + bytes_);
    sample.walks.push_back(walk);
    sample.ones.add(state_.data());
    for (uint64_t k = 0; k < out_.count; ++k)
      sample.statistics.note_transition(state_.data(), out_.successor(k));
  }

  const Model& model_;
  const uint64_t bytes_;
  Expansion out_;
  std::vector<uint8_t> state_, starts_;
  Random random_{1};
};

// Pairs of equal elements of a sorted list.
template <class T>
double equal_pairs(const std::vector<T>& sorted) {
  double pairs = 0;
  for (auto run = sorted.begin(); run != sorted.end();) {
    const auto end = std::upper_bound(run, sorted.end(), *run);
    const auto n = static_cast<double>(end - run);
    pairs += n * (n - 1) / 2;
    run = end;
  }
  return pairs;
}

// The probability that two states of different walks have the same value. States of one walk resemble each other, which
// tells nothing.
double collisions(const std::vector<uint64_t>& values, const std::vector<uint32_t>& walks) {
  std::vector<std::pair<uint64_t, uint32_t>> within;
  for (uint64_t i = 0; i < values.size(); ++i) within.emplace_back(values[i], walks[i]);
  std::vector<uint64_t> sorted = values;
  std::ranges::sort(sorted);
  std::ranges::sort(within);
  const auto n = static_cast<double>(values.size());
  const double pairs = n * (n - 1) / 2 - equal_pairs(walks);
  return pairs <= 0 ? 1 : (equal_pairs(sorted) - equal_pairs(within)) / pairs;
}

}  // namespace

void StateOwner::take_bits(const uint32_t* bits, uint64_t n, uint64_t state_bytes) {
  std::vector<uint8_t> mask(state_bytes, 0);
  for (uint64_t i = 0; i < n; ++i) mask[bits[i] / 8] |= static_cast<uint8_t>(1u << bits[i] % 8);
  words_.clear();
  for (uint64_t begin = 0; begin < state_bytes; begin += sizeof(uint64_t)) {
    Word word{std::min(begin, state_bytes - sizeof(uint64_t)), 0};
    std::memcpy(&word.mask, mask.data() + word.offset, sizeof word.mask);
    std::fill_n(mask.data() + word.offset, sizeof word.mask, 0);  // the last two may overlap
    if (word.mask != 0) words_.push_back(word);
  }
}

StateOwner StateOwner::local(const Model& model, uint64_t ranks) {
  StateOwner owner(ranks);
  const uint64_t bytes = model.info().state_bytes;
  if (ranks == 1 || bytes < sizeof(uint64_t)) return owner;
  const Sample sample = Walker(model).walk();
  const std::vector<uint32_t> bits = sample.statistics.stable_bits(sample.ones);
  std::vector<uint64_t> values(sample.walks.size());
  const auto is_even = [&](uint64_t n) {
    owner.take_bits(bits.data(), n, bytes);
    for (uint64_t i = 0; i < values.size(); ++i) values[i] = owner.hash_words(sample.state(i, bytes));
    return collisions(values, sample.walks) * static_cast<double>(ranks) <= kUnevenness * kUnevenness;
  };
  // More bits make shares more even.
  uint64_t few = 0, enough = bits.size();
  if (bits.empty() || !is_even(enough)) {
    owner.words_.clear();
    return owner;
  }
  while (enough - few > 1) {
    const uint64_t middle = few + (enough - few) / 2;
    (is_even(middle) ? enough : few) = middle;
  }
  owner.take_bits(bits.data(), enough, bytes);
  return owner;
}

}  // namespace strata
