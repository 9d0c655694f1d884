// Lines that a user types. At a terminal they can be edited, the arrow keys recall earlier lines, and the tab key
// completes words; for that Strata uses libedit, whose licence (BSD) lets anyone link it. Without libedit, or where the
// lines come from a file or a pipe, they are read as they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace strata {

class LineReader {
 public:
  // `words` may complete what is typed.
  explicit LineReader(std::vector<std::string> words);

  bool is_interactive() const { return interactive_; }
  // None: the end of the input.
  std::optional<std::string> read(const std::string& prompt);

 private:
  bool interactive_;
};

}  // namespace strata
