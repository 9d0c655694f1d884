#include "liveness/lasso/stack_path.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "store/key/keys.h"

namespace strata {

Status StackPath::gather(Path& path) {
  bool is_seed = false;
  const auto take = [&](const uint8_t* data) {
    const Entry entry(const_cast<uint8_t*>(data));
    if (!entry.open() || std::exchange(is_seed, false)) return;
    states_.insert(states_.end(), entry.state(), entry.state() + bytes_);
  };
  if (Status status = stacks_.for_each(kFirst, take); !status.ok()) return status;
  const uint64_t first = states_.size() / bytes_;
  is_seed = true;
  if (Status status = stacks_.for_each(kSecond, take); !status.ok()) return status;
  if (!closing_.empty()) {
    states_.insert(states_.end(), closing_.begin(), closing_.end());
    return close_loop(first, path);
  }
  for (uint64_t i = 0; i < first; ++i) path.states.push_back(state(i));
  return {};
}

// The loop ends where the path of the second search, or else the state that closed the cycle, meets that of
// the first one.
Status StackPath::close_loop(uint64_t first, Path& path) const {
  std::vector<Place> places;  // of the states of the first search
  places.reserve(first);
  for (uint64_t i = 0; i < first; ++i) places.push_back({hash_bytes(state(i), bytes_), i});
  std::sort(places.begin(), places.end());
  for (uint64_t i = 0; i < first; ++i) path.states.push_back(state(i));
  for (uint64_t i = first; i < states_.size() / bytes_; ++i) {
    const uint64_t hash = hash_bytes(state(i), bytes_);
    auto found = std::lower_bound(places.begin(), places.end(), Place{hash, 0});
    for (; found != places.end() && found->hash == hash; ++found) {
      if (!equal_bytes(state(found->place), state(i), bytes_)) continue;
      path.loop = found->place;
      return {};
    }
    path.states.push_back(state(i));
  }
  return Status::internal(
      "the state that closes the loop is not on the path; please report this as a bug of strata");
}

// The loop has the states of the first search from the one that closes it on, the last of which is accepting
// if there was a second search.
Result<FarError> StackPath::far_error(const Model& model) const {
  FarError error;
  bool in_loop = false;
  const Status status = stacks_.for_each(kFirst, [&](const uint8_t* data) {
    const Entry entry(const_cast<uint8_t*>(data));
    if (!entry.open() || closing_.empty()) return;
    in_loop = in_loop || equal_bytes(entry.state(), closing_.data(), bytes_);
    uint8_t accepting = 0;
    if (in_loop) model.accepting(entry.state(), 1, &accepting);
    if (accepting != 0) error.accepting.emplace(entry.state(), entry.state() + bytes_);
  });
  if (!status.ok()) return status;
  return error;
}

}  // namespace strata
