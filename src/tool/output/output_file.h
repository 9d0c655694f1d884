// A file the user asked for. It is opened before the work begins, so that a bad path is reported at the start, and
// replaced as a whole at the end: a file beside it is written, synced and renamed, so that readers never see half of
// it. Until then it has its old content, or a text that says that the work is not done. A file that was never filled is
// removed if this object created or changed it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "options/options.h"
#include "report/ci/run_record.h"

namespace strata {

class OutputFile {
 public:
  OutputFile() = default;
  // Messages name `option` and `path`. "-" is standard output. The file has the `unfinished` text from now on, unless
  // the text is empty or the file is not a regular file.
  static Result<OutputFile> open(const std::string& option, const std::string& path,
                                 const std::string& unfinished = "");
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;

  // Calls its argument with the pieces of a text, in order.
  using Pieces = std::function<void(const std::function<void(std::string_view)>&)>;

  bool is_open() const { return descriptor_ >= 0; }
  // Whether the file is replaced as a whole: it is not a device, a pipe or standard output.
  bool is_regular() const;
  // Whether the file still says that the work is not done.
  bool is_unfinished() const { return is_open() && unfinished_; }
  // The path without links.
  const std::string& target() const { return target_; }
  // Replaces the file's content.
  Status write(const std::string& text);
  // The same in pieces.
  Status write_pieces(const Pieces& pieces);
  // There is nothing to write. Removes a file of that name by another run, so that no reader takes it for this run's.
  void discard();

 private:
  bool appear(const std::string& text);
  Status fill(int descriptor, const Pieces& pieces) const;
  Status replace(const Pieces& pieces);
  Status write_in_place(const Pieces& pieces);
  void close();

  std::string option_;
  std::string path_;
  std::string target_;
  int descriptor_ = -1;
  bool unfinished_ = false;  // this object created or changed the file, and nothing was written
};

// A usage error when `path` names the same file as the model, which it would overwrite.
Status refuse_overwriting(const std::string& option, const std::string& path, const std::string& model);

// The files of --json, --trace-file, --report, --junit and --sarif, as far as they were asked for. The files of --json
// and --report say from now on that the run is not done; if a signal ends the process immediately, the file of --json
// says that the run was interrupted.
struct Outputs {
  OutputFile json, trace, report, junit, sarif;

  Outputs() = default;
  Outputs(Outputs&&) = default;
  Outputs& operator=(Outputs&&) = default;
  ~Outputs();

  // REQUIRES: --json was given.
  Status write_json(const std::string& text);
  Status write_json(const OutputFile::Pieces& pieces);
  // The files of --junit and --sarif, where they were asked for; a name for the suite of tests.
  Status write_records(const std::string& suite, const std::vector<RunRecord>& runs);
  bool wants_records() const { return junit.is_open() || sarif.is_open(); }
};
Result<Outputs> open_outputs(const Options& options);

}  // namespace strata
