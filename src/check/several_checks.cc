#include "check/several_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "check/load_model.h"
#include "check/run_search.h"
#include "property/answer/conclude.h"
#include "property/ask/ask.h"

namespace strata {
namespace {

using Kind = Task::Kind;

constexpr const char* kAutomatic = "auto";
// So many conditions can one search look at.
constexpr size_t kMostTogether = 64;

bool about_states(Kind kind) {
  return kind == Kind::safety || kind == Kind::invariant || kind == Kind::reachability;
}

// 2: an error; 1: incomplete; 0: the property holds.
int severity(const SearchResult& result) {
  return result.verdict == Verdict::holds ? 0 : result.verdict == Verdict::incomplete ? 1 : 2;
}

// Whether a condition could not be evaluated, perhaps that of another property.
bool failed_in_condition(const SearchResult& result) {
  return !result.counterexamples.empty() && result.counterexamples.front().failure.evaluated != kNoProperty;
}

// Notes that skip what was told before.
Notes once(const Notes& notes, std::set<std::string>& told) {
  const auto filtered = [&told](const std::function<void(const std::string&)>& to) {
    return [to, &told](const std::string& text) {
      if (to && told.insert(text).second) to(text);
    };
  };
  return {filtered(notes.note_to), filtered(notes.warning_to)};
}

// The options for one property: those that speak of the model's own properties are left to these, and those of infinite
// paths to formulas.
Options options_for(const Options& options, const Asking& asking, bool with_model) {
  Options out = options;
  const bool own = asking.model && (asking.property.empty() || asking.property == kNoPropertyName);
  if (own) out.fairness.clear();
  if (own || !with_model) return out;
  out.deadlock.reset();
  out.max_errors = 1;
  return out;
}

}  // namespace

size_t deciding(const std::vector<PropertyAnswer>& answers) {
  size_t worst = 0;
  for (size_t i = 1; i < answers.size(); ++i)
    if (severity(answers[i].result) > severity(answers[worst].result)) worst = i;
  return worst;
}

SeveralChecks::SeveralChecks(const Options& options, CheckEnvironment environment,
                             std::vector<Asking> askings)
    : options_(options), around_(std::move(environment)) {
  around_.notes = once(around_.notes, noted_);
  const bool with_model =
      std::any_of(askings.begin(), askings.end(), [](const Asking& asking) { return asking.model; });
  for (Asking& asking : askings) {
    Options own = options_for(options, asking, with_model);
    parts_.push_back({std::move(asking), std::move(own), nullptr, std::nullopt});
  }
}

SeveralChecks::~SeveralChecks() = default;

// Those of the formulas; also type-checks them, with messages that show the formula.
Result<std::vector<std::string>> SeveralChecks::all_propositions(const Part& part) const {
  std::vector<std::string> all;
  for (const SourceFile& formula : part.asking.formulas) {
    const Result<LoadRequest> wanted = propositions_of(formula);
    if (!wanted.ok()) return wanted.status();
    all.insert(all.end(), wanted->propositions.begin(), wanted->propositions.end());
    if (is_object(options_)) continue;
    const ReadRequest request{
        part.asking.property, wanted->propositions, {wanted->formula, wanted->places}, nullptr};
    if (const Result<ir::Program> read = read_program(part.options, request); !read.ok())
      return read.status();
  }
  return all;
}

// Whether the property may be answered with a model that evaluates the propositions of other properties.
bool SeveralChecks::can_join(const Part& part) const {
  const Asking& asking = part.asking;
  const bool process = asking.model && !asking.property.empty() && asking.property != kNoPropertyName;
  return !asking.automaton && !asking.with_goals && !process && !is_object(options_);
}

// Sets the same propositions for all properties whose states are reduced by the same symmetries with all propositions
// as with their own.
Status SeveralChecks::share_model() {
  std::vector<std::string> all;
  std::vector<std::vector<std::string>> own;
  for (const Part& part : parts_) {
    Result<std::vector<std::string>> found = all_propositions(part);
    if (!found.ok()) return found.status();
    own.push_back(std::move(*found));
    if (!can_join(part)) continue;
    for (const std::string& text : own.back())
      if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
  }
  if (all.empty() || all.size() > kMostPropositions) return {};
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (!can_join(parts_[i])) continue;
    ModelFile file(parts_[i].options, {});
    file.question(parts_[i].asking);
    const Result<std::vector<uint32_t>> alone = file.reduction(own[i]), together = file.reduction(all);
    if (!alone.ok()) return alone.status();
    if (!together.ok()) return together.status();
    if (*alone == *together) parts_[i].asking.propositions = all;
  }
  shared_ = std::move(all);
  return {};
}

