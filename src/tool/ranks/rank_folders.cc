#include "tool/ranks/rank_folders.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
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

// Makes the folder of --checkpoint, and within it the folder of a part of the run. Checkpoints make the folder of the
// rank together with its content.
Status make_outer_folders(const std::string& folder, const std::string& own) {
  for (const std::string& outer : {folder, std::filesystem::path(own).parent_path().string()})
    if (mkdir(outer.c_str(), 0700) != 0 && errno != EEXIST)
      return Status::usage(
          fmt::format("--checkpoint {}: making the folder: {}", outer, std::strerror(errno)));
  return {};
}

bool contains(const std::vector<uint64_t>& numbers, uint64_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

}  // namespace

void RankFolders::name_disks(Options& options) const {
  if (transport_ == nullptr) return;
  for (std::string& disk : options.disks) {
    const std::string own = with_names(disk, std::to_string(rank()), transport_->host(transport_->rank()));
    // If the folder cannot be made, the first attempt to use it says why.
    if (own != disk) static_cast<void>(mkdir(own.c_str(), 0777));
    disk = own;
  }
}

Result<std::string> RankFolders::begin(const std::string& folder) const {
  for (const RankFolder& found : find_rank_folders(folder)) {
    if (!found.remains)
      return Status::usage(
          fmt::format("--checkpoint: '{0}' holds a run already; continue it with `strata "
                      "resume {0}`, or name another folder",
                      folder));
    if (rank() > 0) continue;
    if (Status status = CheckpointFolder::discard(path_of(folder, found)); !status.ok()) return status;
  }
  const std::string own = rank_folder(folder, 1, rank(), count());
  Status status = make_outer_folders(folder, own);
  return status.ok() ? Result<std::string>(own) : status;
}

Result<SavedSet> RankFolders::choose_set(const std::string& folder, const std::vector<RankFolder>& here,
                                         bool previous) const {
  if (transport_ == nullptr) return choose_saved(folder, {here}, previous);
  const Result<std::vector<std::string>> all = transport_->all_gather(rank_folders_text(here));
  if (!all.ok()) return all.status();
  std::vector<std::vector<RankFolder>> seen;
  for (const std::string& text : *all) seen.push_back(parse_rank_folders(text));
  return choose_saved(folder, seen, previous);
}

// A run that was killed while it began or ended a part leaves a folder; this discards it.
Status RankFolders::discard_others(const SavedSet& set, const std::string& folder) const {
  for (const SavedSet::Other& other : set.others) {
    if (other.seen_by != rank()) continue;
    if (Status status = CheckpointFolder::discard(path_of(folder, other.folder)); !status.ok()) return status;
  }
  return {};
}

Result<ResumedPart> RankFolders::resume(const std::string& folder, bool previous) const {
  ResumedPart alone;
  alone.of_one_process = true;
  const std::vector<RankFolder> here = find_rank_folders(folder);
  const auto is_alone = [](const RankFolder& found) { return found.ranks == 0; };
  if (transport_ == nullptr && std::all_of(here.begin(), here.end(), is_alone)) return alone;
  const Result<SavedSet> set = choose_set(folder, here, previous);
  if (!set.ok()) return set.status();
  if (Status status = discard_others(*set, folder); !status.ok()) return status;
  if (set->ranks == 0 && transport_ == nullptr) return alone;
  const bool same = set->ranks == count() && set->folders.size() == count();
  return same ? resume_same(*set, folder) : resume_regrouped(*set, folder);
}

Result<ResumedPart> RankFolders::resume_same(const SavedSet& set, const std::string& folder) const {
  const RankFolder& found = set.folders[rank()];
  ResumedPart part;
  part.folder = path_of(folder, found);
  if (!contains(set.seen[rank()], rank()))
    return Status::usage(fmt::format(
        "{} does not find its part of the run, '{}'; resume the run where all folders are reachable", name(),
        part.folder));
  part.previous = set.number != 0 && set.number == found.previous;
  part.anew = set.number == 0;
  return part;
}

Result<ResumedPart> RankFolders::resume_regrouped(const SavedSet& set, const std::string& folder) const {
  ResumedPart part;
  part.folder = rank_folder(folder, set.newest_part + 1, rank(), count());
  Regroup regroup{set, {}, 0, folder, ""};
  const std::vector<uint64_t> readers = set.readers(count());
  std::vector<uint64_t> loads(count(), 0);
  for (uint64_t k = 0; k < readers.size(); ++k) {
    regroup.passes = std::max(regroup.passes, ++loads[readers[k]]);
    if (readers[k] == rank()) regroup.own.push_back(k);
    if (contains(set.seen[k], rank())) regroup.described = path_of(folder, set.folders[k]);
  }
  if (regroup.described.empty())
    return Status::usage(
        fmt::format("{} finds nothing of the run in '{}'; resume the run where that folder is reachable",
                    name(), folder));
  part.regroup = std::move(regroup);
  Status status = make_outer_folders(folder, part.folder);
  return status.ok() ? Result<ResumedPart>(std::move(part)) : status;
}

void RankFolders::remove_empty(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> parts;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename().string().starts_with("part.")) parts.push_back(entry->path().string());
  for (const std::string& part : parts) rmdir(part.c_str());
  rmdir(folder.c_str());
}

}  // namespace strata
