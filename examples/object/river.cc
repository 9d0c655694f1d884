// A farmer, a wolf, a goat and a cabbage at a river, as a shared object in C++. The invariant says that they cannot all
// cross the river; its counterexample is a way to do it.
//
//     c++ -shared -fPIC -I DIR -o river.so river.cc     (DIR has strata/model.h: /usr/include where Strata is
//     installed)
//     strata check river.so                              finds the path, of 7 crossings
#include <strata/model.h>

#include <cstdio>

namespace {

// Bit i of a state: whether passenger i is on the far side. The farmer is number 3.
enum Passenger : unsigned { kWolf, kGoat, kCabbage, kFarmer };
constexpr uint8_t kAll = 0b1111;

bool far_side(uint8_t state, unsigned passenger) { return (state >> passenger & 1) != 0; }

// While the farmer is with the goat, it neither eats nor is eaten; without him, it must be alone.
bool is_safe(uint8_t state) {
  const bool goat = far_side(state, kGoat);
  if (far_side(state, kFarmer) == goat) return true;
  return far_side(state, kWolf) != goat && far_side(state, kCabbage) != goat;
}

void initial(strata_emit emit, void* sink) {
  const uint8_t all_here = 0;
  emit(sink, 0, &all_here);
}

void successors(const void* from, strata_emit emit, void* sink) {
  const uint8_t state = *static_cast<const uint8_t*>(from);
  for (unsigned passenger = kWolf; passenger <= kFarmer; ++passenger) {
    if (far_side(state, passenger) != far_side(state, kFarmer)) continue;
    const auto next = static_cast<uint8_t>(state ^ (1u << kFarmer) ^ (passenger == kFarmer ? 0 : 1u << passenger));
    if (is_safe(next)) emit(sink, passenger, &next);
  }
}

int violated(const void* state) { return *static_cast<const uint8_t*>(state) == kAll ? 0 : -1; }

void describe(const void* state, uint32_t variable, char* text, size_t size) {
  std::snprintf(text, size, "%s", far_side(*static_cast<const uint8_t*>(state), variable) ? "there" : "here");
}

constexpr const char* kStarts[] = {"all here", nullptr};
constexpr const char* kRules[] = {"with the wolf", "with the goat", "with the cabbage", "alone", nullptr};
constexpr const char* kInvariants[] = {"not all there", nullptr};
constexpr const char* kVariables[] = {"wolf", "goat", "cabbage", "farmer", nullptr};
constexpr strata_model kModel = {
    STRATA_MODEL_ABI, 1, 4, kStarts, kRules, kInvariants, nullptr, kVariables, initial, successors, violated, nullptr,
    describe};

}  // namespace

extern "C" const strata_model* strata_model_v1() { return &kModel; }
