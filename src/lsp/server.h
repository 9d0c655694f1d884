// The language server: messages in, messages out. It owns no stream and starts no process, so that tests can drive it;
// the command `strata lsp` (tool/lsp) gives it both.
//
// A document is analysed when it was changed and nothing else is to be done (idle()), or when a request asks about it.
// Memory is bounded: at most kMostDocuments documents of kMostText bytes together, and kMostJobs commands at once.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lsp/jobs.h"
#include "lsp/protocol/json.h"
#include "lsp/text/analysis.h"
#include "lsp/text/document.h"

namespace strata::lsp {

class Server {
 public:
  static constexpr size_t kMostDocuments = 256;
  static constexpr size_t kMostText = size_t{64} << 20;
  static constexpr size_t kMostJobs = 8;
  using Send = std::function<void(const Json&)>;

  // `send` gets each message for the client.
  Server(std::string version, Commands& commands, Send send)
      : version_(std::move(version)), commands_(commands), send_(std::move(send)) {}

  // A message of the client, as text; or what is wrong with the stream.
  void receive(const std::string& body);
  void complain(const std::string& problem) { send_(error_response(nullptr, kInvalidRequest, problem)); }
  // Does what can wait: publishes the mistakes of changed documents. True: there may be more to do.
  bool idle();
  // Asks the jobs how far they are.
  void advance_jobs();
  std::vector<int> job_descriptors() const;

  bool ended() const { return ended_; }
  // 0 after an orderly end: shutdown, then exit.
  int exit_code() const { return ended_ && shut_down_ ? 0 : 1; }

 private:
  struct Entry {
    Document document;
    Analysis analysis;
    bool analysed = false;               // the analysis is that of the present text
    bool published = false;              // the client has its mistakes
    std::vector<Job::Finding> findings;  // of the last check, until the text changes
    // An edit was refused, so the client has another text. Nothing is said of the document until a whole text comes.
    bool lost = false;
    bool told = false;  // that an edit was refused
  };
  struct Running {
    Json id;  // of the request
    std::string uri;
    Json token;  // of its progress; null: the client wants none
    // The text of the document that the command reads; none if that is not saved, or has changed since.
    std::weak_ptr<const SourceFile> text;
    std::unique_ptr<Job> job;
    bool cancelled = false;
  };
  using Handler = Json (Server::*)(const Json& parameters);

  void dispatch(const Json& message);
  void answer(const Json& id, const std::string& method, const Json& parameters);
  void notice(const std::string& method, const Json& parameters);
  Json initialize(const Json& parameters);

  // ---- Documents
  void open(const Json& parameters);
  void change(const Json& parameters);
  void refuse(Entry& entry);
  void close(const Json& parameters);
  Entry* find(const Json& parameters);
  Entry* find_readable(const Json& parameters);
  Analysis& analysed(Entry& entry);
  void publish(Entry& entry);
  size_t text_size() const;

  // ---- Requests about names
  template <class Ask>
  Json at_place(const Json& parameters, const Ask& ask);
  Json definition(const Json& parameters);
  Json references(const Json& parameters);
  Json hover(const Json& parameters);
  Json completion(const Json& parameters);
  Json prepare_rename(const Json& parameters);
  Json outline_of(const Json& parameters);
  void rename_at(const Json& id, const Json& parameters);

  // ---- Commands
  void execute(const Json& id, const Json& parameters);
  void cancel(const Json& parameters, bool by_token);
  void begin_progress(Running& running, const Json& parameters, const std::string& title);
  void report(const Running& running, const std::string& words);
  void finish(Running& running);
  void show_findings(const Running& running, Entry& entry);
  void log(const std::string& uri, const std::string& words);

  const std::string version_;
  Commands& commands_;
  const Send send_;
  bool initialized_ = false, shut_down_ = false, ended_ = false;
  bool client_has_progress_ = false;
  std::map<std::string, Entry> documents_;
  std::vector<Running> jobs_;
  uint64_t next_request_ = 1;
};

}  // namespace strata::lsp
