// The commands of the language server: requests that are answered when their job has ended, with progress, and an end
// at the client's request.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lsp/server.h"

namespace strata::lsp {

void Server::execute(const Json& id, const Json& parameters) {
  const std::string name = text_of(parameters, {"command"});
  const Json& arguments = member(parameters, {"arguments"});
  const std::vector<std::string> names = commands_.names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    return send_(
        error_response(id, kInvalidParameters, fmt::format("unknown command '{}'", name.substr(0, 100))));
  if (!arguments.is_array() || arguments.empty() || !arguments[0].is_string())
    return send_(error_response(id, kInvalidParameters, "the first argument is the address of the model"));
  if (jobs_.size() >= kMostJobs)
    return send_(error_response(id, kRequestFailed, fmt::format("{} commands run already", kMostJobs)));
  Running running;
  running.id = id;
  running.uri = arguments[0].get<std::string>();
  std::string problem;
  Json rest = Json::array();
  for (size_t i = 1; i < arguments.size(); ++i) rest.push_back(arguments[i]);
  const std::string path = path_of(running.uri);
  running.job = commands_.start(name, path, rest, problem);
  if (!running.job) return send_(error_response(id, kRequestFailed, problem));
  const auto entry = documents_.find(running.uri);
  if (entry != documents_.end() && commands_.is_saved(path, entry->second.document.file->text()))
    running.text = entry->second.document.file;
  begin_progress(running, parameters, name);
  jobs_.push_back(std::move(running));
}

// The client may have given a token; else one is made, if the client understands it.
void Server::begin_progress(Running& running, const Json& parameters, const std::string& title) {
  const Json& token = member(parameters, {"workDoneToken"});
  if (token.is_string() || token.is_number_integer()) {
    running.token = token;
  } else if (client_has_progress_) {
    running.token = fmt::format("strata-{}", next_request_);
    send_(request(next_request_++, "window/workDoneProgress/create", {{"token", running.token}}));
  }
  if (running.token.is_null()) return;
  send_(notification(
      "$/progress",
      {{"token", running.token}, {"value", {{"kind", "begin"}, {"title", title}, {"cancellable", true}}}}));
}

void Server::report(const Running& running, const std::string& words) {
  if (running.token.is_null()) return;
  send_(notification("$/progress",
                     {{"token", running.token}, {"value", {{"kind", "report"}, {"message", words}}}}));
}

void Server::advance_jobs() {
  for (size_t i = 0; i < jobs_.size();) {
    std::string words;
    const bool ended = jobs_[i].job->advance(words);
    if (!words.empty()) report(jobs_[i], words);
    if (ended) {
      Running running = std::move(jobs_[i]);
      jobs_.erase(jobs_.begin() + static_cast<ptrdiff_t>(i));
      finish(running);
    } else {
      ++i;
    }
  }
}

void Server::finish(Running& running) {
  if (!running.token.is_null())
    send_(notification("$/progress", {{"token", running.token}, {"value", {{"kind", "end"}}}}));
  const auto entry = documents_.find(running.uri);
  if (!running.cancelled && entry != documents_.end()) show_findings(running, entry->second);
  send_(running.cancelled ? error_response(running.id, kRequestCancelled, "cancelled")
                          : response(running.id, running.job->result()));
}

// The places are those of the text that was checked. In another text they would mark wrong lines.
void Server::show_findings(const Running& running, Entry& entry) {
  entry.findings = running.job->findings();
  entry.published = false;
  if (!entry.lost && running.text.lock() == entry.document.file) return;
  if (!entry.findings.empty())
    log(running.uri,
        fmt::format("{} findings of the check are not shown: it read the saved file, and the text has "
                    "changed since or was not saved",
                    entry.findings.size()));
  entry.findings.clear();
}

void Server::cancel(const Json& parameters, bool by_token) {
  const Json& wanted = member(parameters, {by_token ? "token" : "id"});
  for (Running& running : jobs_) {
    if (wanted.is_null() || (by_token ? running.token : running.id) != wanted) continue;
    running.cancelled = true;
    running.job->cancel();
  }
}

std::vector<int> Server::job_descriptors() const {
  std::vector<int> descriptors;
  for (const Running& running : jobs_) descriptors.push_back(running.job->descriptor());
  return descriptors;
}

}  // namespace strata::lsp
