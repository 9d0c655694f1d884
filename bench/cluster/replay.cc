// Replays a search on many ranks without a model: the real transport connects ranks in one process, which process
// levels of given sizes. Expanding and inserting are sleeps of the time that they would take, and batches contain
// dummy bytes; windows, rounds, collectives and uneven shares are real. All times are stretched, so that a few cores
// can replay many: with a stretch of 20, a microsecond of the network takes 20.
//
//   cluster_replay RANKS NAME=VALUE... < LEVELS     LEVELS: the number of states of each level, one per line
//
//   expand, insert      microseconds for expanding and for receiving a state, on a rank with all its threads
//   message             microseconds for a batch, on either side
//   travel              states that a rank sends for each state that it expands, after its cache
//   bytes               the size of such a state
//   batch, window       the shape of batches
//   latency, bandwidth  microseconds, bytes in a microsecond
//   stretch             see above
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>

#include "base/random.h"
#include "cluster/testing/in_process.h"

namespace strata::cluster {
namespace {

using Clock = std::chrono::steady_clock;

struct Settings {
  std::map<std::string, double> values{{"expand", 0.5},     {"insert", 0.05}, {"message", 2}, {"travel", 2},
                                       {"bytes", 16},       {"batch", 32768}, {"window", 4},  {"latency", 10},
                                       {"bandwidth", 3125}, {"stretch", 20}};
  double operator[](const char* name) const { return values.at(name); }
};

// A processor that sleeps instead of working.
class Processor {
 public:
  explicit Processor(double stretch) : stretch_(stretch) {}

  void work(double microseconds) {
    busy_until_ = std::max(busy_until_, Clock::now() - std::chrono::milliseconds(1)) +
                  std::chrono::nanoseconds(static_cast<int64_t>(microseconds * stretch_ * 1000));
    if (busy_until_ > Clock::now() + std::chrono::microseconds(200))
      std::this_thread::sleep_until(busy_until_);
  }

 private:
  const double stretch_;
  Clock::time_point busy_until_{};
};

class Player {
 public:
  Player(Transport& transport, const Settings& settings)
      : transport_(transport),
        settings_(settings),
        processor_(settings["stretch"]),
        random_(static_cast<uint64_t>(transport.rank()) + 1),
        content_(static_cast<size_t>(settings["batch"])) {}

  void play(const std::vector<uint64_t>& levels) {
    if (!transport_.open_batches({content_.size(), static_cast<unsigned>(settings_["window"])}).ok()) return;
    for (const uint64_t level : levels) play_level(level);
  }

 private:
  // A hash distributes the states of a level binomially, approximately.
  double own_share(uint64_t level) {
    const double mean = static_cast<double>(level) / transport_.ranks();
    const double normal =
        std::sqrt(-2 * std::log(1 - random_.unit())) * std::cos(6.283185307 * random_.unit());
    return std::max(0.0, std::round(mean + normal * std::sqrt(mean)));
  }

  void play_level(uint64_t level) {
    const double states = own_share(level), others = transport_.ranks() - 1;
    const double bytes =
        others > 0 ? states * settings_["travel"] * settings_["bytes"] / others : 0;  // for each other rank
    const auto full = static_cast<uint64_t>(bytes / static_cast<double>(content_.size()));
    const auto rest = static_cast<uint64_t>(bytes - static_cast<double>(full * content_.size()));
    const double part = states * settings_["expand"] / static_cast<double>(full + 1);
    for (uint64_t i = 0; i < full; ++i) {
      expand(part);
      send_to_all(content_.size());
    }
    expand(part);
    // If there is less than one state for each rank, only some of them get one.
    if (rest > 0) send_to_all(rest);
    transport_.end_sends();
    while (!transport_.round_over()) take_in();
    std::vector<uint64_t> counts{level};
    if (!transport_.next_round().ok() || !transport_.all_reduce(counts, Reduce::sum).ok()) std::abort();
  }

  // Like the search: arrived batches are processed between two portions of states.
  void expand(double microseconds) {
    constexpr double kPortion = 100;
    for (; microseconds > 0; microseconds -= kPortion) {
      processor_.work(std::min(microseconds, kPortion));
      for (Batch batch; transport_.try_receive(batch);) take(batch);
    }
  }

  void send_to_all(uint64_t bytes) {
    const double state = settings_["bytes"];
    for (int step = 1; step < transport_.ranks(); ++step) {
      const int to = (transport_.rank() + step) % transport_.ranks();
      if (static_cast<double>(bytes) < state && random_.unit() * state > static_cast<double>(bytes)) continue;
      processor_.work(settings_["message"]);
      const uint64_t size = std::max(bytes, static_cast<uint64_t>(state));
      while (!transport_.try_send(to, 0, std::span(content_).first(size))) take_in(to);
    }
  }

  void take_in(std::optional<int> to = {}) {
    Batch batch;
    if (!transport_.try_receive(batch)) return transport_.wait(to);
    take(batch);
  }

  void take(const Batch& batch) {
    const double states = static_cast<double>(batch.bytes().size()) / settings_["bytes"];
    processor_.work(settings_["message"] + states * settings_["insert"]);
  }

  Transport& transport_;
  const Settings& settings_;
  Processor processor_;
  Random random_;
  std::vector<uint8_t> content_;
};

int run(int ranks, const Settings& settings) {
  std::vector<uint64_t> levels;
  for (uint64_t level = 0; std::cin >> level;) levels.push_back(level);
  const double stretch = settings["stretch"];
  InProcessNetwork network(
      ranks, {.delay = std::chrono::microseconds(static_cast<int64_t>(2 * settings["latency"] * stretch)),
              .bandwidth = std::max<uint64_t>(1, static_cast<uint64_t>(settings["bandwidth"] / stretch))});
  std::mutex mutex;
  Traffic sum;
  double seconds = 0;
  run_ranks(network,
            [&](Transport& transport) {
              if (!transport.barrier().ok()) std::abort();
              const Clock::time_point start = Clock::now();
              Player(transport, settings).play(levels);
              const double took = std::chrono::duration<double>(Clock::now() - start).count();
              {
                const std::lock_guard lock(mutex);
                const Traffic traffic = transport.traffic();
                sum.bytes_sent += traffic.bytes_sent;
                sum.batches_sent += traffic.batches_sent;
                sum.waiting += traffic.waiting;
                seconds = std::max(seconds, took);
              }
              (void)transport.finish();
            },
            {.patience = std::chrono::minutes(10)});
  fmt::print(
      "{{\"ranks\": {}, \"seconds\": {:.6f}, \"bytes_sent\": {}, \"batches_sent\": {}, \"waiting\": "
      "{:.6f}}}\n",
      ranks, seconds / stretch, sum.bytes_sent, sum.batches_sent, sum.waiting / stretch);
  return 0;
}

}  // namespace
}  // namespace strata::cluster

int main(int argc, char** argv) {
  strata::cluster::Settings settings;
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    const auto found = settings.values.find(argument.substr(0, equals));
    if (equals == std::string::npos || found == settings.values.end()) {
      fmt::print(stderr, "cluster_replay: unknown setting {}\n", argument);
      return 151;
    }
    found->second = std::atof(argument.c_str() + equals + 1);
  }
  return argc < 2 ? 151 : strata::cluster::run(std::atoi(argv[1]), settings);
}
