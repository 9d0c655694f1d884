// ir::Program -> Model: emits C++, compiles it with the user's compiler (or finds it compiled in the cache), loads it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "ir/program.h"
#include "model/model.h"

namespace strata::native {

struct LoadOptions {
  std::string cache_dir;  // empty: by the environment (native/compile/cache_folder.h)
  // Whether an error state (ir::ErrorState) is a failure, or a state as others that
  // Model::reached_error_state() tells of.
  bool fail_error_states = false;
  // Told what goes on when a model is compiled that takes more than a moment; empty: nobody is.
  std::function<void(const std::string&)> tell;
};

struct LoadStats {
  double seconds = 0;       // emitting, compiling, loading
  bool from_cache = false;  // nothing had to be compiled
  uint64_t program = 0;     // a hash of the C++ text that the model became
  std::string note;         // what the user should know of the cache; empty: nothing
};

Result<std::unique_ptr<Model>> load(ir::Program program, const LoadOptions& options,
                                    LoadStats* stats = nullptr);

}  // namespace strata::native
