#include "search/beyond/device_loader.h"

namespace strata {

bool DeviceLoader::load(RamImage& saved) {
  run_.phase("reading the checkpoint");
  const uint64_t bytes = run_.info.state_bytes;
  const NumberList& sizes = search_.level_sizes() = saved.sizes();
  const std::vector<uint8_t>&unexpanded = saved.rest().unexpanded, &refused = saved.rest().refused;
  here_.level = sizes.size() - 1;
  here_.from = sizes.sum_of(here_.level);
  here_.to = sizes.sum();
  here_.at = here_.to - saved.open_states() - unexpanded.size() / bytes;
  std::set<std::string> in_hand;
  for (auto at = unexpanded.begin(); at != unexpanded.end(); at += static_cast<int64_t>(bytes))
    in_hand.emplace(at, at + static_cast<int64_t>(bytes));
  const auto all = [this](unsigned, const uint8_t* states, uint64_t n) { take(states, n); };
  saved.visit_levels(all, [] {});
  saved.visit_done([&](unsigned, const uint8_t* states, uint64_t n) { take_done(in_hand, states, n); });
  take(unexpanded.data(), unexpanded.size() / bytes);
  saved.visit_open(all);
  saved.visit_next(all);
  take(refused.data(), refused.size() / bytes);
  return end();
}

// States that a thread had in hand are not expanded: they come with the open ones.
void DeviceLoader::take_done(const std::set<std::string>& in_hand, const uint8_t* states, uint64_t n) {
  const uint64_t bytes = run_.info.state_bytes;
  uint64_t begin = 0;
  for (uint64_t i = 0; i < n && !in_hand.empty(); ++i) {
    const uint8_t* const state = states + i * bytes;
    if (in_hand.count(std::string(state, state + bytes)) == 0) continue;
    take(states + begin * bytes, i - begin);
    begin = i + 1;
  }
  take(states + begin * bytes, n - begin);
}

void DeviceLoader::take(const uint8_t* states, uint64_t n) {
  const MutexLock lock(mutex_);
  if (n > 0 && !full_ && !run_.halted()) full_ = !search_.add_saved(states, n);
}

bool DeviceLoader::end() {
  if (full_ || run_.halted()) return !full_;
  if (states_.size() < here_.to)
    run_.fail(Status::internal("a checkpoint has states twice; please report this as a bug of strata"));
  else
    search_.continue_from(here_);
  return true;
}

}  // namespace strata
