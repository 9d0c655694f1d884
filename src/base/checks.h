// Checks of preconditions and invariants that debug and sanitizer builds run and release builds leave out. The CMake
// option STRATA_CHECKS turns them on; builds of type Debug (the presets debug, asan and tsan) do so by default.
//
//   STRATA_CHECK(condition)       aborts with file, line and condition if the condition is false. For what costs
//                                 O(1): a precondition of a function, a bound. Without checks the condition is
//                                 compiled, for its types, and not evaluated.
//   check_invariants() const      of a data structure: which of the numbered invariants at the head of its file is
//                                 broken, as a text; empty if all hold. May cost time linear in its size. Exists in
//                                 every build, so that unit tests can call it.
//   require_invariants(structure) aborts with that text; does nothing without checks. For quiet points, such as
//                                 the end of a level.
//   InvariantPeer<Structure>      a friend of each such structure, which tests specialise to break an invariant on
//                                 purpose.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace strata {

#if defined(STRATA_CHECKS) && STRATA_CHECKS
inline constexpr bool kChecks = true;
#define STRATA_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::strata::check_failed(#condition, __FILE__, __LINE__))
#else
inline constexpr bool kChecks = false;
#define STRATA_CHECK(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#endif

// Prints "FILE:LINE: WHAT" to stderr and aborts.
[[noreturn]] inline void check_failed(const char* what, const char* file, unsigned line) {
  std::fprintf(stderr, "%s:%u: this must hold and does not: %s\n", file, line, what);
  std::abort();
}

template <class Structure>
struct InvariantPeer;

// The body of a check_invariants(): remembers the first invariant that is found broken.
class InvariantCheck {
 public:
  static constexpr uint64_t kNowhere = UINT64_MAX;

  explicit InvariantCheck(const char* structure) : structure_(structure) {}

  // Invariant `number` says `what`. `at` is the index of the element that was looked at, where there is one.
  void holds(unsigned number, bool condition, const char* what, uint64_t at = kNowhere) {
    if (condition || !broken_.empty()) return;
    broken_ = std::string(structure_) + ": invariant " + std::to_string(number) + " is broken";
    if (at != kNowhere) broken_ += " at " + std::to_string(at);
    broken_ += std::string(": ") + what;
  }
  // An invariant of a part of this structure.
  void part(const std::string& broken) {
    if (broken_.empty()) broken_ = broken;
  }

  bool ok() const { return broken_.empty(); }
  const std::string& broken() const { return broken_; }

 private:
  const char* structure_;
  std::string broken_;
};

template <class Structure>
void require_invariants(Structure&& structure, const char* file = __builtin_FILE(),
                        unsigned line = __builtin_LINE()) {
  if constexpr (kChecks) {
    const std::string broken = structure.check_invariants();
    if (!broken.empty()) check_failed(broken.c_str(), file, line);
  } else {
    static_cast<void>(structure), static_cast<void>(file), static_cast<void>(line);
  }
}

// Chooses the quiet points at which a structure that grows is checked: where it has grown by half since the last check.
// So all checks together take time linear in its final size, in a search of a hundred thousand levels too.
class GrowthChecks {
 public:
  bool due(uint64_t size) {
    if (!kChecks || size < next_) return false;
    next_ = size + size / 2 + 1;
    return true;
  }

 private:
  uint64_t next_ = 0;
};

}  // namespace strata
