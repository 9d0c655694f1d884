// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>

namespace strata::lang {

// Collects names and keeps the one closest to what the user wrote: equal except for case, or one or two slips away. A
// slip is a missing, extra or wrong letter, or two transposed letters.
class NearestName {
 public:
  explicit NearestName(std::string_view wanted);
  void offer(std::string_view candidate);
  // Offers the keys of a map, or the names of a list.
  template <class Names>
  NearestName& offer_all(const Names& names) {
    for (const auto& name : names) {
      if constexpr (requires { name.first; })
        offer(name.first);
      else
        offer(name);
    }
    return *this;
  }
  const std::string& best() const { return best_; }

 private:
  std::string_view wanted_;
  std::string best_;
  size_t best_distance_;
};

}  // namespace strata::lang
