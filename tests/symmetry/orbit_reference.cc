// The symmetry of a model against brute force.
//
//   orbit_reference [--states LIMIT] MODEL.m
//
// All reachable states are enumerated, and each is brought into words: the value that traces show, with the
// children of arrays sorted by label and those of multisets by text. A permutation is applied to these words,
// by renaming Proc_2 in values and labels, and never to packed bits; the orbit of a state is the set of its
// words under all permutations. Then
//
//   (a) canonicalise() makes two states equal exactly when they are in one orbit,
//   (b) it gives a state of the orbit and changes it no more when called again; represent() likewise,
//   (c) permute() does to the bits what renaming does to the words, and gives the bits that a search would give,
//   (d) orbit_sizes() gives the number of different words; over all orbits they add up to the reachable
//   states if the start
//       states are closed under renaming,
//   (e) a search of the quotient reaches exactly the states that stand for the orbits,
//   (f) check_symmetry() finds nothing.
//
// Prints what fails and `N states, M orbits`. Exit code: 0 all holds, 1 something fails, 2 the model cannot
// be compiled or has no symmetry, 3 it has more than LIMIT states.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/random.h"
#include "ir/symmetry/reduction.h"
#include "lang/language.h"
#include "native/native.h"
#include "property/symmetry/symmetry_check.h"
#include "view/quotient/quotient.h"

namespace strata {
namespace {

using State = std::string;  // its bytes
using Permutation = std::vector<uint8_t>;
using Renaming = std::unordered_map<std::string, std::string>;

constexpr uint64_t kSlack = 16;  // bytes that may be read behind a state
constexpr uint64_t kMostPrinted = 5;
constexpr int kRandomPermutations = 3;

// ---- States in words

std::string renamed(const Renaming& names, const std::string& word) {
  const auto found = names.find(word);
  return found == names.end() ? word : found->second;
}

std::string words(const Value& value, const Renaming& names) {
  if (value.members.empty()) {
    switch (value.kind) {
      case Value::Kind::record:
      case Value::Kind::array:
      case Value::Kind::multiset: return "{}";
      default: return renamed(names, value.text());
    }
  }
  std::vector<std::string> parts;
  for (const auto& [label, member] : value.members) {
    const std::string text = words(member, names);
    parts.push_back(value.kind == Value::Kind::multiset ? text : renamed(names, label) + ":" + text);
  }
  if (value.kind != Value::Kind::record) std::sort(parts.begin(), parts.end());
  return fmt::format("{{{}}}", fmt::join(parts, " "));
}

std::vector<Permutation> all_permutations(const Symmetry& symmetry) {
  std::vector<Permutation> all{{}};
  for (const SymmetricSet& set : symmetry.sets()) {
    std::vector<Permutation> longer;
    Permutation own(set.size);
    std::iota(own.begin(), own.end(), uint8_t{0});
    do {
      for (Permutation sofar : all) {
        sofar.insert(sofar.end(), own.begin(), own.end());
        longer.push_back(std::move(sofar));
      }
    } while (std::next_permutation(own.begin(), own.end()));
    all = std::move(longer);
  }
  return all;
}

Renaming renaming(const Symmetry& symmetry, const Permutation& permutation) {
  Renaming names;
  size_t base = 0;
  for (const SymmetricSet& set : symmetry.sets()) {
    for (uint32_t i = 0; i < set.size; ++i)
      names.emplace(fmt::format("{}_{}", set.name, i + 1),
                    fmt::format("{}_{}", set.name, permutation[base + i] + 1));
    base += set.size;
  }
  return names;
}

// ---- Searching

// All states that can be reached, in the order in which they are found; and how many of them are start states.
struct Reachable {
  std::vector<State> states;
  std::set<State> known;
  size_t starts = 0;
  bool too_many = false;
};

Reachable search(const Model& model, uint64_t limit) {
  Reachable found;
  const ModelInfo& info = model.info();
  Expansion out(info, std::max<uint64_t>({info.max_successors, info.max_initial, 1}));
  out.check_properties = false;
  const auto add = [&] {
    for (uint64_t i = 0; i < out.count; ++i) {
      State state(reinterpret_cast<const char*>(out.successor(i)), info.state_bytes);
      if (found.known.insert(state).second) found.states.push_back(std::move(state));
    }
  };
  model.initial(out);
  add();
  found.starts = found.states.size();
  for (size_t i = 0; i < found.states.size() && !found.too_many; ++i) {
    const State input = found.states[i] + State(kSlack, '\0');
    out.reset();
    model.expand(reinterpret_cast<const uint8_t*>(input.data()), 1, out);
    add();
    found.too_many = found.states.size() > limit;
  }
  return found;
}

// ---- The checks

class Reference {
 public:
  Reference(const Model& model, Reachable reachable)
      : model_(model), symmetry_(*model.symmetry()), reachable_(std::move(reachable)) {
    for (Permutation& permutation : all_permutations(symmetry_)) {
      renamings_.push_back(renaming(symmetry_, permutation));
      permutations_.push_back(std::move(permutation));
    }
  }

