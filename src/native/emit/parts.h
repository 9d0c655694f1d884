// A large text in parts that are compiled at the same time. All parts are in the one text: a unit is compiled
// where STRATA_PART is the number of its part, the common beginning everywhere, and what else stands between
// or after units in part 0.
#pragma once

#include <string>
#include <vector>

#include "native/text/output.h"

namespace strata::native {

struct DividedText {
  std::string text;
  unsigned parts = 1;
};

// `common`: how long the beginning is that all parts have.
DividedText divide(std::string text, size_t common, const std::vector<TextUnit>& units);

}  // namespace strata::native
