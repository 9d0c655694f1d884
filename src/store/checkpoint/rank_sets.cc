#include "store/checkpoint/rank_sets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "block/checkpoint/checkpoint_folder.h"

namespace strata {

namespace {

namespace fs = std::filesystem;

// A folder whose file `checkpoint` cannot be read.
constexpr std::string_view kUnknownId = "?";
constexpr std::string_view kPart = "part.", kRank = "rank.", kOf = ".of.";

std::optional<uint64_t> number_of(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional<uint64_t>(number) : std::nullopt;
}

// What a folder of a run holds.
void look_into(const std::string& path, RankFolder folder, std::vector<RankFolder>& found) {
  std::error_code error;
  if (const Result<CheckpointFolder::Standing> standing = CheckpointFolder::standing(path); standing.ok()) {
    folder.last = standing->last;
    folder.previous = standing->previous;
    folder.id = standing->id;
  } else if (fs::exists(path + "/checkpoint", error)) {
    // The file is damaged; opening it reports that.
  } else if (folder.ranks > 0 || fs::exists(path + "/remains", error)) {
    folder.remains = true;
  } else {
    return;
  }
  found.push_back(folder);
}

void look_into_part(const std::string& path, uint64_t part, std::vector<RankFolder>& found) {
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const size_t of = name.find(kOf);
    if (!name.starts_with(kRank) || of == std::string::npos) continue;
    const auto rank = number_of(std::string_view(name).substr(kRank.size(), of - kRank.size()));
    const auto ranks = number_of(std::string_view(name).substr(of + kOf.size()));
    if (!rank || !ranks || *rank >= *ranks) continue;
    look_into(entry->path().string(), {part, *rank, *ranks}, found);
  }
}

// The folders of a part, by rank.
struct Part {
  uint64_t ranks = 0;
  std::map<uint64_t, RankFolder> folders;
  std::map<uint64_t, std::vector<uint64_t>> seen;

  bool complete() const { return folders.size() == std::max<uint64_t>(ranks, 1); }
  bool saves() const {
    return std::any_of(folders.begin(), folders.end(), [](const auto& one) { return one.second.last > 0; });
  }
  // The newest checkpoint that all ranks have; with `previous`, the newest but the last.
  uint64_t common(bool previous) const {
    uint64_t newest = 0, chosen = 0;
    for (const auto& [rank, folder] : folders) newest = std::max(newest, folder.last);
    for (const uint64_t number : {folders.begin()->second.last, folders.begin()->second.previous}) {
      const bool all = std::all_of(folders.begin(), folders.end(),
                                   [&](const auto& one) { return one.second.has(number); });
      if (all && !(previous && number == newest)) chosen = std::max(chosen, number);
    }
    return chosen;
  }
  std::string missing(const std::string& folder, uint64_t part) const {
    std::vector<std::string> names;
    for (uint64_t i = 0; i < ranks; ++i)
      if (!folders.contains(i)) names.push_back("'" + rank_folder(folder, part, i, ranks) + "'");
    return fmt::format("{}", fmt::join(names, ", "));
  }
};

// Folders of several runs in one place: one of them was copied there.
Status check_one_run(const std::string& folder, const std::vector<std::vector<RankFolder>>& seen) {
  const RankFolder* first = nullptr;
  for (const std::vector<RankFolder>& folders : seen)
    for (const RankFolder& found : folders) {
      if (found.remains || found.id == kUnknownId) continue;
      if (first == nullptr) first = &found;
      if (found.id != first->id)
        return Status::usage(fmt::format(
            "'{}' and '{}' are folders of two different runs (ids {} and {}), and a run goes on from folders "
            "of its own alone; put those of one run back together, and the others elsewhere",
            path_of(folder, *first), path_of(folder, found), first->id, found.id));
    }
  return {};
}

SavedSet make_set(uint64_t number, const Part& part, bool previous) {
  SavedSet set;
  set.part = number;
  set.ranks = part.ranks;
  set.number = part.common(previous);
  set.id = part.folders.begin()->second.id;
  for (const auto& [rank, folder] : part.folders) {
    set.folders.push_back(folder);
    set.seen.push_back(part.seen.at(rank));
  }
  return set;
}

}  // namespace

