// The texts of kernels, which devices compile. In the order in which one needs the other.
#pragma once

namespace strata::embedded {

extern const char* const kLaneText;       // device/kernels/lane.cuh
extern const char* const kVisitedText;    // device/kernels/visited.cuh
extern const char* const kFoldedText;     // device/kernels/folded.cuh
extern const char* const kFiringText;     // device/kernels/firing.cuh
extern const char* const kBeyondText;     // device/kernels/beyond.cuh, behind the text of a model
extern const char* const kLevelText;      // device/kernels/level.cuh, behind the text of a model
extern const char* const kExpandText;     // device/kernels/expand.cuh
extern const char* const kTwoPassesText;  // device/kernels/two_passes.cuh, in its place
extern const char* const kSearchText;     // device/kernels/search.cuh
extern const char* const kResolveText;    // device/kernels/resolve.cuh

}  // namespace strata::embedded
