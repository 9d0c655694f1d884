#include "search/device/device_states.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace strata {

namespace {

using device::kernels::kBucketBytes;

// A table that is fuller than this grows, if it can, to so many times its size.
constexpr double kComfortableLoad = 0.5;
constexpr uint64_t kGrowth = 16;

uint32_t deadlock_of(DeadlockMode mode) {
  switch (mode) {
    case DeadlockMode::off: return 0;
    case DeadlockMode::stuck: return 1;
    case DeadlockMode::stuttering: break;
  }
  return 2;
}

Status allocate(device::Device& device, uint64_t bytes, device::Memory& memory) {
  if (bytes == 0) return {};
  Result<device::Memory> made = device::Memory::allocate(device, bytes);
  if (made.ok()) memory = std::move(*made);
  return made.status();
}

}  // namespace

DeviceStates::DeviceStates(device::Device& device, const DeviceKernels& kernels, const DeviceCode& code,
                           const KernelShape& shape, uint64_t state_bytes)
    : device_(device),
      kernels_(kernels),
      data_(code.data),
      rules_(code.rules),
      words_(shape.words),
      slots_of_bucket_(shape.slots_of_bucket()),
      state_bytes_(state_bytes),
      shape_(shape) {}

Status DeviceStates::prepare(const DevicePlan& plan, DeadlockMode deadlock) {
  plan_ = plan;
  deadlock_ = deadlock_of(deadlock);
  const uint64_t on_way = shape_.slots == SlotForm::places ? kernels_.most_lanes() * bytes_each() : 0;
  const uint64_t queues = shape_.queues_in_memory ? kernels_.most_warps() * shape_.queue_bytes : 0;
  const uint64_t passes = shape_.two_passes ? bytes_of_passes(plan.stretch, shape_) : 0;
  const struct {
    uint64_t bytes;
    device::Memory& memory;
  } parts[] = {{2 * plan.counter_bytes, counters_},
               {data_.size() * sizeof(uint64_t), model_},
               {queues, queues_},
               {on_way, on_way_},
               {plan.flagged * sizeof(uint64_t), flagged_},
               {passes, passes_},
               {plan.staged_words * sizeof(uint64_t), staging_},
               {plan.buckets * kBucketBytes, table_},
               {plan.capacity * bytes_each(), list_}};
  for (const auto& part : parts)
    if (Status status = allocate(device_, part.bytes, part.memory); !status.ok()) return status;
  if (Status status = device_.fill(counters_.address(), 0, counters_.bytes()); !status.ok()) return status;
  counts_.assign(plan.counter_bytes / sizeof(uint64_t), 0);
  saved_ = counts_;
  if (!data_.empty())
    if (Status status = device_.copy_to(model_.address(), data_.data(), model_.bytes()); !status.ok())
      return status;
  return make_table(plan.first_buckets);
}

Status DeviceStates::make_table(uint64_t buckets) {
  buckets_ = buckets;
  return device_.fill(table_.address(), 0, buckets * kBucketBytes);
}

// ---- arguments

device::kernels::VisitedStates DeviceStates::visited() const {
  return {table_.address(),      buckets_,          list_.address(),     plan_.capacity,
          counter(Place::count), on_way_.address(), counter(Place::full)};
}

device::kernels::Level DeviceStates::level(uint64_t from, uint64_t to) const {
  device::kernels::Level level{};
  level.visited = visited();
  level.from = from;
  level.to = to;
  level.data = model_.address();
  level.queues = queues_.address();
  level.orbits = counter(Place::orbits);
  level.fired = counter(first_rule());
  level.noted = counter(Place::notes);
  level.flagged = flagged_.address();
  level.flags = counter(Place::flags);
  level.most_flagged = plan_.flagged;
  level.deadlock = deadlock_;
  level.properties = 1;
  if (shape_.two_passes) {
    const uint64_t groups = shape_.groups * sizeof(uint32_t);
    level.most = plan_.stretch;
    level.sizes = passes_.address();
    level.begins = level.sizes + groups;
    level.found = level.begins + groups + sizeof(uint32_t);
    level.told = level.found + groups * plan_.stretch;
  }
  return level;
}

Status DeviceStates::launch_expansion(uint64_t lanes, const device::kernels::Level& level) const {
  Status status;
  for (const device::Kernel& kernel : kernels_.expansion())
    if (status.ok()) status = launch(kernel, shape_.two_passes ? kernels_.most_lanes() : lanes, level);
  return status;
}

Status DeviceStates::read_counts() {
  return device_.copy_from(counts_.data(), counters_.address(), plan_.counter_bytes);
}

// ---- steps

Status DeviceStates::undo() {
  counts_ = saved_;
  return device_.copy_to(counters_.address(), counts_.data(), plan_.counter_bytes);
}

