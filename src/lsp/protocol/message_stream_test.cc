#include "lsp/protocol/message_stream.h"

#include <gtest/gtest.h>

#include "lsp/protocol/json.h"

namespace strata::lsp {
namespace {

// The bodies and problems of a text that arrives in pieces of this size.
std::string read(const std::string& bytes, size_t piece) {
  MessageStream stream;
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += piece) {
    stream.feed(std::string_view(bytes).substr(i, piece));
    while (const auto message = stream.next())
      out += message->problem.empty() ? "[" + message->body + "]" : "!" + message->problem + "!";
  }
  return out;
}

TEST(MessageStream, ReadsMessagesHoweverTheyArrive) {
  const std::string bytes = framed("one") + framed("") + "Content-Type: x\r\nContent-Length: 3\r\n\r\ntwo";
  for (const size_t piece : {1u, 2u, 7u, 1000u}) EXPECT_EQ(read(bytes, piece), "[one][][two]") << piece;
}

TEST(MessageStream, FindsTheNextMessageBehindABrokenOne) {
  const std::string no_header = "!a message without a header Content-Length!";
  for (const size_t piece : {1u, 5u, 1000u}) {
    EXPECT_EQ(read("garbage\r\n\r\n" + framed("x"), piece), no_header + "[x]") << piece;
    EXPECT_EQ(read("Content-Length: many\r\n\r\n" + framed("x"), piece), no_header + "[x]") << piece;
    EXPECT_EQ(read("Content-Length: -1\r\n\r\n" + framed("x"), piece), no_header + "[x]") << piece;
    EXPECT_EQ(read(std::string(10'000, 'z') + framed("x"), piece), no_header + "[x]") << piece;
  }
}

TEST(MessageStream, SkipsWhatIsTooLong) {
  MessageStream stream;
  stream.feed("Content-Length: 100000000\r\n\r\n");
  const auto message = stream.next();
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(message->problem, "a message of 100000000 bytes; at most 16777216 are read");
  const std::string piece(1'000'000, 'x');
  for (int i = 0; i < 100; ++i) stream.feed(piece);
  stream.feed(framed("next"));
  EXPECT_EQ(stream.next()->body, "next");
}

TEST(Json, IsReadWithoutTrust) {
  const Json value = *parse_message(R"({"a": {"b": 3, "c": "x"}, "n": -1, "big": 99999999999})");
  EXPECT_EQ(number_of(value, {"a", "b"}), 3u);
  EXPECT_EQ(number_of(value, {"a", "c"}), std::nullopt);
  EXPECT_EQ(number_of(value, {"n"}), std::nullopt);
  EXPECT_EQ(number_of(value, {"big"}), std::nullopt);
  EXPECT_EQ(text_of(value, {"a", "c"}), "x");
  EXPECT_EQ(text_of(value, {"a", "c", "d"}), "");
  EXPECT_TRUE(member(value, {"z", "b"}).is_null());
  EXPECT_FALSE(parse_message("{").has_value());
  EXPECT_FALSE(parse_message(std::string(1000, '[') + std::string(1000, ']')).has_value());
  EXPECT_EQ(to_text("\xff"), "\"\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace strata::lsp