std::string rank_folder(const std::string& folder, uint64_t part, uint64_t rank, uint64_t ranks) {
  return fmt::format("{}/{}{}/{}{}{}{}", folder, kPart, part, kRank, rank, kOf, ranks);
}

std::vector<RankFolder> find_rank_folders(const std::string& folder) {
  std::vector<RankFolder> found;
  look_into(folder, {}, found);
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(kPart)) continue;
    if (const auto part = number_of(std::string_view(name).substr(kPart.size())); part && *part > 0)
      look_into_part(entry->path().string(), *part, found);
  }
  return found;
}

std::string rank_folders_text(const std::vector<RankFolder>& folders) {
  std::string text;
  for (const RankFolder& one : folders)
    text += fmt::format("{} {} {} {} {} {} {}\n", one.part, one.rank, one.ranks, one.last, one.previous,
                        one.remains ? 1 : 0, one.id);
  return text;
}

std::vector<RankFolder> parse_rank_folders(const std::string& text) {
  std::vector<RankFolder> folders;
  std::istringstream in(text);
  for (RankFolder one;
       in >> one.part >> one.rank >> one.ranks >> one.last >> one.previous >> one.remains >> one.id;)
    folders.push_back(one);
  return folders;
}

std::vector<uint64_t> SavedSet::readers(uint64_t ranks_now) const {
  std::vector<uint64_t> loads(ranks_now, 0), readers;
  for (const std::vector<uint64_t>& those : seen) {
    const uint64_t reader = *std::min_element(those.begin(), those.end(),
                                              [&](uint64_t a, uint64_t b) { return loads[a] < loads[b]; });
    ++loads[reader];
    readers.push_back(reader);
  }
  return readers;
}

Result<SavedSet> choose_saved(const std::string& folder, const std::vector<std::vector<RankFolder>>& seen,
                              bool previous) {
  if (Status status = check_one_run(folder, seen); !status.ok()) return status;
  std::map<uint64_t, Part> parts;
  std::map<std::tuple<uint64_t, uint64_t, uint64_t>, SavedSet::Other> all;
  uint64_t newest = 0;
  for (uint64_t who = 0; who < seen.size(); ++who) {
    for (const RankFolder& found : seen[who]) {
      all.try_emplace({found.part, found.ranks, found.rank}, SavedSet::Other{found, who});
      newest = std::max(newest, found.part);
      if (found.remains) continue;
      Part& part = parts[found.part];
      part.ranks = found.ranks;
      part.folders[found.rank] = found;
      part.seen[found.rank].push_back(who);
    }
  }
  if (parts.empty())
    return Status::usage(fmt::format(
        "'{}' holds no run that can be resumed; `strata check MODEL --checkpoint DIR` makes one", folder));
  // The highest part that can be resumed; the lowest if none can, as the run then begins again.
  const auto resumable = [](const auto& one) {
    return one.second.complete() && one.second.common(false) > 0;
  };
  const auto last = std::find_if(parts.rbegin(), parts.rend(), resumable);
  const auto saves = std::find_if(parts.rbegin(), parts.rend(), [](const auto& one) {
    return one.second.saves() && !one.second.complete();
  });
  if (last == parts.rend() && saves != parts.rend())
    return Status::usage(
        fmt::format("the run in '{}' is that of {} processes, and not all of their folders can be seen from "
                    "here: {} {} missing. "
                    "Resume it where all of them are reachable",
                    folder, saves->second.ranks, saves->second.missing(folder, saves->first),
                    saves->second.folders.size() + 1 == saves->second.ranks ? "is" : "are"));
  const auto& [number, part] = last != parts.rend() ? *last : *parts.begin();
  SavedSet set = make_set(number, part, previous);
  if (previous && set.number == 0)
    return Status::usage("--previous: there is no checkpoint before the last one that all ranks have");
  set.newest_part = newest;
  for (const auto& [name, one] : all)
    if (one.folder.part != set.part || one.folder.remains) set.others.push_back(one);
  return set;
}

}  // namespace strata
