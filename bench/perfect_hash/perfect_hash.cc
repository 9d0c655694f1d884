// Minimal perfect hash functions over growing sets of random strings of ten bytes, as in Edelkamp and Sulewski 2008,
// section 7.2: size, time to build, look-ups a second in RAM and on disk, compared with libcmph.
// bench/perfect_hash/run builds and calls it.
//
//   perfect_hash FOLDER MEMORY_MIB THREADS BUFFER_BLOCKS MILLIONS...
#include "store/perfect/perfect_hash.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "base/random.h"
#include "store/log/disk_space.h"

#ifdef STRATA_CMPH
#include <cmph.h>
#endif

namespace strata {
namespace {

constexpr uint64_t kKeyBytes = 10, kBlock = 64 << 10, kLookups = 2'000'000;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }

// Different numbers give different keys.
void write_key(uint64_t number, uint8_t* key) {
  const uint64_t mixed = Random(number).next();  // a bijection
  std::memcpy(key, &mixed, 8);
  const uint16_t more = static_cast<uint16_t>(number * 40503);
  std::memcpy(key + 8, &more, 2);
}

void on_threads(unsigned threads, const std::function<void(unsigned)>& work) {
  std::vector<std::jthread> pool;
  for (unsigned t = 1; t < threads; ++t) pool.emplace_back([&work, t] { work(t); });
  work(0);
}

class Keys final : public StateSource {
 public:
  Keys(StateLog& log, unsigned threads) : log_(log), threads_(threads) {
    for (unsigned i = 0; i < threads; ++i) readers.push_back(std::make_unique<ScanReader>(kBlock, 3));
  }
  Status all(const Visit& visit) override { return read({{&log_, 0, log_.size()}}, visit); }
  Status some(uint64_t about, const Visit& visit) override {
    std::vector<LogRange> ranges;
    const uint64_t step = std::max<uint64_t>(log_.size() / (about / 64 + 1), 64);
    for (uint64_t first = 0; first < log_.size(); first += step)
      ranges.push_back({&log_, first, std::min(first + 64, log_.size())});
    return read(std::move(ranges), visit);
  }
  std::vector<std::unique_ptr<ScanReader>> readers;

 private:
  Status read(std::vector<LogRange> ranges, const Visit& visit) {
    StateScan scan(std::move(ranges));
    std::vector<Status> statuses(threads_);
    on_threads(threads_, [&](unsigned t) {
      readers[t]->open(scan);
      while (statuses[t].ok()) {
        const Result<StateScan::Span> span = readers[t]->next();
        if (!span.ok()) statuses[t] = span.status();
        if (!span.ok() || span->count == 0) break;
        statuses[t] = visit(t, span->records, span->count, 0);
      }
      readers[t]->close();
    });
    for (const Status& status : statuses)
      if (!status.ok()) return status;
    return {};
  }

