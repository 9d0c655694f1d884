#include "model/model.h"

#include <algorithm>
#include <cstring>

namespace strata {

namespace {
// Readers and writers of packed states may touch whole machine words.
constexpr uint64_t kSlackBytes = 16;
}  // namespace

Expansion::Expansion(const ModelInfo& info, uint64_t capacity)
    : state_bytes(info.state_bytes),
      states(capacity * info.state_bytes + kSlackBytes),
      rules(capacity),
      parents(capacity),
      covered(info.properties.size(), 0),
      premises(info.premises.size(), 0) {}

std::string InstanceName::title(const char* kind) const {
  return named ? std::string(kind) + " \"" + name + "\"" + parameters : text();
}

void Model::propositions(const uint8_t*, uint64_t n, uint64_t* values, std::vector<Failure>&) const {
  std::fill_n(values, n, uint64_t{0});
}

void Model::accepting(const uint8_t*, uint64_t n, uint8_t* values) const {
  std::fill_n(values, n, uint8_t{0});
}

const Model& whole_model(const Model& model) {
  const WholeStates* const whole = model.capabilities().whole;
  return whole == nullptr ? model : whole->whole();
}

void make_whole(const Model& model, const uint8_t* states, uint64_t n, uint8_t* result) {
  if (const WholeStates* const whole = model.capabilities().whole; whole != nullptr)
    whole->make_whole(states, n, result);
  else
    std::memcpy(result, states, n * model.info().state_bytes);
}

bool reached_error_state(const Model& model) {
  const ErrorStates* const error_states = model.capabilities().error_states;
  return error_states != nullptr && error_states->reached_error_state();
}

void Expansion::reset() {
  count = 0;
  consumed = 0;
  transitions = 0;
  orbit_states = canonicalise_seconds = 0;
  tells_changes = false;
  failures.clear();
}

}  // namespace strata
