#include "check/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "base/hash.h"
#include "base/text/units.h"
#include "check/load_model.h"
#include "ir/layout.h"
#include "ir/symmetry/reduction.h"

namespace strata {
namespace {

// DiVinE's formulas have operators and names without a blank between them: Fp is F p where p is a condition
// and Fp is none.
std::string separated(const ir::Program& program, const std::string& text) {
  const auto is_condition = [&](const std::string& name) {
    return std::any_of(program.propositions.begin(), program.propositions.end(),
                       [&](const ir::Proposition& own) { return own.name == name; });
  };
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && in_word(text[end])) ++end;
    std::string word = text.substr(i, std::max<size_t>(end - i, 1));
    const size_t letters = std::min(word.find_first_not_of("GFX"), word.size());
    for (size_t k = 1; k <= letters && !is_condition(word); ++k) {
      if (!is_condition(word.substr(k))) continue;
      word.insert(k, " ");
      break;
    }
    out += word;
    i = std::max(end, i + 1);
  }
  return out;
}

// The formula as a source, so that messages show where in it the mistake is.
SourceFile formula_source(const ir::Program& program) {
  const ir::Formula& formula = program.formulas[*program.formula];
  return SourceFile(fmt::format("{}: property {}", formula.path, formula.name),
                    separated(program, formula.text));
}

// A note that the formulas beside the model are not checked, because --property names none. Empty: there are no
// formulas.
std::string unchecked_formulas(const ir::Program& program) {
  constexpr size_t kShown = 8;
  const size_t count = program.formulas.size();
  if (count == 0 || program.formula) return "";
  std::string names;
  for (size_t i = 0; i < std::min(count, kShown); ++i)
    names += (i == 0 ? "" : i + 1 == count ? " or " : ", ") + program.formulas[i].name;
  if (count > kShown) names += " ...";
  const std::string first = program.formulas.front().path, last = program.formulas.back().path;
  const std::string files =
      first == last ? fmt::format("'{}'", first) : fmt::format("'{}' and '{}'", first, last);
  return count == 1 ? fmt::format("the formula of {} is not checked; --property {} checks it", files, names)
                    : fmt::format("the {} formulas of {} are not checked; --property {} checks one of them",
                                  count, files, names);
}

// Liveness properties are evaluated as propositions are, one bit each.
Status add_goals(ir::Program& program) {
  for (uint32_t i = 0; i < program.properties.size(); ++i)
    if (program.properties[i].kind == ir::Property::Kind::liveness) program.atoms.push_back(i);
  if (program.atoms.size() <= 64) return {};
  return Status::model(fmt::format(
      "{}: the model has {} liveness properties, rulesets counted by instances; at most 64 are possible",
      program.path, program.atoms.size()));
}

// A search holds several states in its buffers, and the text of the compiled program grows with the state.
Status check_state_size(const ir::Program& program, uint64_t memory) {
  constexpr uint64_t kLeastStates = 16;
  const uint64_t bytes = ir::state_bits(program) / 8 + 1;
  if (bytes <= memory / kLeastStates) return {};
  return Status::limit(fmt::format(
      "--memory {} is too small for the states of this model, of {} each; raise it to {} at least",
      mebibytes_text(memory), mebibytes_text(bytes), whole_mebibytes_text(bytes * kLeastStates)));
}

}  // namespace

Result<uint64_t> ModelFile::identity() const {
  uint64_t parts[] = {hash_bytes(asked_.data(), asked_.size()), stats_.program};
  if (is_object(options_)) {
    const Result<SourceFile> bytes = SourceFile::load(options_.model);
    if (!bytes.ok()) return bytes.status();
    parts[1] = hash_bytes(bytes->text().data(), bytes->text().size());
  }
  return hash_bytes(parts, sizeof parts);
}

Result<Question> ModelFile::question() {
  Result<Question> question = find_question();
  if (!question.ok()) return question;
  if (question->automaton) asked_ = question->automaton->text();
  if (question->formula) asked_ = question->formula->text();
  return question;
}

Result<Question> ModelFile::find_question() {
  Question question;
  question.finite_paths = options_.ignore_finite ? FinitePaths::ignore : FinitePaths::stutter;
  question.weak_fairness = options_.fair;
  if (!options_.automaton.empty()) {
    const Result<SourceFile> source = SourceFile::load(options_.automaton);
    if (!source.ok()) return source.status();
    question.automaton = *source;
    if (keeps_sources()) sources_.push_back(*source);
  } else if (!options_.ltl.empty()) {
    question.formula = SourceFile("--ltl", options_.ltl);
  } else if (!is_object(options_)) {
    Result<ir::Program> program = read({});
    if (!program.ok()) return program.status();
    remarks_.note(program->note);
    if (program->formula) question.formula = formula_source(*program);
    if (options_.property.empty()) remarks_.note(unchecked_formulas(*program));
    program_ = std::move(*program);
  }
  return question;
}

Result<ir::Program> ModelFile::read(const LoadRequest& request) {
  const FormulaPlaces places{request.formula, request.places};
  if (!keeps_sources()) return read_program(options_, request.propositions, nullptr, places);
  std::vector<SourceFile> files;
  Result<ir::Program> program = read_program(options_, request.propositions, &files, places);
  for (SourceFile& file : files) {
    const auto known = [&](const SourceFile& other) { return other.name() == file.name(); };
    if (std::none_of(sources_.begin(), sources_.end(), known)) sources_.push_back(std::move(file));
  }
  return program;
}

Result<ir::Program> ModelFile::take_program(const LoadRequest& request) {
  if (!program_) {
    Result<ir::Program> program = read(request);
    if (program.ok()) remarks_.note(program->note);
    return program;
  }
  if (!request.propositions.empty()) return read(request);
  Result<ir::Program> program = std::move(*program_);
  program_.reset();
  return program;
}

Result<std::unique_ptr<Model>> ModelFile::load(const LoadRequest& request) {
  if (is_object(options_)) {
    if (!options_.checkpoint.empty() && sources_.empty()) {
      const Result<SourceFile> bytes = SourceFile::load(options_.model);
      if (!bytes.ok()) return bytes.status();
      sources_.push_back(*bytes);
    }
    return load_object_file(options_, request.propositions);
  }
  Result<ir::Program> program = take_program(request);
  if (!program.ok()) return program.status();
  if (request.goals) {
    if (Status status = add_goals(*program); !status.ok()) return status;
  }
  const std::vector<std::string> notes = ir::choose_reduction(*program, {options_.symmetry, options_.fair});
  if (!request.fail_error_states)
    for (const std::string& note : notes) remarks_.note(note);
  const uint64_t memory = options_.memory.value_or(UINT64_MAX);
  if (Status status = check_state_size(*program, memory); !status.ok()) return status;
  native::LoadOptions options;
  options.fail_error_states = request.fail_error_states;
  options.tell = remarks_.note_to;
  return native::load(std::move(*program), options, request.fail_error_states ? nullptr : &stats_);
}

}  // namespace strata
