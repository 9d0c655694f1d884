#include "tool/ranks/ranks.h"

#include <iterator>
#include <utility>

namespace strata {

Result<std::unique_ptr<Ranks>> Ranks::join(const std::atomic<bool>& stop) {
  std::unique_ptr<Ranks> ranks(new Ranks);
  const cluster::Launch launch = cluster::detect_launch();
  if (launch.ranks <= 1) return ranks;
  cluster::TransportOptions options;
  options.asked_to_end = &stop;
  Result<std::unique_ptr<cluster::Transport>> transport = cluster::join(launch, options);
  // All ranks fail in the same way; rank 0 prints the error.
  if (!transport.ok() && launch.rank > 0) ranks->streams_.silence();
  if (!transport.ok()) return transport.status();
  ranks->transport_ = std::move(*transport);
  cluster::Transport& all = *ranks->transport_;
  if (all.ranks() <= 1) return ranks;
  ranks->exchange_ = std::make_unique<cluster::Exchange>(all);
  ranks->on_this_host_ = 0;
  for (int i = 0; i < all.ranks(); ++i)
    if (all.host(i) == all.host(all.rank())) ++ranks->on_this_host_;
  if (all.rank() != 0) ranks->streams_.silence();
  return ranks;
}

Ranks::~Ranks() {
  exchange_.reset();
  transport_.reset();
}

Result<Options> Ranks::adapt(const Options& options) {
  Options own = options;
  name_disks(own);
  own.ranks = count();
  if (options.checkpoint.empty()) return own;
  Status status;
  if (options.command == kResume) status = resume_run(options, own);
  if (options.command == kCheck && several()) {
    const Result<std::string> folder = folders().begin(options.checkpoint);
    if (!folder.ok()) return folder.status();
    own.run_folder = options.checkpoint;
    own.checkpoint = *folder;
  }
  return status.ok() ? Result<Options>(own) : status;
}

Status Ranks::resume_run(const Options& options, Options& own) {
  Result<ResumedPart> part = folders().resume(options.checkpoint, options.previous);
  if (!part.ok()) return part.status();
  if (part->of_one_process) return {};
  // One process continues the run of several ranks as its only rank.
  if (!several()) {
    transport_ = cluster::Transport::alone();
    exchange_ = std::make_unique<cluster::Exchange>(*transport_);
  }
  own.run_folder = options.checkpoint;
  own.checkpoint = part->folder;
  regroup_ = std::move(part->regroup);
  if (regroup_) return {};
  own.previous = part->previous;
  own.anew = part->anew;
  return {};
}

Options Ranks::without_reports(const Options& options) const {
  if (!several() || transport_->rank() == 0) return options;
  Options own = options;
  own.json.clear();
  own.trace_file.clear();
  own.report.clear();
  own.junit.clear();
  own.sarif.clear();
  own.progress = ProgressChoice::off;
  return own;
}

void Ranks::remove_folders(const std::string& folder) const {
  if (several() && !folder.empty()) RankFolders::remove_empty(folder);
}

void Ranks::share(ProgressBoard& board) {
  if (!several()) return;
  board.share(count(), [this](const ProgressFigures& own) {
    const uint64_t numbers[] = {own.states, own.transitions, own.queue, own.memory, own.disk};
    transport_->post(numbers);
    ProgressFigures all = own;
    for (int i = 0; i < transport_->ranks(); ++i) {
      const std::vector<uint64_t> posted = transport_->posted(i);
      if (i == transport_->rank() || posted.size() != std::size(numbers)) continue;
      all.add({posted[0], posted[1], posted[2], posted[3], posted[4]});
    }
    return all;
  });
}

Status Ranks::agree(const std::vector<cluster::Trait>& traits) const {
  return several() ? cluster::agree(*transport_, traits) : Status();
}

void Ranks::fail(const Status& status) {
  if (!several()) return;
  transport_->fail(status);
  if (transport_->rank() == transport_->reporting_rank()) streams_.speak();
}

void Ranks::finish() {
  if (several()) static_cast<void>(transport_->finish());
}

}  // namespace strata