  bool run() {
    find_orbits();
    for (size_t i = 0; i < reachable_.states.size(); ++i) check_state(i);
    check_sum();
    check_quotient();
    check_walk();
    fmt::print("{} states, {} orbits\n", reachable_.states.size(), orbit_sizes_.size());
    if (failures_ > kMostPrinted) fmt::print("{} failures in all\n", failures_);
    return failures_ == 0;
  }

 private:
  // The permutations are a group: the words of one state under all of them are those of every state of its orbit.
  void find_orbits() {
    for (const State& state : reachable_.states) {
      const Value value = describe(state);
      std::string text = words(value, {});
      if (!by_words_.emplace(text, state).second) fail("two states have the same words", state);
      if (orbits_.count(text) == 0) {
        const size_t before = orbits_.size();
        for (const Renaming& names : renamings_) orbits_.emplace(words(value, names), orbit_sizes_.size());
        orbit_sizes_.push_back(orbits_.size() - before);
      }
      words_.push_back(std::move(text));
    }
  }

  Value describe(const State& state) const {
    const State padded = state + State(kSlack, '\0');
    return model_.describe(reinterpret_cast<const uint8_t*>(padded.data()));
  }
  static constexpr size_t kNoOrbit = ~size_t{0};
  size_t orbit_of(const State& state) const {
    const auto found = orbits_.find(words(describe(state), {}));
    return found == orbits_.end() ? kNoOrbit : found->second;
  }

  State canonical(State state) const {
    return changed(std::move(state), [&](uint8_t* p) { symmetry_.canonicalise(p, 1); });
  }
  template <class F>
  static State changed(State state, const F& f) {
    const size_t bytes = state.size();
    state.resize(bytes + kSlack);
    f(reinterpret_cast<uint8_t*>(state.data()));
    state.resize(bytes);
    return state;
  }

  void check_state(size_t i) {
    const State& state = reachable_.states[i];
    const size_t orbit = orbits_.at(words_[i]);
    const State chosen = canonical(state);
    canonical_.insert(chosen);
    if (orbit_of(chosen) != orbit) fail("canonicalise() leaves the orbit", state);
    if (canonical(chosen) != chosen) fail("canonicalise() changes its result", state);
    // All states of an orbit have one result. That those of different orbits have different ones follows from orbit_of.
    const auto [known, fresh] = chosen_.emplace(orbit, chosen);
    if (!fresh && known->second != chosen) fail("canonicalise() gives two states of one orbit", state);
    check_size(state, orbit);
    for (int k = 0; k < kRandomPermutations; ++k) check_permute(i, random_.below(permutations_.size()));
  }
  void check_size(const State& state, size_t orbit) {
    double size = 0;
    const State padded = state + State(kSlack, '\0');
    symmetry_.orbit_sizes(reinterpret_cast<const uint8_t*>(padded.data()), 1, &size);
    if (size != static_cast<double>(orbit_sizes_[orbit]))
      fail(fmt::format("orbit_sizes() gives {}, there are {}", size, orbit_sizes_[orbit]), state);
  }
  void check_permute(size_t i, size_t number) {
    const State& state = reachable_.states[i];
    const State padded = state + State(kSlack, '\0');
    State result = padded;
    symmetry_.permute(reinterpret_cast<const uint8_t*>(padded.data()), permutations_[number].data(),
                      reinterpret_cast<uint8_t*>(result.data()));
    result.resize(state.size());
    const std::string expected = words(describe(state), renamings_[number]);
    const std::string with = fmt::format(" with the permutation {}", fmt::join(permutations_[number], " "));
    if (words(describe(result), {}) != expected) fail("permute() does not rename" + with, state);
    const auto known = by_words_.find(expected);
    if (known != by_words_.end() && known->second != result)
      fail("permute() gives other bits than the search" + with, state);
  }

