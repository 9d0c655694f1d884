// A run whose states are numbers, with visited and waiting states in it, for the tests of those who decide.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/locks/mutex.h"
#include "model/testing/explicit_graph.h"
#include "search/filtered/background_decider.h"
#include "search/filtered/decider.h"

namespace strata {

// A run whose states are the numbers of nodes, with visited and waiting states in it.
class DeciderRun {
 public:
  DeciderRun(StoreMode mode, unsigned threads, unsigned partition_bits)
      : model_(one_node()), options_(make_options(mode, threads)), run_(context_) {
    EXPECT_TRUE(run_.start_on_disk(disk_sizes(run_.plan_input(), 3u << partition_bits)).ok());
    visited.open(partition_bits);
    const Result<BlockPool*> pool = run_.make_pool(run_.block_bytes(), (uint64_t{1} << partition_bits) + 4);
    EXPECT_TRUE(pool.ok());
    if (pool.ok()) waiting.open(visited.partitions(), **pool);
    background.open();
    bits_ = partition_bits;
  }
  DiskRun& run() { return run_; }

  static const uint8_t* bytes_of(const uint32_t& state) { return reinterpret_cast<const uint8_t*>(&state); }
  void visit(uint32_t state) {
    visited.append(0, bytes_of(state), 1);
    seen_.insert(state);
  }
  void wait(uint32_t state) {
    make_wait(state);
    seen_.insert(state);
  }
  // Any thread, if all states that are seen were named before.
  void make_wait(uint32_t state) {
    KeyMaker maker(run_.mode(), sizeof state);
    const uint64_t hash = maker.of_states(bytes_of(state), 1).hashes[0];
    EXPECT_TRUE(waiting.append(high_bits(hash, bits_), bytes_of(state), 1).ok());
    waiting.note_appended(1);
  }
  void name_seen(uint32_t end) {
    for (uint32_t state = 0; state < end; ++state) seen_.insert(state);
  }
  void decide(uint64_t table_bytes) {
    std::vector<uint8_t> memory(table_bytes + 64);
    uint8_t* const begin = memory.data() + (64 - reinterpret_cast<uint64_t>(memory.data()) % 64) % 64;
    std::vector<uint64_t> visited_before;
    for (uint64_t p = 0; p < visited.partitions(); ++p) visited_before.push_back(visited[p].keys().size());
    std::vector<std::atomic<uint64_t>> learned(visited.partitions());
    const Status status = decider.decide(
        begin, table_bytes,
        [&](unsigned, uint64_t partition, const Keys& keys) { learned[partition] += keys.count; });
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(0u, waiting.count());
    for (uint64_t p = 0; p < visited.partitions(); ++p)
      EXPECT_EQ(decider.learned(p) ? visited_before[p] : 0, learned[p]) << p;
  }

  // The states of some ranges, each with how often it is there.
  std::map<uint32_t, int> states_of(const std::vector<LogRange>& ranges) {
    std::map<uint32_t, int> states;
    Mutex mutex;
    run_.read(ranges, [&](DiskWorker&, const StateScan::Span& span) -> Status {
      const MutexLock lock(mutex);
      for (uint64_t i = 0; i < span.count; ++i) {
        uint32_t state;
        std::memcpy(&state, span.records + i * sizeof state, sizeof state);
        ++states[state];
      }
      return {};
    });
    return states;
  }
  std::set<uint32_t> level(uint64_t number) {
    std::set<uint32_t> states;
    const Result<std::vector<LogRange>> ranges = visited.level(number);
    EXPECT_TRUE(ranges.ok());
    if (ranges.ok())
      for (const auto& [state, times] : states_of(*ranges)) states.insert(state);
    return states;
  }
  // All states are in V, each once.
  void check_visited() {
    std::vector<LogRange> all;
    for (uint64_t p = 0; p < visited.partitions(); ++p)
      all.push_back({&visited[p].states(), 0, visited[p].states().size(), p});
    const std::map<uint32_t, int> states = states_of(all);
    EXPECT_EQ(seen_.size(), states.size());
    for (const auto& [state, times] : states) {
      EXPECT_EQ(1, times) << state;
      EXPECT_TRUE(seen_.contains(state)) << state;
    }
    EXPECT_EQ(seen_.size(), visited.states());
  }

 private:
  static Graph one_node() {
    Graph graph;
    graph.nodes.resize(1);
    graph.initial = {0};
    return graph;
  }
  static SearchOptions make_options(StoreMode mode, unsigned threads) {
    SearchOptions options;
    options.memory = 16 << 20;
    options.threads = threads;
    options.store = mode;
    options.disk.disks = {std::filesystem::temp_directory_path().string()};
    return options;
  }

  const ExplicitGraphModel model_;
  const SearchOptions options_;
  ProgressBoard progress_;
  const std::atomic<bool> stop_{false};
  const SearchContext context_{model_, options_, progress_, stop_};
  DiskRun run_;
  unsigned bits_ = 0;
  std::set<uint32_t> seen_;

 public:
  VisitedLevels visited{run_};
  WaitingLogs waiting{run_};
  Decider decider{run_, visited, waiting};
  BackgroundDecider background{run_, visited, waiting};
};

}  // namespace strata
