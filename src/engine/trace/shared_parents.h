// Parents that the ranks of a search found for the same targets, each among its own states. Every rank sends what it
// found to all, in this format, and takes the best parents of all:
//
//   goes on   1 byte: 1, or 0: the rank was interrupted, or could not read its states
//   targets   8 bytes: how many targets it has
//   found     8 bytes: how many parents follow
//   a parent  8 bytes: number of the target, in the order of ParentTargets::parents(), ascending;
//             4 bytes: rule; then the bytes of the state, as many as a target has
//
// Numbers are little-endian.
#pragma once

#include <string>

#include "base/status.h"
#include "engine/ranks/joint.h"
#include "engine/trace/parent_targets.h"

namespace strata {

std::string encode_parents(bool goes_on, const ParentTargets& targets);
// Merges the parents of another rank; whether that rank goes on. Bytes that do not have the format, or belong to other
// targets, are an internal error; the targets are then unchanged.
Result<bool> decode_parents(const std::string& bytes, ParentTargets& targets);

// Both for all ranks, each of which calls it: whether all of them go on.
Result<bool> merge_parents(const Joint& joint, bool goes_on, ParentTargets& targets);

}  // namespace strata
