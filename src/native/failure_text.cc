#include "native/failure_text.h"

#include <fmt/format.h>

#include "ir/layout.h"

namespace strata::native {

std::string parameter_text(const ir::Program& program, const std::vector<ir::Binding>& bindings,
                           const std::vector<ir::Local>& locals, uint64_t instance) {
  std::string text;
  for (size_t i = bindings.size(); i-- > 0;) {
    const ir::Binding& b = bindings[i];
    const std::string& name = locals[b.local].name;
    if (b.kind == ir::Binding::Kind::parameter) {
      const uint64_t size = ir::domain_size(program, b.domain);
      text.insert(0, fmt::format(", {}:{}", name, ir::domain_text(program, b.domain, instance % size)));
      instance /= size;
    } else if (b.kind == ir::Binding::Kind::choose) {
      const uint64_t size = program.types[b.place->type].multiset()->capacity;
      text.insert(0, fmt::format(", {}:{}", name, instance % size));
      instance /= size;
    }
  }
  return text;
}

// A value as the model writes it: values of enums and scalarsets belong to just one of them.
std::string FailureTexts::value_text(int64_t value, ir::TypeId target) const {
  const ir::Segment& like = program_.types[target].scalar()->segments.front();
  if (like.names.empty() && like.prefix.empty()) return std::to_string(value);
  for (const ir::Type& type : program_.types)
    for (const ir::Segment& s : type.scalar() ? type.scalar()->segments : std::vector<ir::Segment>())
      if ((!s.names.empty() || !s.prefix.empty()) && value >= s.lo && value <= s.hi)
        return ir::value_text(*type.scalar(), value);
  return std::to_string(value);
}

// What belongs to the type: 0..3, or its name.
std::string FailureTexts::domain_text(ir::TypeId type) const {
  const ir::Segment& s = program_.types[type].scalar()->segments.front();
  return s.names.empty() && s.prefix.empty() ? fmt::format("{}..{}", s.lo, s.hi) : program_.types[type].name;
}

// A multiset by the state variable it is in, where it is in one: its name in a procedure is just that of a parameter.
std::string FailureTexts::multiset_text(const Site& s, int64_t variable) const {
  if (variable < 0) return "multiset " + s.text;
  const ir::StateVariable& in = program_.state[static_cast<size_t>(variable)];
  if (program_.types[in.type].multiset() != nullptr) return "multiset " + in.name;
  const bool named_by_path = s.text.starts_with(in.name);
  return named_by_path ? "multiset " + s.text
                       : fmt::format("multiset {}, which is part of {},", s.text, in.name);
}

std::string FailureTexts::site_message(const Site& s, int64_t value) const {
  switch (s.kind) {
    case Site::Kind::undefined: return fmt::format("{} is read but undefined", s.text);
    case Site::Kind::range:
      return fmt::format("{} is not in {} for {}", value_text(value, s.type), domain_text(s.type), s.text);
    case Site::Kind::index:
      return fmt::format("index {} is not in {} in {}", value_text(value, s.type), domain_text(s.type),
                         s.text);
    case Site::Kind::division: return "division by zero";
    case Site::Kind::overflow: return "integer overflow";
    case Site::Kind::while_limit:
      return fmt::format("while loop ran for more than {} rounds", ir::kWhileLimit);
    case Site::Kind::call_limit:
      return fmt::format("function {} calls itself more than {} times, or more often than the stack allows",
                         s.text, ir::kCallLimit);
    case Site::Kind::no_return: return fmt::format("function {} ended without returning a value", s.text);
    case Site::Kind::multiset_full: return multiset_text(s, value) + " is full";
    case Site::Kind::multiset_slot: return fmt::format("no such element in multiset {}", s.text);
    case Site::Kind::step: return "for loop with step 0";
    case Site::Kind::assertion:
      return s.text.empty() ? "Assertion failed." : fmt::format("Assertion failed: {}", s.text);
    case Site::Kind::error_statement: return fmt::format("Error: {}", s.text);
    case Site::Kind::error_state: return "run-time error in the last step";
    case Site::Kind::no_start: return "there is no start state: the assumptions exclude all of them";
  }
  return "";
}

FailureText FailureTexts::describe_property(const ir::Property& p, const Failure& failure) const {
  const bool cover = p.kind == ir::Property::Kind::cover, assertion = p.kind == ir::Property::Kind::assertion;
  if (p.kind == ir::Property::Kind::liveness) {
    const std::string what = p.named ? fmt::format("Liveness property \"{}\"", p.name) : p.name;
    return {FailureText::Verdict::invariant,
            fmt::format("{} violated{}: its condition cannot be reached from the last state.", what,
                        p.parameters),
            p.position};
  }
  const char* kind = cover ? "Cover" : assertion ? "Assertion" : "Invariant";
  const std::string name = p.named ? fmt::format("{} \"{}\"", kind, p.name) : p.name;
  const std::string instance =
      cover ? "" : parameter_text(program_, p.bindings, p.locals, static_cast<uint64_t>(failure.value));
  return {assertion ? FailureText::Verdict::assertion : FailureText::Verdict::invariant,
          name + instance + (cover ? " was never reached." : " failed."), p.position};
}

// Which property could not be evaluated: " in the proposition x > 3".
std::string FailureTexts::evaluated_text(uint32_t property) const {
  if (property == kNoProperty) return "";
  const ir::Property& p = program_.properties[property];
  if (p.kind == ir::Property::Kind::proposition) return fmt::format(", in the proposition '{}'", p.name);
  return fmt::format(", in {}", p.named ? fmt::format("\"{}\"", p.name) : p.name);
}

FailureText FailureTexts::describe(const Failure& failure) const {
  if (failure.kind == Failure::Kind::deadlock)
    return {FailureText::Verdict::deadlock, "Deadlocked state found.", {}};
  if (failure.kind == Failure::Kind::property)
    return describe_property(program_.properties[failure.detail], failure);
  const Site& s = sites_[failure.detail];
  const bool assertion = s.kind == Site::Kind::assertion || s.kind == Site::Kind::error_statement;
  FailureText text{assertion ? FailureText::Verdict::assertion : FailureText::Verdict::error,
                   site_message(s, failure.value) + evaluated_text(failure.evaluated), s.position};
  if (!assertion && program_.source != nullptr) text.excerpt = program_.source->excerpt(s.position);
  return text;
}

}  // namespace strata::native
