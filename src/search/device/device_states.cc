#include "search/device/device_states.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/system/memory_map.h"

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

uint64_t bytes_of_nodes(const DevicePlan& plan) {
  const std::vector<uint64_t>& tables = plan.node_buckets;
  if (tables.empty()) return 0;
  return (tables.back() + (tables.size() > 1 ? tables[tables.size() - 2] : 0)) * kBucketBytes;
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
               {bytes_of_nodes(plan), nodes_},
               {plan.capacity * list_bytes(), list_}};
  for (const auto& part : parts)
    if (Status status = allocate(device_, part.bytes, part.memory); !status.ok()) return status;
  list_at_ = list_.address();
  if (Status status = device_.fill(counters_.address(), 0, counters_.bytes()); !status.ok()) return status;
  counts_.assign(plan.counter_bytes / sizeof(uint64_t), 0);
  saved_ = counts_;
  if (!data_.empty())
    if (Status status = device_.copy_to(model_.address(), data_.data(), model_.bytes()); !status.ok())
      return status;
  if (shape_.folds())
    if (Status status = device_.fill(nodes_of(0), 0, plan.node_buckets[0] * kBucketBytes); !status.ok())
      return status;
  return make_table(plan.first_buckets);
}

Status DeviceStates::make_table(uint64_t buckets) {
  buckets_ = buckets;
  return device_.fill(table_.address(), 0, buckets * kBucketBytes);
}

// ---- arguments

device::kernels::VisitedStates DeviceStates::visited() const {
  device::kernels::VisitedStates visited{};
  visited.slots = table_.address();
  visited.buckets = buckets_;
  visited.list = list_at_;
  visited.capacity = plan_.capacity;
  visited.count = counter(Place::count);
  visited.on_way = on_way_.address();
  visited.full = counter(Place::full);
  visited.beyond = beyond_;
  if (!shape_.folds()) return visited;
  visited.nodes = nodes_of(node_table_);
  visited.node_buckets = plan_.node_buckets[node_table_];
  visited.node_count = counter(Place::nodes);
  return visited;
}

