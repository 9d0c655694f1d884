// What the semi-external searches (`semi`, `iddfs`, `minimal`) share. The states are generated level by level
// on disk and stay there; a minimal perfect hash function gives each a number, and in RAM there is a bit for
// each number. From then on a search needs no duplicate detection but these bits.
//
// Source. Edelkamp, Sanders, Šimeček, "Semi-external LTL model checking" (CAV 2008); Edelkamp, Sulewski,
// "Flash-efficient LTL model checking with minimal counterexamples" (2008).
//
//   generate()        breadth-first search on disk (search/partitioned/partitioned_search.h), detections as in `dddd`
//   number_states()   builds the function, in RAM or on disk, and the bits (state_index.h)
//   numbers()         looks up numbers, sets bits
//
// Checkpoints are made while states are generated, when that is done, and when the function is built; a search adds its
// own knowledge (save_with). Paths: semi_paths.h.
//
// A state beyond the levels that were generated has no number. So the states of the last level of a search that is to
// continue are not expanded: clear_bits() sets their bits, as if they had been seen.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "liveness/lasso/lasso.h"
#include "liveness/semi/semi_options.h"
#include "liveness/semi/state_index.h"
#include "search/partitioned/dynamic_policy.h"

namespace strata {

class SemiExternal {
 public:
  SemiExternal(const SearchContext& context, const SemiOptions& options);

  Status prepare();
  // From now on there are checkpoints, with the search's own knowledge. A search that resumes is restored at once.
  Status save_with(Checkpoints::Serialize own);
  DiskRun& run() { return run_; }
  PartitionedSearch& levels() { return search_; }
  uint64_t state_bytes() const { return run_.state_bytes(); }

  // Generates until about this many states are known, and all their levels. False: the search is to end.
  bool generate(uint64_t states);
  bool whole() const { return whole_; }
  uint64_t generated() const;

  // Gives the states known their numbers, with bits; see state_index.h. On failure the search is stopped, and false is
  // returned.
  bool number_states();
  StateIndex& numbers() { return index_; }
  // Gives their memory back, so that generate() can continue.
  bool forget();
  // All bits are 0 then, but those of the frontier.
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
  void serialize(Image& image);

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
  DiskRun run_;
  SlicePolicy policy_;
  PartitionedSearch search_;
  Checkpoints::Serialize own_exchange_;
  bool begun_ = false, whole_ = false;
  StateIndex index_;
  std::vector<Successors> successors_;
  double generate_seconds_ = 0;
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
