#include "view/fair/fair_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "model/rule_counts.h"

namespace strata {
namespace {

// The value of a parameter in ", p:Proc_1, v:2"; empty: the instance has no such parameter.
std::string value_of(const std::string& parameters, const std::string& name) {
  const std::string key = ", " + name + ":";
  const size_t begin = parameters.find(key);
  if (begin == std::string::npos) return "";
  const size_t from = begin + key.size();
  return parameters.substr(from, std::min(parameters.find(", ", from), parameters.size()) - from);
}

bool is_step_of(const std::string& step, const std::string& name) {
  return step == name || step.starts_with(name + ":");
}

// Whether the rule has this name, or is a step of the process with this name.
bool is_named(const ModelInfo& info, const RuleInfo& rule, const std::string& name) {
  if (rule.name == name || (info.language == "dve" && is_step_of(rule.name, name))) return true;
  return std::any_of(rule.steps.begin(), rule.steps.end(),
                     [&](uint32_t step) { return is_step_of(info.steps[step].name, name); });
}

std::string processes_words(uint64_t count) {
  return fmt::format("{} process{}", count, count == 1 ? "" : "es");
}

}  // namespace

// The groups of one request after the other, for all rule instances.
struct FairGroups::Builder {
  explicit Builder(const Model& of_model) : model(of_model), info(of_model.info()), index(info) {
    for (const RuleInfo& rule : info.rules) instances += rule.instances;
    groups.resize(instances);
  }

  // Adds the group with this name, known or new, to the instance.
  void add(uint64_t instance, const std::string& name) {
    const auto [known, added] = names.try_emplace(name, count);
    if (added) ++count;
    groups[instance].push_back(known->second);
  }

  Status add_request(const FairnessRequest& request) {
    names.clear();
    bool rule_found = request.rule.empty(), parameter_found = request.parameter.empty();
    std::vector<uint32_t> movers;
    const RuleTable table(info);
    for (uint64_t instance = 0, number = 0; number < info.rules.size(); ++number) {
      const RuleInfo& rule = info.rules[number];
      const bool wanted = request.rule.empty() || is_named(info, rule, request.rule);
      rule_found |= wanted;
      for (uint64_t i = 0; i < rule.instances; ++i, ++instance) {
        if (!wanted) continue;
        if (request.rule.empty() && request.parameter.empty()) {
          table.processes_of(static_cast<uint32_t>(instance), movers);
          for (const uint32_t process : movers) add(instance, std::to_string(process));
          continue;
        }
        if (request.parameter.empty()) {
          add(instance, "");
          continue;
        }
        const std::string value =
            value_of(model.rule_name(static_cast<uint32_t>(instance)).parameters, request.parameter);
        parameter_found |= !value.empty();
        // Without the parameter: a process of its own, unless the user named the rule.
        if (!value.empty())
          add(instance, value);
        else if (request.rule.empty())
          add(instance, fmt::format("rule {}", number));
      }
    }
    if (!rule_found)
      return Status::usage(fmt::format("--fairness {}: the model has no rule '{}'; {}", request.text(),
                                       request.rule, rule_names()));
    if (!parameter_found)
      return Status::usage(
          fmt::format("--fairness {}: {} parameter '{}'", request.text(),
                      request.rule.empty() ? "no rule has a" : "the rule '" + request.rule + "' has no",
                      request.parameter));
    return {};
  }

  std::string rule_names() const {
    constexpr size_t kShown = 10;
    std::set<std::string> all;
    for (const RuleInfo& rule : info.rules)
      if (rule.named) all.insert(rule.name);
    std::string out = all.empty() ? "its rules have no names" : "it has ";
    size_t shown = 0;
    for (const std::string& name : all) {
      if (shown++ == kShown) return out + ", ...";
      out += (shown == 1 ? "'" : ", '") + name + "'";
    }
    return out;
  }

  const Model& model;
  const ModelInfo& info;
  const RuleIndex index;
  uint64_t instances = 0;
  std::vector<std::vector<uint32_t>> groups;  // of each instance
  std::map<std::string, uint32_t> names;      // of the groups of the present request
  uint32_t count = 0;
};

FairGroups::FairGroups(const Model& model)
    : rules_(model.info()),
      weak_(static_cast<uint32_t>(model.info().processes)),
      words_("weak, to " + processes_words(model.info().processes)) {}

Result<FairGroups> FairGroups::make(const Model& model, const std::vector<FairnessRequest>& requests) {
  FairGroups made(model);
  if (requests.size() == 1 && !requests[0].strong && requests[0].rule.empty() &&
      requests[0].parameter.empty())
    return made;
  made.only_processes_ = false;
  made.words_.clear();
  Builder builder(model);
  for (const bool strong : {false, true}) {
    const uint32_t before = builder.count;
    for (const FairnessRequest& request : requests) {
      if (request.strong != strong) continue;
      const uint32_t first = builder.count;
      if (Status status = builder.add_request(request); !status.ok()) return status;
      const uint32_t count = builder.count - first;
      made.words_ += fmt::format(
          "{}{}, to {}", made.words_.empty() ? "" : "; ", strong ? "strong" : "weak",
          request.rule.empty()
              ? processes_words(count) + (request.parameter.empty() ? "" : " by " + request.parameter)
              : fmt::format(
                    "\"{}\"{}", request.rule,
                    request.parameter.empty() ? "" : fmt::format(" by {} ({})", request.parameter, count)));
    }
    (strong ? made.strong_ : made.weak_) = builder.count - before;
  }
  if (made.strong_ > kMostStrong)
    return Status::usage(
        fmt::format("--fairness: strong fairness to {} processes or rules is too expensive, at most {} are "
                    "possible, because each "
                    "may double the states; name the few that the formula needs (strong:RULE)",
                    made.strong_, kMostStrong));
  if ((uint64_t{made.count()} + 1) << made.strong_ > UINT32_MAX)
    return Status::usage(fmt::format(
        "--fairness: {} processes or rules, {} of them with strong fairness, are too many; name fewer",
        made.count(), made.strong_));
  made.first_.push_back(0);
  for (const std::vector<uint32_t>& groups : builder.groups) {
    made.groups_.insert(made.groups_.end(), groups.begin(), groups.end());
    made.first_.push_back(static_cast<uint32_t>(made.groups_.size()));
  }
  return made;
}

void FairGroups::of(uint32_t instance, std::vector<uint32_t>& result) const {
  if (only_processes_) {
    rules_.processes_of(instance, result);
    return;
  }
  result.clear();
  if (instance + uint64_t{1} < first_.size())
    result.assign(groups_.begin() + first_[instance], groups_.begin() + first_[instance + 1]);
}

}  // namespace strata
