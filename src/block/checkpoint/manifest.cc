#include "block/checkpoint/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "base/system/plain_file.h"
#include "base/text/hash_text.h"

namespace strata {

namespace {

constexpr std::string_view kHead = "strata checkpoint ";
constexpr uint64_t kFormat = 2;
// One line a folder: a longer text is not a manifest.
constexpr uint64_t kMostBytes = 64 << 20;

constexpr const char* kFolder = "folder";
constexpr const char* kQuotedFolder = "quoted folder";

// A path with a line break is quoted, because each folder has one line.
std::string folder_line(const std::string& name) {
  if (name.find('\n') == std::string::npos) return fmt::format("{}: {}\n", kFolder, name);
  std::string quoted;
  for (const char c : name) quoted += c == '\n' ? "\\n" : c == '\\' ? "\\\\" : std::string(1, c);
  return fmt::format("{}: {}\n", kQuotedFolder, quoted);
}

std::string unquoted(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool marked = text[i] == '\\' && i + 1 < text.size();
    if (marked) ++i;
    out += marked && text[i] == 'n' ? '\n' : text[i];
  }
  return out;
}

std::string sum_line(std::string_view text) { return fmt::format("sum: {}\n", hash_text(text)); }

// All of the text is one number.
std::optional<uint64_t> number_of(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_hash(const std::string& text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// The lines of a manifest whose sum is right, one after the other.
class Reader {
 public:
  explicit Reader(std::string_view lines) : left_(lines) {}

  // False: a line is missing, or is not what it should be.
  bool read(CheckpointManifest& manifest) {
    next_line();  // the format, which the caller has looked at
    if (!value("id", manifest.id) || !value("run", manifest.run_hash)) return false;
    if (!number("number", manifest.number) || !number("previous", manifest.previous)) return false;
    if (!number("next", manifest.next)) return false;
    while (is_next(kFolder) || is_next(kQuotedFolder)) {
      const bool quoted = is_next(kQuotedFolder);
      const std::string_view path = rest(quoted ? kQuotedFolder : kFolder);
      manifest.folders.push_back(quoted ? unquoted(path) : std::string(path));
    }
    while (is_next("era"))
      if (!numbers(rest("era"), manifest.eras.emplace_back())) return false;
    return left_.empty();
  }

 private:
  std::string_view next_line() {
    const size_t end = std::min(left_.find('\n'), left_.size());
    const std::string_view line = left_.substr(0, end);
    left_.remove_prefix(std::min(end + 1, left_.size()));
    return line;
  }
  bool is_next(std::string_view key) const {
    return left_.starts_with(key) && left_.substr(key.size()).starts_with(": ");
  }
  std::string_view rest(std::string_view key) { return next_line().substr(key.size() + 2); }
  bool value(std::string_view key, std::string& text) {
    if (!is_next(key)) return false;
    text = rest(key);
    return true;
  }
  bool number(std::string_view key, uint64_t& to) {
    const std::optional<uint64_t> read = is_next(key) ? number_of(rest(key)) : std::nullopt;
    to = read.value_or(0);
    return read.has_value();
  }
  static bool numbers(std::string_view text, std::vector<uint64_t>& to) {
    while (true) {
      const size_t end = std::min(text.find(' '), text.size());
      const std::optional<uint64_t> read = number_of(text.substr(0, end));
      if (!read) return false;
      to.push_back(*read);
      if (end == text.size()) return true;
      text.remove_prefix(end + 1);
    }
  }

  std::string_view left_;
};

// Whether the parts of a manifest fit together.
bool is_sound(const CheckpointManifest& manifest) {
  const bool counts = manifest.previous < manifest.number || (manifest.number == 0 && manifest.previous == 0);
  if (!is_hash(manifest.id) || !is_hash(manifest.run_hash) || !counts || manifest.number >= manifest.next)
    return false;
  const auto is_path = [](const std::string& folder) {
    return folder.starts_with('/') && folder.find('\0') == std::string::npos;
  };
  const auto has_folder = [&](uint64_t number) { return number <= manifest.folders.size(); };
  return !manifest.eras.empty() && std::ranges::all_of(manifest.folders, is_path) &&
         std::ranges::all_of(manifest.eras,
                             [&](const auto& era) { return std::ranges::all_of(era, has_folder); });
}

}  // namespace

std::string CheckpointManifest::text() const {
  std::string text = fmt::format("{}{}\nid: {}\nrun: {}\nnumber: {}\nprevious: {}\nnext: {}\n", kHead,
                                 kFormat, id, run_hash, number, previous, next);
  for (const std::string& folder : folders) text += folder_line(folder);
  for (const std::vector<uint64_t>& era : eras) text += fmt::format("era: {}\n", fmt::join(era, " "));
  return text + sum_line(text);
}

Result<CheckpointManifest> parse_manifest(const std::string& text, const std::string& path) {
  if (text.starts_with(kHead)) {
    const size_t end = text.find('\n');
    const std::optional<uint64_t> format =
        number_of(std::string_view(text).substr(0, end).substr(kHead.size()));
    if (format && *format != kFormat)
      return Status::usage(
          fmt::format("{}: it has the format {}, and this version of Strata reads {}; resume the run "
                      "with the version that began it",
                      path, *format, kFormat));
  }
  const size_t sum = text.rfind("sum: ");
  if (!text.starts_with(kHead) || sum == std::string::npos ||
      text.substr(sum) != sum_line(text.substr(0, sum)))
    return Status::system(fmt::format("{}: it is damaged: its sum is wrong", path));
  CheckpointManifest manifest;
  if (!Reader(std::string_view(text).substr(0, sum)).read(manifest) || !is_sound(manifest) ||
      manifest.text() != text)
    return Status::system(fmt::format("{}: it is damaged: its lines are not those of a checkpoint", path));
  return manifest;
}

Result<CheckpointManifest> read_manifest(const std::string& path) {
  const Result<std::string> text = read_plain(path, kMostBytes);
  return text.ok() ? parse_manifest(*text, path) : text.status();
}

}  // namespace strata
