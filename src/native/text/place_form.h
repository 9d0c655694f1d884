// How the text of a model has its states and what is selected from them. There are two forms:
//
//   unpacked   struct State has a member for each variable; aggregates are structs of raw codes. What a rule may have
//              written is packed after it has fired.
//   packed     State has the words of the packed state, and a part of it is a place in these
//              (native/runtime/packed_places.h). Nothing is packed or unpacked, so it is better for large states, of
//              which a rule needs little.
//
// In the packed form, type number 5 has three names: t5 is a value of it (the raw code of a scalar), p5 a place, h5
// what a variable is held in. l3 is the place of local 3, and h_l3 the value in which that is.
#pragma once

#include <cstdint>
#include <string>

#include "ir/program.h"
#include "native/text/cpp_types.h"

namespace strata::native {

class PlaceForm {
 public:
  enum class Kind { unpacked, packed };
  explicit PlaceForm(Kind kind = Kind::unpacked) : kind_(kind) {}

  bool is_packed() const { return kind_ == Kind::packed; }

  // Places: a variable of the state, what is selected from a place, and a value that a function returned.
  std::string variable(const ir::Program& program, size_t variable) const;
  std::string field(const std::string& base, uint32_t field) const;
  std::string element(const std::string& base, const std::string& position) const;
  std::string in_value(const CppTypes& types, ir::TypeId type, const std::string& value) const;

  // Whether a slot of a multiset has an element.
  std::string is_used(const std::string& multiset, const std::string& slot) const;

  // The declaration of a local variable, and that of a local as the name of an aggregate value.
  std::string local_variable(const CppTypes& types, ir::TypeId type, size_t local) const;
  std::string named_aggregate(const CppTypes& types, ir::TypeId type, size_t local,
                              const std::string& value) const;
  // The types of parameters that are places of the caller: to be written to, or aggregates to be read.
  std::string place_parameter(const CppTypes& types, ir::TypeId type) const;
  std::string aggregate_parameter(const CppTypes& types, ir::TypeId type) const;

 private:
  Kind kind_;
};

}  // namespace strata::native
