// The contents of results and counterexamples.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "api/run.h"
#include "api/strata.h"

namespace strata::api {

struct Result::Implementation {
  Implementation(std::shared_ptr<const Run> run_, std::optional<Error> error_)
      : run(std::move(run_)), error(std::move(error_)) {}

  // Null: the check did not begin.
  const std::shared_ptr<const Run> run;
  const std::optional<Error> error;
};

struct Counterexample::Implementation {
  const std::shared_ptr<const Run> run;
  const strata::Counterexample& found;  // within the run

  const strata::Model& model() const { return run->check->model(); }
};

}  // namespace strata::api
