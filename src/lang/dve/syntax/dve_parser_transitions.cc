#include "lang/dve/syntax/dve_parser_impl.h"

namespace strata::dve {

using Kind = TokenKind;

// trans a -> b { ... }, c -> d { ... };
void Parser::transitions(Process& process) {
  next();
  while (true) {
    const size_t start = index();
    transition(process);
    recover(start, Boundary::transition);
    if (!accept(Kind::comma)) break;
  }
  // The semicolon may be missing before the closing brace.
  if (!at(Kind::right_brace)) expect(Kind::semicolon, "after the transitions");
}

// The source may be omitted: it is then the source of the previous transition.
void Parser::transition(Process& process) {
  Transition transition;
  transition.position = peek().position;
  if (at(Kind::arrow) && !process.transitions.empty()) {
    transition.from = process.transitions.back().from;
  } else {
    transition.from = name("the name of a state");
  }
  expect(Kind::arrow, "after the source of the transition");
  transition.to = name("the name of a state");
  expect(Kind::left_brace, "after the transition's states");
  if (accept(Kind::word_guard)) {
    transition.guard = expression();
    expect(Kind::semicolon, "after the guard");
  }
  if (at(Kind::word_sync)) sync(transition);
  if (accept(Kind::word_effect)) effects(transition);
  if (at(Kind::word_guard) || at(Kind::word_sync))
    return fail("a transition has one guard, then one sync, then its effects");
  if (expect(Kind::right_brace, "after the transition")) process.transitions.push_back(std::move(transition));
}

// sync c!value;  sync P->c?{x, y};
void Parser::sync(Transition& transition) {
  next();
  auto sync = std::make_unique<Sync>();
  sync->channel = name("the name of a channel");
  if (at(Kind::left_parenthesis) || at(Kind::arrow)) {
    sync->process = sync->channel.text;
    if (at(Kind::left_parenthesis)) {
      sync->keyed = true;
      keys(sync->keys);
    }
    expect(Kind::arrow, "after the process");
    sync->channel = name("the name of a channel");
  }
  sync->send = at(Kind::exclamation);
  if (!accept(Kind::exclamation) && !accept(Kind::question))
    return fail_expected("'!' or '?' after the channel");
  sync_values(*sync);
  expect(Kind::semicolon, "after the synchronisation");
  transition.sync = std::move(sync);
}

void Parser::sync_values(Sync& sync) {
  if (at(Kind::semicolon)) return;
  if (!accept(Kind::left_brace)) {
    sync.values.push_back(expression());
    return;
  }
  do sync.values.push_back(expression());
  while (accept(Kind::comma));
  expect(Kind::right_brace, "after the values");
}

void Parser::effects(Transition& transition) {
  do {
    Assignment assignment;
    assignment.target = primary();
    assignment.position = peek().position;
    expect(Kind::assign, "after the variable");
    assignment.value = expression();
    transition.effects.push_back(std::move(assignment));
  } while (accept(Kind::comma));
  expect(Kind::semicolon, "after the effects");
}

// assert a : x < 3, b : y == 1;
void Parser::assertions(Process& process) {
  next();
  do {
    Assertion assertion;
    assertion.state = name("the name of a state");
    expect(Kind::colon, "after the state");
    assertion.condition = expression();
    process.assertions.push_back(std::move(assertion));
  } while (accept(Kind::comma));
  expect(Kind::semicolon, "after the assertions");
}

}  // namespace strata::dve
