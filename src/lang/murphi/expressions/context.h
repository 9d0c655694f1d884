// What checking and lowering a model goes through with: the program so far, the names in scope, and the
// function or rule at hand.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "ir/program.h"
#include "lang/common/defines.h"
#include "lang/common/language_options.h"
#include "lang/murphi/syntax/murphi_ast.h"
#include "lang/murphi/types/name_scope.h"
#include "lang/murphi/types/types.h"

namespace strata::murphi {

// What a function writes if another one, which it calls and which is not lowered yet, writes it.
struct DeferredWrite {
  uint32_t callee = 0;
  std::optional<uint32_t> through;  // this formal of the callee; none: the state
  std::optional<uint32_t> formal;   // what is then written: this formal of the caller; none: the state
};

struct FunctionInfo {
  struct Formal {
    std::string name;
    ir::TypeId type = ir::kNoType;
    bool by_reference = false;
    bool written = false;  // by reference, and the function changes it
  };
  std::string name;
  bool is_procedure = false;
  ir::TypeId result = ir::kNoType;
  std::vector<Formal> formals;
  bool writes_state = false;
  std::vector<DeferredWrite> deferred;
};

// What a local name leads to when something is written through it.
struct LocalInfo {
  enum class Root { itself, state, formal };
  bool writable = false;
  Root root = Root::itself;
  uint32_t formal = 0;
  bool plain = true;  // no alias of an element or field
};

// The function, rule or property that is being lowered. Locals are numbered within it.
struct Callable {
  std::vector<ir::Local> locals;
  std::vector<LocalInfo> infos;  // one for each local
  FunctionInfo* function = nullptr;
  bool returns_undefined = false;  // possibly

  uint32_t add(ir::Local local, LocalInfo info);
};

// Predeclared, and not to be declared again.
inline constexpr const char* kBooleanName = "boolean";

struct Context;

// Types of `a, b : T` are one type: the tree shares it, and so do the declared names.
class SharedTypes {
 public:
  ir::TypeId lower(Context& context, const std::shared_ptr<TypeExpr>& type);

 private:
  const TypeExpr* last_ = nullptr;
  ir::TypeId last_type_ = ir::kNoType;
};

// Where an undefined value may go (undefined.h); --undefined.
enum class UndefinedRules { cmurphi, strict };

struct Context {
  Context(const Model& tree, const LanguageOptions& options, Diagnostics& messages)
      : model(&tree),
        diagnostics(&messages),
        types(program.types),
        defines(options.defines),
        undefined(options.is("undefined", "strict") ? UndefinedRules::strict : UndefinedRules::cmurphi) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Model* model;
  Diagnostics* diagnostics;
  ir::Program program;
  TypeTable types;
  Scopes scopes;
  std::vector<FunctionInfo>
      functions;                 // program.functions, and those whose head is known but not yet the body
  size_t settled_functions = 0;  // of the others it is not known yet what they write
  Callable callable;
  std::vector<ir::Binding> bindings;  // what stands around the rule at hand, from the outside in
  std::map<std::string, uint32_t> process_families;  // the first process of each type of first parameters
  SharedTypes variable_types;
  lang::Defines defines;
  const UndefinedRules undefined;
  const char* pure = nullptr;  // in "an invariant" ...: the state must not change here
  std::vector<SourcePosition>* guard_writes = nullptr;  // in a guard: where it changes the state
  uint64_t state_bits = 0;
  bool element_names =
      false;  // the values of scalarsets have names, Proc_1: in expressions of the command line

  void error(SourcePosition position, std::string message) {
    diagnostics->error(position, std::move(message));
  }
  // Reports a name that this scope has already.
  void declare(const std::string& name, Symbol symbol);
  // The name looked up; null (and reported) when there is none. `what`: "name", "type", "function".
  const Symbol* find(const std::string& name, SourcePosition position, const char* what);
  // The value of a scalarset with this name, where such values have names.
  const Symbol* find_element(const std::string& name);
  // Something is written through the place: remembered for the function at hand, refused where `pure` is set.
  void note_write(const ir::Place& place, SourcePosition position);
  void note_state_write(SourcePosition position);
  // The place is passed as this formal, by reference; the function is called.
  void note_argument(const ir::Place& place, uint32_t callee, uint32_t formal, SourcePosition position);
  void note_call(uint32_t callee, SourcePosition position);
  // All functions so far are lowered: works out what they write.
  void settle_functions();
};

}  // namespace strata::murphi
