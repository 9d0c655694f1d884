// The states of a device's list on their way to the host: flagged ones, parts of the list, and predecessors.
#include <algorithm>
#include <cstring>

#include "search/device/device_states.h"

namespace strata {

// ---- flagged states

Status DeviceStates::take_flagged(std::vector<uint8_t>& states) {
  const uint64_t n = flags();
  const device::kernels::Gathering argument{visited(), flagged_.address(), 0, n, staging_.address()};
  if (Status status = launch(kernels_.gather, n, argument); !status.ok()) return status;
  std::vector<uint64_t> words(n * words_);
  if (Status status = device_.copy_from(words.data(), staging_.address(), words.size() * sizeof(uint64_t));
      !status.ok())
    return status;
  states.resize(n * state_bytes_ + kSlackBytes);
  for (uint64_t i = 0; i < n; ++i)
    std::memcpy(states.data() + i * state_bytes_, words.data() + i * words_, state_bytes_);
  return forget_flagged();
}

Status DeviceStates::forget_flagged() {
  counts_[Place::flags] = 0;
  return device_.fill(counter(Place::flags), 0, sizeof(uint64_t));
}

// ---- reading

Status DeviceStates::read(uint64_t from, uint64_t n, uint8_t* states) const {
  if (Status status = shape_.folds()
                          ? read_folded(from, n, states)
                          : device_.copy_from(states, list_at_ + from * list_bytes(), n * list_bytes());
      !status.ok())
    return status;
  if (state_bytes_ == bytes_each()) return {};
  for (uint64_t i = 1; i < n; ++i)
    std::memmove(states + i * state_bytes_, states + i * bytes_each(), state_bytes_);
  return {};
}

// Some states at a time are unfolded on their way.
Status DeviceStates::read_folded(uint64_t from, uint64_t n, uint8_t* states) const {
  const uint64_t most = plan_.staged_words / words_;
  for (uint64_t done = 0; done < n; done += most) {
    const uint64_t count = std::min(most, n - done);
    const device::kernels::Gathering argument{visited(), 0, from + done, count, staging_.address()};
    if (Status status = launch(kernels_.gather, count, argument); !status.ok()) return status;
    if (Status status =
            device_.copy_from(states + done * bytes_each(), staging_.address(), count * bytes_each());
        !status.ok())
      return status;
  }
  return {};
}

Status DeviceStates::mark(const std::vector<const std::vector<uint8_t>*>& targets, uint64_t marks) {
  std::vector<uint8_t> states;
  for (const std::vector<uint8_t>* target : targets)
    states.insert(states.end(), target->begin(), target->end());
  if (Status status = stage(states.data(), targets.size()); !status.ok()) return status;
  const device::Address table = staging_.address() + targets.size() * bytes_each();
  if (Status status = device_.fill(table, 0, marks * sizeof(uint64_t)); !status.ok()) return status;
  const device::kernels::Targets argument{{table, marks}, staging_.address(), targets.size()};
  return launch(kernels_.mark_targets, targets.size(), argument);
}

Result<bool> DeviceStates::find_predecessors(uint64_t from, uint64_t to,
                                             const std::vector<const std::vector<uint8_t>*>& targets,
                                             std::vector<uint64_t>& places) {
  uint64_t marks = 16;
  while (marks < 2 * targets.size()) marks *= 2;
  if (targets.size() * words_ + marks > plan_.staged_words) return false;
  if (Status status = mark(targets, marks); !status.ok()) return status;
  // Counts that nobody wants are in the second half of the counters.
  const uint64_t spoilt = plan_.counter_bytes / sizeof(uint64_t);
  if (Status status = device_.fill(counter(spoilt), 0, plan_.counter_bytes); !status.ok()) return status;
  device::kernels::Level argument = level(from, to);
  argument.fired = counter(spoilt + first_rule());
  argument.noted = counter(spoilt + Place::notes);
  argument.flags = counter(spoilt + Place::flags);
  argument.properties = argument.deadlock = 0;
  argument.wanted = {staging_.address() + targets.size() * bytes_each(), marks};
  if (Status status = launch_expansion(to - from, argument); !status.ok()) return status;
  uint64_t found = 0;
  if (Status status = device_.copy_from(&found, argument.flags, sizeof found); !status.ok()) return status;
  if (found > plan_.flagged) return false;
  places.resize(found);
  if (found == 0) return true;
  if (Status status = device_.copy_from(places.data(), flagged_.address(), found * sizeof(uint64_t));
      !status.ok())
    return status;
  std::sort(places.begin(), places.end());
  return true;
}

}  // namespace strata
