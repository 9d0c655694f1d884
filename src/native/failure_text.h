// Failures of a compiled model in words. The code has numbers for them; what these mean is in the program and
// in the table of sites that was made with the code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/program.h"
#include "model/model.h"
#include "native/text/emission.h"

namespace strata::native {

// ", p:Proc_1, v:2": the values of the parameters, decoded from the number of the instance among those of the bindings.
std::string parameter_text(const ir::Program& program, const std::vector<ir::Binding>& bindings,
                           const std::vector<ir::Local>& locals, uint64_t instance);

class FailureTexts {
 public:
  FailureTexts(const ir::Program& program, const std::vector<Site>& sites)
      : program_(program), sites_(sites) {}

  FailureText describe(const Failure& failure) const;

 private:
  FailureText describe_property(const ir::Property& p, const Failure& failure) const;
  std::string site_message(const Site& s, int64_t value) const;
  std::string value_text(int64_t value, ir::TypeId target) const;
  std::string domain_text(ir::TypeId type) const;
  std::string multiset_text(const Site& s, int64_t variable) const;
  std::string evaluated_text(uint32_t property) const;

  const ir::Program& program_;
  const std::vector<Site>& sites_;
};

}  // namespace strata::native
