#include "engine/ranks/joint.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace strata {

void Joint::reduce(std::span<uint64_t> values, cluster::Reduce how) const {
  constexpr uint64_t kAtATime = 1024;
  for (uint64_t done = 0; done < values.size(); done += kAtATime)
    end_on(exchange_.transport().all_reduce(values.subspan(done, std::min(kAtATime, values.size() - done)),
                                            how));
}

// Ranks that no longer make the same calls cannot continue.
void Joint::end_on(const Status& status) const {
  if (!status.ok() && !exchange_.failed()) exchange_.transport().fail(status);
}

std::vector<std::string> Joint::all(const std::string& own) const {
  Result<std::vector<std::string>> texts = exchange_.transport().all_gather(own);
  if (texts.ok() && texts->size() == exchange_.ranks()) return std::move(*texts);
  end_on(texts.status());
  std::vector<std::string> alone(exchange_.ranks());
  alone[exchange_.rank()] = own;
  return alone;
}

std::string Joint::named(uint64_t rank, const std::string& message) const {
  if (message.starts_with("rank ")) return message;
  return exchange_.transport().rank_text(static_cast<int>(rank)) + ": " + message;
}

std::unique_ptr<SearchRanks> make_ranks(cluster::Exchange* exchange) {
  if (exchange == nullptr) return std::make_unique<Solo>();
  return std::make_unique<Joint>(*exchange);
}

}  // namespace strata
