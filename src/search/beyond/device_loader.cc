#include "search/beyond/device_loader.h"

#include <algorithm>

namespace strata {

void DeviceLoader::load(RamImage& saved) {
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
  uint64_t level = 0;
  saved.visit_levels(all, [&] { end_level(level++); });
  saved.visit_done([&](unsigned, const uint8_t* states, uint64_t n) { take_done(in_hand, states, n); });
  begin_open();
  take(unexpanded.data(), unexpanded.size() / bytes);
  saved.visit_open(all);
  end_level(level);
  saved.visit_next(all);
  end(refused);
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
  if (n == 0 || ended_ || run_.halted()) return;
  if (beyond_ == nullptr && search_.add_saved(states, n)) return;
  if (beyond_ == nullptr && !run_.halted()) go_beyond();
  if (beyond_ != nullptr) note(beyond_->add_saved(states, n));
}

void DeviceLoader::go_beyond() {
  search_.stand_at(loaded());
  beyond_ = go_beyond_();
  ended_ = beyond_ == nullptr;
}

// The level of which states were added last, with its states so far.
DeviceSearch::Rest DeviceLoader::loaded() const {
  const NumberList& sizes = search_.level_sizes();
  const uint64_t size = states_.size();
  if (size > here_.from) return {here_.level, here_.from, std::min(here_.at, size), std::min(here_.to, size)};
  DeviceSearch::Rest rest;
  while (rest.from + sizes[rest.level] < size) rest.from += sizes[rest.level++];
  rest.at = rest.to = size;
  return rest;
}

void DeviceLoader::end_level(uint64_t level) {
  if (beyond_ != nullptr && !run_.halted()) note(beyond_->end_saved_level(level));
}

void DeviceLoader::begin_open() {
  if (beyond_ != nullptr && !run_.halted()) note(beyond_->begin_saved_open());
}

void DeviceLoader::end(const std::vector<uint8_t>& refused) {
  if (beyond_ == nullptr) take(refused.data(), refused.size() / run_.info.state_bytes);
  if (ended_ || run_.halted()) return;
  if (beyond_ != nullptr)
    note(beyond_->continue_from(here_, refused));
  else if (states_.size() < here_.to)
    run_.fail(Status::internal("a checkpoint has states twice; please report this as a bug of strata"));
  else
    search_.continue_from(here_);
}

void DeviceLoader::note(const Status& status) {
  if (!status.ok()) run_.fail(status);
}

}  // namespace strata
