// Rules for a device (native/emit/device_entries.h): rule<N> tries the instances of a rule on the state of a Context,
// with its first parameters given by the caller, and effect<N> has its statements.
//
//   for each instance {
//     if (!the guard, or something failed) { settle the fault; continue; }
//     keep the variables that the rule may write; effect<N>
//     if (something failed) { settle the fault; restore; continue; }
//     count, normalise, pack, compare with the parent, restore, push
//   }
//
// A kept variable is restored from what was kept of it, not from a second copy of the state: so the compiler sees that
// a rule leaves the state as it was, and holds it in registers once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/program.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"
#include "native/text/state_layout.h"

namespace strata::native {

class DeviceRules {
 public:
  // `two_passes`: guards can be evaluated alone (device/kernels/firing.cuh).
  DeviceRules(const ir::Program& program, const CppTypes& types, const StateLayout& layout, bool two_passes,
              Output& out);

  // Of each rule: how many of its outer bindings the caller gives.
  void emit(const std::vector<size_t>& given);
  // How long the text of a rule is; once it has been emitted.
  size_t size(uint32_t rule) const { return sizes_[rule]; }
  // How many rules have several instances.
  uint32_t repeated() const { return repeated_; }
  // The statements for a fault in a rule; the state is still as the rule left it.
  std::string handling(uint32_t rule) const;

 private:
  void rule(uint32_t id, size_t given);
  void firing(uint32_t id, const std::vector<bool>& written);
  void packed_firing(uint32_t id);
  std::string push(const std::string& words) const;
  void normalise(const std::vector<bool>& written);
  void copy_words(const char* statement, uint64_t begin, uint64_t end);
  void pack(const std::vector<bool>& written);
  std::string count(uint32_t id) const;
  std::string restore(const std::vector<bool>& written) const;
  bool is_large(size_t variable) const;

  const ir::Program& program_;
  const CppTypes& types_;
  const StateLayout& layout_;
  Output& out_;
  const bool two_passes_;
  std::vector<uint32_t> numbers_;  // of each rule that has several instances, its number among those
  uint32_t repeated_ = 0;
  std::vector<size_t> sizes_;
};

}  // namespace strata::native
