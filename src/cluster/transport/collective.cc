#include "cluster/transport/collective.h"

#include <algorithm>
#include <cstring>

namespace strata::cluster {
namespace {

uint64_t join_numbers(Operation operation, uint64_t left, uint64_t right) {
  switch (operation) {
    case Operation::least: return std::min(left, right);
    case Operation::largest: return std::max(left, right);
    default: return left + right;
  }
}

std::string join_all_numbers(Operation operation, std::string left, const std::string& right) {
  std::vector<uint64_t> numbers = part_numbers(left);
  const std::vector<uint64_t> others = part_numbers(right);
  numbers.resize(std::min(numbers.size(), others.size()));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = join_numbers(operation, numbers[i], others[i]);
  return numbers_part(numbers);
}

std::string lesser(std::string left, const std::string& right) {
  if (left.empty() || right.empty()) return left.empty() ? right : left;
  const auto [left_rank, left_bytes] = part_ranked(left);
  const auto [right_rank, right_bytes] = part_ranked(right);
  return std::pair(right_bytes, right_rank) < std::pair(left_bytes, left_rank) ? right : left;
}

void append_number(std::string& text, uint64_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  text.append(bytes, sizeof bytes);
}

uint64_t number_at(const std::string& text, size_t at) {
  uint64_t number = 0;
  std::memcpy(&number, text.data() + at, sizeof number);
  return number;
}

constexpr size_t kNumber = sizeof(uint64_t);

}  // namespace

int parent_of(int rank) { return (rank - 1) / 2; }

std::vector<int> children_of(int rank, int ranks) {
  std::vector<int> children;
  for (int child = 2 * rank + 1; child <= 2 * rank + 2 && child < ranks; ++child) children.push_back(child);
  return children;
}

std::string join(Operation operation, std::string left, const std::string& right) {
  switch (operation) {
    case Operation::nothing: return {};
    case Operation::sum:
    case Operation::least:
    case Operation::largest: return join_all_numbers(operation, std::move(left), right);
    case Operation::first: return left.empty() ? right : left;
    case Operation::collect:
    case Operation::collect_all: return left + right;
    case Operation::least_bytes: return lesser(std::move(left), right);
  }
  return {};
}

std::string numbers_part(std::span<const uint64_t> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

std::vector<uint64_t> part_numbers(const std::string& part) {
  std::vector<uint64_t> numbers(part.size() / kNumber);
  if (!numbers.empty()) std::memcpy(numbers.data(), part.data(), numbers.size() * kNumber);
  return numbers;
}

// A list is a sequence of rank, length, bytes.
std::string list_part(int rank, const std::string& bytes) {
  std::string part;
  append_number(part, static_cast<uint64_t>(rank));
  append_number(part, bytes.size());
  return part + bytes;
}

std::vector<std::string> part_list(const std::string& part, int ranks) {
  std::vector<std::string> list(static_cast<size_t>(ranks));
  for (size_t at = 0; at + 2 * kNumber <= part.size();) {
    const uint64_t rank = number_at(part, at), length = number_at(part, at + kNumber);
    at += 2 * kNumber;
    if (rank < list.size()) list[rank] = part.substr(at, length);
    at += length;
  }
  return list;
}

std::string ranked_part(int rank, const std::string& bytes) {
  std::string part;
  append_number(part, static_cast<uint64_t>(rank));
  return part + bytes;
}

std::pair<int, std::string> part_ranked(const std::string& part) {
  return {static_cast<int>(number_at(part, 0)), part.substr(kNumber)};
}

bool Collective::add_child(int child, Operation operation, std::string part) {
  const auto found = std::find(children_.begin(), children_.end(), child);
  if (found == children_.end()) return false;
  std::optional<Part>& place = parts_[static_cast<size_t>(found - children_.begin())];
  if (place) return false;
  place = Part{operation, std::move(part)};
  return true;
}

bool Collective::out_of_step() const {
  const auto differs = [&](const std::optional<Part>& part) { return part && part->operation != operation_; };
  return (own_ || joined_) && std::any_of(parts_.begin(), parts_.end(), differs);
}

std::optional<std::string> Collective::take_branch() {
  const auto there = [](const std::optional<Part>& part) { return part.has_value(); };
  if (joined_ || !own_ || !std::all_of(parts_.begin(), parts_.end(), there)) return {};
  joined_ = true;
  std::string branch = std::move(*own_);
  for (std::optional<Part>& part : parts_) branch = join(operation_, std::move(branch), part->bytes);
  if (rank_ == 0) result_ = branch;
  return branch;
}

std::optional<std::string> Collective::take_downward() {
  if (handed_down_ || !result_) return {};
  handed_down_ = true;
  return operation_ == Operation::collect ? std::string() : *result_;
}

}  // namespace strata::cluster
