// A run with several properties. Each gets the answer that a run of its own would give, but work is shared:
//
//   one compiled model   if the states can be reduced by the same symmetries for all properties
//   one search           for all properties of states: the model's own, G p, EF p; and one for all AG EF p. A search
//                        that finds an error answers one property, and the others are searched again without it, so a
//                        model without errors is searched once
//
// Each formula that needs cycles has a search of its own.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "check/asking.h"
#include "check/check.h"

namespace strata {

struct PropertyAnswer {
  std::string name;    // of the property
  const Check* check;  // of this property alone; its model describes the result
  SearchResult result;
  std::string note;  // what the user should know before the result; empty: nothing
};

// The index of the answer that decides about the run: the first with an error; without one, the first that is
// incomplete; otherwise the first.
size_t deciding(const std::vector<PropertyAnswer>& answers);

class SeveralChecks {
 public:
  // The options must outlive this object.
  SeveralChecks(const Options& options, CheckEnvironment environment, std::vector<Asking> askings);
  ~SeveralChecks();

  // Loads the model for each property, so that what is wrong with any of them is said before the first search.
  Status prepare();
  const Check& check(size_t property) const { return *parts_[property].check; }
  size_t size() const { return parts_.size(); }

  // Searches; `told` is called for each answer when it is known. The answers are in the order of the properties. After
  // a request to stop, or when the time is over, the properties that were not searched yet are incomplete.
  using Told = std::function<Status(size_t property, const PropertyAnswer& answer)>;
  Result<std::vector<PropertyAnswer>> search(const Told& told, const Check::Watch& watch = {});

 private:
  struct Part {
    Asking asking;
    Options options;
    std::unique_ptr<Check> check;
    std::optional<PropertyAnswer> answer;
  };

  Status share_model();
  Status prepare_part(Part& part, std::optional<Status>& refused);
  Result<std::vector<std::string>> all_propositions(const Part& part) const;
  bool as_asked(const Part& part) const;
  bool can_join(const Part& part) const;
  std::vector<size_t> states_together(Task::Kind like) const;
  size_t leading(const std::vector<size_t>& open) const;
  Status unshare(size_t part);
  Status search_alone(size_t part);
  Status search_together(std::vector<size_t> open);
  // Answers one property if the search found an error, and otherwise all. Returns those without an answer.
  Result<std::vector<size_t>> distribute(std::vector<size_t> open, const Answer& answer);
  Status answer_part(size_t part, SearchResult result, const std::string& note);
  // If the run is to end, answers these as incomplete.
  Result<bool> ended(const std::vector<size_t>& open);
  std::optional<double> seconds_left() const;

  const Options& options_;
  CheckEnvironment around_;
  std::set<std::string> noted_;  // each note is told once
  std::vector<Part> parts_;
  std::vector<std::string>
      shared_;  // the propositions that the compiled model of several properties evaluates
  std::chrono::steady_clock::time_point started_;
  Told told_;
  Check::Watch watch_;
};

}  // namespace strata
