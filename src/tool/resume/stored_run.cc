#include "tool/resume/stored_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/text/hash_text.h"
#include "store/checkpoint/checkpoints.h"
#include "tool/options/command_line.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr uint64_t kFormat = 1;
// Longer lines of a file are cut in a message.
constexpr size_t kShownColumns = 120;

std::string absolute(const std::string& path, const std::string& folder) {
  return (fs::path(folder) / path).lexically_normal().string();
}

bool is_utf8(const std::string& text) {
  try {
    (void)Json(text).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

// A text that is not UTF-8 is stored with each byte as the character of that number, as in Latin 1.
std::string from_latin1(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) out += static_cast<char>(0xc0 | byte >> 6);
    out += byte >= 0x80 ? static_cast<char>(0x80 | (byte & 0x3f)) : c;
  }
  return out;
}

std::string to_latin1(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool two = byte >= 0x80 && i + 1 < text.size();
    out += two ? static_cast<char>((byte & 3) << 6 | (text[i + 1] & 0x3f)) : text[i];
    i += two;
  }
  return out;
}

Json text_json(const std::string& text) {
  if (is_utf8(text)) return {{"text", text}};
  return {{"encoding", "latin-1"}, {"text", from_latin1(text)}};
}

std::string text_of(const Json& object) {
  const auto text = object.at("text").get<std::string>();
  return object.contains("encoding") ? to_latin1(text) : text;
}

Status changed(const std::string& what, const std::string& folder) {
  return Status::usage(
      fmt::format("{}\nA resumed run needs the original text, of which '{}/run' has a copy. Undo the change, "
                  "or check the model as it is in a new run.",
                  what, folder));
}

std::string shown(std::string_view line) {
  return line.size() <= kShownColumns ? std::string(line)
                                      : std::string(line.substr(0, kShownColumns)) + "...";
}

uint32_t lines_of(const SourceFile& file) { return file.position(file.text().size()).line; }

// The first line in which two texts differ.
std::string difference(const SourceFile& stored, const SourceFile& present) {
  const uint32_t before = lines_of(stored), now = lines_of(present);
  for (uint32_t i = 1; i <= std::max(before, now); ++i) {
    const std::string old_line = shown(stored.line(i)), new_line = shown(present.line(i));
    if (i > before) return fmt::format("line {} was added:\n  {}", i, new_line);
    if (i > now) return fmt::format("line {} was removed:\n  {}", i, old_line);
    if (stored.line(i) != present.line(i))
      return fmt::format("line {} was\n  {}\nand is\n  {}", i, old_line, new_line);
  }
  return "the ends of its lines";
}

Status check_source(const SourceFile& stored, const std::string& folder) {
  std::error_code ignored;
  if (!fs::exists(stored.name(), ignored))
    return Status::usage(
        fmt::format("'{}' is missing, but the run needs it; restore its text from '{}/run', where it is "
                    "under \"sources\"",
                    stored.name(), folder));
  // A FIFO has no text to compare with.
  if (!fs::is_regular_file(stored.name(), ignored))
    return Status::usage(fmt::format(
        "'{}' is not a plain file any more; restore its text from '{}/run', where it is under \"sources\"",
        stored.name(), folder));
  const Result<SourceFile> present = SourceFile::load(stored.name());
  if (!present.ok()) return present.status();
  if (present->text() == stored.text()) return {};
  return changed(
      fmt::format("'{}' was changed since the run began: {}", stored.name(), difference(stored, *present)),
      folder);
}

// Paths in the original command are relative to the folder in which it was called.
void move_paths(Options& options, const Options& resume, const std::string& folder) {
  options.model = absolute(options.model, folder);
  for (std::string& automaton : options.automata) automaton = absolute(automaton, folder);
  if (resume.json.empty() && !options.json.empty() && !options.json_to_stdout())
    options.json = absolute(options.json, folder);
  if (resume.junit.empty() && !options.junit.empty()) options.junit = absolute(options.junit, folder);
  if (resume.sarif.empty() && !options.sarif.empty()) options.sarif = absolute(options.sarif, folder);
  if (resume.report.empty() && !options.report.empty()) options.report = absolute(options.report, folder);
  if (resume.trace_file.empty() && !options.trace_file.empty())
    options.trace_file = absolute(options.trace_file, folder);
}

Status damaged(const std::string& path, const std::string& why) {
  return Status::system(fmt::format("{}: it is damaged: {}", path, why));
}

