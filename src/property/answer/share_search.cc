#include "property/answer/share_search.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/contract/old_ranks.h"
#include "engine/contract/parameters.h"
#include "engine/ranks/joint.h"
#include "property/answer/fold_search.h"
#include "view/share/shared_model.h"

namespace strata {
namespace {

// The same sizes for all ranks, whatever their memory is.
SharedModel::Sizes agree_on_sizes(const SearchContext& context, const Joint& joint) {
  const SearchOptions& options = context.options;
  SharedModel::Sizes sizes = SharedModel::fit(context.model.info(), joint.exchange().ranks(),
                                              std::max(options.threads, 1u), options.memory);
  sizes.batch = joint.least(sizes.batch);
  sizes.window = joint.least(sizes.window);
  return sizes;
}

// A report of each rank.
std::vector<RankReport> gather_reports(const Joint& joint, const SharedModel& shared, uint64_t states) {
  const cluster::Transport& transport = joint.exchange().transport();
  const SharedModel::Counts counts = shared.counts();
  const cluster::Traffic traffic = transport.traffic();
  constexpr double kMicroseconds = 1e6;
  const std::vector<uint64_t> own = {states,
                                     counts.successors,
                                     counts.foreign,
                                     counts.sent,
                                     traffic.bytes_sent,
                                     traffic.bytes_received,
                                     traffic.batches_sent,
                                     traffic.batches_received,
                                     static_cast<uint64_t>(traffic.waiting * kMicroseconds)};
  const uint64_t ranks = joint.exchange().ranks();
  std::vector<uint64_t> all(own.size() * ranks, 0);
  std::copy(own.begin(), own.end(), all.begin() + static_cast<int64_t>(joint.exchange().rank() * own.size()));
  joint.sum(all);
  std::vector<RankReport> reports;
  for (uint64_t i = 0; i < ranks; ++i) {
    const uint64_t* const row = all.data() + i * own.size();
    reports.push_back({transport.host(static_cast<int>(i)), row[0], row[1], row[2], row[3], row[4], row[5],
                       row[6], row[7], static_cast<double>(row[8]) / kMicroseconds});
  }
  return reports;
}

// With several ranks, levels are exact: a search that may find states late would have different levels in each rank.
Status count_levels_together(const Algorithm& algorithm, SearchOptions& options) {
  const auto is_levels = [](const AlgorithmParameter& parameter) {
    return parameter.name == std::string_view("levels");
  };
  if (std::none_of(algorithm.parameters.begin(), algorithm.parameters.end(), is_levels)) return {};
  std::string& levels = options.parameters.try_emplace("levels", "exact").first->second;
  if (levels == "exact") return {};
  return Status::usage("--set levels=free: several processes search level by level; leave it out");
}

// Sums up the disk usage of all ranks; the peak of memory is that of the largest process.
void add_up(const Joint& joint, SearchResult& result) {
  std::vector<uint64_t> sums = {result.disk_peak, result.disk_read, result.disk_written,
                                result.full_detections};
  joint.sum(sums);
  result.disk_peak = sums[0];
  result.disk_read = sums[1];
  result.disk_written = sums[2];
  result.full_detections = sums[3];
  joint.largest({&result.peak_rss, 1});
}

// Restores the checkpoint of an old rank with the search that made it, and gives its states away.
Status read_saved(const Algorithm& algorithm, const SearchContext& context, const SearchOptions& options,
                  Checkpoints& saved, StateSink& to) {
  SearchOptions alone = options;
  alone.threads = 1;
  alone.time_limit.reset();
  ProgressBoard board;
  SearchContext reading{context.model, alone, board, context.stop};
  reading.checkpoints = &saved;
  reading.receiver = &to;
  const Runner read = folding([](const Algorithm& row, const SearchContext& with) { return row.run(with); });
  const Result<SearchResult> result = read(algorithm, reading);
  if (result.ok() && result->stop == StopReason::memory)
    return Status::limit(result->stop_message, result->reason);
  return result.status();
}

Result<SearchResult> search_together(const Runner& run, const Algorithm& algorithm,
                                     const SearchContext& context, bool local) {
  const Joint joint(*context.exchange);
  const uint64_t ranks = joint.exchange().ranks();
  const SharedModel::Sizes sizes = agree_on_sizes(context, joint);
  if (Status status = joint.exchange().open({sizes.batch, static_cast<unsigned>(sizes.window)}); !status.ok())
    return status;
  const SharedModel shared(context.model, *context.exchange, sizes,
                           local ? StateOwner::local(context.model, ranks) : StateOwner(ranks));
  SearchOptions options = context.options;
  if (Status status = count_levels_together(algorithm, options); !status.ok()) return status;
  const uint64_t buffers =
      std::max(options.threads, 1u) * SharedModel::scratch_bytes(context.model.info(), ranks, sizes) +
      joint.exchange().buffer_bytes();
  if (context.old_ranks != nullptr)
    context.old_ranks->read_with([&](Checkpoints& saved, StateSink& to) {
      return read_saved(algorithm, context, options, saved, to);
    });
  // If memory is so small that it has no room for buffers, all of it is given to the search.
  const uint64_t lent = std::min(options.memory / 2, buffers);
  options.memory -= lent;
  options.lent += lent;
  Result<SearchResult> result = run(algorithm, context.with(shared, options));
  if (!result.ok()) return result;
  result->memory_budget = context.options.memory;
  add_up(joint, *result);
  result->ranks = gather_reports(joint, shared, result->own_states);
  // The result lacks the part of a lost rank.
  if (joint.exchange().failed()) return joint.exchange().transport().status();
  return result;
}

// A rank that had no room to begin ends all; the others hear of it wherever they wait for each other.
Result<SearchResult> search_share(const Runner& run, const Algorithm& algorithm, const SearchContext& context,
                                  bool local) {
  Result<SearchResult> result = search_together(run, algorithm, context, local);
  if (!context.exchange->failed()) return result;
  const Status trouble = context.exchange->transport().status();
  return leaves_no_room(trouble) ? stopped_at_once(context, trouble) : std::move(result);
}

}  // namespace

bool leaves_no_room(const Status& status) {
  return status.code() == StatusCode::limit || status.code() == StatusCode::disk_full;
}

SearchResult stopped_at_once(const SearchContext& context, const Status& status) {
  // Other ranks that have room would wait for this one.
  make_ranks(context.exchange)->fail(status);
  SearchResult result;
  result.verdict = Verdict::incomplete;
  end_early(status.reason(), status.message(), result);
  return result;
}

Runner sharing(Runner run) {
  return [run = std::move(run)](const Algorithm& algorithm, const SearchContext& context) {
    if (context.exchange == nullptr) return run(algorithm, context);
    return search_share(run, algorithm, context, value_of(algorithm, context.options, "owner") == "local");
  };
}

}  // namespace strata
