#include "tool/system/ranks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "store/checkpoint/checkpoints.h"

namespace strata {

namespace {

std::string with_names(std::string folder, const std::string& rank, const std::string& host) {
  for (const auto& [sign, name] : {std::pair{"%r", rank}, std::pair{"%h", host}})
    for (size_t at = folder.find(sign); at != std::string::npos; at = folder.find(sign, at + name.size()))
      folder.replace(at, 2, name);
  return folder;
}

// That of --checkpoint, and that of a part of the run within it; the one of the rank is made with what is in it.
Status make_folders_of(const Options& own) {
  const std::string part = std::filesystem::path(own.checkpoint).parent_path().string();
  for (const std::string& folder : {own.run_folder, part})
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
      return Status::usage(
          fmt::format("--checkpoint {}: making the folder: {}", folder, std::strerror(errno)));
  return {};
}

}  // namespace

Result<std::unique_ptr<Ranks>> Ranks::join(const std::atomic<bool>& stop) {
  std::unique_ptr<Ranks> ranks(new Ranks);
  const cluster::Launch launch = cluster::detect_launch();
  if (launch.ranks <= 1) return ranks;
  cluster::TransportOptions options;
  options.asked_to_end = &stop;
  Result<std::unique_ptr<cluster::Transport>> transport = cluster::join(launch, options);
  // All ranks fail alike, and one says it.
  if (!transport.ok() && launch.rank > 0) ranks->be_quiet();
  if (!transport.ok()) return transport.status();
  ranks->transport_ = std::move(*transport);
  cluster::Transport& all = *ranks->transport_;
  if (all.ranks() <= 1) return ranks;
  ranks->exchange_ = std::make_unique<cluster::Exchange>(all);
  ranks->on_this_host_ = 0;
  for (int i = 0; i < all.ranks(); ++i)
    if (all.host(i) == all.host(all.rank())) ++ranks->on_this_host_;
  if (all.rank() != 0) ranks->be_quiet();
  return ranks;
}

Ranks::~Ranks() {
  exchange_.reset();
  transport_.reset();
  if (stderr_ >= 0) close(stderr_);
}

void Ranks::be_quiet() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  stderr_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

void Ranks::speak() {
  if (stderr_ < 0) return;
  std::fflush(stderr);
  dup2(stderr_, STDERR_FILENO);
}

void Ranks::name_disks(Options& options) const {
  if (!several()) return;
  const int rank = transport_->rank();
  for (std::string& disk : options.disks) {
    const std::string own = with_names(disk, std::to_string(rank), transport_->host(rank));
    // Where it cannot be made, the first try to use it says why.
    if (own != disk) static_cast<void>(mkdir(own.c_str(), 0777));
    disk = own;
  }
}

Result<Options> Ranks::adapt(const Options& options) {
  Options own = options;
  name_disks(own);
  own.ranks = count();
  if (options.checkpoint.empty()) return own;
  Status status;
  if (options.command == kResume) status = resume_run(options, own);
  if (options.command == kCheck && several()) status = begin_run(options, own);
  return status.ok() ? Result<Options>(own) : status;
}

Status Ranks::begin_run(const Options& options, Options& own) const {
  const std::string& folder = options.checkpoint;
  for (const RankFolder& found : find_rank_folders(folder)) {
    if (!found.remains)
      return Status::usage(fmt::format(
          "--checkpoint: '{0}' holds a run already; go on with it by `strata resume {0}`, or name "
          "another folder",
          folder));
    if (exchange_->rank() > 0) continue;
    if (Status status = CheckpointFolder::discard(path_of(folder, found)); !status.ok()) return status;
  }
  own.run_folder = folder;
  own.checkpoint = rank_folder(folder, 1, exchange_->rank(), count());
  return make_folders_of(own);
}

// What all ranks find.
Result<SavedSet> Ranks::choose_set(const std::vector<RankFolder>& here, const Options& options) const {
  if (!several()) return choose_saved(options.checkpoint, {here}, options.previous);
  const Result<std::vector<std::string>> all = transport_->all_gather(rank_folders_text(here));
  if (!all.ok()) return all.status();
  std::vector<std::vector<RankFolder>> seen;
  for (const std::string& text : *all) seen.push_back(parse_rank_folders(text));
  return choose_saved(options.checkpoint, seen, options.previous);
}

Status Ranks::resume_run(const Options& options, Options& own) {
  const std::string& folder = options.checkpoint;
  const std::vector<RankFolder> here = find_rank_folders(folder);
  const auto is_alone = [](const RankFolder& found) { return found.ranks == 0; };
  if (!several() && std::all_of(here.begin(), here.end(), is_alone)) return {};
  const Result<SavedSet> set = choose_set(here, options);
  if (!set.ok()) return set.status();
  const uint64_t rank = several() ? exchange_->rank() : 0;
  // What a run left that was killed when it had just begun a part, or ended one.
  for (const SavedSet::Other& other : set->others) {
    if (other.seen_by != rank) continue;
    if (Status status = CheckpointFolder::discard(path_of(folder, other.folder)); !status.ok()) return status;
  }
  if (set->ranks == 0 && !several()) return {};
  // One process takes up the run of several as the only one of them.
  if (!several()) {
    transport_ = cluster::Transport::alone();
    exchange_ = std::make_unique<cluster::Exchange>(*transport_);
  }
  own.run_folder = folder;
  if (set->ranks != count() || set->folders.size() != count()) {
    own.checkpoint = rank_folder(folder, set->newest_part + 1, rank, count());
    if (Status status = plan_regroup(*set, folder); !status.ok()) return status;
    return make_folders_of(own);
  }
  const RankFolder& found = set->folders[rank];
  const std::vector<uint64_t>& seen = set->seen[rank];
  own.checkpoint = path_of(folder, found);
  if (std::find(seen.begin(), seen.end(), rank) == seen.end())
    return Status::usage(
        fmt::format("{} does not find its part of the run, '{}'; resume it where all folders are reachable",
                    transport_->rank_text(static_cast<int>(rank)), own.checkpoint));
  own.previous = set->number != 0 && set->number == found.previous;
  own.anew = set->number == 0;
  return {};
}

Status Ranks::plan_regroup(const SavedSet& set, const std::string& folder) {
  Regroup regroup{set, {}, 0, folder, ""};
  const std::vector<uint64_t> readers = set.readers(count());
  std::vector<uint64_t> loads(count(), 0);
  const uint64_t rank = exchange_->rank();
  for (uint64_t k = 0; k < readers.size(); ++k) {
    regroup.passes = std::max(regroup.passes, ++loads[readers[k]]);
    if (readers[k] == rank) regroup.own.push_back(k);
    const std::vector<uint64_t>& seen = set.seen[k];
    if (std::find(seen.begin(), seen.end(), rank) != seen.end())
      regroup.described = path_of(folder, set.folders[k]);
  }
  if (regroup.described.empty())
    return Status::usage(
        fmt::format("{} finds nothing of the run in '{}'; resume it where that folder is reachable",
                    transport_->rank_text(static_cast<int>(rank)), folder));
  regroup_ = std::move(regroup);
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
  if (!several() || folder.empty()) return;
  std::error_code error;
  std::vector<std::string> parts;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename().string().starts_with("part.")) parts.push_back(entry->path().string());
  for (const std::string& part : parts) rmdir(part.c_str());
  rmdir(folder.c_str());
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
  if (transport_->rank() == transport_->reporting_rank()) speak();
}

void Ranks::finish() {
  if (several()) static_cast<void>(transport_->finish());
}

}  // namespace strata
