#include "options/option_values.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(ParseSize, Units) {
  EXPECT_EQ(parse_size("1048576").value(), 1048576u);
  EXPECT_EQ(parse_size("64K").value(), 65536u);
  EXPECT_EQ(parse_size("512M").value(), uint64_t{512} << 20);
  EXPECT_EQ(parse_size("512m").value(), uint64_t{512} << 20);
  EXPECT_EQ(parse_size("2G").value(), uint64_t{2} << 30);
  EXPECT_EQ(parse_size("2GB").value(), uint64_t{2} << 30);
  EXPECT_EQ(parse_size("1.5GiB").value(), uint64_t{3} << 29);
  EXPECT_EQ(parse_size("1T").value(), uint64_t{1} << 40);
  EXPECT_EQ(parse_size("0").value(), 0u);
  EXPECT_EQ(parse_size("1024P").value(), uint64_t{1} << 60);
}

TEST(ParseSize, Refusals) {
  for (const char* text :
       {"", "M", "-1M", "1X", "1 M", "M1", "1MiBs", "1e9", "0x10", "nan", "inf", "1..5M", "+1M"}) {
    const auto size = parse_size(text);
    ASSERT_FALSE(size.ok()) << text;
    EXPECT_EQ(size.status().code(), StatusCode::usage);
    EXPECT_EQ(size.status().message(),
              "'" + std::string(text) + "' is not a size; write for example 512M or 1.5GiB");
  }
  EXPECT_EQ(parse_size("1025P").status().message(), "'1025P' is more than any machine has");
  EXPECT_EQ(parse_size("99999999999999999999999").status().message(),
            "'99999999999999999999999' is more than any machine has");
}

TEST(ParseNumber, Range) {
  EXPECT_EQ(parse_number("1", 1, 1024).value(), 1u);
  EXPECT_EQ(parse_number("18446744073709551615", 0, UINT64_MAX).value(), UINT64_MAX);
  for (const char* text : {"0", "1025", "-1", "", "1.5", "1k", "99999999999999999999"}) {
    EXPECT_EQ(parse_number(text, 1, 1024).status().message(),
              "'" + std::string(text) + "' is not a whole number from 1 to 1024");
  }
  EXPECT_EQ(parse_number("-1", 0, UINT64_MAX).status().message(), "'-1' is not a whole number of at least 0");
}

TEST(ParseSeconds, PositiveNumbers) {
  EXPECT_EQ(parse_duration("30").value(), 30);
  EXPECT_EQ(parse_duration("0.5s").value(), 0.5);
  EXPECT_EQ(parse_duration("1.5m").value(), 90);
  EXPECT_EQ(parse_duration("1d").value(), 86400);
  for (const char* text : {"", "s", "1w", "-1s", "1 h", "1hh", "10M"})
    EXPECT_FALSE(parse_duration(text).ok()) << text;
  EXPECT_EQ(parse_duration("9999999d").status().message(), "'9999999d' is more than a hundred years");
  EXPECT_EQ(parse_seconds("60").value(), 60);
  EXPECT_EQ(parse_seconds("0.5").value(), 0.5);
  for (const char* text : {"abc", "0", "-1", "", "1s", "1e3", "nan"}) {
    EXPECT_EQ(parse_seconds(text).status().message(),
              "'" + std::string(text) + "' is not a positive number of seconds; write for example 60 or 0.5");
  }
  EXPECT_EQ(parse_seconds("99999999999").status().message(),
            "'99999999999' seconds are more than a hundred years");
}

TEST(ParseStore, BitsOfSignatures) {
  EXPECT_TRUE(parse_store("states")->exact());
  EXPECT_EQ(parse_store("signatures")->signature_bits, 64u);
  EXPECT_EQ(parse_store("signatures:16")->signature_bits, 16u);
  EXPECT_EQ(parse_store("signatures:64")->signature_bits, 64u);
  for (const char* text :
       {"signatures:8", "signatures:65", "signatures:", "signatures:40x", "signatures:-1"}) {
    const auto store = parse_store(text);
    EXPECT_EQ(store.status().code(), StatusCode::usage);
    EXPECT_EQ(store.status().message(), "'" + std::string(text) + "': a signature has 16 to 64 bits");
  }
  for (const char* text : {"", "state", "signature", "signatures40", "States"}) {
    EXPECT_EQ(parse_store(text).status().message(),
              "'" + std::string(text) + "' is not one of states, signatures, signatures:BITS");
  }
}

TEST(ParseDefinition, NameAndValue) {
  EXPECT_EQ(parse_definition("N=3").value(), std::pair(std::string("N"), std::string("3")));
  EXPECT_EQ(parse_definition("a_1=b=c").value(), std::pair(std::string("a_1"), std::string("b=c")));
  for (const char* text : {"N", "=3", "N=", "1N=3", "N M=3", ""}) {
    EXPECT_EQ(parse_definition(text).status().message(),
              "'" + std::string(text) + "' is not of the form NAME=VALUE");
  }
}

}  // namespace
}  // namespace strata
