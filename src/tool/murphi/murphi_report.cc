#include "tool/murphi/murphi_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "report/json/coverage.h"
#include "report/text/text_report.h"
#include "report/trace/trace_text.h"

namespace strata {
namespace {

// CMurphi names a rule "Send, p:Proc_1", and one without a name "Rule 3"; so traces have "Rule Rule 3 fired.".
std::string step_line(const char* kind, const InstanceName& name) {
  return fmt::format("{} {} fired.\n", kind, name.text());
}

void write_path(const Model& model, const Counterexample& error, TraceMode mode, const TextSink& sink) {
  std::vector<Leaf> before;
  for (size_t i = 0; i < error.steps.size(); ++i) {
    const TraceStep& step = error.steps[i];
    std::vector<Leaf> state = leaves(model.describe(step.state.data()));
    const bool last = i > 0 && i + 1 == error.steps.size() && error.failure.rule == kNoRule;
    sink(i == 0 ? step_line("Startstate", model.start_name(step.rule))
                : step_line("Rule", model.rule_name(step.rule)));
    if (last) sink("The last state of the trace (in full) is:\n");
    sink(i == 0 || last || mode == TraceMode::full ? state_lines(state) : changed_lines(before, state));
    sink("----------\n\n");
    before = std::move(state);
  }
}

// The firing whose guard or body failed.
std::string failing_firing(const Model& model, const Counterexample& error) {
  const uint32_t rule = error.failure.rule;
  if (rule == kNoRule) return "";
  if (error.steps.empty()) return step_line("Startstate", model.start_name(rule)) + "----------\n\n";
  if (error.failure.in_guard)
    return fmt::format("Guard of the rule\n\t{}\nchecked and caused Error.\n----------\n\n",
                       model.rule_name(rule).text());
  return step_line("Rule", model.rule_name(rule)) + "----------\n\n";
}

void write_error_path(const Model& model, const Counterexample& error, TraceMode mode, const TextSink& sink) {
  if (mode == TraceMode::off || !error.has_path()) return;
  const char* head =
      error.steps.empty()
          ? "\nThe following is the error occured during the construction of a startstate:\n\n\t"
          : "\nThe following is the error trace for the error:\n\n\t";
  sink(fmt::format("{}{}\n\n", head, failure_line(model.info(), error.text)));
  write_path(model, error, mode, sink);
  sink(failing_firing(model, error));
  sink("End of the error trace.\n");
}

std::string explored(const SearchResult& result) {
  return fmt::format("\nState Space Explored:\n\n\t{} states, {} rules fired in {:.2f}s.\n\n", result.states,
                     result.transitions, result.seconds.search);
}

// When the memory is full, prints CMurphi's "Closed hash table full.", because scripts then try more memory.
std::string incomplete(const SearchResult& result) {
  const bool full = result.stop == StopReason::memory || result.stop == StopReason::disk;
  const std::string why =
      full ? "Closed hash table full." : fmt::format("Search incomplete: {}.", result.stop_message);
  return fmt::format("\nError:\n\n\t{}\n\n{}\n\n", why,
                     murphi_progress(result.states, result.seconds.search, result.transitions, 0));
}

std::string omissions(const SearchResult& result) {
  if (result.exact) return "";
  return fmt::format(
      "Omission Probabilities (caused by Hash Compaction):\n\n"
      "\tPr[even one omitted state]    <= {:g}\n"
      "\tPr[even one undetected error] <= {:g}\n"
      "\tDiameter of reachability graph: {}\n\n",
      result.omission_probability, result.missed_error_probability, known_depth(result).text());
}

// The output of -pr. CMurphi counts each instance of a rule separately.
std::string rules_information(const ModelInfo& info, const SearchResult& result) {
  std::string out = "Rules Information:\n\n";
  for (const CoveredRule& rule : covered_rules(info, result.coverage))
    out += fmt::format("\tFired {} times\t- Rule \"{}\"\n", rule.fired, rule.name);
  return out;
}

std::string protocol_name(const std::string& path) { return std::filesystem::path(path).stem().string(); }

}  // namespace

std::string murphi_header(const Model& model, const Symmetry* symmetry, const MurphiOptions& options,
                          uint64_t memory) {
  const ModelInfo& info = model.info();
  std::string out = fmt::format("{}Strata {}, with the output of CMurphi.\n{}\nProtocol: {}\n\nAlgorithm:\n",
                                kSeparator, STRATA_VERSION, kSeparator, protocol_name(info.path));
  if (options.simulates) return out + "\tSimulation.\nStart Simulation :\n\n";
  out += "\tVerification by breadth first search.\n";
  if (symmetry != nullptr) out += "\twith symmetry algorithm 3 -- Heuristic Small Memory Canonicalization.\n";
  out += fmt::format(
      "\nMemory usage:\n\n"
      "\t* The size of each state is {} bits (rounded up to {} bytes).\n"
      "\t* The memory allocated for the hash table and state queue is\n\t  {} Mbytes.\n",
      info.state_bits, info.state_bytes, memory / 1'000'000);
  if (!options.traces)
    out +=
        "\nWarning: No trace will not be printed in the case of protocol errors!\n"
        "         Check the options if you want to have error traces.\n";
  return out;
}

std::string murphi_progress(uint64_t states, double seconds, uint64_t rules, uint64_t queue) {
  return fmt::format("\t{} states explored in {:.2f}s, with {} rules fired and {} states in the queue.\n",
                     states, seconds, rules, queue);
}

void write_murphi_report(const Model& model, const SearchResult& result, const RunInfo& run,
                         const MurphiOptions& options, const TextSink& sink) {
  for (const Counterexample& error : result.counterexamples) write_error_path(model, error, run.trace, sink);
  if (result.counterexamples.empty() && result.verdict != Verdict::holds) {
    sink(incomplete(result));
    return;
  }
  if (result.counterexamples.empty()) {
    sink(fmt::format("{}\nStatus:\n\n\tNo error found.\n", kSeparator));
  } else {
    sink(fmt::format("{}\nResult:\n\n", kSeparator));
    for (const Counterexample& error : result.counterexamples)
      sink(fmt::format("\t{}\n", failure_line(model.info(), error.text)));
  }
  sink(explored(result));
  sink(omissions(result));
  if (options.rules) sink(rules_information(model.info(), result));
}

void write_murphi_simulation(const Model& model, const SimulateResult& result, const MurphiOptions&,
                             TraceMode mode, const TextSink& sink) {
  if (result.failure) write_error_path(model, *result.failure, mode, sink);
  sink(
      fmt::format("\nStatus:\n\n\t{} rules fired in simulation in {:.2f}s.\n", result.steps, result.seconds));
  if (result.failure)
    sink(fmt::format("\nError:\n\n\t{}\n\n", failure_line(model.info(), result.failure->text)));
}

int murphi_exit_code(int code) {
  constexpr int kInterrupted = 130, kSystem = 153;
  return code == 0 || code == kInterrupted || code == kSystem ? code : 1;
}

}  // namespace strata
