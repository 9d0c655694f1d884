#include "lang/dve/includes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/diagnostic_line.h"

namespace strata::dve {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 50;
constexpr size_t kLongest = size_t{16} << 20;

// A line that begins with an include directive.
struct Include {
  std::string name;
  bool may_be_absent = false;
  std::string_view rest;  // the rest of the line
};

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::optional<Include> parse_include(std::string_view line) {
  Include found;
  line = without_blanks(line);
  found.may_be_absent = line.starts_with('s');
  if (found.may_be_absent) line.remove_prefix(1);
  if (!line.starts_with("include(")) return {};
  line.remove_prefix(std::string_view("include(").size());
  const size_t end = line.find(')');
  if (end == std::string_view::npos) return {};
  std::string_view name = line.substr(0, end);
  if (name.size() >= 2 && name.front() == '`' && name.back() == '\'') {
    name.remove_prefix(1);
    name.remove_suffix(1);
  }
  // A computed name is left to m4, which refuses it with a message.
  if (name.empty() || name.find_first_of("`',($") != std::string_view::npos) return {};
  found.name = name;
  found.rest = line.substr(end + 1);
  return found;
}

bool is_within(const fs::path& path, const fs::path& folder) {
  const fs::path inside = path.lexically_relative(folder);
  return !inside.empty() && inside != "." && *inside.begin() != "..";
}

class Reader {
 public:
  Reader(const SourceFile& model, std::vector<SourceFile>* sources) : sources_(sources) {
    std::error_code error;
    const fs::path parent = fs::path(model.name()).parent_path();
    folder_ = fs::canonical(parent.empty() ? fs::path(".") : parent, error);
  }

  Status add(const SourceFile& file, int depth) {
    std::string_view text = file.text();
    for (uint32_t number = 1; !text.empty(); ++number) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (Status status = add_line(file, number, line, depth); !status.ok()) return status;
      if (out_.size() > kLongest) return problem(file, number, "the template is larger than 16 MiB");
    }
    return {};
  }

  std::string take() { return std::move(out_); }

 private:
  Status add_line(const SourceFile& file, uint32_t number, std::string_view line, int depth) {
    const std::optional<Include> include = parse_include(line);
    if (include) {
      if (depth == kDeepest) return problem(file, number, fmt::format("includes nested {} deep", kDeepest));
      const Result<std::optional<SourceFile>> found = find(file, number, *include);
      if (!found.ok()) return found.status();
      if (*found) {
        if (Status status = add(**found, depth + 1); !status.ok()) return status;
      }
      line = include->rest;
    }
    out_ += line;
    out_ += '\n';
    return {};
  }

  Result<std::optional<SourceFile>> find(const SourceFile& file, uint32_t number, const Include& include) {
    std::error_code error;
    const fs::path path = fs::canonical(folder_ / include.name, error);
    if (error && include.may_be_absent) return std::optional<SourceFile>();
    if (error) return problem(file, number, fmt::format("include '{}': {}", include.name, error.message()));
    if (!is_within(path, folder_) || !fs::is_regular_file(path, error))
      return problem(file, number,
                     fmt::format("include '{}': a template may include only files in the folder of the model",
                                 include.name));
    Result<SourceFile> found = SourceFile::load(path.string());
    if (!found.ok()) return found.status();
    if (sources_ != nullptr) sources_->push_back(*found);
    return std::optional<SourceFile>(std::move(*found));
  }

  static Status problem(const SourceFile& file, uint32_t line, const std::string& message) {
    return Status::model(DiagnosticLine{file.name(), {line, 1}, Severity::error, message}.text());
  }

  std::vector<SourceFile>* const sources_;
  fs::path folder_;
  std::string out_;
};

}  // namespace

Result<std::string> expand_includes(const SourceFile& file, std::vector<SourceFile>* sources) {
  Reader reader(file, sources);
  if (Status status = reader.add(file, 0); !status.ok()) return status;
  return reader.take();
}

}  // namespace strata::dve
