#include "base/image/image.h"

#include <fmt/format.h>

namespace strata {

void Image::mismatch(std::string_view name) {
  fail(Status::usage(fmt::format("{}: '{}' is not what is expected there; another version of Strata wrote it",
                                 where(), name)));
}

uint64_t Image::begin_list(std::string_view name, uint64_t count) {
  auto length = static_cast<uint8_t>(name.size());
  std::string there(name);
  uint64_t saved = count;
  bytes(&length, 1);
  if (ok() && length != name.size()) mismatch(name);
  bytes(there.data(), there.size());
  if (ok() && there != name) mismatch(name);
  bytes(&saved, sizeof saved);
  if (ok() && restores() && saved > left()) mismatch(name);
  return ok() ? saved : count;
}

void Image::list(std::string_view name, NumberList& list) {
  std::vector<uint64_t> plain(list.begin(), list.end());
  this->list(name, plain);
  if (!restores() || !ok()) return;
  list = NumberList();
  for (const uint64_t number : plain) list.push_back(number);
}

}  // namespace strata
