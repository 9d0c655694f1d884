#include "engine/contract/parameters.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

SearchOptions with(const std::string& name, const std::string& value) {
  SearchOptions options;
  options.parameters[name] = value;
  return options;
}

std::string number_error(const std::string& value) {
  const Result<uint64_t> number = number_parameter(with("partitions", value), "partitions", 0, 1, 4096);
  EXPECT_EQ(StatusCode::usage, number.status().code()) << value;
  return number.status().message();
}

TEST(Parameters, WholeNumbers) {
  EXPECT_EQ(7u, *number_parameter({}, "partitions", 7, 1, 4096));
  EXPECT_EQ(7u, *number_parameter(with("other", "9"), "partitions", 7, 1, 4096));
  EXPECT_EQ(1u, *number_parameter(with("partitions", "1"), "partitions", 7, 1, 4096));
  EXPECT_EQ(4096u, *number_parameter(with("partitions", "4096"), "partitions", 7, 1, 4096));
  EXPECT_EQ("--set partitions=0: not a whole number from 1 to 4096", number_error("0"));
  EXPECT_EQ("--set partitions=4097: not a whole number from 1 to 4096", number_error("4097"));
  EXPECT_EQ("--set partitions=: not a whole number from 1 to 4096", number_error(""));
  EXPECT_EQ("--set partitions=-1: not a whole number from 1 to 4096", number_error("-1"));
  EXPECT_EQ("--set partitions=12x: not a whole number from 1 to 4096", number_error("12x"));
  for (const char* wrong : {"x", " 3", "3 ", "1.5", "0x10", "1e2", "99999999999999999999999"})
    number_error(wrong);
}

std::string real_error(const std::string& value) {
  const Result<double> number = real_parameter(with("gamma", value), "gamma", 0.1, 0, 1);
  EXPECT_EQ(StatusCode::usage, number.status().code()) << value;
  return number.status().message();
}

TEST(Parameters, Numbers) {
  EXPECT_EQ(0.1, *real_parameter({}, "gamma", 0.1, 0, 1));
  EXPECT_EQ(0.25, *real_parameter(with("gamma", "0.25"), "gamma", 0.1, 0, 1));
  EXPECT_EQ(0, *real_parameter(with("gamma", "0"), "gamma", 0.1, 0, 1));
  EXPECT_EQ(1, *real_parameter(with("gamma", "1"), "gamma", 0.1, 0, 1));
  EXPECT_EQ(0.001, *real_parameter(with("gamma", "1e-3"), "gamma", 0.1, 0, 1));
  EXPECT_EQ("--set gamma=1.5: not a number from 0 to 1", real_error("1.5"));
  EXPECT_EQ("--set gamma=-0.1: not a number from 0 to 1", real_error("-0.1"));
  EXPECT_EQ("--set gamma=nan: not a number from 0 to 1", real_error("nan"));
  EXPECT_EQ("--set gamma=0,5: not a number from 0 to 1", real_error("0,5"));
  for (const char* wrong : {"", "x", "inf", "0.1 ", "0.1.2", "half"}) real_error(wrong);
  EXPECT_EQ("--set rc=x: not a number from 0 to 1000000000",
            real_parameter(with("rc", "x"), "rc", 1, 0, 1e9).status().message());
}

TEST(Parameters, Words) {
  const std::vector<std::string> words = {"chained", "open"};
  EXPECT_EQ("chained", *choice_parameter({}, "table", words));
  EXPECT_EQ("open", *choice_parameter(with("table", "open"), "table", words));
  for (const char* wrong : {"", "Open", "opened", "chained,open"}) {
    const Result<std::string> word = choice_parameter(with("table", wrong), "table", words);
    EXPECT_EQ(StatusCode::usage, word.status().code());
    EXPECT_EQ(std::string("--set table=") + wrong + ": choose chained or open", word.status().message());
  }
}

}  // namespace
}  // namespace strata
