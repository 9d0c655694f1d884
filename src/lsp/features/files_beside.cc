#include "lsp/features/files_beside.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/characters.h"
#include "base/source.h"

namespace strata::lsp {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostEntries = 4096;
constexpr uint64_t kMostBytes = uint64_t{1} << 20;

bool is_suite(const fs::path& path) {
  const fs::path suffix = path.extension();
  return suffix == ".json" || suffix == ".yaml" || suffix == ".yml";
}

bool has_name(const fs::path& path, const fs::path& model, std::string_view word) {
  const bool twin =
      path.stem() == model.stem() && (path.extension() == ".ltl" || path.extension() == ".mdve");
  if ((!twin && !is_suite(path)) || path == model) return false;
  const Result<SourceFile> file = SourceFile::load(path.string());
  if (!file.ok() || !has_word(file->text(), word)) return false;
  if (twin) return true;
  // Reports name the model too, and have no runs.
  const auto has = [&](std::string_view text) { return file->text().find(text) != std::string_view::npos; };
  return has("runs") && has(model.filename().string());
}

}  // namespace

bool has_word(std::string_view text, std::string_view word) {
  const auto in_name = [&](size_t i) { return i < text.size() && is_name_part(text[i]); };
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if ((at == 0 || !in_name(at - 1)) && !in_name(at + word.size())) return true;
  return false;
}

std::vector<std::string> files_beside(const std::string& model, std::string_view word) {
  std::vector<std::string> names;
  const fs::path path(model);
  if (!path.is_absolute()) return names;
  std::error_code problem;
  size_t entries = 0;
  for (fs::directory_iterator one(path.parent_path(), problem), end; !problem && one != end;
       one.increment(problem)) {
    if (++entries > kMostEntries) break;
    std::error_code unreadable;
    const bool small = one->is_regular_file(unreadable) && one->file_size(unreadable) <= kMostBytes;
    if (small && has_name(one->path(), path, word)) names.push_back(one->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace strata::lsp
