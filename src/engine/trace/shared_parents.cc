#include "engine/trace/shared_parents.h"

#include <cstring>
#include <utility>
#include <vector>

namespace strata {

namespace {

template <class Number>
void put(Number number, std::string& out) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// Reads from the front of some bytes. Once there are too few, ok() is false, and zeros are read.
class ByteReader {
 public:
  explicit ByteReader(const std::string& bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && at_ == bytes_.size(); }
  template <class Number>
  Number number() {
    Number number{};
    take(&number, sizeof number);
    return number;
  }
  std::vector<uint8_t> state(uint64_t bytes) {
    if (!has(bytes)) return {};
    std::vector<uint8_t> state(bytes);
    take(state.data(), bytes);
    return state;
  }

 private:
  bool has(uint64_t bytes) {
    ok_ = ok_ && bytes <= bytes_.size() - at_;
    return ok_;
  }
  void take(void* to, uint64_t bytes) {
    if (!has(bytes)) return;
    std::memcpy(to, bytes_.data() + at_, bytes);
    at_ += bytes;
  }

  const std::string& bytes_;
  uint64_t at_ = 0;
  bool ok_ = true;
};

Status wrong_bytes() {
  return Status::internal(
      "a rank sent parents of states that do not fit the states asked for; please report this as a bug of "
      "strata");
}

}  // namespace

std::string encode_parents(bool goes_on, const ParentTargets& targets) {
  std::string parents;
  uint64_t target = 0, found = 0;
  for (const auto& [state, parent] : targets.parents()) {
    if (!parent.state.empty()) {
      put(target, parents);
      put(parent.rule, parents);
      parents.append(parent.state.begin(), parent.state.end());
      ++found;
    }
    ++target;
  }
  std::string out;
  put(static_cast<uint8_t>(goes_on), out);
  put(target, out);
  put(found, out);
  return out + parents;
}

Result<bool> decode_parents(const std::string& bytes, ParentTargets& targets) {
  std::vector<const std::vector<uint8_t>*> states;
  for (const auto& [state, parent] : targets.parents()) states.push_back(&state);
  ByteReader reader(bytes);
  const auto goes_on = reader.number<uint8_t>();
  if (reader.number<uint64_t>() != states.size() || goes_on > 1) return wrong_bytes();
  const auto count = reader.number<uint64_t>();
  if (count > states.size()) return wrong_bytes();
  ParentTargets::Found found;
  uint64_t next = 0;
  for (uint64_t i = 0; i < count && reader.ok(); ++i) {
    const auto target = reader.number<uint64_t>();
    if (target < next || target >= states.size()) return wrong_bytes();
    next = target + 1;
    StateParent parent;
    parent.rule = reader.number<uint32_t>();
    parent.state = reader.state(states[target]->size());
    found[states[target]] = std::move(parent);
  }
  if (!reader.at_end()) return wrong_bytes();
  targets.merge(found);
  return goes_on != 0;
}

Result<bool> merge_parents(const Joint& joint, bool goes_on, ParentTargets& targets) {
  for (const std::string& bytes : joint.all(encode_parents(goes_on, targets))) {
    if (bytes.empty()) return false;  // of a rank that is lost
    const Result<bool> theirs = decode_parents(bytes, targets);
    if (!theirs.ok()) return theirs;
    goes_on = goes_on && *theirs;
  }
  return goes_on;
}

}  // namespace strata
