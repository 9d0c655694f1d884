// Where a search is that may have begun in RAM or on a device, and continues on disk when that is full: the part of
// checkpoints that `auto` and `gpu` have in common, so that each continues what the other has begun.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/trace/level_excess.h"
#include "report/result.h"
#include "store/checkpoint/checkpoints.h"

namespace strata {

struct SearchPhase {
  // When the search went to disk.
  struct Switch {
    uint64_t states = 0, level = 0;
    double seconds = 0;
  };
  bool on_disk = false, switched = false;
  Switch at;
  // Of a search on a device that found states late. On disk, the search itself has this.
  LevelExcess excess;

  void serialize(Image& image) {
    image.value("on_disk", on_disk);
    image.value("switched", switched);
    image.value("switch", at);
    image.value("excess", excess);
  }
  // Makes it a part of the checkpoints, if there are some.
  std::unique_ptr<Checkpoints::Part> add_to(Checkpoints* checkpoints) {
    return checkpoints == nullptr ? nullptr : checkpoints->add([this](Image& image) { serialize(image); });
  }
  // For the result of a search that found no state late itself. Its errors are of the level at hand or a later one.
  void say_how_late(SearchResult& result) const {
    if (excess.none()) return;
    result.levels_exact = false;
    if (result.counterexamples.empty() || result.counterexamples.front().steps.empty()) return;
    LevelExcess here = excess;
    here.begin_level();
    const uint64_t steps = result.counterexamples.front().steps.size() - 1;
    result.longer_by_at_most = here.longer_by(steps, steps, false);
  }
};

}  // namespace strata
