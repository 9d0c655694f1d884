// The parser's inside: recursive descent, one function for each construct of the language, in the files
//   parser.cc              the model, declarations, processes
//   parser_transitions.cc  transitions and assertions
//   parser_expressions.cc  expressions
//   parser_cursor.cc       the place in the token list, messages, recovery
//
// After an error the cursor panics: until recover() ends the panic, every look at the tokens shows the end of the file.
// So the grammar functions need no error checks of their own: each loop ends, each expectation fails, without a further
// message, and control returns to a place that knows how to go on.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "lang/dve/syntax/ast.h"
#include "lang/dve/syntax/lexer.h"

namespace strata::dve {

class Parser {
 public:
  Parser(const SourceFile& file, std::vector<Token> tokens, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), tokens_(std::move(tokens)) {}
  Model model();
  ExprPtr lone_expression();

 private:
  // parser_cursor.cc
  const Token& peek(size_t ahead = 0) const;
  bool at(TokenKind kind, size_t ahead = 0) const { return peek(ahead).kind == kind; }
  bool at_end() const { return at(TokenKind::end_of_file); }
  // An identifier with this text: a word that only some models reserve.
  bool at_word(std::string_view word, size_t ahead = 0) const;
  const Token& next();
  bool accept(TokenKind kind);
  // `where` completes the message: expected ';' <where>, found 'x'.
  bool expect(TokenKind kind, std::string_view where);
  Name name(std::string_view what);
  std::string_view text(const Token& token) const;
  // Tokens [first, end) on one line without comments; long texts are cut.
  std::string text_between(size_t first, size_t end) const;
  void fail(std::string message);
  void fail_at(SourcePosition position, std::string message);
  void fail_expected(std::string_view what);
  std::string found() const;
  // Ends a panic: behind the next ';' (or ',' of the same depth, for transitions), in front of a '}' that closes what
  // was open, or in front of a word that opens a part; but at least one token behind `start`.
  enum class Boundary { declaration, part, transition };
  void recover(size_t start, Boundary boundary);
  bool is_boundary(size_t index, Boundary boundary) const;

  // parser.cc
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

  // parser_transitions.cc
  void transitions(Process& process);
  void transition(Process& process);
  void sync(Transition& transition);
  void sync_values(Sync& sync);
  void effects(Transition& transition);
  void assertions(Process& process);

  // parser_expressions.cc
  ExprPtr expression(int level = 0);
  ExprPtr unary();
  ExprPtr primary();
  ExprPtr reference();
  void index(Expr& reference);
  void keys(std::vector<ExprPtr>& list);
  ExprPtr finish(ExprPtr expr, size_t first);

  const SourceFile& file_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  size_t index_ = 0;
  bool panic_ = false;
  bool given_up_ = false;
  uint32_t nesting_ = 0;
};

}  // namespace strata::dve
