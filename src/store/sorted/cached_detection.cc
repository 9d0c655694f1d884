#include "store/sorted/cached_detection.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/checks.h"
#include "base/image/record_image.h"

namespace strata {

// The states that go to disk together are sorted in a part of the memory of recent states.
CachedDetection::Rooms CachedDetection::rooms(uint64_t state_bytes, const Plan& plan) {
  const double state = static_cast<double>(RecentSet::bytes_for(state_bytes));
  const double states = static_cast<double>(plan.recent_bytes) / (state + plan.rho1 * sizeof(HashedState));
  const auto revisited = static_cast<uint64_t>(states) * kRevisited / 5;
  return {static_cast<uint64_t>(states) - revisited, revisited};
}

bool CachedDetection::has_room(uint64_t state_bytes, const Plan& plan) {
  return rooms(state_bytes, plan).revisited >= kLeastStates;
}

Result<std::unique_ptr<CachedDetection>> CachedDetection::create(Storage& storage, const std::string& name,
                                                                 uint64_t state_bytes, const Plan& plan,
                                                                 BufferRing& shelf, MemoryBudget& budget) {
  std::unique_ptr<CachedDetection> made(new CachedDetection(state_bytes, shelf));
  const auto [recent, revisited] = rooms(state_bytes, plan);
  if (revisited < kLeastStates)
    return Status::limit("--memory is too small for a table of visited states; raise it");
  made->batch_ = std::max<uint64_t>(static_cast<uint64_t>(static_cast<double>(recent) * plan.rho1), 1);
  const uint64_t filter_bytes = round_down(plan.filter_bytes, sizeof(uint64_t));
  const uint64_t sorted_bytes = made->batch_ * sizeof(HashedState);
  const uint64_t recent_bytes = round_up(recent * RecentSet::bytes_for(state_bytes), sizeof(uint64_t));
  const uint64_t revisited_bytes = revisited * RecentSet::bytes_for(state_bytes);
  // The tables' index is memory of their own, drawn here.
  Result<TableMemory> all = TableMemory::create(
      sorted_bytes + filter_bytes + recent_bytes + revisited_bytes + plan.index_bytes, budget);
  if (!all.ok()) return all.status();
  made->memory_ = std::make_unique<TableMemory>(std::move(*all));
  uint8_t* memory = made->memory_->data();
  made->sorted_ = reinterpret_cast<HashedState*>(memory);
  memory += sorted_bytes;
  // The last table gets the most; each one before it a part as large as its share of the states.
  uint64_t parts = 0, part = 1;
  for (uint64_t i = 0; i < plan.tables; ++i, part *= kShare) parts += part;
  part = 1;
  for (uint64_t i = 0; i < plan.tables; ++i, part *= kShare) {
    const uint64_t own = round_down(filter_bytes * part / parts, sizeof(uint64_t));
    made->tables_.push_back(std::make_unique<SortedTable>(storage, fmt::format("{}.{}", name, i), state_bytes,
                                                          plan.index_bytes * part / parts,
                                                          HashFilter(memory, own), shelf));
    memory += own;
  }
  memory = made->memory_->data() + sorted_bytes + filter_bytes;
  made->recent_ = std::make_unique<RecentSet>(state_bytes, memory, recent_bytes);
  made->revisited_ = std::make_unique<RecentSet>(state_bytes, memory + recent_bytes, revisited_bytes);
  made->begins_.push_back(made->recent_->end());
  made->slots_.resize(kAtOnce);
  made->questions_.reserve(kAtOnce * plan.tables);
  return made;
}

Status CachedDetection::look(const Keys& keys, Found* found) {
  for (uint64_t begin = 0; begin < keys.count; begin += kAtOnce) {
    const Keys part{keys.key(begin), keys.hashes + begin, std::min(kAtOnce, keys.count - begin),
                    keys.key_bytes};
    questions_.clear();
    look_part(part, found + begin, [&](uint64_t i) {
      const uint64_t before = questions_.size();
      for (const auto& table : tables_) {
        const SortedTable::Probe probe = table->probe(part.hashes[i]);
        if (probe.low < probe.high) questions_.push_back({table.get(), static_cast<uint32_t>(i), probe});
      }
      ++(questions_.size() == before ? figures_.filtered : figures_.disk);
    });
    if (questions_.empty()) continue;
    if (Status status = ask_disk(part, found + begin); !status.ok()) return status;
  }
  return {};
}

void CachedDetection::look_in_memory(const Keys& keys, Found* found) {
  for (uint64_t begin = 0; begin < keys.count; begin += kAtOnce) {
    const Keys part{keys.key(begin), keys.hashes + begin, std::min(kAtOnce, keys.count - begin),
                    keys.key_bytes};
    look_part(part, found + begin, [&](uint64_t i) {
      Found& own = found[begin + i];
      own.doubtful = std::any_of(tables_.begin(), tables_.end(),
                                 [&](const auto& table) { return table->may_have(part.hashes[i]); });
      // The caller asks again for doubtful states.
      ++(own.doubtful ? figures_.asked_again : figures_.filtered);
    });
  }
}

// Calls doubt(i) for those that are not among the recent states.
template <class Doubt>
void CachedDetection::look_part(const Keys& keys, Found* found, const Doubt& doubt) {
  figures_.asked += keys.count;
  recent_->find(keys, slots_.data());
  for (uint64_t i = 0; i < keys.count; ++i) {
    found[i] = {slots_[i], false, false};
    if (!found[i].met())
      found[i].historical = revisited_->find(keys.key(i), keys.hashes[i]) != RecentSet::kNoSlot;
    if (found[i].met()) {
      ++figures_.recent;
    } else {
      doubt(i);
    }
  }
}

// Reads a block for each question, as many together as there are buffers, until no question is open.
Status CachedDetection::ask_disk(const Keys& keys, Found* found) {
  while (!questions_.empty()) {
    const uint64_t n = std::min(questions_.size(), shelf_.count());
    {
      const SubmitBatch held(questions_[0].table->carrier());
      for (uint64_t i = 0; i < n; ++i)
        if (Status status = questions_[i].table->fetch(questions_[i].probe, i); !status.ok()) return status;
    }
    figures_.blocks_read += n;
    ++figures_.waits;
    for (uint64_t i = 0; i < n; ++i) {
      Question& question = questions_[i];
      const HashedState wanted{keys.key(question.key), keys.hashes[question.key]};
      const Result<bool> here = question.table->judge(question.probe, i, wanted);
      if (!here.ok()) return here.status();
      if (*here) remember(wanted);
      found[question.key].historical |= *here;
    }
    std::erase_if(questions_, [&](const Question& question) {
      return found[question.key].historical || question.probe.low >= question.probe.high;
    });
  }
  return {};
}

// A state that a call contains twice is looked up twice.
void CachedDetection::remember(const HashedState& state) {
  if (revisited_->find(state.bytes, state.hash) != RecentSet::kNoSlot) return;
  if (revisited_->size() == revisited_->capacity()) revisited_->drop(1);
  revisited_->add(state.bytes, state.hash);
}

Result<uint32_t> CachedDetection::enter(const uint8_t* state, uint64_t hash) {
  if (recent_->size() == recent_->capacity()) {
    if (Status status = make_room(); !status.ok()) return status;
  }
  ++figures_.states;
  return recent_->add(state, hash);
}

// The oldest states become historical.
Status CachedDetection::make_room() {
  const uint64_t count = batch_;
  HashedState* sorted = sorted_;
  for (uint64_t i = 0; i < count; ++i) {
    const uint8_t* state = recent_->state(recent_->first() + i);
    sorted[i] = {state, hash_bytes(state, state_bytes_)};
  }
  std::sort(sorted, sorted + count,
            [&](const HashedState& a, const HashedState& b) { return a.less(b, state_bytes_); });
  if (Status status = merge_down(0); !status.ok()) return status;
  FallingArray states(sorted, count);
  if (Status status = tables_[0]->merge(states, count); !status.ok()) return status;
  recent_->drop(count);
  ++figures_.merges;
  figures_.merged += count;
  begins_.push_back(recent_->end());
  while (begins_.front() < recent_->first()) {
    begins_.pop_front();
    ++covered_;
  }
  return {};
}

void CachedDetection::serialize(Image& image) {
  Figures figures = figures_;
  image.value("figures", figures);
  for (const auto& table : tables_) table->serialize(image);
  if (!image.ok()) return;
  if (!image.restores()) {
    return save_records(image, "recent", recent_->size(), state_bytes_, [&](uint64_t i, uint8_t* record) {
      copy_bytes(record, recent_->state(recent_->first() + i), state_bytes_);
    });
  }
  restore_records(image, "recent", state_bytes_, [&](const uint8_t* states, uint64_t n) {
    for (uint64_t i = 0; i < n && image.ok(); ++i) {
      const uint8_t* state = states + i * state_bytes_;
      image.fail(enter(state, hash_bytes(state, state_bytes_)).status());
    }
    return image.ok();
  });
  // Epochs are numbered after those of the run before.
  covered_ += static_cast<uint32_t>(figures.merges);
  figures.merges += figures_.merges;
  figures_ = figures;
}

// Merges a table that has its share of the next one into the next one.
Status CachedDetection::merge_down(uint64_t table) {
  if (table + 1 == tables_.size()) return {};
  SortedTable &from = *tables_[table], &to = *tables_[table + 1];
  // The share of the first one is some of what comes from memory.
  uint64_t least = batch_ * kShare;
  for (uint64_t i = 0; i < table; ++i) least *= kShare;
  if (from.size() < std::max(least, to.size() / kShare)) return {};
  if (Status status = merge_down(table + 1); !status.ok()) return status;
  figures_.merged += from.size();
  return to.merge(from);
}

std::string CachedDetection::check_invariants(bool disk) {
  InvariantCheck check("CachedDetection");
  check.part(recent_->check_invariants());
  check.part(revisited_->check_invariants());
  uint64_t states = recent_->size();
  for (const auto& table : tables_) states += table->size();
  check.holds(2, states == figures_.states, "all states are counted");
  for (const auto& table : tables_)
    if (disk && check.ok()) check.part(table->check_invariants());
  return check.broken();
}

}  // namespace strata
