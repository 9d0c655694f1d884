// The commands of the language server: `strata.check` and `strata.step` run this program on the saved file.
//
//   strata.check  URI [OPTION...]      as `strata check`; the result has the report without its states, and the text
//   strata.step   URI [LINE...]        as `strata step` with these lines as its input; the result has its output
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/jobs.h"

namespace strata {

class LspCommands : public lsp::Commands {
 public:
  std::vector<std::string> names() const override { return {"strata.check", "strata.step"}; }
  bool is_saved(const std::string& path, std::string_view text) const override;
  std::unique_ptr<lsp::Job> start(const std::string& name, const std::string& path,
                                  const lsp::Json& arguments, std::string& problem) override;
};

}  // namespace strata
