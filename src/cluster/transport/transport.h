// One process of several that search together: a rank. Ranks are numbered from 0. Each has its own memory, disk and
// threads; they share only messages. The transport carries
//
//   batches       of tens of KiB, from any thread of a rank to any other rank, in rounds (the levels of a search)
//   collectives   barrier, sums, broadcast and the like, which every rank calls in the same order
//   notices       "stop, my disk is full", "I must end", signs of life: at any time, to all
//
// A thread of the transport moves all messages, and is the only one that touches the wire below
// (cluster/transport/wire.h: MPI, or queues in one process for tests). It sleeps when there is nothing to do, so that
// more ranks than cores work well. A transport of one rank has no such thread and sends nothing; all calls below work
// with it.
//
// Thread safety: each group of functions below says which threads may call them.
//
// Batches
//  1. A batch arrives once and whole, or the transport fails. Batches may overtake each other, also those of the same
//     two ranks.
//  2. At most `window` batches of a pair of ranks are between try_send() and the end of the receiver's Batch. So no
//     rank can flood another, and all buffers together have bytes_needed(), which callers count against --memory.
//  3. A rank that cannot send takes in what has arrived, and tries again. There is no deadlock, as long as taking in a
//     batch needs no sending and every rank takes in batches until its round is over. A rank that takes in batches only
//     when it cannot send makes the others wait: take in what has arrived after each portion of states, and after each
//     batch.
//
// Rounds
//  4. All batches that are sent between two calls of next_round() belong to one round, and are received in the same
//     round on the other side: batches that a faster rank sends ahead wait until this rank begins that round.
//  5. A round is over for a rank when all ranks have called end_sends() and this one has received every batch that was
//     sent to it, and let go of it (its Batch is gone). Batches are counted for that
//     (cluster/transport/round_count.h), so no rank waits for silence. A collective after it says that the round is
//     over for all. So a level costs one collective more, not two.
//
// Failure
//  6. When a rank dies, is cut off, or calls fail(), all others know within seconds: failed() is true, status() says
//     which rank on which host, every wait ends, every collective returns that status, and nothing more is sent or
//     received. A failure is final.
//  7. stop() is gentle: everything still works, and the ranks end together when they have agreed to.
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

// The sizes that ranks must agree on before the first batch.
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

// How long ranks have to answer a probe.
constexpr std::chrono::milliseconds kProbeTime{300};

struct TransportOptions {
  // A rank that was silent for longer is lost. The death of a process on the same host is noticed at once.
  std::chrono::milliseconds patience{10'000};
  // Signs of life, and the numbers for the progress line, are sent this often.
  std::chrono::milliseconds signs{500};
  // False: as if every rank had a host of its own.
  bool watch_processes = true;
  // Set by a signal that asks this process to end; must outlive the transport. Launchers send the signal to all ranks
  // when one has died, and kill them a second later: so the transport's own thread probes the ranks at once. If all
  // live, the user wants them to end, and the transport calls stop() with the code `interrupted`.
  const std::atomic<bool>* asked_to_end = nullptr;
};

class Transport;

// A batch that arrived. Its sender may send another when this one is let go of: by the destructor, by release(), or by
// receiving another batch into it.
// REQUIRES: the transport outlives the batch.
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
  // The transport of a single process.
  static std::unique_ptr<Transport> alone();
  // Joins the others; returns when all ranks of the wire are there. (cluster/launch.h finds the wire of this process.)
  static Result<std::unique_ptr<Transport>> open(std::unique_ptr<Wire> wire,
                                                 const TransportOptions& options = {});
  // If finish() was not called, the others fail, because this rank left.
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

  // The memory for the buffers of a rank.
  static uint64_t bytes_needed(int ranks, const BatchShape& shape);
  // A collective: sets the sizes of batches. An error on all ranks if theirs differ.
  // REQUIRES: called once, before the first batch.
  Status open_batches(const BatchShape& shape);
  // Copies the bytes (1 to the shape's bytes) and sends them to another rank; kind is for the receiver. False: `window`
  // batches are on their way to that rank, or the transport failed.
  [[nodiscard]] bool try_send(int to, uint8_t kind, std::span<const uint8_t> bytes);
  // A batch of this round, if one has arrived.
  [[nodiscard]] bool try_receive(Batch& batch);
  // Sleeps until there is a batch to receive, a batch may be sent to rank `to`, the round is over, or the transport
  // failed; for a millisecond at most. Returns at once where one of these holds already.
  void wait(std::optional<int> to = {});

  // Rounds.

  // This rank sends nothing more in this round.
  // REQUIRES: called once a round, by one thread, while no other is in try_send().
  void end_sends();
  // All batches that were sent to this rank in this round have arrived and were let go of. May be called by any thread;
  // true until next_round().
  bool round_over() const;
  // Begins the next round, or returns the failure of the transport.
  // REQUIRES: called by one thread, when the round is over or the transport failed.
  Status next_round();

  // Collectives, for small data (KiB a rank).
  // REQUIRES: called by one thread at a time, on all ranks in the same order. A rank that waits in a collective takes
  // in no batches: the round must be over or not begun, or other threads must take them in.

  Status barrier();
  Status all_reduce(std::span<uint64_t> values, Reduce reduce);
  // All ranks get the bytes of rank `from`.
  Status broadcast(int from, std::string& bytes);
  // Rank 0 gets the bytes of all, by rank; the others get an empty list.
  Result<std::vector<std::string>> gather(std::string bytes);
  // All ranks get the bytes of all, by rank.
  Result<std::vector<std::string>> all_gather(std::string bytes);
  // All ranks get the least text in the order of bytes (as memcmp, a prefix first), or nothing when no rank has one.
  // `rank` of the result: the lowest rank that has this text.
  struct Least {
    std::string bytes;
    int rank = 0;
  };
  Result<std::optional<Least>> least(const std::optional<std::string>& bytes);

  // Notices. From any thread, at any time.

  // Tells all ranks, this one too, that the run should end in order, and why (any code but ok). A rank keeps the first
  // notice that reaches it, so ranks may have different ones until they compare, for example with least().
  void stop(const Status& reason);
  bool stop_asked() const;
  // The reason with the rank and host that gave it ("rank 3 (host node7): ..."), and that rank; ok when no rank asked.
  Status stop_reason() const;
  int stop_rank() const;
  // This rank must end: all others fail with this reason, and get nothing more from this rank.
  void fail(const Status& reason);
  bool failed() const;
  // ok, or the one message: "rank 3 (host node7) died", with the code `system`, or what fail() was given.
  Status status() const;
  // Asks every rank for a sign of life and waits that long for the answers. The transport fails if a rank does not
  // answer.
  Status probe(std::chrono::milliseconds time = kProbeTime);
  // The lowest rank that is not known to be lost: it reports a failure, also when rank 0 cannot.
  int reporting_rank() const;

  // Numbers for the progress line: post() takes those of this rank, posted() returns on rank 0 what each rank last
  // posted (about half a second old; empty before the first).
  void post(std::span<const uint64_t> numbers);
  std::vector<uint64_t> posted(int rank) const;

  Traffic traffic() const;

  // Waits until all ranks call this, or after a failure until all living ranks do, for some seconds at most.
  // REQUIRES: called last, when this rank has only to end its process. Its files are removed and its reports written: a
  // launcher may kill the other processes when one has ended with an error.
  Status finish();

 private:
  friend class Batch;
  class Core;
  explicit Transport(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace strata::cluster
