// Where a report goes, piece by piece: a counterexample may be too long to have its text in memory.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace strata {

using TextSink = std::function<void(std::string_view)>;

// All that is written, as one text.
template <class Write>
std::string gather_text(const Write& write) {
  std::string text;
  write([&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace strata
