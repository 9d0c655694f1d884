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

// For DVE: DiVinE's formulas have operators and names without a blank between them: Fp is F p where p is a condition
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
SourceFile formula_source(const ir::Program& program, const ir::Formula& formula) {
  return SourceFile(fmt::format("{}: property {}", formula.path, formula.name),
                    program.language == "dve" ? separated(program, formula.text) : formula.text);
}

// A note that the formulas beside the model are not checked, because --property names none. Empty: there are no
// formulas.
std::string unchecked_formulas(const ir::Program& program) {
  constexpr size_t kShown = 8;
  std::vector<ir::Formula> formulas;
  for (const ir::Formula& formula : program.formulas)
    if (!formula.checked) formulas.push_back(formula);
  const size_t count = formulas.size();
  if (count == 0 || program.formula) return "";
  std::string names;
  for (size_t i = 0; i < std::min(count, kShown); ++i)
    names += (i == 0 ? "" : i + 1 == count ? " or " : ", ") + formulas[i].name;
  if (count > kShown) names += " ...";
  const std::string first = formulas.front().path, last = formulas.back().path;
  const std::string files =
      first == last ? fmt::format("'{}'", first) : fmt::format("'{}' and '{}'", first, last);
  return count == 1 ? fmt::format("the formula of {} is not checked; --property {} checks it", files, names)
                    : fmt::format("the {} formulas of {} are not checked; --property {} checks one of them",
                                  count, files, names);
}

bool has_goals(const ir::Program& program) {
  return std::any_of(program.properties.begin(), program.properties.end(), [](const ir::Property& property) {
    return property.kind == ir::Property::Kind::liveness;
  });
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

Question ModelFile::question(const Asking& asking) {
  property_ = asking.property;
  Question question;
  question.formulas = asking.formulas;
  question.model = asking.model;
  question.automaton = asking.automaton;
  question.propositions = asking.propositions;
  question.finite_paths = options_.ignore_finite ? FinitePaths::ignore : FinitePaths::stutter;
  question.fairness = options_.fairness;
  if (asking.automaton) {
    asked_ = asking.automaton->text();
    if (keeps_sources()) sources_.push_back(*asking.automaton);
  }
  for (const SourceFile& formula : asking.formulas)
    asked_ += (asked_.empty() ? "" : "\n") + std::string(formula.text());
  return question;
}

Result<std::vector<Asking>> ModelFile::properties() {
  std::vector<Asking> askings;
  const bool named = options_.named_properties() != 0;
  // An additional invariant is one of the model's own properties.
  if (!named || options_.safety || !options_.invariants.empty()) {
    Result<Asking> own = own_properties();
    if (!own.ok()) return own.status();
    askings.push_back(std::move(*own));
  }
  if (!named && !options_.safety && program_)
    for (const ir::Formula& formula : program_->formulas)
      if (formula.checked)
        askings.push_back({formula.name, false, "", {formula_source(*program_, formula)}, {}, false});
  for (const std::string& name : options_.properties) {
    Result<Asking> asking = named_property(name);
    if (!asking.ok()) return asking.status();
    // `none` may stand beside --safety, or twice.
    const bool own = asking->model && asking->property == kNoPropertyName;
    const bool known = std::any_of(askings.begin(), askings.end(), [](const Asking& other) {
      return other.model && (other.property.empty() || other.property == kNoPropertyName);
    });
    if (!own || !known) askings.push_back(std::move(*asking));
  }
  for (const std::string& text : options_.formulas)
    askings.push_back({text, false, "", {SourceFile("--ltl", text)}, {}, false});
  for (const std::string& path : options_.automata) {
    const Result<SourceFile> source = SourceFile::load(path);
    if (!source.ok()) return source.status();
    askings.push_back({path, false, "", {}, *source, false});
  }
  return askings;
}

// The options may name other properties, which replace a property process of the model.
Result<Asking> ModelFile::own_properties() {
  Asking own;
  own.name = "the model's own properties";
  own.model = true;
  if (is_object(options_)) return own;
  if (options_.named_properties() != 0) own.property = kNoPropertyName;
  property_ = own.property;
  Result<ir::Program> program = read({});
  if (!program.ok()) return program.status();
  remarks_.note(program->note);
  if (options_.named_properties() == 0 && !options_.safety) remarks_.note(unchecked_formulas(*program));
  own.with_goals = has_goals(*program);
  program_ = std::move(*program);
  read_for_ = property_;
  return own;
}

Result<Asking> ModelFile::named_property(const std::string& name) {
  Asking asking;
  asking.name = name;
  asking.property = property_ = name;
  if (is_object(options_)) {
    asking.model = true;  // loading it refuses the option
    return asking;
  }
  Result<ir::Program> program = read({});
  if (!program.ok()) return program.status();
  if (!program_) remarks_.note(program->note);
  if (program->formula) {
    asking.property = kNoPropertyName;
    asking.formulas = {formula_source(*program, program->formulas[*program->formula])};
  } else {
    asking.model = true;
    asking.with_goals = has_goals(*program);
    if (name == kNoPropertyName) asking.name = "the model's own properties";
  }
  program_ = std::move(*program);
  read_for_ = property_;
  return asking;
}

Result<std::vector<uint32_t>> ModelFile::reduction(const std::vector<std::string>& propositions) const {
  ReadRequest request;
  request.property = property_;
  request.propositions = propositions;
  Result<ir::Program> program = read_program(options_, request);
  if (!program.ok()) return program.status();
  ir::choose_reduction(*program, {options_.symmetry, !options_.fairness.empty()});
  return program->reduced;
}

Result<ir::Program> ModelFile::read(const LoadRequest& request) {
  ReadRequest reading;
  reading.property = property_;
  reading.propositions = request.propositions;
  reading.places = {request.formula, request.places};
  if (!keeps_sources()) return read_program(options_, reading);
  std::vector<SourceFile> files;
  reading.sources = &files;
  Result<ir::Program> program = read_program(options_, reading);
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
  if (!request.propositions.empty() || read_for_ != property_) return read(request);
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
  const std::vector<std::string> notes =
      ir::choose_reduction(*program, {options_.symmetry, !options_.fairness.empty()});
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