Status SeveralChecks::prepare() {
  if (Status status = share_model(); !status.ok()) return loading_failed(around_.stop, status);
  if (const Result<const Algorithm*> named = choose_algorithm(options_); !named.ok()) return named.status();
  bool suits_one = false;
  std::optional<Status> refused;
  for (Part& part : parts_) {
    const Status status = prepare_part(part, refused);
    if (!status.ok()) return status;
    suits_one |= as_asked(part);
  }
  if (!suits_one) return *refused;
  for (const Part& part : parts_)
    if (!as_asked(part))
      around_.notes.note(fmt::format(
          "{}: auto searches and keeps states exactly, because the algorithm {}{} does not suit this "
          "property",
          part.asking.name, options_.algorithm, options_.store.exact() ? "" : " with signatures"));
  return {};
}

// Whether the algorithm of the options searches for this property, and stores states as they say.
bool SeveralChecks::as_asked(const Part& part) const {
  return part.options.algorithm == options_.algorithm && part.options.store.exact() == options_.store.exact();
}

// If the algorithm of the options, or how it stores states, does not suit the property, `auto` takes its place;
// `refused` says why.
Status SeveralChecks::prepare_part(Part& part, std::optional<Status>& refused) {
  const auto prepared = [&] {
    part.check = std::make_unique<Check>(part.options, around_);
    return part.check->prepare(part.asking);
  };
  const Status status = prepared();
  if (status.ok() || status.code() != StatusCode::usage) return status;
  const auto for_part = [&](const Status& of) {
    return Status::usage(fmt::format("{} (for the property {})", of.message(), part.asking.name));
  };
  if (part.options.algorithm == kAutomatic && part.options.store.exact()) return for_part(status);
  part.options.algorithm = kAutomatic;
  part.options.parameters.clear();
  part.options.store = {};
  if (const Status again = prepared(); !again.ok()) return for_part(status);
  if (!refused) refused = for_part(status);
  return {};
}

std::optional<double> SeveralChecks::seconds_left() const {
  if (!options_.time_limit) return std::nullopt;
  const std::chrono::duration<double> used = std::chrono::steady_clock::now() - started_;
  return *options_.time_limit - used.count();
}

Result<bool> SeveralChecks::ended(const std::vector<size_t>& open) {
  const bool stopped = around_.stop, late = seconds_left().value_or(1) <= 0;
  if (!stopped && !late) return false;
  for (const size_t part : open) {
    SearchResult result;
    result.verdict = Verdict::incomplete;
    result.memory_budget = parts_[part].check->search_options().memory;
    end_early(stopped ? Reason::interrupted : Reason::time,
              stopped ? "interrupted before this property was searched"
                      : "the time was over before this property was searched",
              result);
    if (Status status = answer_part(part, std::move(result), ""); !status.ok()) return status;
  }
  return true;
}

Status SeveralChecks::answer_part(size_t part, SearchResult result, const std::string& note) {
  parts_[part].answer = {parts_[part].asking.name, parts_[part].check.get(), std::move(result), note};
  return told_ ? told_(part, *parts_[part].answer) : Status();
}

// The part gets a model that evaluates its own propositions alone.
Status SeveralChecks::unshare(size_t part) {
  parts_[part].asking.propositions.clear();
  parts_[part].check = std::make_unique<Check>(parts_[part].options, around_);
  return parts_[part].check->prepare(parts_[part].asking);
}

Status SeveralChecks::search_alone(size_t part) {
  const Result<bool> over = ended({part});
  if (!over.ok() || *over) return over.status();
  Check& check = *parts_[part].check;
  check.search_options().time_limit = seconds_left();
  Result<Answer> answer = check.search({}, watch_);
  if (!answer.ok()) return answer.status();
  if (!parts_[part].asking.propositions.empty() && failed_in_condition(answer->result)) {
    if (Status status = unshare(part); !status.ok()) return status;
    return search_alone(part);
  }
  return answer_part(part, std::move(answer->result), answer->note);
}

// The properties without an answer that one search can answer together.
std::vector<size_t> SeveralChecks::states_together(Kind like) const {
  std::vector<size_t> open;
  // A search on a device, and one that goes on after its first error, answers one property.
  if (options_.max_errors != 1) return open;
  for (size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    const Kind kind = part.check->task().kind;
    const bool fits = like == Kind::recurrence ? kind == Kind::recurrence : about_states(kind);
    const bool joins = fits && !part.asking.propositions.empty() && part.check->device() == nullptr;
    if (joins && !part.answer && open.size() < kMostTogether) open.push_back(i);
  }
  return open.size() > 1 ? open : std::vector<size_t>();
}

