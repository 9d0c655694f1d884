#include "lang/dve/syntax/ltl_file.h"

#include <algorithm>
#include <string_view>

#include "lang/dve/syntax/dve_lexer.h"
#include "lang/dve/syntax/dve_parser.h"

namespace strata::dve {
namespace {

constexpr std::string_view kBlank = " \t\r";

// The bytes [begin, end) of a line, without blanks around them.
struct Part {
  size_t begin = 0, end = 0;
};

Part trimmed(std::string_view text, Part part) {
  while (part.begin < part.end && kBlank.find(text[part.begin]) != std::string_view::npos) ++part.begin;
  while (part.end > part.begin && kBlank.find(text[part.end - 1]) != std::string_view::npos) --part.end;
  return part;
}

class LtlReader {
 public:
  LtlReader(const SourceFile& file, Diagnostics& diagnostics)
      : file_(file), text_(file.text()), diagnostics_(diagnostics) {}

  LtlFile read() {
    for (size_t begin = 0; begin < text_.size();) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      line(trimmed(text_, {begin, end}));
      begin = end + 1;
    }
    return std::move(result_);
  }

 private:
  void line(Part part) {
    if (const Part rest = behind(part, "#define"); rest.end != 0) return definition(rest);
    if (const Part rest = behind(part, "#property"); rest.end != 0) return formula(rest);
  }

  // The rest of the line after the word; an empty part at 0 if the line does not begin with the word.
  Part behind(Part part, std::string_view word) const {
    if (!text_.substr(part.begin, part.end - part.begin).starts_with(word)) return {};
    const size_t next = part.begin + word.size();
    if (next < part.end && kBlank.find(text_[next]) == std::string_view::npos) return {};
    return trimmed(text_, {next, part.end});
  }

  void definition(Part part) {
    const std::vector<Token> tokens = tokenize(file_, part.begin, part.end, diagnostics_);
    const Token& name = tokens.front();
    if (name.kind != TokenKind::identifier)
      return diagnostics_.error(name.position, "expected the name of a condition after '#define'");
    NamedExpression named;
    named.name = {std::string(text_.substr(name.offset, name.length)), name.position};
    named.value = parse_expression(file_, name.offset + name.length, part.end, diagnostics_);
    result_.definitions.push_back(std::move(named));
  }

  void formula(Part part) {
    Formula found;
    found.name = {std::to_string(result_.formulas.size() + 1), file_.position(part.begin)};
    found.text = std::string(text_.substr(part.begin, part.end - part.begin));
    if (found.text.empty()) diagnostics_.error(found.name.position, "expected a formula after '#property'");
    result_.formulas.push_back(std::move(found));
  }

  const SourceFile& file_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  LtlFile result_;
};

}  // namespace

LtlFile parse_ltl_file(const SourceFile& file, Diagnostics& diagnostics) {
  return LtlReader(file, diagnostics).read();
}

}  // namespace strata::dve
