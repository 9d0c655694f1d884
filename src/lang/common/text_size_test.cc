#include "lang/common/text_size.h"

#include <gtest/gtest.h>

namespace strata::lang {
namespace {

std::string repeat(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(TextSize, TokensCount) {
  EXPECT_EQ(0u, bytes_to_read(""));
  EXPECT_EQ(bytes_to_read("a1 + b"), 6 * 3 + 3 * 224u);
  EXPECT_EQ(bytes_to_read("x:=1;"), 5 * 3 + 5 * 224u);
  const std::string text = "a -- b c d\nb // e\n/* f\ng */ c /*";
  EXPECT_EQ(bytes_to_read(text), text.size() * 3 + 3 * 224u);
}

TEST(TextSize, ALongTextNeedsMemory) {
  const std::string text = repeat("x:=1;", 200000);
  EXPECT_TRUE(check_text_size("long.m", text, UINT64_MAX).ok());
  EXPECT_TRUE(check_text_size("long.m", text, uint64_t{217} << 20).ok());
  const Status status = check_text_size("long.m", text, uint64_t{16} << 20);
  EXPECT_EQ(StatusCode::limit, status.code());
  EXPECT_EQ("long.m: --memory 16 MiB is too small to read this text of 1.0 MB; raise it to 217 MiB",
            status.message());
  // As long, but mostly comments.
  EXPECT_TRUE(check_text_size("long.m", repeat("-- a comment of one line\nx := 1;", 10000), 16 << 20).ok());
}

TEST(TextSize, AFileThatIsAbsentIsNotTooLong) { EXPECT_TRUE(check_file_size("/nowhere/long.m", 1).ok()); }

}  // namespace
}  // namespace strata::lang
