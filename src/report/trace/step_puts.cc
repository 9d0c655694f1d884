#include "report/trace/step_puts.h"

#include <algorithm>

namespace strata {
namespace {

// Collects what one rule puts.
struct Listener {
  explicit Listener(uint32_t wanted_) : wanted(wanted_) {}

  static void put(void* context, const char* text, uint64_t length) {
    Listener& self = *static_cast<Listener*>(context);
    if (self.rule == self.wanted) self.heard.append(text, length);
  }
  void listen_to(Expansion& out) {
    out.put = put;
    out.put_context = this;
    out.put_rule = &rule;
  }

  const uint32_t wanted;
  uint32_t rule = kNoRule;
  std::string heard;
};

}  // namespace

std::string StepPuts::of(const Counterexample& path, size_t i) const {
  if (!model_.info().has_puts) return "";
  const bool beyond = i >= path.steps.size();
  const uint32_t rule = !beyond                        ? path.steps[i].rule
                        : path.failure.rule != kNoRule ? path.failure.rule
                                                       : path.loop_rule;
  if (rule == kNoRule) return "";
  return i == 0 ? of_start(rule) : of_rule(path.steps[i - 1].state, rule);
}

std::string StepPuts::of_start(uint32_t start) const {
  constexpr uint64_t kSome = 256;
  Listener listener(start);
  Expansion out(model_.info(), std::clamp<uint64_t>(model_.info().max_initial, 1, kSome));
  listener.listen_to(out);
  model_.starts(out, [] {});
  return listener.heard;
}

std::string StepPuts::of_rule(const std::vector<uint8_t>& from, uint32_t rule) const {
  Listener listener(rule);
  Expansion out(model_.info(), std::max<uint64_t>(model_.info().max_successors, 1));
  out.deadlock = DeadlockMode::off;
  out.check_properties = false;
  out.emit_self_loops = true;
  listener.listen_to(out);
  model_.expand(from.data(), 1, out);
  return listener.heard;
}

}  // namespace strata
