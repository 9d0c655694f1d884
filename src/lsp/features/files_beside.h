// Files in the folder of a model that belong to it and have a name: its formulas and its template, which have the name
// of the model (m.ltl, m.mdve), and suites, which name it (JSON, YAML). They are not parsed, so a word may mean
// something else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata::lsp {

bool has_word(std::string_view text, std::string_view word);
// The names of these files, sorted; of large folders and files not all are looked into.
std::vector<std::string> files_beside(const std::string& model, std::string_view word);

}  // namespace strata::lsp
