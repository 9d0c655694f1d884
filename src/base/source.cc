#include "base/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "base/characters.h"
#include "base/diagnostic_line.h"

namespace strata {
namespace {

constexpr size_t kMaximumFileSize = size_t{1} << 30;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// Replaces a character that must not reach a terminal: a control byte, a broken UTF-8 sequence, or a mark
// that reorders the text around it.
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
// Lines longer than this are shown in part, around the caret.
constexpr size_t kWindow = 160;

struct Character {
  size_t bytes = 1;
  char32_t code = 0;
  bool valid = true;
};

bool continues(std::string_view text, size_t i) {
  return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
}

// Decodes the character at the start of `text`, which is not empty. A byte with all the continuation bytes behind it
// is one character even where they make no valid sequence: so every text has columns, and a reader that goes byte
// by byte (the lexers) can count them without decoding.
Character decode(std::string_view text) {
  const unsigned char lead = static_cast<unsigned char>(text[0]);
  Character character;
  while (continues(text, character.bytes)) ++character.bytes;
  const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  character.code = length == 1 ? lead : lead & (0x7Fu >> length);
  if (character.bytes != length || (lead >= 0x80 && lead < 0xC2) || lead > 0xF4) {
    character.valid = false;
    return character;
  }
  for (size_t i = 1; i < length; ++i) {
    character.code = character.code << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = character.code >= 0xD800 && character.code <= 0xDFFF;
  character.valid = character.code >= kSmallest[length] && character.code <= 0x10FFFF && !surrogate;
  return character;
}

bool is_harmful(const Character& character) {
  const char32_t c = character.code;
  return !character.valid || c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

void append_harmless(std::string& out, std::string_view text, const Character& character) {
  out += is_harmful(character) ? kReplacement : text.substr(0, character.bytes);
}

std::string harmless_message(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character character = decode(text);
    if (character.valid && character.code == '\n') {
      out += '\n';
    } else {
      append_harmless(out, text, character);
    }
    text.remove_prefix(character.bytes);
  }
  return out;
}

size_t count_characters(std::string_view text) {
  size_t count = 0;
  while (!text.empty()) {
    text.remove_prefix(decode(text).bytes);
    ++count;
  }
  return count;
}

// The source line and the line with the caret below it. Tabs are repeated under tabs, so the caret is below
// its character however wide the terminal draws them.
std::string line_with_caret(std::string_view line, uint32_t column) {
  const size_t total = count_characters(line);
  const size_t caret = std::min<size_t>(column > 0 ? column - 1 : 0, total);
  size_t from = 0;
  size_t to = total;
  if (total > kWindow) {
    from = std::min(caret > kWindow / 2 ? caret - kWindow / 2 : 0, total - kWindow);
    to = from + kWindow;
  }
  std::string shown = from > 0 ? "..." : "";
  std::string below(shown.size(), ' ');
  for (size_t i = 0; i < to; ++i) {
    const Character character = decode(line);
    if (i >= from) {
      const bool tab = character.valid && character.code == '\t';
      if (i < caret) below += tab ? '\t' : ' ';
      if (tab) {
        shown += '\t';
      } else {
        append_harmless(shown, line, character);
      }
    }
    line.remove_prefix(character.bytes);
  }
  if (to < total) shown += "...";
  return fmt::format("  {}\n  {}^\n", shown, below);
}

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::string& path) : value_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~FileDescriptor() {
    if (value_ >= 0) ::close(value_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return value_; }

 private:
  int value_;
};

Status cannot_read(const std::string& path, std::string_view reason) {
  return Status::system(fmt::format("cannot read '{}': {}", path, reason));
}

Status cannot_read(const std::string& path, int error) {
  return cannot_read(path, std::system_category().message(error));
}

Status read_all(const std::string& path, int descriptor, std::string& text) {
  struct stat information = {};
  if (::fstat(descriptor, &information) != 0) return cannot_read(path, errno);
  if (S_ISDIR(information.st_mode)) return cannot_read(path, "it is a folder, not a file");
  std::array<char, 1 << 16> buffer;
  while (true) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot_read(path, errno);
    if (got == 0) return Status();
    text.append(buffer.data(), static_cast<size_t>(got));
    if (text.size() > kMaximumFileSize) return cannot_read(path, "it is larger than 1 GiB");
  }
}

}  // namespace

SourceFile::SourceFile(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  if (text_.starts_with(kByteOrderMark)) text_.erase(0, kByteOrderMark.size());
  line_starts_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    const bool ends_line =
        text_[i] == '\n' || (text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n'));
    if (ends_line) line_starts_.push_back(i + 1);
  }
}

Result<SourceFile> SourceFile::load(const std::string& path) {
  const FileDescriptor file(path);
  if (file.get() < 0) return cannot_read(path, errno);
  return read(path, file.get());
}

Result<SourceFile> SourceFile::read(const std::string& name, int descriptor) {
  std::string text;
  Status status = read_all(name, descriptor, text);
  if (!status.ok()) return status;
  return SourceFile(name, std::move(text));
}

SourcePosition SourceFile::position(size_t byte_offset) const {
  const size_t offset = std::min(byte_offset, text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const size_t start = *(after - 1);
  const size_t column = 1 + count_characters(text().substr(start, offset - start));
  return {static_cast<uint32_t>(after - line_starts_.begin()), static_cast<uint32_t>(column)};
}

SourcePosition PositionCounter::at(size_t offset) {
  for (; offset_ < offset; ++offset_) {
    const char c = text_[offset_];
    if (c == '\n' || (c == '\r' && (offset_ + 1 == text_.size() || text_[offset_ + 1] != '\n'))) {
      ++position_.line;
      position_.column = 1;
    } else if (!is_continuation(c) || position_.column == 1) {
      ++position_.column;
    }
  }
  return position_;
}

std::string SourceFile::excerpt(SourcePosition position) const {
  return position.line == 0 ? "" : line_with_caret(line(position.line), position.column);
}

std::string_view SourceFile::line(uint32_t number) const {
  if (number == 0 || number > line_starts_.size()) return {};
  const size_t start = line_starts_[number - 1];
  const size_t end = number < line_starts_.size() ? line_starts_[number] : text_.size();
  std::string_view line = text().substr(start, end - start);
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void Diagnostics::error(SourcePosition position, std::string message) {
  if (full()) return;
  const bool known = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.position == position && entry.message == message;
  });
  if (!known) entries_.push_back({position, std::move(message)});
}

std::string Diagnostics::render() const {
  std::vector<const Entry*> sorted;
  for (const Entry& entry : entries_) sorted.push_back(&entry);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Entry* a, const Entry* b) { return a->position < b->position; });
  std::string out;
  for (const Entry* entry : sorted) {
    const std::string message = harmless_message(entry->message);
    out += DiagnosticLine{file_->name(), entry->position, Severity::error, message}.text() + "\n";
    out += file_->excerpt(entry->position);
  }
  return out;
}

Status Diagnostics::status() const { return has_errors() ? Status::model(render()) : Status(); }

}  // namespace strata