  bool starts_closed() const {
    std::set<std::string> starts(words_.begin(),
                                 words_.begin() + static_cast<std::ptrdiff_t>(reachable_.starts));
    for (size_t i = 0; i < reachable_.starts; ++i) {
      const Value value = describe(reachable_.states[i]);
      for (const Renaming& names : renamings_)
        if (starts.count(words(value, names)) == 0) return false;
    }
    return true;
  }
  void check_sum() {
    const size_t sum = std::accumulate(orbit_sizes_.begin(), orbit_sizes_.end(), size_t{0});
    if (starts_closed() && sum != reachable_.states.size())
      fail(fmt::format("the orbits have {} states, but {} are reachable", sum, reachable_.states.size()), {});
  }

  void check_quotient() {
    const Reachable quotient = search(QuotientModel(model_), UINT64_MAX);
    if (quotient.known != canonical_)
      fail(fmt::format("the quotient has {} states, {} stand for the orbits", quotient.known.size(),
                       canonical_.size()),
           {});
    std::set<size_t> covered;
    for (const State& state : quotient.states) {
      covered.insert(orbit_of(state));
      if (canonical(state) != state) fail("the quotient has a state that represents no orbit", state);
    }
    if (covered.count(kNoOrbit) != 0) fail("the quotient leaves the orbits", {});
    if (covered.size() != orbit_sizes_.size())
      fail(fmt::format("the quotient comes upon {} of {} orbits", covered.size(), orbit_sizes_.size()), {});
  }

  void check_walk() {
    SymmetryCheck check;
    check.states = 500;
    const std::atomic<bool> stop = false;
    const Status status = check_symmetry(model_, check, stop);
    if (!status.ok()) fail("check_symmetry(): " + status.message(), {});
  }

  void fail(const std::string& what, const State& state) {
    if (++failures_ > kMostPrinted) return;
    fmt::print("FAILED: {}\n", what);
    if (state.empty()) return;
    for (const Leaf& leaf : leaves(describe(state))) fmt::print("  {}:{}\n", leaf.path, leaf.text);
  }

  const Model& model_;
  const Symmetry& symmetry_;
  const Reachable reachable_;
  std::vector<Permutation> permutations_;
  std::vector<Renaming> renamings_;                 // of each permutation
  std::vector<std::string> words_;                  // of each reachable state
  std::map<std::string, State> by_words_;           // the reachable states
  std::unordered_map<std::string, size_t> orbits_;  // the orbit of each state, reachable or not, by its words
  std::vector<size_t> orbit_sizes_;
  std::map<size_t, State> chosen_;  // the representative of each orbit
  std::set<State> canonical_;
  Random random_{1};
  uint64_t failures_ = 0;
};

struct Arguments {
  std::string path;
  uint64_t limit = 100000;
};

enum ExitCode { kHolds = 0, kFails = 1, kNoModel = 2, kTooMany = 3 };

int run(const Arguments& arguments) {
  Result<ir::Program> program = compile_file(arguments.path, {});
  if (!program.ok()) return fmt::print("{}\n", program.status().message()), kNoModel;
  ir::ReductionRequest request;
  request.mode = ir::SymmetryMode::exact;
  ir::choose_reduction(*program, request);
  if (program->reduced.empty()) return fmt::print("no scalarset is reduced\n"), kNoModel;
  Result<std::unique_ptr<Model>> model = native::load(std::move(*program), {});
  if (!model.ok()) return fmt::print("{}\n", model.status().message()), kNoModel;
  Reachable reachable = search(**model, arguments.limit);
  if (reachable.too_many) return fmt::print("more than {} states\n", arguments.limit), kTooMany;
  return Reference(**model, std::move(reachable)).run() ? kHolds : kFails;
}

}  // namespace
}  // namespace strata

int main(int argc, char** argv) {
  strata::Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--states" && i + 1 < argc)
      arguments.limit = std::strtoull(argv[++i], nullptr, 10);
    else
      arguments.path = word;
  }
  return strata::run(arguments);
}
