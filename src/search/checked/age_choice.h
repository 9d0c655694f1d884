// The choice of `local`: a check reads the parts of the visited file in which duplicates are likely, by their age, and
// now and then the whole file.
//
// Della Penna et al. (2002) choose blocks at random, young ones more often, and calibrate the probabilities during the
// run. Here the file is divided by age into classes, each twice as large as the one before; a full check counts the
// duplicates of each class, and a partial check reads the classes with the most duplicates for each block, until
// kCovered of all duplicates are covered. A full check also tells what the choice would have missed: if that is little,
// the next full check comes later; if it is much, sooner.
#pragma once

#include <vector>

#include "search/checked/checked_search.h"

namespace strata {

class AgeChoice final : public BlockChoice {
 public:
  std::vector<Part> choose(uint64_t records, uint64_t per_block) override;
  void learn(const std::vector<Part>& parts) override;
  bool was_full() const override { return full_; }
  void serialize(Image& image) override {
    image.list("classes", classes_);
    image.value("until_full", until_full_);
    image.value("period", period_);
  }

 private:
  static constexpr double kCovered = 0.9;
  struct Class {
    double duplicates = 0;  // of a full check, older ones fading
    bool chosen = true;
  };
  void choose_classes(uint64_t blocks);

  std::vector<Class> classes_;     // by age: class k has 2^k blocks
  std::vector<uint64_t> of_part_;  // the class of each part chosen last
  uint64_t until_full_ = 0;        // checks before the next full one
  uint64_t period_ = 1;
  bool full_ = true;
};

}  // namespace strata