// The model's own properties if they are among these, otherwise the first.
size_t SeveralChecks::leading(const std::vector<size_t>& open) const {
  const auto own =
      std::find_if(open.begin(), open.end(), [&](size_t part) { return parts_[part].asking.model; });
  return own == open.end() ? open.front() : *own;
}

Result<std::vector<size_t>> SeveralChecks::distribute(std::vector<size_t> open, const Answer& answer) {
  const SearchResult& found = answer.result;
  const Counterexample* const error =
      found.counterexamples.empty() ? nullptr : &found.counterexamples.front();
  std::vector<size_t> formulas;
  for (const size_t part : open)
    if (!parts_[part].asking.model) formulas.push_back(part);
  // The conditions of the formulas have the numbers after the model's properties, here as in a check of one formula.
  const uint32_t first = parts_[formulas.front()].check->model().info().goals.front();
  std::optional<size_t> failed;
  if (error != nullptr) {
    const bool condition = error->failure.kind == Failure::Kind::property && error->failure.detail >= first;
    failed = condition ? formulas[error->failure.detail - first] : leading(open);
  }
  for (const size_t part : failed ? std::vector{*failed} : open) {
    SearchResult result = found;
    if (!parts_[part].asking.model) {
      result.missed_covers.clear();
      result.coverage.premises.clear();
    }
    for (Counterexample& counterexample : result.counterexamples) {
      const Failure& failure = counterexample.failure;
      if (failure.kind != Failure::Kind::property || failure.detail < first) continue;
      counterexample.failure.detail = first;
      counterexample.text = parts_[part].check->model().describe_failure(counterexample.failure);
    }
    if (Status status = conclude(parts_[part].check->task(), result); !status.ok()) return status;
    if (Status status = answer_part(part, std::move(result), answer.note); !status.ok()) return status;
  }
  if (!failed) return std::vector<size_t>();
  std::erase(open, *failed);
  return open;
}

Status SeveralChecks::search_together(std::vector<size_t> open) {
  while (open.size() > 1) {
    const Result<bool> over = ended(open);
    if (!over.ok() || *over) return over.status();
    Asking joint;
    joint.propositions = shared_;
    joint.property = parts_[leading(open)].asking.property;
    for (const size_t part : open) {
      joint.model |= parts_[part].asking.model;
      const std::vector<SourceFile>& formulas = parts_[part].asking.formulas;
      joint.formulas.insert(joint.formulas.end(), formulas.begin(), formulas.end());
    }
    Check check(parts_[leading(open)].options, around_);
    if (Status status = check.prepare(joint); !status.ok()) return status;
    check.search_options().time_limit = seconds_left();
    Result<Answer> answer = check.search({}, watch_);
    if (!answer.ok()) return answer.status();
    if (failed_in_condition(answer->result)) {
      for (const size_t part : open) {
        if (Status status = unshare(part); !status.ok()) return status;
        if (Status status = search_alone(part); !status.ok()) return status;
      }
      return {};
    }
    Result<std::vector<size_t>> left = distribute(std::move(open), *answer);
    if (!left.ok()) return left.status();
    open = std::move(*left);
  }
  return open.empty() ? Status() : search_alone(open.front());
}

Result<std::vector<PropertyAnswer>> SeveralChecks::search(const Told& told, const Check::Watch& watch) {
  told_ = told;
  watch_ = watch;
  started_ = std::chrono::steady_clock::now();
  const auto search_all = [&](Kind like) {
    for (std::vector<size_t> open = states_together(like); !open.empty(); open = states_together(like))
      if (Status status = search_together(open); !status.ok()) return status;
    return Status();
  };
  if (Status status = search_all(Kind::safety); !status.ok()) return status;
  const auto search_each = [&](bool of_states) {
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].answer || about_states(parts_[i].check->task().kind) != of_states) continue;
      if (Status status = search_alone(i); !status.ok()) return status;
    }
    return Status();
  };
  if (Status status = search_each(true); !status.ok()) return status;
  if (Status status = search_all(Kind::recurrence); !status.ok()) return status;
  if (Status status = search_each(false); !status.ok()) return status;
  std::vector<PropertyAnswer> answers;
  for (Part& part : parts_) answers.push_back(std::move(*part.answer));
  return answers;
}

}  // namespace strata
