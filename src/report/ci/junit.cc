#include "report/ci/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"

namespace strata {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Characters that XML does not allow, and bytes that are not UTF-8, become U+FFFD.
std::string escaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_length(text.substr(i));
    const std::string_view character = text.substr(i, std::max<size_t>(length, 1));
    i += character.size();
    if (length != 1) {
      const bool none = length == 0 || character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
      out += none ? kReplacement : character;
      continue;
    }
    const char c = character[0];
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      case '\t': out += "&#9;"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += kReplacement;
        else
          out += c;
    }
  }
  return out;
}

bool is_error(const RunRecord& run) {
  return !run.passed() && (run.verdict == "rejected" || run.verdict == "incomplete") && !run.expected;
}

std::string place_of(const RunRecord::Finding& finding) {
  if (finding.file.empty()) return "";
  return finding.line == 0 ? finding.file + ": "
                           : fmt::format("{}:{}:{}: error: ", finding.file, finding.line, finding.column);
}

std::string summary(const RunRecord& run) {
  return fmt::format("{}: {} states, {} rules fired, depth {}", run.verdict, run.states, run.transitions,
                     run.depth.text());
}

std::string finding_lines(const RunRecord& run) {
  std::string out;
  for (const RunRecord::Finding& finding : run.findings) {
    out += escaped(place_of(finding) + finding.message);
    if (finding.length) out += fmt::format(" (after {} steps)", *finding.length);
    out += '\n';
  }
  return out;
}

std::string case_of(const std::string& suite, const RunRecord& run) {
  std::string out = fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"",
                                escaped(run.name), escaped(suite), run.seconds);
  const std::string properties = run.property.empty() ? "" : fmt::format("{}\n", escaped(run.property));
  const std::string output =
      fmt::format("      <system-out>{}{}</system-out>\n", properties, escaped(summary(run)));
  if (run.passed()) return out + ">\n" + output + "    </testcase>\n";
  const char* element = is_error(run) ? "error" : "failure";
  const RunRecord::Finding none{"failure",   fmt::format("exit code {}", run.exit_code), "", 0, 0,
                                std::nullopt};
  // The finding about an unmet expectation is the last one; it explains why the case failed.
  const RunRecord::Finding& told = run.findings.empty() ? none
                                   : run.expected       ? run.findings.back()
                                                        : run.findings.front();
  return out +
         fmt::format(">\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n", element, escaped(told.kind),
                     escaped(told.message), finding_lines(run), element) +
         output + "    </testcase>\n";
}

}  // namespace

std::string junit_report(const std::string& suite, const std::vector<RunRecord>& runs) {
  const auto errors = std::count_if(runs.begin(), runs.end(), is_error);
  const auto failures =
      std::count_if(runs.begin(), runs.end(), [](const RunRecord& run) { return !run.passed(); }) - errors;
  double seconds = 0;
  for (const RunRecord& run : runs) seconds += run.seconds;
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n",
      escaped(suite), runs.size(), failures, errors, seconds);
  for (const RunRecord& run : runs) out += case_of(suite, run);
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace strata