StoredRun from_json(const Json& object) {
  StoredRun run;
  run.version = object.at("strata");
  run.folder = object.at("folder");
  run.arguments = object.at("arguments").get<std::vector<std::string>>();
  for (const Json& source : object.at("sources"))
    run.sources.emplace_back(source.at("path"), text_of(source));
  run.algorithm = object.at("algorithm");
  run.state_bits = object.at("state_bits");
  run.rules = object.at("rules");
  return run;
}

}  // namespace

std::string StoredRun::text() const {
  Json object = {{"format", kFormat},      {"strata", version},      {"folder", folder},
                 {"arguments", arguments}, {"algorithm", algorithm}, {"state_bits", state_bits},
                 {"rules", rules}};
  object["sources"] = Json::array();
  for (const SourceFile& source : sources) {
    Json entry = {{"path", source.name()}, {"hash", hash_text(source.text())}};
    entry.update(text_json(std::string(source.text())));
    object["sources"].push_back(std::move(entry));
  }
  const auto replace = Json::error_handler_t::replace;
  object["hash"] = hash_text(object.dump(-1, ' ', false, replace));
  return object.dump(1, ' ', false, replace) + "\n";
}

Result<StoredRun> StoredRun::parse(const std::string& path, const std::string& text) {
  Json object = Json::parse(text, nullptr, false);
  if (!object.is_object()) return damaged(path, "it is not a JSON object");
  try {
    if (const uint64_t format = object.at("format"); format != kFormat)
      return Status::usage(fmt::format("{}: it has the format {}, and this version of Strata reads {}", path,
                                       format, kFormat));
    const std::string hash = object.at("hash");
    object.erase("hash");
    if (hash != hash_text(object.dump())) return damaged(path, "its hash is wrong");
    return from_json(object);
  } catch (const Json::exception& error) {
    return damaged(path, error.what());
  }
}

StoredRun describe_run(const Options& options, const std::vector<SourceFile>& sources,
                       const std::string& algorithm, const ModelInfo& info) {
  StoredRun run;
  run.version = STRATA_VERSION;
  run.arguments = options.arguments;
  run.folder = fs::current_path().string();
  for (const SourceFile& source : sources)
    run.sources.emplace_back(absolute(source.name(), run.folder), std::string(source.text()));
  run.algorithm = algorithm;
  run.state_bits = info.state_bits;
  run.rules = info.rules.size();
  return run;
}

Result<StoredRun> read_stored_run(const std::string& folder) {
  const Result<std::string> text = Checkpoints::read_run(folder);
  if (!text.ok()) return text.status();
  return StoredRun::parse(folder + "/run", *text);
}

Result<Options> resumed_options(const Options& resume) { return resumed_options(resume, resume.checkpoint); }

Result<Options> resumed_options(const Options& resume, const std::string& folder) {
  const Result<StoredRun> run = read_stored_run(folder);
  if (!run.ok()) return run.status();
  for (const SourceFile& source : run->sources)
    if (Status status = check_source(source, folder); !status.ok()) return status;
  const Result<Options> began = merge_options(run->arguments, {"--", folder});
  if (!began.ok()) return began;
  const bool elsewhere = folder != resume.checkpoint;
  Result<Options> options = merge_options(run->arguments, resume.arguments, elsewhere);
  if (!options.ok()) return options;
  if (options->wants_paths() && !began->wants_paths())
    return Status::usage(
        "--trace: the run was begun with --trace off, so it has nothing to find paths by; leave --trace and "
        "--trace-file out");
  options->paths = began->wants_paths();
  if (fs::current_path() != run->folder) {
    move_paths(*options, resume, run->folder);
    if (elsewhere && resume.disks.empty())
      for (std::string& disk : options->disks) disk = absolute(disk, run->folder);
  }
  return options;
}

Status check_same(const StoredRun& stored, const StoredRun& loaded, const std::string& folder) {
  for (const SourceFile& source : loaded.sources) {
    const auto known = [&](const SourceFile& other) { return other.name() == source.name(); };
    if (std::none_of(stored.sources.begin(), stored.sources.end(), known))
      return changed(fmt::format("'{}' is read as a part of the model now, but was not when the run began",
                                 source.name()),
                     folder);
  }
  if (stored.algorithm == loaded.algorithm && stored.state_bits == loaded.state_bits &&
      stored.rules == loaded.rules)
    return {};
  return Status::usage(
      fmt::format("Strata {} searches this model with {}, as states of {} bits with {} rules; the run in "
                  "'{}' was begun by "
                  "Strata {} with {}, {} bits and {} rules, and this version cannot continue it",
                  loaded.version, loaded.algorithm, loaded.state_bits, loaded.rules, folder, stored.version,
                  stored.algorithm, stored.state_bits, stored.rules));
}

}  // namespace strata
