#include "tool/output/page_info.h"

#include <ctime>

#include "base/system/machine.h"
#include "base/text/units.h"
#include "tool/options/command_line.h"
#include "tool/resume/run_checkpoints.h"

namespace strata {
namespace {

// The command that the user typed. A resumed run shows the command that began the run.
std::string command_text(const Options& options) {
  std::string out = "strata ";
  for (const CommandRow& row : command_rows())
    if (row.command == options.command) out += row.name;
  for (const std::string& argument : options.arguments) out += " " + shell_word(argument);
  return out;
}

std::vector<std::pair<std::string, std::string>> machine() {
  std::vector<std::pair<std::string, std::string>> out;
  if (const std::string name = system_name(); !name.empty()) out.emplace_back("system", name);
  if (const std::string name = processor_name(); !name.empty()) out.emplace_back("processor", name);
  out.emplace_back("cores", std::to_string(usable_cores()));
  out.emplace_back("memory", bytes_text(machine_memory()));
  return out;
}

// Not with the times of fmt, which take longer to compile than the rest of this folder.
std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[32];
  gmtime_r(&now, &parts);
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts)};
}

}  // namespace

PageInfo page_info(const Options& options, const std::vector<SourceFile>& sources) {
  PageInfo page;
  page.command = command_text(options);
  page.time = time_of_day();
  page.machine = machine();
  page.sources = sources;
  return page;
}

}  // namespace strata
