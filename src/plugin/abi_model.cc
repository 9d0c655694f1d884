// Models in shared objects with the interface of strata_model.h.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "plugin/callback_model.h"
#include "plugin/plugin.h"
#include "plugin/strata_model.h"

namespace strata {
namespace {

std::vector<std::string> names_of(const char* const* list) {
  std::vector<std::string> names;
  for (; list != nullptr && *list != nullptr; ++list) names.emplace_back(*list);
  return names;
}

class AbiModel final : public CallbackModel {
 public:
  AbiModel(const std::string& path, std::shared_ptr<void> object, const strata_model& model,
           std::vector<unsigned> propositions)
      : object_(std::move(object)), model_(model), propositions_(std::move(propositions)) {
    info_.path = path;
    info_.language = "object";
    info_.state_bytes = model.state_bytes;
    info_.state_bits = uint64_t{8} * model.state_bytes;
    info_.max_successors = std::max<uint64_t>(model.max_successors, 1);
    starts_ = names_of(model.starts);
    info_.max_initial = std::max<uint64_t>(starts_.size(), 1);
    for (const std::string& name : names_of(model.rules)) add_rule(name);
    for (const std::string& name : names_of(model.variables)) info_.variables.push_back({name, "text", 0});
    for (const std::string& name : names_of(model.invariants))
      info_.properties.push_back({PropertyKind::invariant, name, {}});
    info_.deadlock = DeadlockMode::stuck;
  }

  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>&) const override {
    for (uint64_t i = 0; i < n; ++i) {
      const uint64_t all = model_.holds(states + i * info_.state_bytes);
      values[i] = 0;
      for (size_t k = 0; k < propositions_.size(); ++k) values[i] |= (all >> propositions_[k] & 1) << k;
    }
  }

  Value describe(const uint8_t* state) const override {
    Value all;
    all.kind = Value::Kind::record;
    for (uint32_t i = 0; i < info_.variables.size(); ++i) {
      std::array<char, 4096> text{};
      model_.describe(state, i, text.data(), text.size() - 1);
      Value value;
      value.kind = Value::Kind::symbol;
      value.symbol = text.data();
      all.members.emplace_back(info_.variables[i].name, std::move(value));
    }
    return all;
  }

  InstanceName start_name(uint32_t start) const override {
    if (start < starts_.size()) return {starts_[start], "", true};
    return {fmt::format("Startstate {}", start), "", false};
  }

 private:
  static void take(void* sink, uint32_t rule, const void* state) {
    static_cast<Found*>(sink)->add(rule, state);
  }

  void find_starts(Found& found) const override { model_.initial(take, &found); }
  void find_successors(const uint8_t* state, Found& found) const override {
    model_.successors(state, take, &found);
  }
  int violated(const uint8_t* state) const override {
    return model_.violated == nullptr ? -1 : model_.violated(state);
  }
  // Without a list of start states they have no names, and every number is valid.
  uint64_t start_numbers() const override { return starts_.empty() ? UINT64_MAX : starts_.size(); }

  std::shared_ptr<void> object_;
  const strata_model& model_;
  std::vector<unsigned> propositions_;  // the object's numbers of the propositions
  std::vector<std::string> starts_;
};

Status check_model(const std::string& path, const strata_model* model) {
  const auto refuse = [&](const std::string& why) { return Status::model(fmt::format("{}: {}", path, why)); };
  if (model == nullptr) return refuse("strata_model_v1 returned no model");
  if (model->abi != STRATA_MODEL_ABI)
    return refuse(fmt::format("it has interface {}, and this version of Strata knows {}", model->abi,
                              STRATA_MODEL_ABI));
  constexpr uint32_t kLargest = 1 << 20;
  if (model->state_bytes == 0 || model->state_bytes > kLargest)
    return refuse(
        fmt::format("its states have {} bytes; 1 to {} are possible", model->state_bytes, kLargest));
  // Searches must have memory for the successors of a state.
  constexpr uint32_t kMostSuccessors = 1 << 24;
  if (model->max_successors > kMostSuccessors)
    return refuse(fmt::format("its max_successors is {}; at most {} are possible", model->max_successors,
                              kMostSuccessors));
  if (model->initial == nullptr || model->successors == nullptr || model->describe == nullptr)
    return refuse("one of the functions initial, successors and describe is missing");
  if (names_of(model->rules).empty() || names_of(model->variables).empty())
    return refuse("it has no rules, or no variables");
  const size_t propositions = names_of(model->propositions).size();
  if (propositions > 64)
    return refuse(fmt::format("it has {} propositions; at most 64 are possible", propositions));
  if (propositions > 0 && model->holds == nullptr)
    return refuse("it has propositions, but no function holds");
  if (!names_of(model->invariants).empty() && model->violated == nullptr)
    return refuse("it has invariants, but no function violated");
  return {};
}

}  // namespace

Result<std::unique_ptr<Model>> load_abi_model(const std::string& path, std::shared_ptr<void> object,
                                              const std::vector<std::string>& propositions) {
  const auto make = reinterpret_cast<const strata_model* (*)()>(dlsym(object.get(), "strata_model_v1"));
  const strata_model* model = make();
  if (Status status = check_model(path, model); !status.ok()) return status;
  const std::vector<std::string> known = names_of(model->propositions);
  std::vector<unsigned> numbers;
  for (const std::string& name : propositions) {
    const auto place = std::find(known.begin(), known.end(), name);
    if (place == known.end())
      return Status::usage(fmt::format("{}: there is no proposition '{}'; it has {}", path, name,
                                       known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    numbers.push_back(static_cast<unsigned>(place - known.begin()));
  }
  return std::unique_ptr<Model>(
      std::make_unique<AbiModel>(path, std::move(object), *model, std::move(numbers)));
}

}  // namespace strata
