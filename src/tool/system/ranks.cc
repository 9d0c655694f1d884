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
#include <sstream>
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

std::string rank_folder(const std::string& folder, uint64_t rank) {
  return fmt::format("{}/rank.{}", folder, rank);
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

// A run is resumed by as many ranks as began it.
Status Ranks::check_folders(const std::string& folder) const {
  uint64_t found = 0;
  while (std::filesystem::exists(rank_folder(folder, found))) ++found;
  if (found == count() || (found == 0 && !several())) return {};
  if (found == 0)
    return Status::usage(fmt::format("'{}' holds the run of one process; resume it without mpirun", folder));
  return Status::usage(
      fmt::format("'{}' holds the run of {} processes; resume it with mpirun -n {} strata resume {}", folder,
                  found, found, folder));
}

Result<Options> Ranks::adapt(const Options& options) const {
  if (!several() && options.command == kResume) {
    if (Status status = check_folders(options.checkpoint); !status.ok()) return status;
  }
  if (!several()) return options;
  Options own = options;
  const std::string rank = std::to_string(transport_->rank());
  for (std::string& disk : own.disks) disk = with_names(disk, rank, transport_->host(transport_->rank()));
  own.ranks = count();
  if (options.checkpoint.empty()) return own;
  if (options.command == kResume) {
    if (Status status = check_folders(options.checkpoint); !status.ok()) return status;
  }
  if (options.command == kCheck && mkdir(options.checkpoint.c_str(), 0700) != 0 && errno != EEXIST)
    return Status::usage(
        fmt::format("--checkpoint {}: making the folder: {}", options.checkpoint, std::strerror(errno)));
  own.checkpoint = rank_folder(options.checkpoint, exchange_->rank());
  return own;
}

Options Ranks::without_reports(const Options& options) const {
  if (!several() || transport_->rank() == 0) return options;
  Options own = options;
  own.json.clear();
  own.trace_file.clear();
  own.report.clear();
  own.progress = ProgressChoice::off;
  return own;
}

Status Ranks::choose_checkpoint(Options& options) const {
  if (!several() || !options.resumes) return {};
  const Result<CheckpointFolder::Standing> standing = CheckpointFolder::standing(options.checkpoint);
  if (!standing.ok()) return standing.status();
  const Result<std::vector<std::string>> all =
      transport_->all_gather(fmt::format("{} {}", standing->last, standing->previous));
  if (!all.ok()) return all.status();
  // The newest that every rank has; with --previous one that is older than some rank's last.
  uint64_t chosen = 0;
  for (const uint64_t number : {options.previous ? 0 : standing->last, standing->previous}) {
    const auto has = [&](const std::string& text) {
      uint64_t last = 0, previous = 0;
      std::istringstream(text) >> last >> previous;
      return number == last || number == previous;
    };
    if (number > chosen && std::all_of(all->begin(), all->end(), has)) chosen = number;
  }
  if (chosen == 0 && options.previous)
    return Status::usage("--previous: there is no checkpoint before the last one that all ranks have");
  options.previous = chosen != 0 && chosen == standing->previous;
  options.anew = chosen == 0;
  return {};
}

void Ranks::remove_folder(const std::string& own) const {
  if (several()) rmdir(std::filesystem::path(own).parent_path().c_str());
}

Status Ranks::agree(const std::vector<cluster::Trait>& traits) const {
  return several() ? cluster::agree(*transport_, traits) : Status();
}

void Ranks::fail(const Status& status) {
  if (!several()) return;
  transport_->fail(status);
  if (transport_->rank() == transport_->speaker()) speak();
}

void Ranks::finish() {
  if (several()) static_cast<void>(transport_->finish());
}

}  // namespace strata
