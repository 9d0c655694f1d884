#include "model/testing/walkers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace strata {

WalkerModel::WalkerModel(uint32_t walkers, uint8_t places, Bias bias)
    : walkers_(walkers), places_(places), bias_(bias), sets_{{"Walker", walkers}} {
  info_.path = "walkers";
  info_.state_bytes = walkers + 1;
  info_.state_bits = info_.state_bytes * 8;
  info_.max_successors = 2 * walkers;
  info_.max_initial = 1;
  info_.rules = {{"step", walkers, {3, 1}, {}, 1, 1, {}, true},
                 {"pass", walkers, {5, 1}, {}, 1, 1, {}, true}};
  info_.properties = {{PropertyKind::invariant, "not all", {}}};
}

void WalkerModel::append(const std::vector<uint8_t>& state, uint32_t rule, uint32_t parent,
                         Expansion& out) const {
  std::memcpy(out.states.data() + out.count * out.state_bytes, state.data(), out.state_bytes);
  out.rules[out.count] = rule;
  out.parents[out.count] = parent;
  ++out.count;
}

void WalkerModel::starts(Expansion& out, const Full&) const {
  append(std::vector<uint8_t>(info_.state_bytes), 0, 0, out);
}

void WalkerModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  const uint64_t bytes = info_.state_bytes;
  for (uint32_t i = 0; i < n && out.count + info_.max_successors <= out.capacity(); ++i, ++out.consumed) {
    const std::vector<uint8_t> state(states + i * bytes, states + (i + 1) * bytes);
    const uint64_t first = out.count;
    if (out.check_properties && fails(state.data())) {
      out.failures.push_back({i});
      if (bias_ == Bias::none) continue;
    }
    for (uint32_t walker = 0; walker < walkers_; ++walker) {
      if (bias_ == Bias::guard && walker == 0) continue;
      std::vector<uint8_t> next = state;
      const int places = bias_ == Bias::step && walker == 0 ? 2 : 1;
      next[walker] = static_cast<uint8_t>((next[walker] + places) % places_);
      next.back() = static_cast<uint8_t>(walker + 1);
      append(next, walker, i, out);
      if (state.back() == 0 || state.back() == walker + 1) continue;
      next[walker] = state[walker];
      append(next, walkers_ + walker, i, out);
    }
    if (out.counts == nullptr) continue;
    out.counts->next_state();
    for (uint64_t k = first; k < out.count; ++k) out.counts->count(out.rules[k] < walkers_ ? 0 : 1);
  }
  out.transitions = out.count;
}

bool WalkerModel::fails(const uint8_t* state) const {
  const uint32_t who = bias_ == Bias::property ? 1 : walkers_;
  return std::all_of(state, state + who, [&](uint8_t place) { return place + 1 == places_; });
}

void WalkerModel::check(const uint8_t* states, uint64_t n, Expansion& out) const {
  for (uint32_t i = 0; i < n; ++i)
    if (fails(states + i * info_.state_bytes)) out.failures.push_back({i});
  out.consumed = n;
}

void WalkerModel::propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                               std::vector<Failure>&) const {
  const uint32_t who = bias_ == Bias::proposition ? 1 : walkers_;
  for (uint64_t i = 0; i < n; ++i, states += info_.state_bytes)
    values[i] = std::any_of(states, states + who, [&](uint8_t place) { return place + 1 == places_; });
}

// ---- Symmetry

void WalkerModel::permute(const uint8_t* state, const uint8_t* permutation, uint8_t* out) const {
  for (uint32_t i = 0; i < walkers_; ++i) out[permutation[i]] = state[i];
  const uint8_t last = state[walkers_];
  out[walkers_] = last == 0 ? uint8_t{0} : static_cast<uint8_t>(permutation[last - 1] + 1);
}

