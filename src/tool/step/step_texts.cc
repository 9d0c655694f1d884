#include "tool/step/step_texts.h"

#include <fmt/format.h>

#include <map>

namespace strata {
namespace {

// "n: 0 -> 1", for each scalar that differs.
std::vector<std::string> changed(const std::vector<Leaf>& before, const std::vector<Leaf>& after) {
  std::map<std::string, std::string> old;
  for (const Leaf& leaf : before) old[leaf.path] = leaf.text;
  std::vector<std::string> out;
  for (const Leaf& leaf : after) {
    const auto found = old.find(leaf.path);
    const std::string was = found == old.end() ? "(none)" : found->second;
    if (was != leaf.text) out.push_back(fmt::format("{}: {} -> {}", leaf.path, was, leaf.text));
    if (found != old.end()) old.erase(found);
  }
  for (const Leaf& leaf : before)
    if (old.count(leaf.path) != 0) out.push_back(fmt::format("{}: {} -> (none)", leaf.path, leaf.text));
  return out;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n"), end = text.find_last_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

bool contains(const std::string& name, const std::string& text) {
  return name.find(text) != std::string::npos;
}

std::set<std::pair<std::string, std::string>> scalars(const Value& value) {
  std::set<std::pair<std::string, std::string>> out;
  for (Leaf& leaf : leaves(value)) {
    // A result of --json does not tell arrays from records.
    std::string path;
    for (const char c : leaf.path)
      if (c != ']' && c != '}') path += c == '[' || c == '{' ? '.' : c;
    out.emplace(std::move(path), std::move(leaf.text));
  }
  return out;
}

std::string counted(uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string differences(const Value& before, const Value& after) {
  return joined(changed(leaves(before), leaves(after)));
}

std::string value_text(const std::string& name, const Value& value) {
  Value whole;
  whole.kind = Value::Kind::record;
  whole.members.emplace_back(name, value);
  const std::vector<Leaf> all = leaves(whole);
  std::string text;
  for (const Leaf& leaf : all) text += fmt::format("{} = {}\n", leaf.path, leaf.text);
  return all.empty() ? name + " is empty\n" : text;
}

std::string line_of_rule(const ModelInfo& info, const RuleIndex& rules, uint32_t instance) {
  const uint64_t rule = rules.rule_of(instance);
  if (rule >= info.rules.size() || info.rules[rule].position.line == 0) return "";
  return fmt::format("  (line {})", info.rules[rule].position.line);
}

}  // namespace strata
