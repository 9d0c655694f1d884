#include "options/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

namespace strata {
namespace {

constexpr double kLargestSize = 1152921504606846976.0;  // 1 EiB
constexpr double kLongestTime = 100.0 * 366 * 86400;

// Reads a plain decimal number ("12", "1.5", no sign, no exponent) from the front; nullptr when there is none.
const char* read_decimal(std::string_view text, double& number) {
  if (text.empty() || !std::isdigit(static_cast<unsigned char>(text.front()))) return nullptr;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  return error == std::errc() ? end : nullptr;
}

// The factor of a unit; 0 when it is not one.
double unit_factor(std::string unit) {
  std::transform(unit.begin(), unit.end(), unit.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (unit.empty() || unit == "b") return 1;
  const size_t power = std::string_view("kmgtp").find(unit.front());
  const std::string rest = unit.substr(1);
  if (power == std::string_view::npos || !(rest.empty() || rest == "b" || rest == "ib")) return 0;
  return std::pow(1024.0, static_cast<double>(power + 1));
}

bool is_identifier(std::string_view text) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_' || c >= 0x80; };
  return !text.empty() && letter(static_cast<unsigned char>(text.front())) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return letter(byte) || std::isdigit(byte) != 0;
         });
}

}  // namespace

Result<uint64_t> parse_size(const std::string& text) {
  double number = 0;
  const char* unit = read_decimal(text, number);
  const double factor = unit == nullptr ? 0 : unit_factor(std::string(unit, text.data() + text.size()));
  if (factor == 0)
    return Status::usage(fmt::format("'{}' is not a size; write for example 512M or 1.5GiB", text));
  const double bytes = number * factor;
  if (bytes > kLargestSize) return Status::usage(fmt::format("'{}' is more than any machine has", text));
  return static_cast<uint64_t>(bytes);
}

Result<uint64_t> parse_number(const std::string& text, uint64_t least, uint64_t most) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all_read = end == text.data() + text.size() && !text.empty();
  if (error == std::errc() && all_read && number >= least && number <= most) return number;
  if (most == UINT64_MAX)
    return Status::usage(fmt::format("'{}' is not a whole number of at least {}", text, least));
  return Status::usage(fmt::format("'{}' is not a whole number from {} to {}", text, least, most));
}

Result<double> parse_seconds(const std::string& text) {
  double seconds = 0;
  const char* end = read_decimal(text, seconds);
  if (end != text.data() + text.size() || seconds <= 0) {
    return Status::usage(
        fmt::format("'{}' is not a positive number of seconds; write for example 60 or 0.5", text));
  }
  if (seconds > kLongestTime)
    return Status::usage(fmt::format("'{}' seconds are more than a hundred years", text));
  return seconds;
}

Result<double> parse_duration(const std::string& text) {
  double number = 0;
  const char* end = read_decimal(text, number);
  const std::string unit = end == nullptr ? "?" : std::string(end, text.data() + text.size());
  const double factor = unit.empty() || unit == "s" ? 1
                        : unit == "m"               ? 60
                        : unit == "h"               ? 3600
                        : unit == "d"               ? 86400
                                                    : 0;
  if (factor == 0)
    return Status::usage(fmt::format("'{}' is not a time; write for example 30s, 10m or 2h", text));
  if (number <= 0)
    return Status::usage(fmt::format("'{}' is not a positive time; write for example 30s or 10m", text));
  if (number * factor > kLongestTime)
    return Status::usage(fmt::format("'{}' is more than a hundred years", text));
  return number * factor;
}

Result<StoreMode> parse_store(const std::string& text) {
  constexpr std::string_view kSignatures = "signatures";
  if (text == "states") return StoreMode{};
  if (text == kSignatures) return StoreMode{64};
  if (!text.starts_with(kSignatures) || text[kSignatures.size()] != ':') {
    return Status::usage(fmt::format("'{}' is not one of states, signatures, signatures:BITS", text));
  }
  const Result<uint64_t> bits = parse_number(text.substr(kSignatures.size() + 1), 16, 64);
  if (!bits.ok()) {
    return Status::usage(fmt::format("'{}': a signature has 16 to 64 bits", text));
  }
  return StoreMode{static_cast<unsigned>(*bits)};
}

Result<std::pair<std::string, std::string>> parse_definition(const std::string& text) {
  const size_t sign = text.find('=');
  if (sign == std::string::npos || !is_identifier(std::string_view(text).substr(0, sign)) ||
      sign + 1 == text.size()) {
    return Status::usage(fmt::format("'{}' is not of the form NAME=VALUE", text));
  }
  return std::pair(text.substr(0, sign), text.substr(sign + 1));
}

}  // namespace strata
