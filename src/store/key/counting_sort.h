// Orders things by the part that each belongs to, a number below `parts`, in two passes: one counts the
// things of each part, the other gives each its place. Things of one part keep their order.
//
//   sort.begin(parts);   for each thing:  sort.count(part)
//   sort.sum();          for each thing:  place = sort.place(part)
//   sort.start(part), sort.end(part)      the places of a part
//
// The caller chooses what it moves to a place, a state or its number, and what else its loops do. For callers whose
// loops do nothing else, place_all() is the second line, and order() both.
//
// Invariants
//  1. Before sum(), numbers_[p + 2] is how many things of part p were counted.
//  2. After sum(), numbers_[p + 1] is the place of the next thing of part p. So when each thing that was
//     counted has its place, numbers_[p] is where part p begins: nothing has to be moved back.
#pragma once

#include <cstdint>
#include <vector>

namespace strata {

// REQUIRES: `Number` can hold the number of things.
template <class Number>
class CountingSort {
 public:
  void begin(uint64_t parts) { numbers_.assign(parts + 2, 0); }
  void count(uint64_t part) { ++numbers_[part + 2]; }
  void sum() {
    for (uint64_t i = 2; i < numbers_.size(); ++i)
      numbers_[i] = static_cast<Number>(numbers_[i] + numbers_[i - 1]);
  }
  Number place(uint64_t part) { return numbers_[part + 1]++; }

  // Calls put(i, place) for i < n; part_of(i) is the part of thing i.
  template <class PartOf, class Put>
  void place_all(uint64_t n, const PartOf& part_of, const Put& put) {
    sum();
    for (uint64_t i = 0; i < n; ++i) put(i, place(part_of(i)));
  }
  template <class PartOf, class Put>
  void order(uint64_t parts, uint64_t n, const PartOf& part_of, const Put& put) {
    begin(parts);
    for (uint64_t i = 0; i < n; ++i) count(part_of(i));
    place_all(n, part_of, put);
  }

  uint64_t parts() const { return numbers_.size() - 2; }
  // How many things were counted; after sum().
  Number total() const { return numbers_.back(); }
  // After the last place was given.
  Number start(uint64_t part) const { return numbers_[part]; }
  Number end(uint64_t part) const { return numbers_[part + 1]; }

 private:
  std::vector<Number> numbers_;
};

}  // namespace strata
