#include "lsp/text/analysis.h"

#include <algorithm>
#include <utility>

#include "lang/language.h"

namespace strata::lsp {
namespace {

// A text that would need more to be read is refused, with a message.
constexpr uint64_t kMostMemory = uint64_t{1} << 30;

}  // namespace

bool Analysis::has_errors() const {
  return std::any_of(mistakes.begin(), mistakes.end(),
                     [](const Mistake& one) { return one.severity == Severity::error; });
}

bool is_analysed(const Document& document) {
  return document.language != "mdve" && !document.path.ends_with(".mdve");
}

std::vector<Mistake> mistakes_in(const std::string& text, const std::string& file) {
  std::vector<Mistake> mistakes;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const auto line = DiagnosticLine::read(std::string_view(text).substr(begin, end - begin));
    if (line && line->file == file) mistakes.push_back({line->position, line->severity, line->message});
    begin = end + 1;
  }
  return mistakes;
}

Analysis analyse(const Document& document, const Analysis& before) {
  Analysis analysis;
  if (!is_analysed(document)) return analysis;
  const auto symbols = std::make_shared<lang::SymbolTable>();
  LanguageOptions options;
  options.language = document.language;
  options.source = document.file.get();
  options.symbols = symbols.get();
  options.memory = kMostMemory;
  const Result<ir::Program> program = compile_file(document.path, options);
  const std::string text = program.ok() ? program->note : std::string(program.status().message());
  analysis.mistakes = mistakes_in(text, document.file->name());
  // A message that is about no place, or about another file.
  if (analysis.mistakes.empty() && !program.ok())
    analysis.mistakes.push_back({{}, Severity::error, text.substr(0, text.find('\n'))});
  analysis.symbols = symbols->is_finished() ? symbols : before.symbols;
  analysis.symbols_file = symbols->is_finished() ? document.file : before.symbols_file;
  return analysis;
}

}  // namespace strata::lsp
