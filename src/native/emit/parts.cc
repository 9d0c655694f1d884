#include "native/emit/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace strata::native {

namespace {

// Below this size a text is compiled as a whole, which lets the compiler see everything at once.
constexpr size_t kWhole = 272 << 10;
// Four parts, from this size on eight: numbers that keep two or four cores busy to the end.
constexpr size_t kManyParts = 512 << 10;

// The part of each unit: the largest first, each to where there is least yet.
std::vector<unsigned> assign(const std::vector<TextUnit>& units, size_t outside, unsigned parts) {
  std::vector<size_t> order(units.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto size = [&](size_t unit) { return (units[unit].end - units[unit].begin) * units[unit].factor; };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return size(a) > size(b); });
  std::vector<size_t> sizes(parts, 0);
  sizes[0] = outside;
  std::vector<unsigned> part_of(units.size());
  for (const size_t unit : order) {
    const auto least = std::min_element(sizes.begin(), sizes.end());
    *least += size(unit);
    part_of[unit] = static_cast<unsigned>(least - sizes.begin());
  }
  return part_of;
}

// Appends text that belongs to one part.
void append_guarded(std::string& out, std::string_view text, unsigned part) {
  if (!text.empty()) out += fmt::format("#if STRATA_IN({})\n{}#endif\n", part, text);
}

}  // namespace

DividedText divide(std::string text, size_t common, const std::vector<TextUnit>& units) {
  if (text.size() < kWhole || units.empty()) return {std::move(text), 1};
  size_t inside = 0;
  for (const TextUnit& unit : units) inside += unit.end - unit.begin;
  const unsigned parts = inside < kManyParts ? 4 : 8;
  const std::vector<unsigned> part_of = assign(units, text.size() - common - inside, parts);
  const std::string_view view = text;
  std::string out(view.substr(0, common));
  size_t at = common;
  for (size_t i = 0; i < units.size(); ++i) {
    append_guarded(out, view.substr(at, units[i].begin - at), 0);
    append_guarded(out, view.substr(units[i].begin, units[i].end - units[i].begin), part_of[i]);
    at = units[i].end;
  }
  // The last of it ends the namespace that all parts began.
  append_guarded(out, view.substr(at), 0);
  out += "#if !STRATA_IN(0)\n}  // namespace\n#endif\n";
  return {std::move(out), parts};
}

}  // namespace strata::native
