#include "lang/murphi/expressions/call_graph.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace strata::murphi {
namespace {

// Collects the names called in a body, with work lists instead of recursion.
class CallCollector {
 public:
  std::vector<std::string> collect(const Block& body) {
    add(body);
    while (!statements_.empty() || !expressions_.empty()) {
      if (!statements_.empty()) {
        const Stmt* statement = statements_.back();
        statements_.pop_back();
        visit(*statement);
      } else {
        const Expr* expression = expressions_.back();
        expressions_.pop_back();
        visit(*expression);
      }
    }
    return std::move(calls_);
  }

 private:
  void add(const ExprPtr& expression) {
    if (expression != nullptr) expressions_.push_back(expression.get());
  }
  void add(const std::vector<ExprPtr>& expressions) {
    for (const ExprPtr& expression : expressions) add(expression);
  }
  void add(const Block& block) {
    for (const Stmt& statement : block) statements_.push_back(&statement);
  }
  void add(const std::unique_ptr<Quantifier>& quantifier) {
    if (quantifier == nullptr) return;
    add(quantifier->from);
    add(quantifier->to);
    add(quantifier->by);
  }
  void visit(const Expr& expression) {
    if (expression.kind == Expr::Kind::call) calls_.push_back(expression.text);
    add(expression.args);
    add(expression.quantifier);
  }
  void visit(const Stmt& statement) {
    if (statement.kind == Stmt::Kind::call) calls_.push_back(statement.text);
    add(statement.args);
    add(statement.quantifier);
    for (const AliasDecl& alias : statement.aliases) add(alias.value);
    for (const Branch& branch : statement.branches) {
      add(branch.condition);
      add(branch.block);
    }
    for (const SwitchCase& alternative : statement.cases) {
      add(alternative.values);
      add(alternative.block);
    }
    add(statement.body);
  }

  std::vector<const Stmt*> statements_;
  std::vector<const Expr*> expressions_;
  std::vector<std::string> calls_;
};

}  // namespace

const Function* find_function(const Model& model, const std::string& name) {
  for (const TopLevel& part : model.parts) {
    if (part.kind == TopLevel::Kind::function && part.function.name == name) return &part.function;
  }
  return nullptr;
}

std::vector<std::string> call_path(const Model& model, const std::string& from, const std::string& to) {
  std::unordered_map<std::string, std::string> reached_from;
  std::deque<std::string> waiting = {from};
  while (!waiting.empty()) {
    std::string caller = waiting.front();
    waiting.pop_front();
    const Function* function = find_function(model, caller);
    if (function == nullptr) continue;
    for (const std::string& callee : CallCollector().collect(function->body)) {
      bool first = reached_from.emplace(callee, caller).second;
      if (first && callee != to) waiting.push_back(callee);
      if (callee != to) continue;
      std::vector<std::string> path = {to};
      for (std::string name = caller; name != from; name = reached_from[name]) path.push_back(name);
      path.push_back(from);
      std::reverse(path.begin(), path.end());
      return path;
    }
  }
  return {};
}

}  // namespace strata::murphi
