#include "report/text/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text/colour.h"
#include "base/text/units.h"
#include "report/json/coverage.h"
#include "report/trace/trace_text.h"

namespace strata {
namespace {

const char* stop_name(StopReason stop) {
  switch (stop) {
    case StopReason::none: return "the search stopped early";
    case StopReason::memory: return "the memory limit was reached";
    case StopReason::disk: return "the disk limit was reached";
    case StopReason::time: return "the time limit was reached";
    case StopReason::bound: return "the depth bound was reached";
    case StopReason::interrupted: return "interrupted";
  }
  return "";
}

// Whether the run could have used --checkpoint but did not.
bool could_be_resumed(const SearchResult& result, const RunInfo& run) {
  const bool limit = result.stop != StopReason::none && result.stop != StopReason::bound;
  return limit && run.resumable && !run.checkpoint && result.states > 0;
}

std::string indented(const std::string& lines) {
  std::string out;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    out += "\t" + lines.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out;
}

// Which values of quantifiers break a property, and which parts of the state it reads.
std::string cause_lines(const FailureCause& cause) {
  constexpr size_t kMostPaths = 8;
  std::string out;
  if (!cause.bound.empty()) out += fmt::format("\t  for {}\n", cause.bound_text());
  if (cause.reads.empty()) return out;
  const size_t shown = std::min(cause.reads.size(), kMostPaths);
  out += "\t  because of ";
  for (size_t i = 0; i < shown; ++i) out += (i == 0 ? "" : ", ") + cause.reads[i];
  return out + (shown < cause.reads.size() ? ", ...\n" : "\n");
}

std::string verdict_section(const ModelInfo& info, const SearchResult& result, const RunInfo& run) {
  const bool holds = result.verdict == Verdict::holds;
  const Colour colour = holds ? Colour::good : result.counterexamples.empty() ? Colour::warning : Colour::bad;
  std::string out = holds ? "\nStatus:\n\n" : "\nResult:\n\n";
  const std::vector<std::string> lines = verdict_lines(info, result, run);
  for (size_t i = 0; i < lines.size(); ++i) {
    out += fmt::format("\t{}\n", i == 0 ? coloured(run.colour, colour, lines[i]) : lines[i]);
    if (holds || i >= result.counterexamples.size()) continue;
    out += indented(result.counterexamples[i].text.excerpt);
    out += cause_lines(result.counterexamples[i].cause);
  }
  return out;
}

std::string explored_section(const SearchResult& result) {
  return fmt::format("\nState Space Explored:\n\n\t{} states, {} rules fired in {:.2f}s.\n", result.states,
                     result.transitions, result.seconds.search);
}

std::string time_line(const TimeShares& seconds) {
  std::string out = fmt::format("time: compile {:.2f}s, search {:.2f}s", seconds.compile, seconds.search);
  const std::pair<const char*, double> shares[] = {{"generate", seconds.generate},
                                                   {"canonicalise", seconds.canonicalise},
                                                   {"insert", seconds.insert},
                                                   {"detect", seconds.detect},
                                                   {"io", seconds.io},
                                                   {"queue", seconds.queue},
                                                   {"partition", seconds.partition}};
  const char* separator = " (";
  for (const auto& [name, share] : shares) {
    if (share <= 0 || seconds.search <= 0) continue;
    out += fmt::format("{}{} {:.0f} %", separator, name, std::min(100.0, 100 * share / seconds.search));
    separator = ", ";
  }
  if (*separator == ',') out += ')';
  return out;
}

std::string positions(const ModelInfo& info, const SearchResult& result) {
  std::string out;
  for (const Counterexample& counterexample : result.counterexamples) {
    const FailureText& text = counterexample.text;
    if (text.verdict == FailureText::Verdict::error || text.position.line == 0) continue;
    const std::string line =
        fmt::format("\tstated at {}: {}\n", position_text(info, text.position), text.message);
    if (out.find(line) == std::string::npos) out += line;
  }
  return out;
}

std::string disk_line(const SearchResult& result) {
  if (result.disk_peak == 0 && result.disk_access.empty()) return "";
  const std::string access = result.disk_access.empty() ? "" : fmt::format(" ({})", result.disk_access);
  return fmt::format("\tpeak disk {}, read {}, written {}{}\n", bytes_text(result.disk_peak),
                     bytes_text(result.disk_read), bytes_text(result.disk_written), access);
}

// The forecast of a search that was stopped early.
std::string forecast_line(const SearchResult& result) {
  if (result.stop == StopReason::none || result.stop == StopReason::bound || !result.forecast) return "";
  return fmt::format("\tforecast: {}\n", forecast_text(*result.forecast));
}

std::string detection_line(const SearchResult& result) {
  if (result.full_detections + result.partial_detections + result.delayed_detections == 0) return "";
  return fmt::format("\tdetections: {} full, {} partial, {} delayed\n", result.full_detections,
                     result.partial_detections, result.delayed_detections);
}

// With hash compaction a new state may be mistaken for a visited one; Murphi's bounds limit the probability.
std::string omission_lines(const SearchResult& result) {
  if (result.exact) return "";
  return fmt::format(
      "\nOmission Probabilities (caused by Hash Compaction):\n\n"
      "\tPr[even one omitted state]    <= {:g}\n"
      "\tPr[even one undetected error] <= {:g}\n",
      result.omission_probability, result.missed_error_probability);
}

const char* deadlock_words(DeadlockMode mode) {
  switch (mode) {
    case DeadlockMode::off: return "off";
    case DeadlockMode::stuck: return "stuck, a state with no enabled rule";
    case DeadlockMode::stuttering: return "stuttering, a state whose enabled rules all lead back to it";
  }
  return "";
}

// The number of names, and the first few of them.
std::string count_and_names(const std::vector<std::string>& names) {
  constexpr size_t kMostNames = 10, kMostBytes = 200;
  std::string list;
  size_t shown = 0;
  for (; shown < std::min(names.size(), kMostNames) && list.size() + names[shown].size() <= kMostBytes;
       ++shown)
    list += fmt::format("{}\"{}\"", shown == 0 ? ": " : ", ", names[shown]);
  const size_t left = names.size() - shown;
  if (shown > 0 && left > 0) list += fmt::format(" and {} more", left);
  return fmt::format("{}{}", names.size(), list);
}

std::string property_lines(const ModelInfo& info, const RunInfo& run) {
  constexpr std::pair<PropertyKind, const char*> kKinds[] = {
      {PropertyKind::invariant, "invariants"},
      {PropertyKind::assertion, "assertions about states"},
      {PropertyKind::assumption, "assumptions"},
      {PropertyKind::liveness, "liveness properties"},
      {PropertyKind::cover, "covers"}};
  std::string out;
  for (const auto& [kind, title] : kKinds) {
    std::vector<std::string> names;
    for (const PropertyInfo& property : info.properties) {
      // A property that a view adds in place of the model's own properties has no position in the model.
      const bool of_formula = !run.property.empty() && property.position.line == 0;
      if (property.kind == kind && !of_formula) names.push_back(property.name);
    }
    if (!names.empty()) out += fmt::format("\t{} {}\n", title, count_and_names(names));
    if (names.empty() && kind == PropertyKind::invariant)
      out += run.property.empty() ? "\tno invariants\n" : "\tnot the model's invariants\n";
  }
  return out;
}

// The properties that the verdict covers.
std::string checked_section(const ModelInfo& info, const RunInfo& run) {
  std::string out = "\nChecked:\n\n";
  if (!run.property.empty()) out += fmt::format("\t{}\n", run.property);
  if (run.cycles) out += fmt::format("\tfairness {}\n", run.fairness.empty() ? "off" : run.fairness);
  out += property_lines(info, run);
  out += fmt::format("\tdeadlock {}\n", deadlock_words(run.deadlock));
  return out + "\tassertions in rules, run-time errors\n";
}

std::string symmetry_line(const SearchResult& result, const RunInfo& run) {
  if (run.symmetry == nullptr) return "\tsymmetry off\n";
  std::string types;
  for (const SymmetricSet& set : run.symmetry->sets())
    types += fmt::format("{}{} ({})", types.empty() ? "" : ", ", set.name, set.size);
  std::string out =
      fmt::format("\tsymmetry exact: {}, {:.6g} permutations", types, run.symmetry->group_size());
  if (const std::optional<uint64_t> states = orbit_states(run.symmetry, result))
    out += fmt::format("; {} state{} without it", *states, *states == 1 ? "" : "s");
  return out + "\n";
}

std::string ranks_line(const SearchResult& result) {
  if (result.ranks.empty()) return "";
  std::set<std::string> hosts;
  for (const RankReport& rank : result.ranks) hosts.insert(rank.host);
  const RankTotals totals = total_of(result.ranks);
  return fmt::format(
      "\t{} process{} on {} host{}: {:.1f} % of the successors were sent, {}; the largest share of the "
      "states is {:.2f} of the mean\n",
      result.ranks.size(), result.ranks.size() == 1 ? "" : "es", hosts.size(), hosts.size() == 1 ? "" : "s",
      100 * totals.travelled, bytes_text(totals.sum.bytes_sent), totals.balance);
}

std::string beyond_line(const DeviceReport& device) {
  if (device.states_beyond == 0) return "";
  return fmt::format("\tbeyond its memory: {} states of {} bytes; {} of memory, {} on disk\n",
                     device.states_beyond, device.bytes_beyond, bytes_text(device.host_bytes),
                     bytes_text(device.disk_bytes));
}

std::string device_line(const SearchResult& result) {
  if (!result.device) return "";
  const DeviceReport& device = *result.device;
  const char* const kernels = device.kernels_swapped ? "optimised ones took over; the first ones were ready"
                              : device.kernels_found ? "loaded"
                                                     : "compiled";
  return fmt::format(
      "\tdevice {} ({}), {} of {} in use, room for {} states, table {:.0f} % full\n"
      "{}\tkernels: {} in {:.2f}s; a thread has {} registers and {} bytes of local memory\n",
      device.name, device.driver, bytes_text(device.used), bytes_text(device.memory), device.capacity,
      100 * device.table_load, beyond_line(device), kernels, device.compile_seconds, device.registers,
      device.local_bytes);
}

std::string folding_line(const SearchResult& result) {
  if (!result.folding) return "\tfolding off\n";
  const Folding& folding = *result.folding;
  if (folding.given_up)
    return fmt::format("\tfolding: given up, because {} of nodes did not fit; the search used whole states\n",
                       bytes_text(folding.node_bytes));
  return fmt::format("\tfolding: states as keys of {} bytes, {} nodes in {}\n", folding.key_bytes,
                     folding.nodes, bytes_text(folding.node_bytes));
}

std::string checkpoint_lines(const RunInfo& run) {
  std::string out;
  if (run.checkpoint && run.checkpoint->made > 0)
    out += fmt::format("\tcheckpoints: {} made in {:.2f}s\n", run.checkpoint->made, run.checkpoint->seconds);
  if (run.resumptions.empty()) return out;
  const Resumption& last = run.resumptions.back();
  return out + fmt::format("\tResumed {} time{}, last from {} state{} after {:.1f} s.\n",
                           run.resumptions.size(), run.resumptions.size() == 1 ? "" : "s", last.states,
                           last.states == 1 ? "" : "s", last.seconds);
}

std::string search_section(const ModelInfo& info, const SearchResult& result, const RunInfo& run) {
  std::string out = fmt::format("\nSearch:\n\n\talgorithm {}, {} thread{}\n", run.algorithm, run.threads,
                                run.threads == 1 ? "" : "s");
  if (!result.parameters.empty()) {
    out += "\tparameters";
    for (const auto& [name, value] : result.parameters) out += fmt::format(" {}={}", name, value);
    out += "\n";
  }
  out += symmetry_line(result, run);
  out += folding_line(result) + device_line(result) + ranks_line(result);
  out += fmt::format("\tdepth {}", known_depth(result).text());
  if (!result.levels.empty()) {
    const auto largest = std::max_element(result.levels.begin(), result.levels.end());
    out += fmt::format(", largest level {} with {} state{}", std::distance(result.levels.begin(), largest),
                       *largest, *largest == 1 ? "" : "s");
  }
  if (!result.levels_exact) out += "; states found late are counted in later levels";
  if (result.longer_by_at_most > 0) {
    out += fmt::format(
        "\n\ta shortest counterexample may be shorter by up to {} steps (--set levels=exact finds one)",
        result.longer_by_at_most);
  }
  out += fmt::format("\n\tstate of {} bits in {} byte{}", info.state_bits, info.state_bytes,
                     info.state_bytes == 1 ? "" : "s");
  if (!run.store.exact()) out += fmt::format(", kept as a signature of {} bits", run.store.signature_bits);
  out += fmt::format("\n\tpeak memory {} of {}\n", bytes_text(result.peak_rss),
                     bytes_text(result.memory_budget));
  out += disk_line(result) + detection_line(result) + forecast_line(result) + checkpoint_lines(run);
  out += fmt::format("\t{}\n", time_line(result.seconds));
  return out + positions(info, result) + omission_lines(result);
}

// Whether a cover is missed is known only if the whole state space was seen.
std::string cover_section(const ModelInfo& info, const SearchResult& result) {
  const bool complete = result.verdict == Verdict::holds || !result.missed_covers.empty();
  std::string lines;
  for (uint32_t i = 0; i < info.properties.size(); ++i) {
    const PropertyInfo& property = info.properties[i];
    if (property.kind != PropertyKind::cover || !complete) continue;
    const bool missed = std::count(result.missed_covers.begin(), result.missed_covers.end(), i) > 0;
    lines += fmt::format("\tcover \"{}\" {}\n", property.name, missed ? "not hit" : "hit");
  }
  return lines.empty() ? "" : "\nCovers:\n\n" + lines;
}

}  // namespace

// "No error found." appears only if the search was complete.
std::vector<std::string> verdict_lines(const ModelInfo& info, const SearchResult& result,
                                       const RunInfo& run) {
  if (result.verdict == Verdict::holds) return {"No error found."};
  std::vector<std::string> lines;
  for (const Counterexample& counterexample : result.counterexamples)
    lines.push_back(failure_line(info, counterexample.text));
  if (result.stop == StopReason::none && result.verdict != Verdict::incomplete) return lines;
  const std::string why = result.stop_message.empty() ? stop_name(result.stop) : result.stop_message;
  lines.push_back(fmt::format("Search incomplete: {}.", why));
  if (result.counterexamples.empty()) lines.emplace_back("No error was found in the part explored.");
  if (could_be_resumed(result, run)) lines.emplace_back("A run with --checkpoint DIR could be resumed.");
  return lines;
}

void write_text_report(const Model& model, const SearchResult& result, const RunInfo& run,
                       const TextSink& sink) {
  const ModelInfo& info = model.info();
  for (const Counterexample& counterexample : result.counterexamples)
    write_error_trace(model, counterexample, run.trace, sink);
  if (result.witness && run.trace != TraceMode::off) {
    sink("The following is a path to a state that the formula asks for:\n\n");
    write_trace(model, *result.witness, run.trace, sink);
    sink("End of the path.\n\n");
  }
  sink(kSeparator + verdict_section(info, result, run) + explored_section(result) +
       checked_section(info, run) + search_section(info, result, run) + cover_section(info, result) +
       coverage_section(info, result, run.coverage));
}

std::string text_report(const Model& model, const SearchResult& result, const RunInfo& run) {
  return gather_text([&](const TextSink& sink) { write_text_report(model, result, run, sink); });
}

}  // namespace strata