Status DeviceStates::add(const uint8_t* states, uint64_t n) {
  const uint64_t most = plan_.staged_words / words_;
  for (uint64_t done = 0; done < n; done += most) {
    const uint64_t count = std::min(most, n - done);
    if (Status status = stage(states + done * state_bytes_, count); !status.ok()) return status;
    const device::kernels::States argument{visited(), staging_.address(), count, counter(Place::orbits)};
    if (Status status = launch(kernels_.add_states, count, argument); !status.ok()) return status;
  }
  return read_counts();
}

// Copies packed states to the device.
Status DeviceStates::stage(const uint8_t* states, uint64_t n) {
  std::vector<uint64_t> words(n * words_, 0);
  for (uint64_t i = 0; i < n; ++i)
    std::memcpy(words.data() + i * words_, states + i * state_bytes_, state_bytes_);
  return device_.copy_to(staging_.address(), words.data(), words.size() * sizeof(uint64_t));
}

Status DeviceStates::expand(uint64_t from, uint64_t to) {
  if (Status status = launch_expansion(to - from, level(from, to)); !status.ok()) return status;
  return read_counts();
}

Status DeviceStates::check(uint64_t from, uint64_t to) {
  if (Status status = launch(kernels_.check_states, to - from, level(from, to)); !status.ok()) return status;
  return read_counts();
}

Status DeviceStates::expand_course(uint64_t from, uint64_t to, uint64_t most, uint64_t most_states) {
  const device::kernels::Beginning beginning{counter(Place::course), from, to};
  const device::kernels::Advance advance{counter(Place::course), counter(Place::count), counter(Place::flags),
                                         counter(Place::full),   most_states,           comfortable()};
  device::kernels::Level any = level(0, 0);
  any.course = counter(Place::course);
  if (Status status = launch(kernels_.begin_course, 1, beginning); !status.ok()) return status;
  for (uint64_t i = 0; i < std::min(most, device::kernels::kMostOfCourse); ++i) {
    // The host knows the size of the first level only.
    const uint64_t lanes = i == 0 ? to - from : most_states;
    if (Status status = launch_expansion(lanes, any); !status.ok()) return status;
    if (Status status = launch(kernels_.advance, 1, advance); !status.ok()) return status;
  }
  return read_counts();
}

uint64_t DeviceStates::course_levels() const { return counts_[Place::course + 2]; }
uint64_t DeviceStates::course_end(uint64_t level) const {
  return std::min(counts_[Place::course + 3 + level], plan_.capacity);
}

// ---- what was counted

// Lanes that found the list full have taken places behind it.
uint64_t DeviceStates::size() const { return std::min(counts_[Place::count], plan_.capacity); }
bool DeviceStates::full() const { return counts_[Place::full] != 0; }
uint64_t DeviceStates::flags() const { return counts_[Place::flags]; }
uint64_t DeviceStates::fired(uint64_t rule) const { return counts_[first_rule() + rule]; }
uint64_t DeviceStates::fired_in(uint64_t rule) const { return counts_[first_rule() + rules_ + rule]; }
uint64_t DeviceStates::all_fired() const {
  const auto first = counts_.begin() + static_cast<int64_t>(first_rule());
  return std::accumulate(first, first + static_cast<int64_t>(rules_), uint64_t{0});
}

double DeviceStates::orbit_states() const {
  double states = 0;
  std::memcpy(&states, &counts_[Place::orbits], sizeof states);
  return states;
}

// ---- the table

uint64_t DeviceStates::comfortable() const {
  if (!can_grow()) return UINT64_MAX;
  return static_cast<uint64_t>(kComfortableLoad * static_cast<double>(buckets_ * slots_of_bucket_));
}

Status DeviceStates::grow() {
  const uint64_t buckets = plan_.buckets / kGrowth < buckets_ ? plan_.buckets : kGrowth * buckets_;
  if (Status status = make_table(buckets); !status.ok()) return status;
  const device::kernels::States argument{visited(), 0, size(), 0};
  return launch(kernels_.refill, size(), argument);
}

double DeviceStates::load() const {
  if (buckets_ == 0) return 0;
  return static_cast<double>(size()) / static_cast<double>(buckets_ * slots_of_bucket_);
}

uint64_t DeviceStates::bytes() const {
  uint64_t sum = buckets_ * kBucketBytes + size() * bytes_each();
  for (const device::Memory* memory :
       {&counters_, &flagged_, &staging_, &on_way_, &queues_, &model_, &passes_})
    sum += memory->bytes();
  return sum;
}

// ---- flagged states

Status DeviceStates::take_flagged(std::vector<uint8_t>& states) {
  const uint64_t n = flags();
  const device::kernels::Gathering argument{list_.address(), flagged_.address(), n, staging_.address()};
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
  if (Status status = device_.copy_from(states, list_.address() + from * bytes_each(), n * bytes_each());
      !status.ok())
    return status;
  if (state_bytes_ == bytes_each()) return {};
  for (uint64_t i = 1; i < n; ++i)
    std::memmove(states + i * state_bytes_, states + i * bytes_each(), state_bytes_);
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