// Two tables of the plan that follow each other are in different halves of the memory.
device::Address DeviceStates::nodes_of(uint64_t table) const {
  const uint64_t last = plan_.node_buckets.size() - 1;
  return nodes_.address() + ((last - table) % 2 == 0 ? 0 : plan_.node_buckets[last] * kBucketBytes);
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
  level.in_step = kernels_.in_step() ? 1 : 0;
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

Status DeviceStates::write_counts() {
  return device_.copy_to(counters_.address(), counts_.data(), plan_.counter_bytes);
}

Status DeviceStates::read_counts() {
  return device_.copy_from(counts_.data(), counters_.address(), plan_.counter_bytes);
}

// ---- steps

// Pairs of folded states stay: they may be needed again.
Status DeviceStates::undo() {
  const uint64_t nodes = counts_[Place::nodes];
  lacked_ = counts_[Place::full];
  counts_ = saved_;
  counts_[Place::nodes] = nodes;
  return write_counts();
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

// ---- for a search that is saved

// Adds to the counter of orbits, which then becomes what it was.
Result<double> DeviceStates::weigh(uint64_t from, uint64_t n) {
  if (!shape_.reduces || n == 0) return 0.0;
  const double before = orbit_states();
  const device::kernels::Weighing argument{visited(), list_at_ + from * list_bytes(), n, orbit_counter()};
  if (Status status = launch(kernels_.weigh, n, argument); !status.ok()) return status;
  if (Status status = read_counts(); !status.ok()) return status;
  const double weight = orbit_states() - before;
  std::memcpy(&counts_[Place::orbits], &before, sizeof before);
  if (Status status = write_counts(); !status.ok()) return status;
  return weight;
}

Status DeviceStates::forget_counts() {
  counts_[Place::orbits] = 0;
  const auto first = counts_.begin() + static_cast<int64_t>(first_rule());
  std::fill(first, first + static_cast<int64_t>(2 * rules_), 0);
  return write_counts();
}

// ---- the table

uint64_t DeviceStates::nodes() const { return counts_[Place::nodes]; }

bool DeviceStates::can_grow() const {
  using namespace device::kernels;
  const uint64_t full = counts_[Place::full];
  return ((full & kStatesFull) == 0 || buckets_ < plan_.buckets) &&
         ((full & kNodesFull) == 0 || can_grow_nodes());
}

bool DeviceStates::has_crowded_nodes() const {
  if (!shape_.folds() || !can_grow_nodes()) return false;
  constexpr uint64_t kSlots = 8;
  return static_cast<double>(nodes()) >
         kComfortableLoad * static_cast<double>(plan_.node_buckets[node_table_] * kSlots);
}

uint64_t DeviceStates::comfortable() const {
  if (buckets_ >= plan_.buckets) return UINT64_MAX;
  return static_cast<uint64_t>(kComfortableLoad * static_cast<double>(buckets_ * slots_of_bucket_));
}

Status DeviceStates::grow() {
  const uint64_t lacked = std::exchange(lacked_, 0);
  const bool lacks_nodes = (lacked & device::kernels::kNodesFull) != 0 || has_crowded_nodes();
  const bool lacks_slots = (lacked & device::kernels::kStatesFull) != 0 || is_crowded();
  if (lacks_nodes)
    if (Status status = grow_nodes(); !status.ok()) return status;
  return lacks_slots ? grow_table() : fill_table(buckets_, size());
}

// The pairs of the next table get new numbers, so all states are folded again.
Status DeviceStates::grow_nodes() {
  device::kernels::Refolding argument{visited(), {}, size()};
  ++node_table_;
  argument.to = visited();
  counts_[Place::nodes] = 0;
  if (Status status = device_.fill(argument.to.nodes, 0, argument.to.node_buckets * kBucketBytes);
      !status.ok())
    return status;
  if (Status status = device_.fill(argument.to.node_count, 0, sizeof(uint64_t)); !status.ok()) return status;
  if (Status status = launch(kernels_.refold, size(), argument); !status.ok()) return status;
  if (Status status = read_counts(); !status.ok()) return status;
  if (full()) return Status::internal("a larger table of parts has no room for those of a smaller one");
  return {};
}

Status DeviceStates::grow_table() {
  const uint64_t buckets = plan_.buckets / kGrowth < buckets_ ? plan_.buckets : kGrowth * buckets_;
  return fill_table(buckets, size());
}

// Makes the table again, from the first n states of the list.
Status DeviceStates::fill_table(uint64_t buckets, uint64_t n) {
  if (Status status = make_table(buckets); !status.ok()) return status;
  const device::kernels::States argument{visited(), 0, n, 0};
  return launch(kernels_.refill, n, argument);
}

// ---- beyond the device's memory

Status DeviceStates::take_back() {
  if (Status status = undo(); !status.ok()) return status;
  lacked_ = 0;
  while (can_grow_nodes())
    if (Status status = grow_nodes(); !status.ok()) return status;
  return fill_table(buckets_, size());
}

Result<DeviceStates::Spare> DeviceStates::give_list() {
  Spare spare;
  spare.early_states = shape_.slots == SlotForm::places ? size() / 2 : size();
  // What the search took back may be in slots.
  if (Status status = fill_table(buckets_, spare.early_states); !status.ok()) return status;
  spare.early = visited();
  const uint64_t kept = shape_.slots == SlotForm::places ? spare.early_states * list_bytes() : 0;
  spare.memory = round_up(list_.address() + kept, kDeviceAlignment);
  const uint64_t end = list_.address() + list_.bytes();
  spare.bytes = end - std::min(end, spare.memory);
  early_bytes_ = buckets_ * kBucketBytes + list_.bytes();
  return spare;
}

void DeviceStates::look_at(device::Address states, device::Address beyond) {
  list_at_ = states;
  beyond_ = beyond;
}

Status DeviceStates::forget_found() {
  static_assert(Place::fresh == Place::candidates + 1);
  counts_[Place::candidates] = counts_[Place::fresh] = 0;
  return device_.fill(counter(Place::candidates), 0, 2 * sizeof(uint64_t));
}

Status DeviceStates::copy_list(uint64_t from, uint64_t n, uint8_t* keys) const {
  const uint64_t most = plan_.staged_words / shape_.list_words();
  for (uint64_t done = 0; done < n; done += most) {
    const uint64_t count = std::min(most, n - done);
    const device::kernels::Packing argument{list_.address() + (from + done) * list_bytes(), count,
                                            staging_.address(), key_bytes()};
    if (Status status = launch(kernels_.pack_keys, count, argument); !status.ok()) return status;
    if (Status status = device_.copy_from(keys + done * key_bytes(), staging_.address(), count * key_bytes());
        !status.ok())
      return status;
  }
  return {};
}

double DeviceStates::load() const {
  if (buckets_ == 0) return 0;
  return static_cast<double>(size()) / static_cast<double>(buckets_ * slots_of_bucket_);
}

uint64_t DeviceStates::node_bytes() const {
  return shape_.folds() ? plan_.node_buckets[node_table_] * kBucketBytes : 0;
}

uint64_t DeviceStates::bytes() const {
  uint64_t sum = beyond_ != 0 ? early_bytes_ : buckets_ * kBucketBytes + size() * list_bytes();
  sum += node_bytes();
  for (const device::Memory* memory :
       {&counters_, &flagged_, &staging_, &on_way_, &queues_, &model_, &passes_})
    sum += memory->bytes();
  return sum;
}

}  // namespace strata
