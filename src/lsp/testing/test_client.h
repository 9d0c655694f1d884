// A client in the same process as the server, and commands that end when a test says so.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/protocol/json.h"
#include "lsp/server.h"
#include "lsp/text/document.h"

namespace strata::lsp {

inline constexpr const char* kUri = "file:///m.m";
inline constexpr const char* kModel = R"(const N: 3;
type
  Proc: 1..N;
  State: enum { Idle, Busy };
  Cell: record at: State; owner: Proc; end;
var
  cell: array [Proc] of Cell;
function busy(p: Proc): boolean;
begin
  return cell[p].at = Busy;
end;
startstate "start"
  for p: Proc do cell[p].at := Idle; cell[p].owner := p; end;
end;
ruleset p: Proc do
  rule "work" !busy(p) ==> cell[p].at := Busy; end;
end;
invariant "fine" N = 3;
)";

// A command that ends when it is asked to.
class FakeJob : public Job {
 public:
  explicit FakeJob(bool& ends) : ends_(ends) {}
  int descriptor() const override { return -1; }
  bool advance(std::string& progress) override {
    progress = ends_ ? "" : "searching";
    return ends_ || cancelled_;
  }
  void cancel() override { cancelled_ = true; }
  Json result() override { return {{"verdict", "violated"}}; }
  std::vector<Finding> findings() const override { return {{18, 1, "it fails"}}; }

 private:
  bool& ends_;
  bool cancelled_ = false;
};

class FakeCommands : public Commands {
 public:
  std::vector<std::string> names() const override { return {"strata.check"}; }
  std::unique_ptr<Job> start(const std::string&, const std::string& path, const Json&,
                             std::string& problem) override {
    problem = path == "/absent.m" ? "there is no such file" : "";
    return problem.empty() ? std::make_unique<FakeJob>(ends) : nullptr;
  }
  bool is_saved(const std::string&, std::string_view text) const override { return text == saved; }
  bool ends = false;
  std::string saved = kModel;
};

class Client {
 public:
  Client() : server_("1", commands_, [this](const Json& message) { sent.push_back(message); }) {
    ask("initialize", {{"capabilities", {{"window", {{"workDoneProgress", true}}}}}});
  }
  Json ask(const char* method, const Json& parameters) {
    sent.clear();
    server_.receive(to_text(request(++id_, method, parameters)));
    return sent.empty() ? Json() : sent.back();
  }
  void tell(const char* method, const Json& parameters) {
    server_.receive(to_text(notification(method, parameters)));
  }
  void open(const std::string& text, const char* uri = kUri) {
    tell("textDocument/didOpen",
         {{"textDocument", {{"uri", uri}, {"languageId", "murphi"}, {"version", 1}, {"text", text}}}});
  }
  // The answer about the first character of the n-th occurrence of a text.
  Json at(const char* method, const std::string& text, const std::string& word, size_t nth = 0,
          Json more = {}) {
    size_t offset = text.find(word);
    while (nth-- > 0) offset = text.find(word, offset + 1);
    const SourceFile file("m", text);
    more["textDocument"] = {{"uri", kUri}};
    more["position"] = place_json(file, offset);
    return ask(method, more);
  }
  Json diagnostics() {
    sent.clear();
    while (server_.idle()) continue;
    return sent.empty() ? Json() : sent.back()["params"]["diagnostics"];
  }
  // The messages of a kind among the last ones.
  size_t count(const char* method) const {
    return static_cast<size_t>(std::count_if(
        sent.begin(), sent.end(), [&](const Json& one) { return one.value("method", "") == method; }));
  }
  Server& server() { return server_; }

  std::vector<Json> sent;
  FakeCommands commands_;

 private:
  Server server_;
  uint64_t id_ = 0;
};

// The beginnings of the ranges in a list: "LINE:CHARACTER ".
inline std::string starts_of(const Json& list) {
  std::string out;
  for (const Json& one : list) {
    const Json& start = one["range"]["start"];
    out += start["line"].dump() + ":" + start["character"].dump() + " ";
  }
  return out;
}

}  // namespace strata::lsp
