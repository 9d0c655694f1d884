// One process of several that search together: a rank. Ranks are numbered from 0; each has its own memory,
// disk and threads, and they share nothing but messages. The transport carries
//
//   batches       of tens of KiB, from any thread of a rank to any other rank, in rounds (the levels of a search)
//   collectives   barrier, sums, broadcast and the like, which every rank calls in the same order
//   notices       "stop, my disk is full", "I cannot go on", signs of life: at any time, to all
//
// A thread of the transport's own moves all of it, and is the only one that touches what lies below
// (cluster/transport/wire.h: MPI, or queues in one process for tests). It sleeps when there is nothing to do,
// so that more ranks than cores work well. A transport of one rank has no such thread, sends nothing, and
// every call below is still right.
//
// Batches
//  1. A batch arrives once and whole, or the transport fails. Batches may overtake each other, also those of
//     the same two ranks.
//  2. A pair of ranks has `window` batches between try_send() and the end of the receiver's Batch at most. So
//     no rank can drown another, and all buffers together are bytes_needed(), which callers count against
//     --memory.
//  3. A rank that cannot send takes in what has arrived, and tries again. As long as taking in a batch needs
//     no sending, and every rank does so until its round is over, there is no deadlock. One that takes in
//     only when it cannot send starves the others, which wait for it all the while: take in what has arrived
//     after each portion of states, and after each batch.
//
// Rounds
//  4. Everything that is sent between two calls of next_round() is of one round, and is received in the same
//     round on the other side: what a faster rank sends ahead waits until this one gets there.
//  5. A round is over for a rank when all ranks have called end_sends() and this one has received every batch
//     that was sent to it, and let go of it (its Batch is gone). This is counted
//     (cluster/transport/round_count.h): no rank waits for silence. A collective after it says that the round
//     is over for all; that is why a level costs one collective more, and not two.
//
// Failure
//  6. When a rank dies, is cut off, or calls fail(), all others know within seconds: failed() is true,
//     status() says which rank on which host, every wait ends, every collective returns that status, and
//     nothing more is sent or received. That is final.
//  7. stop() is the gentle form: everything goes on working, and the ranks end together when they have agreed to.
//
// A level of a search on T threads:
//
//   all threads:  for each successor of another rank that fills a batch:
//                   while (!transport.try_send(to, kind, batch)) { if (transport.failed()) return; take_in(); }
//                 take_in() now and then:  Batch batch; if (transport.try_receive(batch))
//                 insert(batch.bytes()); else transport.wait(to);
//   one thread, when all have handed over their last batch:  transport.end_sends();
//   all threads:  while (!transport.round_over() && !transport.failed()) { if (try_receive) insert; else
//   transport.wait(); }
//   one thread:   transport.next_round(); transport.all_reduce(counts of the level, Reduce::sum);
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata::cluster {

class Wire;

// What ranks must agree on before the first batch.
struct BatchShape {
  uint64_t bytes = uint64_t{32} << 10;  // of a batch at most
  unsigned window = 4;                  // batches between a pair of ranks, in one direction
};

enum class Reduce { sum, least, largest };

struct Traffic {
  uint64_t bytes_sent = 0, bytes_received = 0;      // of batches, with their heads
  uint64_t batches_sent = 0, batches_received = 0;  // all rounds
  double waiting = 0;  // seconds that threads were in wait() and in collectives, added up
};

constexpr std::chrono::milliseconds kInquest{300};

struct TransportOptions {
  // A rank that was silent for so long counts as lost. Processes of the same host are known to be dead at once.
  std::chrono::milliseconds patience{10'000};
  // Signs of life, and the numbers for the progress line, are sent this often.
  std::chrono::milliseconds signs{500};
  // False: as if every rank had a host of its own.
  bool watch_processes = true;
  // Set by a signal that asks this process to end; must outlive the transport. Launchers send it to all when
  // a rank has died, and kill them a second later: so an inquest is held at once, whatever the callers'
  // threads do. If all ranks live, somebody wants them to end, and it is a stop() with the code
  // `interrupted`.
  const std::atomic<bool>* asked_to_end = nullptr;
};

class Transport;

// A batch that arrived. Its buffer belongs to the transport, whose sender may send the next when this is let
// go of: by the destructor, by release(), or by receiving another into it. To be gone before the transport
// is.
class Batch {
 public:
  Batch() = default;
  ~Batch() { release(); }
  Batch(Batch&& other) noexcept { *this = std::move(other); }
  Batch& operator=(Batch&& other) noexcept;

  int from() const { return from_; }
  uint8_t kind() const { return kind_; }
  std::span<const uint8_t> bytes() const { return bytes_; }
  void release();

 private:
  friend class Transport;
  Transport* owner_ = nullptr;
  std::vector<uint8_t> buffer_;
  std::span<const uint8_t> bytes_;
  int from_ = 0;
  uint8_t kind_ = 0;
};

class Transport {
 public:
  // The transport of a process that is not one of several.
  static std::unique_ptr<Transport> alone();
  // Joins the others; returns when all ranks of the wire are there. (cluster/launch.h finds the wire of this process.)
  static Result<std::unique_ptr<Transport>> open(std::unique_ptr<Wire> wire,
                                                 const TransportOptions& options = {});
  // Without finish() before it, the others learn that this rank left.
  ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  int rank() const;
  int ranks() const;
  // The host of a rank, and how messages name it: "rank 3 (host node7)".
  const std::string& host(int rank) const;
  std::string rank_text(int rank) const;
  // "alone", "in-process", "mpi".
  const char* name() const;

  // Batches. From any thread.

  // What the buffers of a rank take.
  static uint64_t bytes_needed(int ranks, const BatchShape& shape);
  // Once, before the first batch, with the same shape on all ranks; a collective (a difference is an error on all).
  Status open_batches(const BatchShape& shape);
  // Copies the bytes (1 to the shape's bytes) and sends them to another rank; kind is for the receiver.
  // False: not now, because `window` batches are on their way to it, or not any more, because the transport
  // failed.
  [[nodiscard]] bool try_send(int to, uint8_t kind, std::span<const uint8_t> bytes);
  // A batch of this round, if one has arrived.
  [[nodiscard]] bool try_receive(Batch& batch);
  // Sleeps until there is a batch to receive, or one may be sent to rank `to`, the round is over, or the
  // transport failed; or for a millisecond. Returns at once where one of them holds already.
  void wait(std::optional<int> to = {});

  // Rounds.

  // This rank sends nothing more in this round. Once a round, by one thread, when no other is in try_send().
  void end_sends();
  // Everything that was sent to this rank in this round has arrived and was let go of. Any thread; true until
  // next_round().
  bool round_over() const;
  // By one thread when the round is over (or the transport failed, which is returned).
  Status next_round();

  // Collectives. By one thread at a time, on all ranks in the same order, for what is small (KiB a rank). A
  // rank that waits here does not take in batches: the round must be over, or not begun, or other threads
  // take them in meanwhile.

  Status barrier();
  Status all_reduce(std::span<uint64_t> values, Reduce reduce);
  // Everyone gets the bytes of rank `from`.
  Status broadcast(int from, std::string& bytes);
  // Rank 0 gets the bytes of all, by rank; the others get an empty list.
  Result<std::vector<std::string>> gather(std::string bytes);
  // Everyone gets the bytes of all, by rank.
  Result<std::vector<std::string>> all_gather(std::string bytes);
  // Everyone gets the least in the order of bytes (as memcmp, a prefix first) among the ranks that have one,
  // or nothing when none has. `rank` of the result: whose it is, the lowest of those that have the same.
  struct Least {
    std::string bytes;
    int rank = 0;
  };
  Result<std::optional<Least>> least(const std::optional<std::string>& bytes);

  // Notices. From any thread, at any time.

  // Tells all ranks, this one too, that the run should end in order, and why (any code but ok). The first
  // notice that a rank hears of is the one it keeps, so ranks may disagree until they compare, for example
  // with least().
  void stop(const Status& reason);
  bool stop_asked() const;
  // The reason with the rank and host that gave it ("rank 3 (host node7): ..."), and that rank; ok when nobody asked.
  Status stop_reason() const;
  int stop_rank() const;
  // This rank cannot go on: all others fail with this reason. It is the last thing that they hear from here.
  void fail(const Status& reason);
  bool failed() const;
  // ok, or the one message: "rank 3 (host node7) died", with the code `system`, or what fail() was given.
  Status status() const;
  // Asks every rank for a sign of life and waits for it that long; the transport fails for those that do not answer.
  Status inquest(std::chrono::milliseconds time = kInquest);
  // The lowest rank that is not known to be lost: who says the one message when rank 0 cannot.
  int speaker() const;

  // Numbers for the progress line: what this rank counts now, and what rank 0 last heard of each rank (half a
  // second old or so; empty before).
  void post(std::span<const uint64_t> numbers);
  std::vector<uint64_t> posted(int rank) const;

  Traffic traffic() const;

  // The last call, when this rank has nothing left to do but to end the process: returns when all ranks got
  // here, or, after a failure, when those that live did, or after two seconds. Files are removed and reports
  // written before: a launcher may kill what remains once one process has ended with an error.
  Status finish();

 private:
  friend class Batch;
  class Core;
  explicit Transport(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace strata::cluster
