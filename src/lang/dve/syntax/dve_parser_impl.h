// The DVE parser: recursive descent, one function for each construct of the language, in the files
//   dve_parser.cc              the model, declarations, processes
//   dve_parser_transitions.cc  transitions and assertions
//   dve_parser_expressions.cc  expressions
//   dve_parser_recovery.cc     recovery after an error
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/common/token_cursor.h"
#include "lang/dve/syntax/dve_ast.h"
#include "lang/dve/syntax/dve_lexer.h"

namespace strata::dve {

class Parser : private lang::TokenCursor<TokenKind> {
 public:
  Parser(const SourceFile& file, std::vector<Token> tokens, Diagnostics& diagnostics)
      : TokenCursor(file, std::move(tokens), diagnostics) {}
  Model model();
  ExprPtr lone_expression();

 private:
  // An identifier with this text: a word that only some models reserve.
  bool at_word(std::string_view word, size_t ahead = 0) const {
    return at(TokenKind::identifier, ahead) && text(peek(ahead)) == word;
  }
  std::string found() const override;
  std::string hint(std::string_view expected) const override;

  // dve_parser_recovery.cc
  // Ends a panic: after the next ';' (or the next ',' of the same depth, for transitions), before a '}' that closes an
  // enclosing construct, or before a word that opens a part; but at least one token after `start`.
  enum class Boundary { declaration, part, transition };
  void recover(size_t start, Boundary boundary);
  bool is_boundary(TokenKind kind, Boundary boundary) const;

  // dve_parser.cc
  void item(Model& model);
  void system(Model& model);
  void property(Model& model);
  void named_expression(Model& model);
  bool at_declaration() const;
  void declaration(std::vector<Declaration>& declarations);
  void variables(std::vector<Declaration>& declarations, bool constant);
  void initialiser(VariableDecl& variable);
  void channels(std::vector<Declaration>& declarations);
  void process(Model& model);
  void formals(Process& process);
  void process_part(Process& process);
  void names(std::vector<Name>& list, std::string_view what, std::string_view where);
  void instance(Model& model, Name loop, ExprPtr from, ExprPtr to);
  void instance_loop(Model& model);

  // dve_parser_transitions.cc
  void transitions(Process& process);
  void transition(Process& process);
  void sync(Transition& transition);
  void sync_values(Sync& sync);
  void effects(Transition& transition);
  void assertions(Process& process);

  // dve_parser_expressions.cc
  ExprPtr expression(int level = 0);
  ExprPtr unary();
  ExprPtr primary();
  ExprPtr reference();
  void optional_index(Expr& reference);
  void keys(std::vector<ExprPtr>& list);
  ExprPtr finish(ExprPtr expr, size_t first);
};

}  // namespace strata::dve
