// A file the user asked for, opened before the work begins so that a bad path is known at once, and filled when the
// work is done. Until then an existing file keeps its content; a file that was never filled is removed if this object
// created it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "tool/options/options.h"

namespace strata {

class OutputFile {
 public:
  OutputFile() = default;
  // `option` and `path` are named in messages. "-" is standard output.
  static Result<OutputFile> open(const std::string& option, const std::string& path);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;

  bool is_open() const { return descriptor_ >= 0; }
  // Replaces the file's content.
  Status write(const std::string& text);
  // The same in pieces: write_pieces(sink) calls sink(piece) for each of them.
  Status write_pieces(const std::function<void(const std::function<void(std::string_view)>&)>& write_all);
  // There is nothing to write. A file of that name left by another run is removed: it would be taken for this run's.
  void discard();

 private:
  Status begin();
  Status append(std::string_view text);
  bool is_regular() const;
  void close();

  std::string option_;
  std::string path_;
  int descriptor_ = -1;
  bool created_ = false;
  bool written_ = false;
};

// A usage error when `path` names the same file as the model, which it would overwrite.
Status refuse_overwriting(const std::string& option, const std::string& path, const std::string& model);

// The files of --json and --trace-file; one that was not asked for is not open.
struct Outputs {
  OutputFile json, trace;
};
Result<Outputs> open_outputs(const Options& options);

}  // namespace strata
