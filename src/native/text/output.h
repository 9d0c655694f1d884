// What the emitters write to: the text, the tables that give its numbers a meaning, and the names that are taken.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"
#include "native/text/code_target.h"
#include "native/text/emission.h"
#include "native/text/place_form.h"

namespace strata::native {

struct TextUnit {
  size_t begin = 0, end = 0;
  size_t factor = 1;  // how much longer it takes to compile than others of its size
};

class Text {
 public:
  void append(std::string_view text) { text_ += text; }
  void line(int depth, std::string_view text);
  size_t size() const { return text_.size(); }
  // Takes back what was written since the text had this size.
  std::string cut(size_t size);
  // What was written so far belongs to every part (native/emit/parts.h).
  void end_common() { common_ = text_.size(); }
  size_t common() const { return common_; }
  // What was written since the text had this size can be compiled apart from the rest.
  void end_unit(size_t begin, size_t factor = 1) { units_.push_back({begin, text_.size(), factor}); }
  const std::vector<TextUnit>& units() const { return units_; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  size_t common_ = 0;
  std::vector<TextUnit> units_;
};

// The places where something can go wrong, by the numbers that the generated code has for them.
class FailureSites {
 public:
  uint32_t add(Site::Kind kind, std::string text, SourcePosition position, ir::TypeId type = ir::kNoType);
  size_t size() const { return sites_.size(); }
  // The sites from this number on do not stand in the model's file but on the command line.
  void forget_positions(size_t first);
  std::vector<Site> take() { return std::move(sites_); }

 private:
  std::vector<Site> sites_;
};

// Names of temporaries. No two are the same in the whole text, so no emitter has to know what another has named.
class Names {
 public:
  std::string fresh(const char* stem);

 private:
  uint64_t next_ = 0;
};

struct Output {
  explicit Output(Target t = Target(), PlaceForm f = PlaceForm()) : target(t), form(f) {}

  const Target target;
  const PlaceForm form;
  Text text;
  FailureSites sites;
  std::vector<Put> puts;
  std::vector<PremiseInfo> premises;
  Names names;
};

// A name as text of a comment: no character of it may end or prolong the line.
std::string as_comment(std::string name);

}  // namespace strata::native
