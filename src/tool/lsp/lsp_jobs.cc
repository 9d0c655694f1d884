#include "tool/lsp/lsp_jobs.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/source.h"
#include "tool/lsp/child_process.h"

namespace strata {
namespace {

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

 private:
  ChildProcess child_;
};

class CheckJob : public ChildJob {
 public:
  lsp::Json result() override {
    const lsp::Json report = parsed();
    lsp::Json out = {{"exitCode", child().exit_code()}, {"output", text_}};
    for (const char* name : {"verdict", "states", "transitions", "depth", "errors"})
      if (report.contains(name)) out[name] = report[name];
    return out;
  }
  std::vector<Finding> findings() const override {
    std::vector<Finding> list;
    const lsp::Json report = parsed();
    for (const lsp::Json& error : lsp::member(report, {"errors"})) {
      const auto line = lsp::number_of(error, {"position", "line"});
      const auto column = lsp::number_of(error, {"position", "column"});
      list.push_back({line.value_or(0), column.value_or(0), lsp::text_of(error, {"message"})});
    }
    return list;
  }

 private:
  lsp::Json parsed() const {
    const lsp::Json report = lsp::Json::parse(child().output(), nullptr, false);
    return report.is_object() ? report : lsp::Json::object();
  }
  // The lines of standard error: those of --progress json, and the text of the report.
  std::string news() override {
    std::string words;
    const std::string& all = child().errors();
    for (size_t end = all.find('\n', read_); end != std::string::npos; end = all.find('\n', read_)) {
      const std::string line = all.substr(read_, end - read_);
      read_ = end + 1;
      const lsp::Json progress = line.starts_with('{') ? lsp::Json::parse(line, nullptr, false) : lsp::Json();
      if (!progress.is_object() || !progress.contains("phase"))
        text_ += line + "\n";
      else
        words = fmt::format("{}: {} states", lsp::text_of(progress, {"phase"}),
                            lsp::member(progress, {"states"}).dump());
    }
    return words;
  }

  size_t read_ = 0;
  std::string text_;
};

class StepJob : public ChildJob {
 public:
  lsp::Json result() override {
    return {{"exitCode", child().exit_code()}, {"output", child().output()}, {"errors", child().errors()}};
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
    job = std::make_unique<CheckJob>();
  else
    job = std::make_unique<StepJob>();
  const Status status = job->start(words, input);
  if (status.ok()) return job;
  problem = status.message();
  return nullptr;
}

}  // namespace strata
