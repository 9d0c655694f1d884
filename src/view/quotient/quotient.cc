#include "view/quotient/quotient.h"

#include <chrono>
#include <cstring>
#include <numeric>
#include <vector>

#include "base/hash.h"
#include "base/random.h"

namespace strata {
namespace {

constexpr uint64_t kAllOfTheFirst = 1000;
constexpr uint64_t kOneIn = 4096;

}  // namespace

QuotientModel::QuotientModel(const Model& model, bool propositions)
    : View(model),
      symmetry_(*model.symmetry()),
      probe_(symmetry_.proved() ? nullptr : std::make_unique<OrbitProbe>(model, propositions)) {}

std::string QuotientModel::difference() const {
  const MutexLock lock(probing_);
  return difference_;
}

Capabilities QuotientModel::capabilities() const {
  Capabilities offered = View::capabilities();
  offered.device = inner_.device == nullptr ? nullptr : this;
  return offered;
}

Status QuotientModel::runs_on_device() const {
  if (probe_ != nullptr)
    return Status::model(
        "no device can run this model: its symmetry is not proved, so the processor compares states while it "
        "searches");
  return inner_.device->runs_on_device();
}

Result<DeviceCode> QuotientModel::device_code() const {
  if (Status status = runs_on_device(); !status.ok()) return status;
  return inner_.device->reduced_device_code();
}

bool QuotientModel::probe(const uint8_t* states, uint64_t n, DeadlockMode deadlock) const {
  const uint64_t bytes = info_.state_bytes, first = seen_.fetch_add(n, std::memory_order_relaxed);
  for (uint64_t i = 0; i < n && !differs_.load(std::memory_order_relaxed); ++i) {
    const uint8_t* const state = states + i * bytes;
    const uint64_t hash = quick_hash(state, bytes);
    if (first + i >= kAllOfTheFirst && hash % kOneIn != 0) continue;
    const MutexLock lock(probing_);
    Random random(hash);
    difference_ = probe_->compare(state, deadlock, random);
    if (!difference_.empty()) differs_ = true;
  }
  return differs_.load(std::memory_order_relaxed);
}

void QuotientModel::canonicalise(Expansion& out) const {
  symmetry_.canonicalise(out.states.data(), out.count);
}

void QuotientModel::starts(Expansion& out, const Full& full) const {
  model_.starts(out, [&] {
    canonicalise(out);
    full();
  });
  canonicalise(out);
}

void QuotientModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  using Clock = std::chrono::steady_clock;
  model_.expand(states, n, out);
  out.tells_changes = false;
  if (probe_ != nullptr && probe(states, out.consumed, out.deadlock)) out.count = 0;
  const Clock::time_point begin = Clock::now();
  std::vector<double> sizes(out.consumed);
  symmetry_.canonicalise({states, out.consumed, out.states.data(), out.parents.data(), out.count},
                         sizes.data());
  if (!out.emit_self_loops) drop_self_loops(states, out);
  out.orbit_states = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  out.canonicalise_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
}

void QuotientModel::drop_self_loops(const uint8_t* states, Expansion& out) const {
  const uint64_t bytes = info_.state_bytes;
  uint64_t kept = 0;
  for (uint64_t i = 0; i < out.count; ++i) {
    const uint8_t* successor = out.successor(i);
    if (std::memcmp(successor, states + out.parents[i] * bytes, bytes) == 0) continue;
    if (kept != i) {
      std::memcpy(out.states.data() + kept * bytes, successor, bytes);
      out.rules[kept] = out.rules[i];
      out.parents[kept] = out.parents[i];
    }
    ++kept;
  }
  out.count = kept;
}

}  // namespace strata
