// The name that somebody may have meant who wrote another one.
#pragma once

#include <string>
#include <string_view>

namespace strata::lang {

// Collects names and keeps the one closest to what the user wrote: equal but for case, or one or two slips
// away. A slip is a letter too many, too few or wrong, or two letters in the wrong order.
class NearestName {
 public:
  explicit NearestName(std::string_view wanted);
  void offer(std::string_view candidate);
  // The names of a map, or of a list of names.
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
