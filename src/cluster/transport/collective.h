// What a collective computes, and one run of it in the tree of ranks: pure, without threads.
//
// Ranks are a binary tree with rank 0 at the root: the children of r are 2r + 1 and 2r + 2. A rank joins its
// own part with those of its children and hands the whole to its parent; the root hands the result down. So a
// collective takes 2 log2(ranks) steps, and a rank talks to three others at most.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace strata::cluster {

enum class Operation : uint8_t {
  nothing,      // barrier
  sum,          // of 64-bit numbers, one by one
  least,        // the same
  largest,      // the same
  first,        // the part that is not empty (one is)
  collect,      // a list of parts; the root keeps it
  collect_all,  // a list of parts, which everyone gets
  least_bytes,  // the least part that is not empty
};

int parent_of(int rank);
std::vector<int> children_of(int rank, int ranks);

// Joins two parts. Numbers of different count are a bug of the caller: the shorter ends.
std::string join(Operation operation, std::string left, const std::string& right);

// Parts made and read.
std::string numbers_part(std::span<const uint64_t> numbers);
std::vector<uint64_t> part_numbers(const std::string& part);
std::string list_part(int rank, const std::string& bytes);
std::vector<std::string> part_list(const std::string& part, int ranks);  // by rank
std::string ranked_part(int rank, const std::string& bytes);             // for least_bytes
std::pair<int, std::string> part_ranked(const std::string& part);

// One run. Parts of children may come before this rank's own.
class Collective {
 public:
  Collective(int rank, int ranks)
      : rank_(rank), children_(children_of(rank, ranks)), parts_(children_.size()) {}

  void add_own(Operation operation, std::string part) {
    operation_ = operation;
    own_ = std::move(part);
  }
  // False: the rank is not a child of this one, or its part has come already.
  bool add_child(int child, Operation operation, std::string part);
  void add_result(std::string result) { result_ = std::move(result); }
  // A child computes another operation: the ranks do not call the same collectives in the same order.
  bool out_of_step() const;

  // When all parts of this rank's branch have come, for the first time: the joined part, for the parent. At the root
  // it is the result.
  std::optional<std::string> take_branch();
  // When the result has come, for the first time: the result, for the children.
  std::optional<std::string> take_downward();

  const std::vector<int>& children() const { return children_; }
  Operation operation() const { return operation_; }
  const std::optional<std::string>& result() const { return result_; }

 private:
  struct Part {
    Operation operation = Operation::nothing;
    std::string bytes;
  };

  const int rank_;
  const std::vector<int> children_;
  Operation operation_ = Operation::nothing;
  std::optional<std::string> own_, result_;
  std::vector<std::optional<Part>> parts_;  // by child
  bool joined_ = false, handed_down_ = false;
};

}  // namespace strata::cluster
