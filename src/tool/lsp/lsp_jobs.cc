#include "tool/lsp/lsp_jobs.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/source.h"
#include "tool/lsp/child_process.h"

namespace strata {
namespace {

std::string too_large(const char* what) {
  return fmt::format("strata: {} is larger than {} MiB; the rest is left out\n", what,
                     ChildProcess::kMostOutput >> 20);
}

class ChildJob : public lsp::Job {
 public:
  Status start(const std::vector<std::string>& words, const std::string& input) {
    return child_.start(words, input);
  }
  int descriptor() const override { return child_.descriptor(); }
  bool advance(std::string& progress) override {
    const bool ended = child_.advance();
    progress = news();
    return ended;
  }
  void cancel() override { child_.interrupt(); }

 protected:
  // What to tell of the run, if there is something new.
  virtual std::string news() { return ""; }
  const ChildProcess& child() const { return child_; }
  void forget_errors(size_t bytes) { child_.forget_errors(bytes); }

 private:
  ChildProcess child_;
};

std::string no_report() {
  return fmt::format(
      "the report of this check is larger than {} MiB, so its verdict and its errors are not shown; 'strata "
      "check "
      "--json FILE' writes it into a file",
      ChildProcess::kMostOutput >> 20);
}

class CheckJob : public ChildJob {
 public:
  explicit CheckJob(std::string path) : path_(std::move(path)) {}
  lsp::Json result() override {
    const lsp::Json report = parsed();
    lsp::Json out = {{"exitCode", child().exit_code()}, {"output", text_ + missing()}};
    for (const char* name : {"verdict", "states", "transitions", "depth", "errors"})
      if (report.contains(name)) out[name] = report[name];
    return out;
  }
  std::vector<Finding> findings() const override {
    std::vector<Finding> list;
    if (child().output_was_cut()) return {{0, 0, no_report()}};
    const lsp::Json report = parsed();
    for (const lsp::Json& error : lsp::member(report, {"errors"})) {
      // A place in another file, as that of a formula, is none of the document.
      const bool here = lsp::text_of(error, {"position", "file"}) == path_;
      const auto line = lsp::number_of(error, {"position", "line"});
      const auto column = lsp::number_of(error, {"position", "column"});
      list.push_back(
          {here ? line.value_or(0) : 0, here ? column.value_or(0) : 0, lsp::text_of(error, {"message"})});
    }
    return list;
  }

 private:
  lsp::Json parsed() const {
    const lsp::Json report = lsp::Json::parse(child().output(), nullptr, false);
    return report.is_object() ? report : lsp::Json::object();
  }
  // The lines of standard error: those of --progress json, and the text of the report. Lines are forgotten when they
  // are read, because the progress of a long check has more bytes than are kept.
  std::string news() override {
    std::string words;
    const std::string& all = child().errors();
    size_t read = 0;
    for (size_t end = all.find('\n'); end != std::string::npos; end = all.find('\n', read)) {
      const std::string line = all.substr(read, end - read);
      read = end + 1;
      const lsp::Json progress = line.starts_with('{') ? lsp::Json::parse(line, nullptr, false) : lsp::Json();
      if (progress.is_object() && progress.contains("phase"))
        words = fmt::format("{}: {} states", lsp::text_of(progress, {"phase"}),
                            lsp::member(progress, {"states"}).dump());
      else
        add_text(line);
    }
    forget_errors(read);
    return words;
  }
  void add_text(const std::string& line) {
    text_was_cut_ = text_was_cut_ || text_.size() + line.size() >= ChildProcess::kMostOutput;
    if (!text_was_cut_) text_ += line + "\n";
  }
  // What is missing in the text and in the report; empty: nothing.
  std::string missing() const {
    std::string words;
    if (text_was_cut_ || child().errors_were_cut()) words += too_large("the text of this check");
    if (child().output_was_cut()) words += "strata: " + no_report() + "\n";
    return words;
  }

  const std::string path_;  // of the model
  std::string text_;
  bool text_was_cut_ = false;
};

class StepJob : public ChildJob {
 public:
  lsp::Json result() override {
    std::string errors = child().errors();
    if (child().errors_were_cut()) errors += too_large("this text");
    if (child().output_was_cut()) errors += too_large("the output");
    return {{"exitCode", child().exit_code()}, {"output", child().output()}, {"errors", std::move(errors)}};
  }
};

bool gather(const lsp::Json& arguments, std::vector<std::string>& words) {
  for (const lsp::Json& word : arguments) {
    if (!word.is_string()) return false;
    words.push_back(word.get<std::string>());
  }
  return true;
}

}  // namespace

bool LspCommands::is_saved(const std::string& path, std::string_view text) const {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  const Result<SourceFile> file = SourceFile::load(path);
  return file.ok() && file->text() == text;
}

std::unique_ptr<lsp::Job> LspCommands::start(const std::string& name, const std::string& path,
                                             const lsp::Json& arguments, std::string& problem) {
  std::vector<std::string> given;
  if (!gather(arguments, given)) {
    problem = "the arguments are not texts";
    return nullptr;
  }
  const bool checks = name == "strata.check";
  std::vector<std::string> words = {checks ? "check" : "step"};
  std::string input;
  if (checks) {
    words.insert(words.end(), given.begin(), given.end());
    words.insert(words.end(), {"--json", "-", "--progress", "json"});
  } else {
    for (const std::string& line : given) input += line + "\n";
  }
  words.insert(words.end(), {"--", path});
  std::unique_ptr<ChildJob> job;
  if (checks)
    job = std::make_unique<CheckJob>(path);
  else
    job = std::make_unique<StepJob>();
  const Status status = job->start(words, input);
  if (status.ok()) return job;
  problem = status.message();
  return nullptr;
}

}  // namespace strata
