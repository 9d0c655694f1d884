// Receives a report piece by piece: the text of a counterexample may not fit into memory.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace strata {

using TextSink = std::function<void(std::string_view)>;

// Collects everything that is written into one string.
template <class Write>
std::string gather_text(const Write& write) {
  std::string text;
  write([&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace strata
