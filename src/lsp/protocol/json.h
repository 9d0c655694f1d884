// JSON of messages, read without trust: what is missing or of another kind is null, empty or zero.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace strata::lsp {

using Json = nlohmann::json;

// The member at a path of names; null if there is none.
const Json& member(const Json& value, std::initializer_list<const char*> path);
std::string text_of(const Json& value, std::initializer_list<const char*> path);
// Nothing if it is no number from 0 to 2^31 - 1, which are those of the protocol.
std::optional<uint32_t> number_of(const Json& value, std::initializer_list<const char*> path);

// Parses a message; nothing if it is not JSON, or nested deeper than any message.
std::optional<Json> parse_message(const std::string& text);
// On one line; bytes that are not UTF-8 become U+FFFD.
std::string to_text(const Json& value);

// Messages that a server sends.
Json response(const Json& id, Json result);
Json error_response(const Json& id, int code, const std::string& message);
Json notification(const char* method, Json parameters);
Json request(uint64_t id, const char* method, Json parameters);

inline constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
                     kInvalidParameters = -32602, kNotInitialized = -32002, kRequestCancelled = -32800,
                     kRequestFailed = -32803;

}  // namespace strata::lsp
