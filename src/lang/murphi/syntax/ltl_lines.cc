#include "lang/murphi/syntax/ltl_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lang/common/language_options.h"

namespace strata::murphi {
namespace {

constexpr std::string_view kBlanks = " \t\r", kMark = "--@", kWord = "ltl";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

class LtlLines {
 public:
  LtlLines(const SourceFile& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  std::vector<ir::Formula> read() {
    const std::string_view text = file_.text();
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      read_line(begin, text.substr(begin, end - begin));
      begin = end + 1;
    }
    finish();
    return std::move(formulas_);
  }

 private:
  void read_line(size_t begin, std::string_view line) {
    const size_t first = line.find_first_not_of(kBlanks);
    if (!in_comment_ && first != std::string_view::npos && line.substr(first).starts_with(kMark)) {
      add(begin + first, trimmed(line.substr(first + kMark.size())));
      return;
    }
    finish();
    follow_comments(line);
  }

  // Whether the next line begins within a comment.
  void follow_comments(std::string_view line) {
    bool in_string = false;
    for (size_t i = 0; i < line.size(); ++i) {
      const std::string_view rest = line.substr(i);
      if (in_comment_) {
        if (rest.starts_with("*/")) in_comment_ = false, ++i;
      } else if (rest[0] == '"') {
        in_string = !in_string;
      } else if (!in_string && rest.starts_with("--")) {
        return;
      } else if (!in_string && rest.starts_with("/*")) {
        in_comment_ = true;
        ++i;
      }
    }
  }

  // A line of a formula, without the mark.
  void add(size_t offset, std::string_view line) {
    if (!open_) {
      if (!is_formula(line) || !begin(offset, line)) return;
    } else {
      open_->text += (open_->text.empty() ? "" : " ") + std::string(line);
    }
    if (open_->text.ends_with(';')) end();
  }

  void end() {
    open_->text = trimmed(std::string_view(open_->text).substr(0, open_->text.size() - 1));
    if (open_->text.empty())
      diagnostics_.error(open_->position, fmt::format("the formula \"{}\" is empty", open_->name));
    formulas_.push_back(std::move(*open_));
    open_.reset();
  }

  // Other lines with the mark are comments.
  static bool is_formula(std::string_view line) {
    return line.starts_with(kWord) &&
           (line.size() == kWord.size() || kBlanks.find(line[kWord.size()]) != kBlanks.npos);
  }

  // ltl "NAME" and perhaps the beginning of the formula.
  bool begin(size_t offset, std::string_view line) {
    const SourcePosition position = file_.position(offset);
    const std::string_view rest = trimmed(line.substr(kWord.size()));
    const size_t close = rest.empty() ? std::string_view::npos : rest.find('"', 1);
    if (rest.empty() || rest[0] != '"' || close == std::string_view::npos || close == 1) {
      diagnostics_.error(position, R"(expected --@ ltl "NAME" FORMULA; after --@)");
      return false;
    }
    ir::Formula formula;
    formula.name = rest.substr(1, close - 1);
    formula.text = trimmed(rest.substr(close + 1));
    formula.path = file_.name();
    formula.position = position;
    formula.checked = true;
    const auto same = [&](const ir::Formula& other) { return other.name == formula.name; };
    if (formula.name == kNoPropertyName || std::any_of(formulas_.begin(), formulas_.end(), same)) {
      diagnostics_.error(
          position, formula.name == kNoPropertyName
                        ? "a formula cannot be called \"none\", which --property understands as no property"
                        : fmt::format("a second formula is called \"{}\"", formula.name));
      return false;
    }
    open_ = std::move(formula);
    return true;
  }

  // No line continues the formula.
  void finish() {
    if (!open_) return;
    diagnostics_.error(
        open_->position,
        fmt::format("the formula \"{}\" does not end: expected ';' at the end of its last line",
                    open_->name));
    open_.reset();
  }

  const SourceFile& file_;
  Diagnostics& diagnostics_;
  std::vector<ir::Formula> formulas_;
  std::optional<ir::Formula> open_;  // not ended yet
  bool in_comment_ = false;
};

}  // namespace

std::vector<ir::Formula> read_ltl_lines(const SourceFile& file, Diagnostics& diagnostics) {
  return LtlLines(file, diagnostics).read();
}

}  // namespace strata::murphi
