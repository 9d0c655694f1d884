#include "engine/contract/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace strata {

namespace {

const std::string* find(const SearchOptions& options, const std::string& name) {
  const auto found = options.parameters.find(name);
  return found == options.parameters.end() ? nullptr : &found->second;
}

template <class Number>
Result<Number> parse(const SearchOptions& options, const std::string& name, const char* what,
                     Number default_value, Number least, Number most) {
  const std::string* text = find(options, name);
  if (text == nullptr) return default_value;
  Number value{};
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  if (error == std::errc() && stop == end && value >= least && value <= most) return value;
  return Status::usage(fmt::format("--set {}={}: not a {} from {} to {}", name, *text, what, least, most));
}

}  // namespace

Result<uint64_t> number_parameter(const SearchOptions& options, const std::string& name,
                                  uint64_t default_value, uint64_t least, uint64_t most) {
  return parse<uint64_t>(options, name, "whole number", default_value, least, most);
}

Result<double> real_parameter(const SearchOptions& options, const std::string& name, double default_value,
                              double least, double most) {
  return parse<double>(options, name, "number", default_value, least, most);
}

Result<std::string> choice_parameter(const SearchOptions& options, const std::string& name,
                                     const std::vector<std::string>& words) {
  const std::string* text = find(options, name);
  if (text == nullptr) return words.front();
  if (std::find(words.begin(), words.end(), *text) != words.end()) return *text;
  return Status::usage(fmt::format("--set {}={}: choose {}", name, *text, fmt::join(words, " or ")));
}

}  // namespace strata
