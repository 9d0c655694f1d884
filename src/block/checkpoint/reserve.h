// Empty space on the disk for the next image, which a search needs that has filled the disk.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace strata {

class Reserve {
 public:
  // The file; opening a run gives its old reserve up.
  explicit Reserve(std::string path) : path_(std::move(path)) {}

  // Keeps this many bytes, or as many as the disk has: half of them, a quarter, ...; never fewer than before.
  void keep(uint64_t bytes);
  void give_up();

 private:
  const std::string path_;
  uint64_t bytes_ = 0;
};

}  // namespace strata
