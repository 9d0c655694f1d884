#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/characters.h"
#include "lsp/features/files_beside.h"
#include "lsp/features/names.h"

namespace strata::lsp {
namespace {

bool is_name(const std::string& name) {
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_name_part);
}

// The text with another name at some offsets, which ascend.
std::string renamed(std::string_view text, const std::vector<size_t>& offsets, size_t bytes,
                    const std::string& name) {
  std::string out;
  size_t done = 0;
  for (const size_t offset : offsets) {
    out += text.substr(done, offset - done);
    out += name;
    done = offset + bytes;
  }
  out += text.substr(done);
  return out;
}

// Whether it is the text of a comment that is a formula or an actor of a Murphi model.
bool has_meaning(std::string_view comment) {
  const size_t begin = std::min(comment.find_first_not_of(" \t"), comment.size());
  return comment.starts_with('@') || comment.substr(begin).starts_with("actor:");
}

// The first line whose comment means the name, which is read only when it is asked for. 0: there is none.
size_t line_of_comment(std::string_view text, std::string_view name) {
  for (size_t line = 1; !text.empty(); ++line) {
    const std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const size_t dashes = one.find("--");
    if (dashes == std::string_view::npos) continue;
    const std::string_view comment = one.substr(dashes + 2);
    if (has_meaning(comment) && has_word(comment, name)) return line;
  }
  return 0;
}

}  // namespace

// The renamed text is read again: a name that is taken, or hides or is hidden by another one, is refused in whatever
// language the model is.
Renaming rename(const NameQuery& query, const std::string& name) {
  const auto number = query.declaration();
  const Analysis& analysis = query.analysis();
  if (!number) return {nullptr, "there is no name that can be changed"};
  if (!is_name(name)) return {nullptr, fmt::format("'{}' is not a name", name)};
  if (analysis.has_errors() || analysis.symbols_file != query.document().file)
    return {nullptr, "the model has errors; a name is changed in a model without them"};
  const SourceFile& file = *query.document().file;
  const lang::SymbolDeclaration& one = analysis.symbols->declarations()[*number];
  if (const size_t line = line_of_comment(file.text(), one.name); line != 0)
    return {nullptr,
            fmt::format("the comment of line {} names '{}', and is not changed with it", line, one.name)};
  const std::vector<SourcePosition> places = analysis.symbols->places(*number);
  std::vector<size_t> offsets;
  for (const SourcePosition place : places) offsets.push_back(offset_of(file, place));
  std::sort(offsets.begin(), offsets.end());

  Document after = query.document();
  after.file =
      std::make_shared<SourceFile>(file.name(), renamed(file.text(), offsets, one.name.size(), name));
  const Analysis result = analyse(after, {});
  if (result.has_errors()) return {nullptr, "with this name: " + result.mistakes.front().message};
  const auto again = result.symbols->at(after.file->position(offsets.front()));
  if (!again || result.symbols->places(*again).size() != places.size() ||
      result.symbols->uses().size() != analysis.symbols->uses().size())
    return {nullptr, fmt::format("another '{}' would be meant in some places", name)};
  Json edits = Json::array();
  for (const size_t offset : offsets)
    edits.push_back({{"range", range_json(file, file.position(offset), one.name.size())}, {"newText", name}});
  const std::vector<std::string> others = files_beside(query.document().path, one.name);
  const std::string elsewhere = others.empty()
                                    ? ""
                                    : fmt::format("'{}' also occurs in {}, which renaming does not change",
                                                  one.name, fmt::join(others, ", "));
  return {{{"changes", {{query.document().uri, edits}}}}, "", elsewhere};
}

}  // namespace strata::lsp
