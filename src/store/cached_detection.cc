#include "store/cached_detection.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata {

Result<std::unique_ptr<CachedDetection>> CachedDetection::create(Storage& storage, const std::string& name,
                                                                 uint64_t state_bytes, const Plan& plan,
                                                                 BlockShelf& shelf, MemoryBudget& budget) {
  std::unique_ptr<CachedDetection> made(new CachedDetection(state_bytes, shelf));
  // What goes to disk together is sorted in memory of its own.
  const double state = static_cast<double>(RecentSet::bytes_for(state_bytes));
  const double share = state / (state + plan.rho1 * sizeof(HashedState));
  const auto bytes = static_cast<uint64_t>(static_cast<double>(plan.recent_bytes) * share);
  Result<std::unique_ptr<RecentSet>> recent = RecentSet::create(state_bytes, bytes, budget);
  if (!recent.ok()) return recent.status();
  made->recent_ = std::move(*recent);
  const double capacity = static_cast<double>(made->recent_->capacity());
  made->batch_ = std::max<uint64_t>(static_cast<uint64_t>(capacity * plan.rho1), 1);
  Result<TableMemory> sorted = TableMemory::create(made->batch_ * sizeof(HashedState), budget);
  if (!sorted.ok()) return sorted.status();
  made->sorted_ = std::make_unique<TableMemory>(std::move(*sorted));
  made->begins_.push_back(made->recent_->end());
  Result<TableMemory> filters = TableMemory::create(plan.filter_bytes + plan.index_bytes, budget);
  if (!filters.ok()) return filters.status();
  made->filter_memory_ = std::make_unique<TableMemory>(std::move(*filters));
  // The last table gets the most; each one before it a part as large as its share of the states.
  uint64_t parts = 0, part = 1;
  for (uint64_t i = 0; i < plan.tables; ++i, part *= kShare) parts += part;
  uint8_t* memory = made->filter_memory_->data();
  part = 1;
  for (uint64_t i = 0; i < plan.tables; ++i, part *= kShare) {
    const uint64_t own = round_down(plan.filter_bytes * part / parts, sizeof(uint64_t));
    made->tables_.push_back(std::make_unique<SortedTable>(storage, fmt::format("{}.{}", name, i), state_bytes,
                                                          plan.index_bytes * part / parts,
                                                          HashFilter(memory, own), shelf));
    memory += own;
  }
  made->slots_.resize(kAtOnce);
  made->questions_.reserve(kAtOnce * plan.tables);
  return made;
}

Status CachedDetection::look(const Keys& keys, Found* found) {
  for (uint64_t begin = 0; begin < keys.count; begin += kAtOnce) {
    const Keys part{keys.key(begin), keys.hashes + begin, std::min(kAtOnce, keys.count - begin),
                    keys.key_bytes};
    if (Status status = look_part(part, found + begin); !status.ok()) return status;
  }
  return {};
}

Status CachedDetection::look_part(const Keys& keys, Found* found) {
  figures_.asked += keys.count;
  recent_->find(keys, slots_.data());
  questions_.clear();
  for (uint64_t i = 0; i < keys.count; ++i) {
    found[i] = {slots_[i], false};
    if (found[i].met()) {
      ++figures_.recent;
      continue;
    }
    const uint64_t before = questions_.size();
    for (const auto& table : tables_) {
      const SortedTable::Probe probe = table->probe(keys.hashes[i]);
      if (probe.low < probe.high) questions_.push_back({table.get(), static_cast<uint32_t>(i), probe});
    }
    ++(questions_.size() == before ? figures_.filtered : figures_.disk);
  }
  return questions_.empty() ? Status() : ask_disk(keys, found);
}

// Reads a block for each question, as many at once as there are buffers; what is still open then asks again.
Status CachedDetection::ask_disk(const Keys& keys, Found* found) {
  while (!questions_.empty()) {
    const uint64_t n = std::min(questions_.size(), shelf_.count());
    for (uint64_t i = 0; i < n; ++i)
      if (Status status = questions_[i].table->fetch(questions_[i].probe, i); !status.ok()) return status;
    figures_.blocks_read += n;
    for (uint64_t i = 0; i < n; ++i) {
      Question& question = questions_[i];
      const HashedState wanted{keys.key(question.key), keys.hashes[question.key]};
      const Result<bool> here = question.table->judge(question.probe, i, wanted);
      if (!here.ok()) return here.status();
      if (*here) found[question.key].historical = true;
    }
    std::erase_if(questions_, [&](const Question& question) {
      return found[question.key].historical || question.probe.low >= question.probe.high;
    });
  }
  return {};
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
  HashedState* sorted = reinterpret_cast<HashedState*>(sorted_->data());
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

// A table that has its share of the next one is merged into that.
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

}  // namespace strata
