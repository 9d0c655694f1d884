// How a search goes beyond the memory of its device: kernels, plan, and the move of the states to the host.
#include <algorithm>
#include <utility>

#include "engine/contract/parameters.h"
#include "search/beyond/beyond_search.h"

namespace strata {

namespace {

// Of the memory that is free, an eighth stays so, for paths and successors.
constexpr uint64_t kHostShare = 8;
// Candidates may take this part of the host's memory before they are decided.
constexpr uint64_t kWaitingShare = 4;
constexpr uint64_t kFirstStretch = 1 << 14;

}  // namespace

BeyondSearch::BeyondSearch(const Parts& parts)
    : parts_(parts),
      run_(parts.run),
      states_(parts.states),
      device_(parts.device, parts.states, parts.kernels),
      stretch_(std::min(kFirstStretch, parameter<uint64_t>(parts.run.options, "stretch"))),
      filters_(!parts.run.options.bound && parameter<std::string>(parts.run.options, "beyond") == "free"),
      excess_(parts.excess) {}

Status BeyondSearch::begin() {
  run_.phase("moving states from the device to the host");
  const DeviceSearch::Rest rest = parts_.before.rest();
  number_ = began_level_ = rest.level;
  excess_.begin_level();
  size_ = began_at_ = states_.size();
  if (Status status = compile(); !status.ok()) return status;
  const Result<DeviceStates::Spare> spare = states_.give_list();
  if (!spare.ok()) return spare.status();
  early_states_ = spare->early_states;
  if (Status status = make_plan(spare->bytes); !status.ok()) return status;
  early_ = std::make_unique<KeyLog>(*space_, states_.key_bytes(), 0);
  KeyLog late(*space_, states_.key_bytes(), 1);
  if (Status status = copy_states(*early_, 0, early_states_); !status.ok()) return status;
  if (Status status = copy_states(late, early_states_, size_); !status.ok()) return status;
  if (Status status = device_.begin(plan_, *spare); !status.ok()) return status;
  began_ = true;
  if (Status status = mark_levels(late); !status.ok()) return status;
  is_whole_ = true;
  return {};
}

// The kernels of the search in its second form. They use no more lanes than the first ones, as is planned.
Status BeyondSearch::compile() {
  KernelShape shape = states_.shape();
  shape.beyond = true;
  better_ = std::make_unique<BetterKernels>(parts_.device, parts_.cache, parts_.code, shape);
  const auto patience = parameter<double>(run_.options, "patience");
  Result<DeviceKernels> kernels = better_->first(patience, run_.context.stop);
  if (!kernels.ok()) return kernels.status();
  // A kernel that is still in the queue would be unloaded.
  if (Status status = parts_.device.wait(); !status.ok()) return status;
  kernels->use_at_most(parts_.kernels.most_lanes());
  if (kernels->most_lanes() > parts_.kernels.most_lanes())
    return Status::limit(
        "blocks of the kernels beyond the memory of the device are too large for what was planned");
  kernels->describe(kernels->found() && parts_.kernels.found(), kernels->quick(),
                    kernels->compile_seconds() + parts_.kernels.compile_seconds());
  parts_.kernels = std::move(*kernels);
  return {};
}

Status BeyondSearch::make_plan(uint64_t device_bytes) {
  const uint64_t left = run_.budget.limit() - std::min(run_.budget.limit(), run_.budget.used());
  BeyondInput input;
  input.device = device_bytes;
  input.host = left - left / kHostShare;
  input.shape = states_.shape();
  input.key_bytes = states_.key_bytes();
  input.batch = run_.info.max_successors;
  input.filters = filters_;
  plan_ = plan_beyond(input);
  if (!plan_.shares.fits() || !plan_.fits_host)
    return Status::limit("too little memory to go on beyond that of the device");
  space_ = std::make_unique<KeySpace>(run_.budget, input.host, plan_.chunk, run_.options.disk, &device_);
  if (Status status = space_->open(plan_.readers); !status.ok()) return status;
  for (uint64_t p = 0; p < plan_.partitions; ++p) {
    visited_.push_back(std::make_unique<KeyLog>(*space_, states_.key_bytes(), 0));
    candidates_.push_back(std::make_unique<KeyLog>(*space_, states_.key_bytes(), 1));
  }
  most_waiting_ = input.host / kWaitingShare / states_.key_bytes();
  return {};
}

Status BeyondSearch::copy_states(KeyLog& log, uint64_t from, uint64_t to) {
  return log.append(to - from, [&](uint8_t* keys, uint64_t first, uint64_t count) {
    return states_.copy_list(from + first, count, keys);
  });
}

// Brings states that were behind the early ones to the logs of their partitions. Their places are those of the list.
Status BeyondSearch::move_late(KeyLog& late, uint64_t from, uint64_t to) {
  const auto behind = [&](uint64_t place) { return place - std::min(place, early_states_); };
  // A reader must be gone before a log grows.
  std::vector<uint8_t> keys;
  for (uint64_t at = behind(from); at < behind(to);) {
    const uint64_t end = std::min(behind(to), at + device_.most_parted());
    keys.clear();
    {
      KeyReader reader(late, at, end);
      for (;;) {
        const Result<KeyReader::Span> span = reader.next();
        if (!span.ok()) return span.status();
        if (span->count == 0) break;
        keys.insert(keys.end(), span->keys, span->keys + span->count * states_.key_bytes());
      }
    }
    if (Status status = append_parted(device_.part(keys.data(), end - at), visited_); !status.ok())
      return status;
    at = end;
  }
  return {};
}

// Finds out where the levels end, in the early states and in the logs.
Status BeyondSearch::mark_levels(KeyLog& late) {
  const DeviceSearch::Rest rest = parts_.before.rest();
  uint64_t begin = 0;
  first_marked_ = rest.level;
  for (uint64_t level = 0; level <= rest.level; ++level) {
    const uint64_t end = level == rest.level ? rest.to : begin + parts_.before.level_sizes()[level];
    early_ends_.push_back(std::min(end, early_states_));
    if (level == rest.level) {
      if (Status status = move_late(late, begin, rest.at); !status.ok()) return status;
      rest_from_ = row();
      if (Status status = move_late(late, rest.at, end); !status.ok()) return status;
    } else if (Status status = move_late(late, begin, end); !status.ok()) {
      return status;
    }
    if (end > early_states_ || level == rest.level) {
      first_marked_ = std::min(first_marked_, level);
      mark();
    }
    begin = end;
  }
  early_ends_.push_back(early_states_);
  if (Status status = move_late(late, rest.to, size_); !status.ok()) return status;
  found_ = size_ - rest.to;
  expanded_ = rest.at - rest.from;
  level_ = level_of(rest.level);
  level_.early_from = std::min(rest.at, early_states_);
  level_.from = rest_from_;
  return {};
}

BeyondSearch::Row BeyondSearch::row() const {
  Row row;
  for (const auto& log : visited_) row.push_back(log->size());
  return row;
}

void BeyondSearch::mark() { marks_.push_back(row()); }

BeyondSearch::Level BeyondSearch::level_of(uint64_t level) const {
  const auto early_end = [&](uint64_t i) { return i < early_ends_.size() ? early_ends_[i] : early_states_; };
  const auto mark_of = [&](uint64_t i) {
    return i < first_marked_ ? Row(plan_.partitions, 0) : marks_[i - first_marked_];
  };
  Level result;
  result.early_from = level == 0 ? 0 : early_end(level - 1);
  result.early_to = early_end(level);
  result.from = level == 0 ? Row(plan_.partitions, 0) : mark_of(level - 1);
  result.to = mark_of(level);
  return result;
}

// What was found of the next level.
BeyondSearch::Level BeyondSearch::next_part() const {
  Level part = level_of(number_);
  part.early_from = part.early_to;
  part.early_to = early_states_;
  part.from = part.to;
  part.to = row();
  return part;
}

}  // namespace strata
