// Groups of rule instances that a kernel fires one after the other (device/kernels/firing.cuh): after each, the
// successors that are complete batches leave a queue that has room for kMostOfGroup successors of each lane. So a group
// must not give many successors, and there should be few groups.
//
//   a rule      is fired with so many of its outer parameters given that the others do not give more than fit
//   a dispatch  (native/analysis/dispatch.h) gives as many successors as the rules for one value of the variable; of a
//               dispatch for whose values that is too much, parts of the rules are switched to in turn
//   a group     is a sequence of those, as long as all of them fit. Where the parameters have many values, a group
//               computes them from its number
//
// Rules of one rank (priority, otherwise) come before those of the next, which are fired only where none of the ranks
// before fired or failed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "native/analysis/dispatch.h"
#include "native/rules/device_rules.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

// So many successors of a state fit into a kernel's queue, with states of this many words.
uint64_t group_budget(uint64_t words);

class DeviceGroups {
 public:
  // `constant`: parameters become constants of the text where that does not make it long.
  DeviceGroups(const ir::Program& program, const CppTypes& types, const DispatchTable& table, uint64_t words,
               bool constant, Output& out);

  // Of each rule: how many of its outer bindings are given to it.
  const std::vector<size_t>& given() const { return given_; }
  // The switches of the dispatches, and fire(ctx, group). The rules come before.
  void emit(const DeviceRules& rules);

  uint32_t groups() const { return groups_; }
  uint32_t most() const { return most_; }

 private:
  // Rules that are switched to by one variable; by parameter, if the dispatch is.
  struct Switch {
    const Dispatch* dispatch = nullptr;
    std::vector<DispatchedRule> rules;
    uint64_t most = 0;  // successors for one value of the parameter
  };

  uint64_t inner(uint32_t rule, size_t given) const;
  void plan(const Dispatch& dispatch);
  uint64_t bound(const std::vector<DispatchedRule>& rules, const Dispatch& dispatch) const;
  void emit_switch(size_t number) const;
  std::vector<std::pair<std::string, std::string>> cases(const Switch& one) const;
  bool fails_where_undefined(const ir::Expr& guard) const;
  std::vector<std::vector<uint32_t>> ranks() const;
  std::string call(const std::string& function, const std::vector<const ir::Binding*>& bindings,
                   const std::vector<std::string>& values) const;
  void add(const std::string& function, const std::vector<const ir::Binding*>& bindings, uint64_t most,
           size_t text_size);
  void add_constant(const std::string& call, uint64_t most);
  void add_range(const std::string& function, const std::vector<const ir::Binding*>& bindings,
                 uint64_t tuples, uint64_t most);
  uint64_t size(const ir::Binding& b) const;
  void end_group();

  const ir::Program& program_;
  const CppTypes& types_;
  const uint64_t budget_;
  const bool constant_;
  Output& out_;
  std::vector<size_t> given_;
  std::vector<Switch> switches_;
  std::vector<int64_t> switch_of_;  // of each rule; -1: none

  // What is emitted so far: the groups by number, and those that compute their parameters.
  std::string cases_, ranges_, open_;
  uint64_t open_most_ = 0;
  std::string begin_rank_, rank_test_;
  uint32_t groups_ = 0, most_ = 1;
};

}  // namespace strata::native
