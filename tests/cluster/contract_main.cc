// The contract of the transport (src/cluster/testing/contract.h) on the ranks that mpirun started, and what
// happens to them when one is lost. contract.py runs it.
//
//   contract SEED              the contract; ends with 0 when it holds on all ranks
//   contract SEED kill RANK    this rank is killed by SIGKILL; the others end with 153 and the reporting rank says
//   the one message
//   contract SEED far RANK     the same, as if every rank had a host of its own: what they know of it is
//   mpirun's SIGTERM
//   contract SEED fail RANK    this rank gives up because of a full disk; all end with 152
//   contract SEED stop RANK    this rank stops (SIGSTOP): it is silent, and goes on after the others have noticed
//   contract SEED latency      microseconds of a barrier and of a round, on rank 0
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "cluster/launch.h"
#include "cluster/testing/contract.h"

namespace strata::cluster {
namespace {

std::atomic<bool> asked_to_end{false};

struct Arguments {
  uint64_t seed = 1;
  std::string what;
  int rank = -1;
};

int exit_code(const Status& status) {
  switch (status.code()) {
    case StatusCode::ok: return 0;
    case StatusCode::disk_full: return 152;
    case StatusCode::interrupted: return 130;
    default: return 153;
  }
}

// As a search would go on, until something ends it.
void go_on(Transport& transport, uint64_t seed, Problems& problems) {
  for (uint64_t i = 0; !transport.failed(); ++i) {
    random_round(transport, {.threads = 2, .most = 30}, seed + i, problems);
    std::vector<uint64_t> stops{transport.stop_asked()};
    if (transport.all_reduce(stops, Reduce::sum).ok() && stops[0] > 0) return;
  }
}

void end_this_rank(Transport& transport, const Arguments& arguments) {
  std::this_thread::sleep_for(std::chrono::milliseconds(100 + arguments.seed * 37 % 400));
  if (arguments.what == "kill" || arguments.what == "far") kill(getpid(), SIGKILL);
  if (arguments.what == "stop") kill(getpid(), SIGSTOP);
  if (arguments.what == "fail") transport.fail(Status::disk_full("cannot write a block: the disk is full"));
}

int lose_a_rank(Transport& transport, const Arguments& arguments) {
  Problems problems;
  problems.expect(transport.open_batches(kContractShape), "open_batches");
  std::thread end;
  if (transport.rank() == arguments.rank) end = std::thread([&] { end_this_rank(transport, arguments); });
  go_on(transport, arguments.seed, problems);
  if (end.joinable()) end.join();
  const Status status = transport.failed() ? transport.status() : transport.stop_reason();
  if (transport.reporting_rank() == transport.rank()) fmt::print(stderr, "strata: {}\n", status.message());
  (void)transport.finish();
  return exit_code(status);
}

int keep_the_contract(Transport& transport, uint64_t seed) {
  Problems problems;
  run_contract(transport, seed, problems);
  for (const std::string& problem : problems.list())
    fmt::print(stderr, "rank {}: {}\n", transport.rank(), problem);
  std::vector<uint64_t> wrong{problems.list().size()};
  problems.expect(transport.all_reduce(wrong, Reduce::sum), "sum of problems");
  const Traffic traffic = transport.traffic();
  if (transport.rank() == 0)
    fmt::print("{} ranks by {}: {} problems, {} batches\n", transport.ranks(), transport.name(), wrong[0],
               traffic.batches_sent);
  problems.expect(transport.finish(), "finish");
  return wrong[0] == 0 && problems.list().empty() ? 0 : 1;
}

int measure(Transport& transport) {
  constexpr int kTimes = 300;
  const auto microseconds = [](auto duration) {
    return std::chrono::duration<double, std::micro>(duration).count() / kTimes;
  };
  if (!transport.open_batches(kContractShape).ok() || !transport.barrier().ok()) return 1;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kTimes; ++i)
    if (!transport.barrier().ok()) return 1;
  const auto middle = std::chrono::steady_clock::now();
  for (int i = 0; i < kTimes; ++i) {
    transport.end_sends();
    while (!transport.round_over()) transport.wait();
    if (!transport.next_round().ok()) return 1;
  }
  const auto end = std::chrono::steady_clock::now();
  if (transport.rank() == 0)
    fmt::print("barrier {:.1f} us, round {:.1f} us\n", microseconds(middle - start),
               microseconds(end - middle));
  return transport.finish().ok() ? 0 : 1;
}

int run(const Arguments& arguments) {
  // MPICH's launcher tells the others by this that a rank has died.
  signal(SIGUSR1, SIG_IGN);
  signal(SIGTERM, [](int) { asked_to_end = true; });
  TransportOptions options;
  if (arguments.what == "stop") options.patience = std::chrono::milliseconds(1500);
  options.asked_to_end = &asked_to_end;
  options.watch_processes = arguments.what != "far";
  const Launch launch = detect_launch();
  Result<std::unique_ptr<Transport>> transport = join(launch, options);
  if (!transport.ok()) {
    if (launch.rank == 0) fmt::print(stderr, "strata: {}\n", transport.status().message());
    return 153;
  }
  if (arguments.what == "latency") return measure(**transport);
  return arguments.rank >= 0 ? lose_a_rank(**transport, arguments)
                             : keep_the_contract(**transport, arguments.seed);
}

}  // namespace
}  // namespace strata::cluster

int main(int argc, char** argv) {
  strata::cluster::Arguments arguments;
  if (argc > 1) arguments.seed = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2) arguments.what = argv[2];
  if (argc > 3) arguments.rank = std::atoi(argv[3]);
  return strata::cluster::run(arguments);
}