  StateLog& log_;
  const unsigned threads_;
};

void must(const Status& status) {
  if (status.ok()) return;
  fmt::print(stderr, "error: {}\n", status.message());
  std::exit(1);
}

double lookups_a_second(const PerfectHash& hash, uint64_t n, uint64_t buffer, uint64_t count,
                        MemoryBudget& budget) {
  PerfectHashReader reader(hash, buffer, budget);
  must(reader.open());
  Random random(5);
  constexpr uint64_t kBatch = 64;
  std::vector<uint8_t> keys(count * kKeyBytes);
  for (uint64_t i = 0; i < count; ++i) write_key(random.below(n), keys.data() + i * kKeyBytes);
  uint64_t indices[kBatch], sum = 0;
  const auto begin = now();
  for (uint64_t done = 0; done + kBatch <= count; done += kBatch) {
    must(reader.find(keys.data() + done * kKeyBytes, kBatch, indices, nullptr));
    sum += indices[0];
  }
  const double seconds = seconds_since(begin);
  if (sum == 1) fmt::print(stderr, " ");
  return static_cast<double>(count) / seconds;
}

void measure(const std::string& folder, uint64_t n, uint64_t memory, unsigned threads, uint64_t buffer) {
  DiskSpace::Options where;
  where.disks = {folder};
  auto disk = DiskSpace::create(where);
  must(disk.status());
  MemoryBudget budget(UINT64_MAX / 2);
  BlockPool pool(budget, kBlock, 16);
  StateLog log((*disk)->storage(), pool, "keys", kKeyBytes);
  std::vector<uint8_t> records(10'000 * kKeyBytes);
  for (uint64_t i = 0; i < n; i += 10'000) {
    const uint64_t part = std::min<uint64_t>(10'000, n - i);
    for (uint64_t k = 0; k < part; ++k) write_key(i + k, records.data() + k * kKeyBytes);
    must(log.append(records.data(), part));
  }
  Keys keys(log, threads);
  for (const bool on_disk : {false, true}) {
    PerfectHashOptions options;
    options.states = n;
    options.state_bytes = kKeyBytes;
    options.on_disk = on_disk;
    options.memory = memory;
    options.threads = threads;
    options.on_all_threads = [&](const std::function<void(unsigned)>& work) { on_threads(threads, work); };
    options.pool = &pool;
    options.reader = [&](unsigned t) -> ScanReader& { return *keys.readers[t]; };
    const auto begin = now();
    const auto hash = build_perfect_hash(keys, options, (*disk)->storage(), budget);
    must(hash.status());
    const double built = seconds_since(begin);
    must(check_perfect_hash(**hash, keys, threads, std::max<uint64_t>(buffer, 64), budget));
    const double rate = lookups_a_second(**hash, n, buffer, on_disk ? kLookups / 10 : kLookups, budget);
    fmt::print("| {} | strata, {} | {:.1f} | {:.2f} | {:.2f} | {:.2f} |\n", static_cast<double>(n) / 1e6,
               on_disk ? "on disk" : "in RAM", built, static_cast<double>(n) / built / 1e6,
               (*hash)->bits_a_key(), rate / 1e6);
    std::fflush(stdout);
  }
}

#ifdef STRATA_CMPH
void measure_cmph(uint64_t n, CMPH_ALGO algorithm, const char* name) {
  std::vector<uint8_t> keys(n * kKeyBytes);
  for (uint64_t i = 0; i < n; ++i) write_key(i, keys.data() + i * kKeyBytes);
  const auto begin = now();
  cmph_io_adapter_t* source =
      cmph_io_struct_vector_adapter(keys.data(), kKeyBytes, 0, kKeyBytes, static_cast<cmph_uint32>(n));
  cmph_config_t* config = cmph_config_new(source);
  cmph_config_set_algo(config, algorithm);
  cmph_t* hash = cmph_new(config);
  const double built = seconds_since(begin);
  if (hash == nullptr) {
    fmt::print("| {} | cmph {} | failed | | | |\n", static_cast<double>(n) / 1e6, name);
  } else {
    const double bits = 8.0 * cmph_packed_size(hash) / static_cast<double>(n);
    Random random(5);
    std::vector<uint8_t> asked(kLookups * kKeyBytes);
    for (uint64_t i = 0; i < kLookups; ++i) write_key(random.below(n), asked.data() + i * kKeyBytes);
    uint64_t sum = 0;
    const auto first = now();
    for (uint64_t i = 0; i < kLookups; ++i)
      sum += cmph_search(hash, reinterpret_cast<const char*>(asked.data() + i * kKeyBytes), kKeyBytes);
    const double rate = static_cast<double>(kLookups) / seconds_since(first);
    if (sum == 1) fmt::print(stderr, " ");
    fmt::print("| {} | cmph {}, in RAM | {:.1f} | {:.2f} | {:.2f} | {:.2f} |\n", static_cast<double>(n) / 1e6,
               name, built, static_cast<double>(n) / built / 1e6, bits, rate / 1e6);
    cmph_destroy(hash);
  }
  cmph_config_destroy(config);
  cmph_io_struct_vector_adapter_destroy(source);
  std::fflush(stdout);
}
#endif

}  // namespace
}  // namespace strata

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  using namespace strata;
  const uint64_t memory = std::strtoull(argv[2], nullptr, 10) << 20,
                 buffer = std::strtoull(argv[4], nullptr, 10);
  const unsigned threads = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
  fmt::print("{} MiB to build, {} threads, {} blocks of 4 KiB cached of a function on disk\n\n", memory >> 20,
             threads, buffer);
  fmt::print(
      "| million keys | function | seconds to build | million keys/s | bits a key | million look-ups/s, one "
      "thread |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  for (int i = 5; i < argc; ++i) {
    const uint64_t n = static_cast<uint64_t>(std::strtod(argv[i], nullptr) * 1e6);
    measure(argv[1], n, memory, threads, buffer);
#ifdef STRATA_CMPH
    measure_cmph(n, CMPH_BDZ, "bdz");
    measure_cmph(n, CMPH_CHD, "chd");
#endif
  }
#ifndef STRATA_CMPH
  fmt::print("\nlibcmph is not installed (Debian: libcmph-dev); its rows are left out.\n");
#endif
}
