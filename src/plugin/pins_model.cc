// Models in shared objects of DiVinE 2, LTSmin's dve2 and SpinS. A state is a row of int, one for each variable. One
// call passes the successors of a state to a callback, each with the number of its group of transitions.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "plugin/callback_model.h"
#include "plugin/plugin.h"

namespace strata {
namespace {

struct TransitionInfo {
  int* labels;
  int group;  // negative: unknown
  int proviso;
};
using Callback = void (*)(void* context, TransitionInfo* transition, int* state, int* copied);

// The functions of an object; the two kinds of objects name them differently.
struct Pins {
  void (*initial)(int* state) = nullptr;
  int (*successors)(void* model, int* state, Callback callback, void* context) = nullptr;
  int (*variables)() = nullptr;
  int (*groups)() = nullptr;
  const char* (*variable_name)(int variable) = nullptr;
  int (*variable_type)(int variable) = nullptr;
  int (*value_count)(int type) = nullptr;
  const char* (*value_name)(int type, int value) = nullptr;
  // Exists only in DiVinE's objects of models with a property process.
  int (*has_property)() = nullptr;
  int (*is_accepting)(void* model, int* state) = nullptr;
};

class PinsModel final : public CallbackModel {
 public:
  PinsModel(const std::string& path, std::shared_ptr<void> object, const Pins& pins)
      : object_(std::move(object)), pins_(pins) {
    const int variables = pins_.variables(), groups = std::max(pins_.groups(), 1);
    info_.path = path;
    info_.language = "object";
    info_.state_bytes = static_cast<uint64_t>(variables) * sizeof(int);
    info_.state_bits = 8 * info_.state_bytes;
    // One group of SpinS may give several successors.
    info_.max_successors = 4 * static_cast<uint64_t>(groups) + 16;
    info_.max_initial = 1;
    for (int i = 0; i < variables; ++i) {
      const char* name = pins_.variable_name(i);
      info_.variables.push_back({name == nullptr ? fmt::format("v{}", i) : name, "int", 8 * sizeof(int)});
    }
    for (int i = 0; i < groups; ++i) add_rule(fmt::format("group {}", i));
    info_.has_accepting =
        pins_.has_property != nullptr && pins_.is_accepting != nullptr && pins_.has_property() != 0;
    info_.deadlock = info_.has_accepting ? DeadlockMode::off : DeadlockMode::stuck;
  }

  void accepting(const uint8_t* states, uint64_t n, uint8_t* values) const override {
    std::vector<int> state(info_.variables.size());
    for (uint64_t i = 0; i < n; ++i) {
      std::memcpy(state.data(), states + i * info_.state_bytes, info_.state_bytes);
      values[i] = pins_.is_accepting(nullptr, state.data()) != 0;
    }
  }

  Value describe(const uint8_t* state) const override {
    Value all;
    all.kind = Value::Kind::record;
    for (size_t i = 0; i < info_.variables.size(); ++i) {
      int number = 0;
      std::memcpy(&number, state + i * sizeof number, sizeof number);
      all.members.emplace_back(info_.variables[i].name, value_of(static_cast<int>(i), number));
    }
    return all;
  }

  InstanceName start_name(uint32_t) const override { return {"Startstate 0", "", false}; }

 private:
  static void take(void* context, TransitionInfo* transition, int* state, int*) {
    const int group = transition == nullptr ? -1 : transition->group;
    static_cast<Found*>(context)->add(group < 0 ? 0 : static_cast<uint32_t>(group), state);
  }

  void find_starts(Found& found) const override {
    std::vector<int> state(info_.variables.size());
    pins_.initial(state.data());
    found.add(0, state.data());
  }

  void find_successors(const uint8_t* state, Found& found) const override {
    // A copy, because the object may write to its argument.
    std::vector<int> copy(info_.variables.size());
    std::memcpy(copy.data(), state, info_.state_bytes);
    pins_.successors(nullptr, copy.data(), take, &found);
  }

  // A value whose type has names is shown by name.
  Value value_of(int variable, int number) const {
    Value value;
    value.kind = Value::Kind::integer;
    value.number = number;
    if (pins_.variable_type == nullptr || pins_.value_count == nullptr || pins_.value_name == nullptr)
      return value;
    const int type = pins_.variable_type(variable);
    if (type < 0 || number < 0 || number >= pins_.value_count(type)) return value;
    if (const char* name = pins_.value_name(type, number)) {
      value.kind = Value::Kind::symbol;
      value.symbol = name;
    }
    return value;
  }

  std::shared_ptr<void> object_;
  Pins pins_;
};

}  // namespace

Result<std::unique_ptr<Model>> load_pins_model(const std::string& path, std::shared_ptr<void> object) {
  const bool spins = dlsym(object.get(), "spins_get_successor_all") != nullptr;
  std::string missing;
  const auto find = [&](auto& function, const char* divine, const char* of_spins, bool needed) {
    const char* name = spins ? of_spins : divine;
    if (name == nullptr) return;
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(object.get(), name));
    if (function == nullptr && needed) missing = name;
  };
  Pins pins;
  find(pins.initial, "get_initial_state", "spins_get_initial_state", true);
  find(pins.successors, "get_successors", "spins_get_successor_all", true);
  find(pins.variables, "get_state_variable_count", "spins_get_state_size", true);
  find(pins.groups, "get_transition_count", "spins_get_transition_groups", true);
  find(pins.variable_name, "get_state_variable_name", "spins_get_state_variable_name", true);
  find(pins.variable_type, "get_state_variable_type", "spins_get_state_variable_type", false);
  find(pins.value_count, "get_state_variable_type_value_count", "spins_get_type_value_count", false);
  find(pins.value_name, "get_state_variable_type_value", "spins_get_type_value_name", false);
  find(pins.has_property, "have_property", nullptr, false);
  find(pins.is_accepting, "buchi_is_accepting", nullptr, false);
  if (!missing.empty())
    return Status::model(fmt::format("{}: it has no function {}, which objects of {} have", path, missing,
                                     spins ? "SpinS" : "DiVinE and LTSmin"));
  constexpr int kMost = 1 << 18, kMostGroups = 1 << 22;
  if (const int variables = pins.variables(); variables <= 0 || variables > kMost)
    return Status::model(
        fmt::format("{}: its states have {} variables; 1 to {} are possible", path, variables, kMost));
  if (const int groups = pins.groups(); groups < 0 || groups > kMostGroups)
    return Status::model(
        fmt::format("{}: it has {} groups of transitions; 0 to {} are possible", path, groups, kMostGroups));
  return std::unique_ptr<Model>(std::make_unique<PinsModel>(path, std::move(object), pins));
}

}  // namespace strata
