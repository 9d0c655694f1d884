// What the semi-external searches (`semi`, `iddfs`, `minimal`) share. The states are generated level by level
// on disk and stay there; a minimal perfect hash function gives each a number, and in RAM there is a bit for
// each number. From then on a search needs no duplicate detection but these bits.
//
// Source. Edelkamp, Sanders, Šimeček, "Semi-external LTL model checking" (CAV 2008); Edelkamp, Sulewski,
// "Flash-efficient LTL model checking with minimal counterexamples" (2008).
//
//   generate()   breadth-first search on disk (search/partitioned/partitioned_search.h, with the detections of `dddd`)
//   index()      the function (store/perfect/perfect_hash.h), in RAM or on disk
//   find()       numbers of states
//   bits         one for each state
//
// Checkpoints are made while states are generated, when that is done, and when the function is; a search adds what it
// knows itself (save_with).
//
// A state beyond the levels that were generated has no number. So the states of the last level of a search
// that goes on are not expanded: mark_frontier() sets their bits, as if they had been seen.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "liveness/lasso/lasso.h"
#include "liveness/semi/bit_array.h"
#include "liveness/semi/semi_plan.h"
#include "search/partitioned/dynamic_policy.h"
#include "store/perfect/perfect_hash.h"

namespace strata {

struct SemiOptions {
  bool on_disk = false;      // the function
  uint64_t buffer = 0;       // blocks of a reader of a function on disk; 0: from the memory
  bool check = false;        // run check_perfect_hash
  bool with_depths = false;  // find() gives the depths of states
  uint64_t bits = 1;         // for each state
  bool one_error = true;     // ends with the first error, whatever --max-errors and --bound say

  // From --set hash, buffer and check.
  static SemiOptions from(const SearchOptions& options);
};

using PackedState = std::vector<uint8_t>;

// States that a search takes at a time, so that their look-ups are read together; fewer of large ones.
constexpr uint64_t kMostTogether = 32;
inline uint64_t together(uint64_t state_bytes) {
  return std::clamp<uint64_t>((64 << 10) / state_bytes, 1, kMostTogether);
}

class KnownStates;

class SemiExternal {
 public:
  SemiExternal(const SearchContext& context, const SemiOptions& options);

  Status prepare();
  // From now on there are checkpoints, with what the search itself knows. One that resumes is restored at once.
  Status save_with(Checkpoints::Serialize own);
  DiskRun& run() { return run_; }
  PartitionedSearch& levels() { return search_; }
  uint64_t state_bytes() const { return run_.state_bytes(); }

  // Goes on until about this many states are known, and all their levels. False: the search is to end.
  bool generate(uint64_t states);
  bool whole() const { return whole_; }
  uint64_t generated() const;

  // What index() is to make: the function in RAM or on disk, and so many bits for each state. Whether that leaves this
  // much memory.
  bool choose_index(bool on_disk, uint64_t bits, uint64_t rest);
  // The function of the states known, and the bits. On failure the search is stopped, and false is returned.
  bool index();
  // The memory of what index() has made.
  const IndexPlan& plan() const { return plan_; }
  // Gives all of it back, so that generate() can go on.
  bool forget();
  BitArray& bits() { return *bits_; }
  // All bits 0 but those of the frontier.
  bool clear_bits();

  // The successors of some states on a thread, in run().worker(thread).out, with their numbers and whether
  // they are accepting (and their depths). At least one state is expanded; out.consumed says how many.
  struct Successors {
    UntouchedVector<uint64_t> numbers;
    UntouchedVector<uint32_t> depths;
    UntouchedVector<uint8_t> accepting;
  };
  bool expand(unsigned thread, const uint8_t* states, uint64_t n);
  Successors& successors(unsigned thread) { return successors_[thread]; }
  Expansion& out(unsigned thread) { return run_.worker(thread).out; }
  bool find(unsigned thread, const uint8_t* states, uint64_t n, uint64_t* numbers, uint32_t* depths);

  // A shortest path from a state to another one, or round to itself, without the last state. Uses the bits.
  Result<std::vector<PackedState>> path_between(const PackedState& from, const PackedState& to);
  // A shortest path from an initial state, with the last state.
  Result<std::vector<PackedState>> path_to(const PackedState& state);

  // The result, with the lasso of which the states are given, or the error that the generation found.
  struct Lasso {
    std::vector<PackedState> states;
    uint64_t loop = 0;
  };
  Result<SearchResult> finish(const std::optional<Lasso>& lasso);
  bool goes_on() { return !run_.halted() && !run_.complete(); }
  bool fail(const Status& status) {
    run_.fail(status);
    return false;
  }

  uint64_t extra_expansions = 0;  // those after the generation, of one thread

 private:
  using Ranges = std::function<Result<std::vector<LogRange>>(uint64_t epoch)>;
  std::vector<uint32_t> stable_bits(StateSource& source);
  Result<std::vector<PackedState>> path_back(const Ranges& ranges, uint64_t epoch, const PackedState& last);
  Result<uint64_t> level_of(const PackedState& state);
  bool mark_frontier();
  IndexInput index_input() const;
  IndexPlan plan_for(const IndexInput& index) const;
  Status no_room(const IndexPlan& plan) const;
  bool build_index(IndexInput& planned, KnownStates& source);
  void release_index();
  void serialize(Image& image);
  void exchange_index(Image& image);

  // Forces a detection when a slice is complete.
  class SlicePolicy final : public DetectionPolicy {
   public:
    explicit SlicePolicy(const SearchOptions& dddd)
        : inner_(detection_costs(dddd), forecast_parameters(dddd)) {}
    bool detect(const MergeView& view) override;
    void measured(const NumberList& sizes) override { inner_.measured(sizes); }
    void serialize(Image& image) override { inner_.serialize(image); }
    uint64_t target = UINT64_MAX;

   private:
    DynamicPolicy inner_;  // with the default parameters of `dddd`
  };

  const SearchOptions search_options_;
  const SearchContext context_;
  SemiOptions options_;
  DiskRun run_;
  SlicePolicy policy_;
  PartitionedSearch search_;
  Checkpoints::Serialize own_exchange_;
  bool begun_ = false, whole_ = false;
  IndexPlan plan_;
  std::unique_ptr<PerfectHash> hash_;
  std::unique_ptr<BitArray> bits_;
  std::vector<std::unique_ptr<PerfectHashReader>> readers_;
  std::vector<Successors> successors_;
  uint64_t hash_memory_ = 0, hash_disk_ = 0, blocks_read_ = 0, blocks_asked_ = 0;
  double hash_bits_ = 0, hash_seconds_ = 0, generate_seconds_ = 0;
};

// Whether the states known have an accepting cycle, by the double depth-first search of `semi`; `seed` is
// then an accepting state of one. The bits are 0 before, and may be anything after.
bool find_cycle(SemiExternal& semi, PackedState& seed);
// A shortest path to the seed and a shortest cycle through it.
Result<SemiExternal::Lasso> lasso_through(SemiExternal& semi, const PackedState& seed);

// What a search knows when it ends, beside its result.
struct SemiFindings {
  std::optional<PackedState> on_cycle;  // an accepting state
  std::string missing;                  // what a limit kept it from showing, beside a lasso
};

// Runs a search. If it knows a cycle and a limit left it no time for the lasso, one is looked for afterwards
// (liveness/lasso/path_search.h).
using SemiSearch = std::function<Result<SearchResult>(SemiExternal&, SemiFindings&)>;
Result<SearchResult> run_semi_external(const SearchContext& context, const SemiOptions& options,
                                       const SemiSearch& search);

}  // namespace strata
