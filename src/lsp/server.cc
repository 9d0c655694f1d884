#include "lsp/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "lsp/features/names.h"

namespace strata::lsp {

void Server::receive(const std::string& body) {
  const std::optional<Json> message = parse_message(body);
  if (!message) return send_(error_response(nullptr, kParseError, "the message is not JSON"));
  if (!message->is_object())
    return send_(error_response(nullptr, kInvalidRequest, "the message is not an object"));
  dispatch(*message);
}

void Server::dispatch(const Json& message) {
  const std::string method = text_of(message, {"method"});
  const Json& id = member(message, {"id"});
  const bool has_id = id.is_string() || id.is_number_integer();
  // An answer of the client, for example to the request for a progress token.
  if (method.empty() && has_id && !message.contains("method")) return;
  if (method.empty()) return send_(error_response(id, kInvalidRequest, "the message has no method"));
  const Json& parameters = member(message, {"params"});
  if (has_id)
    answer(id, method, parameters);
  else
    notice(method, parameters);
}

void Server::answer(const Json& id, const std::string& method, const Json& parameters) {
  if (!initialized_ && method != "initialize")
    return send_(error_response(id, kNotInitialized, "the server is not initialized"));
  if (shut_down_) return send_(error_response(id, kInvalidRequest, "the server is shut down"));
  if (method == "workspace/executeCommand") return execute(id, parameters);
  if (method == "textDocument/rename") return rename_at(id, parameters);
  static const std::map<std::string, Handler> handlers = {
      {"initialize", &Server::initialize},
      {"textDocument/definition", &Server::definition},
      {"textDocument/references", &Server::references},
      {"textDocument/hover", &Server::hover},
      {"textDocument/completion", &Server::completion},
      {"textDocument/prepareRename", &Server::prepare_rename},
      {"textDocument/documentSymbol", &Server::outline_of},
  };
  if (method == "shutdown") {
    shut_down_ = true;
    jobs_.clear();
    return send_(response(id, nullptr));
  }
  const auto handler = handlers.find(method);
  if (handler == handlers.end())
    return send_(
        error_response(id, kMethodNotFound, fmt::format("unknown method '{}'", method.substr(0, 100))));
  send_(response(id, (this->*handler->second)(parameters)));
}

void Server::notice(const std::string& method, const Json& parameters) {
  if (method == "exit") {
    ended_ = true;
    jobs_.clear();
  }
  if (!initialized_ || shut_down_) return;
  if (method == "textDocument/didOpen") open(parameters);
  if (method == "textDocument/didChange") change(parameters);
  if (method == "textDocument/didClose") close(parameters);
  if (method == "$/cancelRequest") cancel(parameters, false);
  if (method == "window/workDoneProgress/cancel") cancel(parameters, true);
}

Json Server::initialize(const Json& parameters) {
  initialized_ = true;
  const Json& progress = member(parameters, {"capabilities", "window", "workDoneProgress"});
  client_has_progress_ = progress.is_boolean() && progress.get<bool>();
  Json can = {{"positionEncoding", "utf-16"},
              {"textDocumentSync", {{"openClose", true}, {"change", 2}}},
              {"definitionProvider", true},
              {"referencesProvider", true},
              {"hoverProvider", true},
              {"documentSymbolProvider", true},
              {"completionProvider", {{"triggerCharacters", {".", ">"}}}},
              {"renameProvider", {{"prepareProvider", true}}},
              {"executeCommandProvider", {{"commands", commands_.names()}, {"workDoneProgress", true}}}};
  return {{"capabilities", std::move(can)}, {"serverInfo", {{"name", "strata"}, {"version", version_}}}};
}

// ---- Documents

size_t Server::text_size() const {
  size_t size = 0;
  for (const auto& [uri, entry] : documents_) size += entry.document.file->text().size();
  return size;
}

void Server::open(const Json& parameters) {
  const std::string uri = text_of(parameters, {"textDocument", "uri"});
  const std::string text = text_of(parameters, {"textDocument", "text"});
  if (uri.empty() || !member(parameters, {"textDocument", "text"}).is_string()) return;
  const bool known = documents_.contains(uri);
  if ((!known && documents_.size() >= kMostDocuments) || text_size() + text.size() > kMostText) {
    send_(
        notification("window/showMessage",
                     {{"type", 2}, {"message", "strata: too many or too large documents; one is not read"}}));
    return;
  }
  Entry entry;
  entry.document.uri = uri;
  entry.document.path = path_of(uri);
  // The client's word for the language counts if it is one of Strata's; else the suffix of the file.
  const std::string language = text_of(parameters, {"textDocument", "languageId"});
  if (language == "murphi" || language == "dve" || language == "mdve") entry.document.language = language;
  entry.document.version = number_of(parameters, {"textDocument", "version"}).value_or(0);
  entry.document.file = std::make_shared<SourceFile>(entry.document.path, text);
  documents_[uri] = std::move(entry);
}

void Server::change(const Json& parameters) {
  Entry* entry = find(parameters);
  const Json& changes = member(parameters, {"contentChanges"});
  if (entry == nullptr || !changes.is_array()) return;
  for (const Json& one : changes) {
    if (entry->lost && one.contains("range")) continue;  // its places are those of the client's text
    // A whole text takes the place of the one before.
    const size_t replaced = one.contains("range") ? 0 : entry->document.file->text().size();
    const bool fits = text_size() - replaced + text_of(one, {"text"}).size() <= kMostText;
    entry->lost = !fits || !entry->document.change(one);
    if (entry->lost) refuse(*entry);
  }
  entry->document.version = number_of(parameters, {"textDocument", "version"}).value_or(0);
  entry->analysed = entry->published = false;
  entry->findings.clear();
}

void Server::refuse(Entry& entry) {
  if (!entry.told)
    log(entry.document.uri,
        "an edit has no text or no good range, or the text is too large, so the server does not know the "
        "text; it "
        "says nothing of this document until it gets a whole text or the document is opened again");
  entry.told = true;
}

void Server::log(const std::string& uri, const std::string& words) {
  send_(notification("window/logMessage",
                     {{"type", 2}, {"message", fmt::format("strata: {}: {}", uri, words)}}));
}

void Server::close(const Json& parameters) {
  Entry* entry = find(parameters);
  if (entry == nullptr) return;
  const std::string uri = entry->document.uri;
  send_(notification("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}}));
  documents_.erase(uri);
}

Server::Entry* Server::find(const Json& parameters) {
  const auto found = documents_.find(text_of(parameters, {"textDocument", "uri"}));
  return found == documents_.end() ? nullptr : &found->second;
}

Server::Entry* Server::find_readable(const Json& parameters) {
  Entry* entry = find(parameters);
  return entry == nullptr || entry->lost ? nullptr : entry;
}

Analysis& Server::analysed(Entry& entry) {
  if (!entry.analysed) {
    entry.analysis = analyse(entry.document, entry.analysis);
    entry.analysed = true;
  }
  return entry.analysis;
}

bool Server::idle() {
  for (auto& [uri, entry] : documents_) {
    if (entry.published) continue;
    if (!entry.lost) analysed(entry);
    publish(entry);
    return true;
  }
  return false;
}

void Server::publish(Entry& entry) {
  const SourceFile& file = *entry.document.file;
  Json list = Json::array();
  const auto add = [&](SourcePosition position, int severity, const char* source,
                       const std::string& message) {
    const std::string_view rest = file.text().substr(offset_of(file, position));
    // The word at the place is underlined, and one character where there is none.
    size_t bytes = 0;
    while (bytes < rest.size() && bytes < 100 && std::isalnum(static_cast<unsigned char>(rest[bytes])))
      ++bytes;
    list.push_back({{"range", range_json(file, position, std::max<size_t>(1, bytes))},
                    {"severity", severity},
                    {"source", source},
                    {"message", message}});
  };
  if (!entry.lost) {
    for (const Mistake& one : entry.analysis.mistakes)
      add(one.position, 1 + static_cast<int>(one.severity), "strata", one.message);
    for (const Job::Finding& one : entry.findings)
      add({one.line, one.column}, 1, "strata check", one.message);
  }
  send_(notification(
      "textDocument/publishDiagnostics",
      {{"uri", entry.document.uri}, {"version", entry.document.version}, {"diagnostics", std::move(list)}}));
  entry.published = true;
}

// ---- Requests about names

template <class Ask>
Json Server::at_place(const Json& parameters, const Ask& ask) {
  Entry* entry = find_readable(parameters);
  const auto line = number_of(parameters, {"position", "line"});
  const auto character = number_of(parameters, {"position", "character"});
  if (entry == nullptr || !line || !character) return nullptr;
  analysed(*entry);
  return ask(
      NameQuery(entry->document, entry->analysis, offset_of(*entry->document.file, *line, *character)));
}

Json Server::definition(const Json& parameters) {
  return at_place(parameters, [](const NameQuery& query) { return query.definition(); });
}

Json Server::references(const Json& parameters) {
  const Json& all = member(parameters, {"context", "includeDeclaration"});
  const bool with_declaration = !all.is_boolean() || all.get<bool>();
  return at_place(parameters, [&](const NameQuery& query) { return query.references(with_declaration); });
}

Json Server::hover(const Json& parameters) {
  return at_place(parameters, [](const NameQuery& query) { return query.hover(); });
}

Json Server::completion(const Json& parameters) {
  return at_place(parameters, [](const NameQuery& query) { return query.completion(); });
}

Json Server::prepare_rename(const Json& parameters) {
  return at_place(parameters, [](const NameQuery& query) { return query.prepare_rename(); });
}

Json Server::outline_of(const Json& parameters) {
  Entry* entry = find_readable(parameters);
  if (entry == nullptr) return Json::array();
  return outline(entry->document, analysed(*entry));
}

void Server::rename_at(const Json& id, const Json& parameters) {
  Renaming renaming{nullptr, "the document is not open, or its text is not known"};
  at_place(parameters, [&](const NameQuery& query) -> Json {
    renaming = rename(query, text_of(parameters, {"newName"}));
    return nullptr;
  });
  if (!renaming.elsewhere.empty())
    send_(notification("window/showMessage", {{"type", 2}, {"message", "strata: " + renaming.elsewhere}}));
  send_(renaming.problem.empty() ? response(id, std::move(renaming.edit))
                                 : error_response(id, kRequestFailed, renaming.problem));
}

}  // namespace strata::lsp
