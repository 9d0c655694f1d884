// A file the user asked for, opened before the work begins so that a bad path is known at once, and filled
// when the work is done, as a whole: it is written beside, brought to the disk and renamed, so nobody reads
// half of it. Until then it has its old content, or one that says that the work is not done. A file that was
// never filled is removed if this object made it, or changed it.
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
  // `option` and `path` are named in messages. "-" is standard output. The file has the `unfinished` text
  // from now on, unless that is empty or the file is no regular one.
  static Result<OutputFile> open(const std::string& option, const std::string& path,
                                 const std::string& unfinished = "");
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;

  // Calls its argument with one piece of a text after the other.
  using Pieces = std::function<void(const std::function<void(std::string_view)>&)>;

  bool is_open() const { return descriptor_ >= 0; }
  // Whether it is a file that is replaced as a whole: no device, pipe or standard output.
  bool is_regular() const;
  // Whether it says that the work is not done.
  bool is_unfinished() const { return is_open() && unfinished_; }
  // Its path without links.
  const std::string& target() const { return target_; }
  // Replaces the file's content.
  Status write(const std::string& text);
  // The same in pieces.
  Status write_pieces(const Pieces& pieces);
  // There is nothing to write. A file of that name left by another run is removed: it would be taken for this run's.
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
  bool unfinished_ = false;  // this object made the file, or changed it, and nothing was written
};

// A usage error when `path` names the same file as the model, which it would overwrite.
Status refuse_overwriting(const std::string& option, const std::string& path, const std::string& model);

// The files of --json, --trace-file, --report, --junit and --sarif; one that was not asked for is not open.
// Those of --json and --report say from now on that the run is not done; that of --json says when the process
// is ended at once that it was interrupted.
struct Outputs {
  OutputFile json, trace, report, junit, sarif;

  Outputs() = default;
  Outputs(Outputs&&) = default;
  Outputs& operator=(Outputs&&) = default;
  ~Outputs();

  // The object of --json, which was asked for.
  Status write_json(const std::string& text);
  Status write_json(const OutputFile::Pieces& pieces);
  // The files of --junit and --sarif, where they were asked for; a name for the suite of tests.
  Status write_records(const std::string& suite, const std::vector<RunRecord>& runs);
  bool wants_records() const { return junit.is_open() || sarif.is_open(); }
};
Result<Outputs> open_outputs(const Options& options);

}  // namespace strata
