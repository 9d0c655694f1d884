#include "liveness/lasso/nested_stack.h"

#include <algorithm>
#include <cstring>

#include "base/image/record_image.h"

namespace strata {

Status NestedStack::open() {
  if (Status status = frames_.open(); !status.ok()) return status;
  return waiting_.open();
}

uint64_t NestedStack::find(uint64_t place) const {
  uint64_t i = 0;
  while (frames_[i].place != place) ++i;
  return i;
}

namespace {

// A frame without its place.
struct FrameNote {
  uint64_t waiting;
  uint8_t accepting, all_red;
};
constexpr uint64_t kNoteBytes = 10;

}  // namespace

void NestedStack::save(Image& image, const StateTable& table) {
  const uint64_t bytes = table.state_bytes();
  save_records(image, "frames", frames_.size(), bytes + kNoteBytes, [&](uint64_t i, uint8_t* record) {
    const Frame& frame = frames_[i];
    const FrameNote note{frame.waiting, frame.accepting != 0, frame.all_red != 0};
    std::memcpy(record, table.state_at(frame.place), bytes);
    std::memcpy(record + bytes, &note, kNoteBytes);
  });
  save_records(image, "waiting", waiting_.size(), bytes,
               [&](uint64_t i, uint8_t* record) { std::memcpy(record, table.state_at(waiting_[i]), bytes); });
  image.value("deepest", deepest_);
}

bool NestedStack::restore(Image& image, uint64_t state_bytes, PlaceFinder& finder) {
  const auto take_frames = [&](const uint8_t* records, uint64_t n) {
    for (uint64_t i = 0; i < n; ++i) {
      const uint8_t* record = records + i * (state_bytes + kNoteBytes);
      FrameNote note{};
      uint64_t place = 0;
      std::memcpy(&note, record + state_bytes, kNoteBytes);
      finder.find(record, 1, &place);
      if (place == kNoPlace ||
          !frames_.push({place, note.waiting & kMostWaiting, note.accepting != 0, note.all_red != 0}))
        return false;
    }
    return true;
  };
  std::vector<uint64_t> places(records_at_once(state_bytes));
  const auto take_waiting = [&](const uint8_t* states, uint64_t n) {
    finder.find(states, n, places.data());
    return std::all_of(places.data(), places.data() + n,
                       [&](uint64_t place) { return place != kNoPlace && waiting_.push(place); });
  };
  if (!restore_records(image, "frames", state_bytes + kNoteBytes, take_frames)) return false;
  if (!restore_records(image, "waiting", state_bytes, take_waiting)) return false;
  image.value("deepest", deepest_);
  return true;
}

bool NestedStack::fits(const SearchRun& run) const {
  const uint64_t bytes = run.info.state_bytes, limit = run.budget.limit() + kPathSlack;
  return path_bytes(size(), bytes) <= limit && size() * bytes <= limit - std::min(limit, run.budget.used());
}

std::vector<uint8_t> NestedStack::states(const StateTable& table) const {
  const uint64_t bytes = table.state_bytes();
  std::vector<uint8_t> states;
  states.reserve(size() * bytes);
  for (uint64_t i = 0; i < size(); ++i) {
    const uint8_t* state = table.state_at(frames_[i].place);
    states.insert(states.end(), state, state + bytes);
  }
  return states;
}

FarError NestedStack::far_error(const DepthFirst& search, const StateTable& table) const {
  FarError error;
  error.states = size();
  for (uint64_t i = search.path->loop.value_or(size()); i < size() && !error.accepting; ++i) {
    const uint8_t* state = table.state_at(frames_[i].place);
    if (search.is_accepting(state)) error.accepting.emplace(state, state + table.state_bytes());
  }
  return error;
}

}  // namespace strata
