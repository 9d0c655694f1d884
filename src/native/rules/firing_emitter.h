// What follows the effect of a rule: normalise, pack, compare with the parent, restore the parent, append the
// successor to the output. Only the variables that the rule may write are looked at.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"
#include "native/analysis/uses.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"
#include "native/text/state_layout.h"

namespace strata::native {

// The statement that counts a firing of the rule.
std::string count_firing(const ir::Program& program, uint32_t rule);

class FiringEmitter {
 public:
  FiringEmitter(const ir::Program& program, const CppTypes& types, const StateLayout& layout, Output& out)
      : program_(program),
        types_(types),
        layout_(layout),
        form_(out.form),
        text_(out.text),
        in_turn_(has_changing_guards(program)) {}

  // Whether what follows an effect is one function for all rules.
  bool shared() const;
  // That function, if it is to be.
  void declare_shared();
  void emit_shared();
  // The firing of an instance of the rule, whose number is an expression.
  void emit(uint32_t rule, const std::string& number);

 private:
  bool is_large(size_t variable) const;
  void fire(const std::vector<bool>& written, const std::string& number);
  void keep();
  void fire_in_turn();
  void fire_packed();
  std::string member(size_t variable) const;
  static std::string store_call(size_t v, const char* out);
  void normalise(const std::vector<bool>& written);
  std::string if_changed(size_t variable) const;
  std::string store(const std::vector<bool>& written);
  std::string repack(const std::vector<bool>& written);
  std::string pack_words(const std::vector<bool>& written, std::vector<std::string>& packed);
  void restore(const std::vector<bool>& written);

  const ir::Program& program_;
  const CppTypes& types_;
  const StateLayout& layout_;
  const PlaceForm& form_;
  Text& text_;
  const bool in_turn_;  // guards change the state
};

}  // namespace strata::native
