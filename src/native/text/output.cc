#include "native/text/output.h"

#include <fmt/format.h>

namespace strata::native {

void Text::line(int depth, std::string_view text) {
  text_.append(static_cast<size_t>(depth) * 2, ' ').append(text).push_back('\n');
}

std::string Text::cut(size_t size) {
  std::string tail = text_.substr(size);
  text_.resize(size);
  return tail;
}

uint32_t FailureSites::add(Site::Kind kind, std::string text, SourcePosition position, ir::TypeId type) {
  sites_.push_back({kind, std::move(text), position, type});
  return static_cast<uint32_t>(sites_.size() - 1);
}

void FailureSites::forget_positions(size_t first) {
  for (size_t i = first; i < sites_.size(); ++i) sites_[i].position = {};
}

std::string Names::fresh(const char* stem) { return fmt::format("{}{}", stem, next_++); }

std::string as_comment(std::string name) {
  for (char& c : name)
    if (c == '\\' || c == '?' || static_cast<unsigned char>(c) < ' ') c = '_';
  return name;
}

}  // namespace strata::native
