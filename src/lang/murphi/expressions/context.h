// The context of checking and lowering a model: the program so far, the names in scope, and the current function or
// rule.
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
#include "lang/common/symbols.h"
#include "lang/murphi/syntax/murphi_ast.h"
#include "lang/murphi/types/name_scope.h"
#include "lang/murphi/types/types.h"

namespace strata::murphi {

// A write of a function that depends on what a callee writes, when the callee is not lowered yet.
struct DeferredWrite {
  uint32_t callee = 0;
  std::optional<uint32_t> through;  // if the callee writes this formal of its own; none: the state
  std::optional<uint32_t> formal;   // the caller writes this formal of its own; none: the state
};

struct FunctionInfo {
  struct Formal {
    std::string name;
    ir::TypeId type = ir::kNoType;
    bool by_reference = false;
    bool written = false;  // a formal by reference that the function changes
  };
  std::string name;
  bool is_procedure = false;
  ir::TypeId result = ir::kNoType;
  std::vector<Formal> formals;
  bool writes_state = false;
  std::vector<DeferredWrite> deferred;
};

// The target of a write through a local name.
struct LocalInfo {
  enum class Root { itself, state, formal };
  bool writable = false;
  Root root = Root::itself;
  uint32_t formal = 0;
  bool plain = true;  // not an alias of an element or field
};

// The function, rule or property that is being lowered. Locals are numbered within it.
struct Callable {
  std::vector<ir::Local> locals;
  std::vector<LocalInfo> infos;  // one for each local
  FunctionInfo* function = nullptr;
  bool returns_undefined = false;  // may return an undefined value

  uint32_t add(ir::Local local, LocalInfo info);
};

// Predeclared; models cannot declare it.
inline constexpr const char* kBooleanName = "boolean";

struct Context;

// The types of `a, b : T` are one type: the names share it in the tree, and so do the declared names.
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
        symbols(options.symbols),
        undefined(options.is("undefined", "strict") ? UndefinedRules::strict : UndefinedRules::cmurphi) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Model* model;
  Diagnostics* diagnostics;
  ir::Program program;
  TypeTable types;
  Scopes scopes;
  std::vector<FunctionInfo> functions;  // program.functions, and those of which only the head is lowered yet
  size_t settled_functions = 0;         // the functions before this number: it is known what they write
  Callable callable;
  std::vector<ir::Binding> bindings;  // of the constructs that enclose the current rule, the outermost first
  std::map<std::string, uint32_t>
      process_families;  // the first process of each type of a rule's first parameter
  SharedTypes variable_types;
  lang::Defines defines;
  lang::SymbolTable* symbols;  // null: nobody asks for them
  const UndefinedRules undefined;
  const char* pure = nullptr;  // "an invariant" ...: the current construct, which must not change the state
  std::vector<SourcePosition>* guard_writes = nullptr;  // receives where the current guard changes the state
  uint64_t state_bits = 0;
  bool element_names = false;  // in expressions of the command line: values of scalarsets have names (Proc_1)

  void error(SourcePosition position, std::string message) {
    diagnostics->error(position, std::move(message));
  }
  // Records the declaration for editors.
  void record(const std::string& name, const Symbol& symbol);
  // Declares a name; reports it if this scope already has it.
  void declare(const std::string& name, Symbol symbol);
  // Looks up a name; null, after a message, if it is unknown. `what`: "name", "type", "function".
  const Symbol* find(const std::string& name, SourcePosition position, const char* what);
  // The value of a scalarset with this name, if such values have names here.
  const Symbol* find_element(const std::string& name);
  // Records a write through the place for the current function; reports an error if `pure` is set.
  void note_write(const ir::Place& place, SourcePosition position);
  void note_state_write(SourcePosition position);
  // Records that the place is passed by reference as this formal of a called function.
  void note_argument(const ir::Place& place, uint32_t callee, uint32_t formal, SourcePosition position);
  void note_call(uint32_t callee, SourcePosition position);
  // Computes what the functions write. Call it when all functions so far are lowered.
  void settle_functions();
};

}  // namespace strata::murphi
