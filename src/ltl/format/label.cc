#include "ltl/format/label.h"

namespace strata::ltl {
namespace {

std::string cube_text(const Cube& cube, const LabelStyle& style) {
  if (cube.is_true()) return style.true_;
  std::string out;
  for (size_t i = 0; i < style.propositions.size(); ++i) {
    const uint64_t bit = uint64_t{1} << i;
    if (((cube.positive | cube.negative) & bit) == 0) continue;
    if (!out.empty()) out += style.and_;
    if ((cube.negative & bit) != 0) out += style.not_;
    out += style.propositions[i];
  }
  return out;
}

}  // namespace

std::string label_text(const std::vector<Cube>& cubes, const LabelStyle& style) {
  std::string out;
  for (const Cube& cube : cubes) {
    const std::string text = cube_text(cube, style);
    if (!out.empty()) out += style.or_;
    out += cubes.size() > 1 && cube.literals() > 1 ? "(" + text + ")" : text;
  }
  return out;
}

}  // namespace strata::ltl