std::vector<std::vector<uint8_t>> WalkerModel::orbit(const uint8_t* state) const {
  std::vector<uint8_t> permutation(walkers_);
  std::iota(permutation.begin(), permutation.end(), uint8_t{0});
  std::vector<std::vector<uint8_t>> all;
  do {
    all.emplace_back(info_.state_bytes);
    permute(state, permutation.data(), all.back().data());
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void WalkerModel::canonicalise(uint8_t* states, uint64_t n) const {
  for (uint64_t i = 0; i < n; ++i, states += info_.state_bytes)
    std::memcpy(states, orbit(states).front().data(), info_.state_bytes);
}

void WalkerModel::canonicalise(const Successors& successors, double* sizes) const {
  canonicalise(successors.states, successors.count);
  for (uint64_t i = 0; i < successors.parent_count; ++i)
    sizes[i] = static_cast<double>(orbit(successors.parents + i * info_.state_bytes).size());
}

// ---- On a device

namespace {

// The constants kWalkers and kPlaces are before it.
constexpr const char* kWalkersText = R"(
struct Context : Firing {
  u64 packed[kStateWords], next[kStateWords];
};
inline u64 byte_of(const u64* state, u32 i) { return state[i / 8] >> 8 * (i % 8) & 255; }
inline void set_byte(u64* state, u32 i, u64 value) {
  state[i / 8] = (state[i / 8] & ~(u64(255) << 8 * (i % 8))) | value << 8 * (i % 8);
}
inline void load(Context& x, const u64* state) {
  for (u32 i = 0; i < kStateWords; ++i) x.packed[i] = state[i];
}
inline bool check(Context& x) {
  for (u32 i = 0; i < kWalkers; ++i)
    if (byte_of(x.packed, i) + 1 != kPlaces) return true;
  return false;
}
inline void fire_one(Context& x, u32 walker, u32 rule) {
  const u64 last = byte_of(x.packed, kWalkers);
  if (rule == 1 && (last == 0 || last == walker + 1)) return;
  if (kTwoPasses && x.pass == Pass::guards) {
    x.found = true;
    return;
  }
  for (u32 i = 0; i < kStateWords; ++i) x.next[i] = x.packed[i];
  set_byte(x.next, kWalkers, walker + 1);
  if (rule == 0) set_byte(x.next, walker, (byte_of(x.next, walker) + 1) % kPlaces);
  x.count(rule, rule == 0 ? walker == 0 : walker == (last == 1 ? 1 : 0));
  x.push(x.next);
}
inline void fire(Context& x, u32 group) {
  if (kTwoPasses) return fire_one(x, group / 2, group % 2);
  fire_one(x, group, 1);
  fire_one(x, group, 0);
}
)";

// Walkers are sorted by their places; of those at the place of the last one, the first becomes the last one.
constexpr const char* kWalkerOrbitsText = R"(
inline double reduce_walkers(u64* state, bool is_quick) {
  const u64 last = byte_of(state, kWalkers), where = last == 0 ? 0 : byte_of(state, u32(last - 1));
  double orbit = 1;
  for (u32 i = 0; i < kWalkers; ++i) {
    u32 alike = 1;
    for (u32 j = 0; j < i; ++j) alike += byte_of(state, i) == byte_of(state, j) ? 1 : 0;
    if (is_quick && alike > 1) return 0;
    orbit = orbit * (i + 1) / alike;
  }
  for (u32 i = 1; i < kWalkers; ++i)
    for (u32 j = i; j > 0 && byte_of(state, j) < byte_of(state, j - 1); --j) {
      const u64 place = byte_of(state, j);
      set_byte(state, j, byte_of(state, j - 1));
      set_byte(state, j - 1, place);
    }
  if (last == 0) return orbit;
  u32 first = 0, alike = 0;
  for (u32 i = kWalkers; i-- > 0;)
    if (byte_of(state, i) == where) {
      first = i;
      ++alike;
    }
  set_byte(state, kWalkers, first + 1);
  return orbit * alike;
}
inline double quick_representative(u64* state) { return reduce_walkers(state, true); }
inline double slow_representative(u64* state) { return quick_representative(state); }
inline double representative(u64* state) { return reduce_walkers(state, false); }
)";

}  // namespace

Status WalkerModel::runs_on_device() const {
  if (bias_ != Bias::none) return Status::model("no device can run this model: a walker differs");
  return {};
}

Result<DeviceCode> WalkerModel::device_code() const {
  if (Status status = runs_on_device(); !status.ok()) return status;
  DeviceCode code;
  code.text = fmt::format("constexpr u32 kWalkers = {}, kPlaces = {};\n{}", walkers_, places_, kWalkersText);
  code.state_words = (walkers_ + 1 + 7) / 8;
  code.two_passes = two_passes_;
  code.groups = two_passes_ ? 2 * walkers_ : walkers_;
  code.most_of_group = two_passes_ ? 1 : 2;
  code.rules = 2;
  return code;
}

Result<DeviceCode> WalkerModel::reduced_device_code() const {
  Result<DeviceCode> code = device_code();
  if (!code.ok()) return code;
  code->text += kWalkerOrbitsText;
  code->reduces = true;
  return code;
}

// ---- In words

Value WalkerModel::describe(const uint8_t* state) const {
  Value value;
  value.kind = Value::Kind::record;
  for (uint32_t i = 0; i < info_.state_bytes; ++i) {
    Value number;
    number.kind = Value::Kind::integer;
    number.number = state[i];
    value.members.emplace_back(i < walkers_ ? fmt::format("at_{}", i + 1) : "last", number);
  }
  return value;
}

InstanceName WalkerModel::rule_name(uint32_t rule) const {
  return {rule < walkers_ ? "step" : "pass", fmt::format(", w:Walker_{}", rule % walkers_ + 1), true};
}
InstanceName WalkerModel::start_name(uint32_t) const { return {"Startstate 1", "", false}; }
FailureText WalkerModel::describe_failure(const Failure&) const {
  return {FailureText::Verdict::invariant, "Invariant \"not all\" failed.", {}};
}

}  // namespace strata
