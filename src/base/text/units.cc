#include "base/text/units.h"

#include <fmt/format.h>

#include <array>

namespace strata {
namespace {

// Scales a number down to below `base` where the units allow it, and shows three significant digits.
template <size_t N>
std::string scaled(double number, double base, const std::array<const char*, N>& units) {
  size_t unit = 0;
  // 999.5 would be shown as 1000: it belongs to the next unit.
  while (number >= 999.5 && unit + 1 < N) {
    number /= base;
    ++unit;
  }
  if (unit == 0) return fmt::format("{:.0f}{}", number, units[0]);
  const int decimals = number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", number, decimals, units[unit]);
}

}  // namespace

std::string bytes_text(uint64_t bytes) {
  constexpr std::array units{" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  return scaled(static_cast<double>(bytes), 1024, units);
}

std::string mebibytes_text(uint64_t bytes) {
  constexpr double kMebibyte = 1 << 20;
  std::string out = fmt::format("{:.2f}", static_cast<double>(bytes) / kMebibyte);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out + " MiB";
}

std::string whole_mebibytes_text(uint64_t bytes) {
  return fmt::format("{} MiB", (bytes >> 20) + (bytes % (1 << 20) != 0 ? 1 : 0));
}

std::string count_text(double count) {
  constexpr std::array units{"", " k", " M", " G", " T"};
  return scaled(count, 1000, units);
}

}  // namespace strata
