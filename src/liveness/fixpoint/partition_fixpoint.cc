#include "liveness/fixpoint/partition_fixpoint.h"

namespace strata {

Result<PartitionChoice> partition_choice(const SearchOptions& options) {
  const Result<uint64_t> partitions = number_parameter(options, "partitions", 0, 0, 4096);
  if (!partitions.ok()) return partitions.status();
  const Result<std::string> function = choice_parameter(options, "partition", {"local", "hash"});
  if (!function.ok()) return function.status();
  return PartitionChoice{static_cast<uint32_t>(std::max<uint64_t>(*partitions, 1)), *function == "hash"};
}

}  // namespace strata
