#include "tool/murphi/emit_murphi.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/hash.h"
#include "tool/resume/run_checkpoints.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

Status cannot_write(const std::string& path) {
  return Status::system(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
}

Status write_file(const std::string& path, const std::string& text, mode_t mode) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file.good()) return cannot_write(path);
  if (::chmod(path.c_str(), mode) != 0) return cannot_write(path);
  return {};
}

Status make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return Status::system(fmt::format("cannot make '{}': {}", path, error.message()));
  return {};
}

Result<std::string> own_path() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  if (error) return Status::system(fmt::format("cannot find this program itself: {}", error.message()));
  return path.string();
}

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

// A literal for each line. Characters that are not plain are written as three octal digits.
std::string literals(std::string_view text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    out += "    \"";
    for (const char c : text.substr(begin, end - begin)) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '\n')
        out += "\\n";
      else if (c == '"' || c == '\\')
        out += std::string("\\") + c;
      else if (byte < 0x20 || byte >= 0x7f || c == '?')
        out += fmt::format("\\{:03o}", byte);
      else
        out += c;
    }
    out += "\",\n";
    begin = end;
  }
  return out;
}

constexpr const char* kVerifier = R"(#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char** words) {{
  static const char* const model[] = {{
{}    ""}};
  FILE* file = tmpfile();
  if (file == NULL) return perror("a temporary file for the model"), 153;
  for (size_t i = 0; i + 1 < sizeof model / sizeof *model; ++i) fputs(model[i], file);
  if (fflush(file) != 0 || lseek(fileno(file), 0, SEEK_SET) != 0 || dup2(fileno(file), 0) != 0)
    return perror("a temporary file for the model"), 153;
  const char** all = (const char**)calloc(count + 8, sizeof *all);
  if (all == NULL) return 153;
  int n = 0;
  const char* program = getenv("STRATA") != NULL ? getenv("STRATA") : "{}";
  all[n++] = program;
  all[n++] = "murphi";
  all[n++] = "--name";
  all[n++] = "{}";
{}  for (int i = 1; i < count; ++i) all[n++] = words[i];
  all[n++] = "-";
  execv(program, (char* const*)all);
  execvp("strata", (char* const*)all);
  fprintf(stderr, "cannot run %s, nor strata: set STRATA to the path of the program\n", program);
  return 153;
}}
)";

// The text compiles as C++ and as C.
std::string in_literal(const std::string& text) {
  std::string out = literals(text + "\n");
  const size_t begin = out.find('"') + 1;
  return out.substr(begin, out.rfind("\\n") - begin);
}

Result<SourceFile> only_model(const MurphiOptions& options) {
  if (options.models.size() == 1) return SourceFile::load(options.models[0]);
  return Status::usage(options.models.empty()
                           ? "--mu needs a model file"
                           : fmt::format("--mu takes one model, not several: '{}' and '{}'",
                                         options.models[0], options.models[1]));
}

Result<std::string> emit_mu(const std::string& folder, const std::string& strata) {
  for (const char* name : {"/src", "/include"})
    if (Status status = make_folder(folder + name); !status.ok()) return status;
  const std::string path = folder + "/src/mu";
  const std::string script = fmt::format(
      "#!/bin/sh\n# In the place of CMurphi's compiler: see `strata murphi --help`.\n"
      "exec \"${{STRATA:-{}}}\" murphi --mu \"$@\"\n",
      strata);
  if (Status status = write_file(path, script, 0755); !status.ok()) return status;
  const std::string readme = folder + "/include/README";
  if (Status status =
          write_file(readme, "What `mu` of this folder writes includes nothing from here.\n", 0644);
      !status.ok())
    return status;
  return path + "\n" + readme + "\n";
}

}  // namespace

std::string verifier_source(const SourceFile& model, const std::string& strata, bool hash_compaction) {
  return fmt::format(
             "// Made from {} by Strata {}: runs `strata murphi` on the model below, with CMurphi's "
             "options.\n",
             file_name(model.name()), STRATA_VERSION) +
         fmt::format(fmt::runtime(kVerifier), literals(model.text()), in_literal(strata),
                     in_literal(file_name(model.name())), hash_compaction ? "  all[n++] = \"-c\";\n" : "");
}

std::string verifier_script(const SourceFile& model, const std::string& strata) {
  const std::string end =
      fmt::format("end_of_model_{:016x}", hash_bytes(model.text().data(), model.text().size()));
  const std::string text(model.text());
  return fmt::format(
      "#!/bin/sh\n# Made from {} by Strata {}: takes CMurphi's options.\n"
      "exec \"${{STRATA:-{}}}\" murphi --name {} \"$@\" - <<'{}'\n{}{}{}\n",
      file_name(model.name()), STRATA_VERSION, strata, shell_word(file_name(model.name())), end, text,
      text.ends_with('\n') ? "" : "\n", end);
}

Result<std::string> emit_programs(const MurphiOptions& options) {
  const Result<std::string> strata = own_path();
  if (!strata.ok()) return strata;
  if (options.models.empty()) return emit_mu(options.emit, *strata);
  if (Status status = make_folder(options.emit); !status.ok()) return status;
  std::string written;
  for (const std::string& path : options.models) {
    const Result<SourceFile> model = SourceFile::load(path);
    if (!model.ok()) return model.status();
    const std::string program = options.emit + "/" + fs::path(path).stem().string();
    if (Status status = write_file(program, verifier_script(*model, *strata), 0755); !status.ok())
      return status;
    written += program + "\n";
  }
  return written;
}

Result<std::string> translate_model(const MurphiOptions& options) {
  const Result<std::string> strata = own_path();
  if (!strata.ok()) return strata;
  const Result<SourceFile> model = only_model(options);
  if (!model.ok()) return model.status();
  const std::string path = fs::path(options.models[0]).replace_extension(".cpp").string();
  const std::string text = verifier_source(*model, *strata, options.hash_compaction);
  if (Status status = write_file(path, text, 0644); !status.ok()) return status;
  return fmt::format("Code generated in file {}\n", path);
}

}  // namespace strata
