#include "lsp/protocol/json.h"

#include <utility>

namespace strata::lsp {
namespace {

constexpr int kDeepest = 64;
constexpr uint64_t kLargest = (uint64_t{1} << 31) - 1;

}  // namespace

const Json& member(const Json& value, std::initializer_list<const char*> path) {
  static const Json none;
  const Json* at = &value;
  for (const char* name : path) {
    if (!at->is_object()) return none;
    const auto found = at->find(name);
    if (found == at->end()) return none;
    at = &*found;
  }
  return *at;
}

std::string text_of(const Json& value, std::initializer_list<const char*> path) {
  const Json& found = member(value, path);
  return found.is_string() ? found.get<std::string>() : std::string();
}

std::optional<uint32_t> number_of(const Json& value, std::initializer_list<const char*> path) {
  const Json& found = member(value, path);
  if (!found.is_number_unsigned() || found.get<uint64_t>() > kLargest) return std::nullopt;
  return found.get<uint32_t>();
}

std::optional<Json> parse_message(const std::string& text) {
  bool deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    deep = deep || depth > kDeepest;
    return !deep;
  };
  Json value = Json::parse(text, watch, false);
  if (value.is_discarded() || deep) return std::nullopt;
  return value;
}

std::string to_text(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json response(const Json& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json error_response(const Json& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

Json notification(const char* method, Json parameters) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(parameters)}};
}

Json request(uint64_t id, const char* method, Json parameters) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(parameters)}};
}

}  // namespace strata::lsp
