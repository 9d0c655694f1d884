#include "engine/contract/parameters.h"

#include <gtest/gtest.h>

#include "engine/contract/algorithm.h"

namespace strata {
namespace {

Result<SearchResult> run_nothing(const SearchContext&) { return SearchResult(); }

Algorithm row_with(const char* name, const char* default_value, ParameterValues values) {
  return {"toy", "", "", 0, {{name, default_value, std::move(values), ""}}, run_nothing, {}};
}

const Algorithm kPartitions = row_with("partitions", "7", whole(1, 4096));
const Algorithm kGamma = row_with("gamma", "0.1", real(0, 1));
const Algorithm kTable = row_with("table", "chained", one_of({"chained", "open"}));
const Algorithm kRho = row_with("rho", "0.9", real(0.01, 0.99, {"auto"}));

// What is said of the value; empty: the row takes it.
std::string error_of(const Algorithm& row, const std::string& value) {
  SearchOptions options;
  options.parameters[row.parameters[0].name] = value;
  const Status status = check_values(row, options);
  if (!status.ok()) {
    EXPECT_EQ(StatusCode::usage, status.code());
  }
  return status.message();
}

template <class Value>
Value value_of_type(const Algorithm& row, const std::string& value) {
  SearchOptions options;
  if (!value.empty()) options.parameters[row.parameters[0].name] = value;
  return parameter<Value>(with_defaults(row, options), row.parameters[0].name);
}

TEST(Parameters, WholeNumbers) {
  EXPECT_EQ(7u, value_of_type<uint64_t>(kPartitions, ""));
  EXPECT_EQ(1u, value_of_type<uint64_t>(kPartitions, "1"));
  EXPECT_EQ(4096u, value_of_type<uint64_t>(kPartitions, "4096"));
  for (const char* right : {"1", "12", "4096"}) EXPECT_EQ("", error_of(kPartitions, right));
  for (const char* wrong :
       {"0", "4097", "", "-1", "12x", "x", " 3", "3 ", "1.5", "0x10", "1e2", "99999999999999999999999"})
    EXPECT_EQ(std::string("--set partitions=") + wrong + ": expected a whole number from 1 to 4096",
              error_of(kPartitions, wrong));
}

TEST(Parameters, Numbers) {
  EXPECT_EQ(0.1, value_of_type<double>(kGamma, ""));
  EXPECT_EQ(0.001, value_of_type<double>(kGamma, "1e-3"));
  for (const char* right : {"0", "0.25", "1", "1e-3"}) EXPECT_EQ("", error_of(kGamma, right));
  for (const char* wrong : {"1.5", "-0.1", "nan", "0,5", "", "x", "inf", "0.1 ", "0.1.2", "half"})
    EXPECT_EQ(std::string("--set gamma=") + wrong + ": expected a number from 0 to 1",
              error_of(kGamma, wrong));
  EXPECT_EQ("a number from 0 to 1000000000", real(0, 1e9).text());
}

TEST(Parameters, Words) {
  EXPECT_EQ("chained", value_of_type<std::string>(kTable, ""));
  EXPECT_EQ("open", value_of_type<std::string>(kTable, "open"));
  for (const char* wrong : {"", "Open", "opened", "chained,open"})
    EXPECT_EQ(std::string("--set table=") + wrong + ": expected chained or open", error_of(kTable, wrong));
}

TEST(Parameters, NumbersOrAWord) {
  EXPECT_EQ("auto", value_of_type<std::string>(kRho, "auto"));
  EXPECT_EQ(0.5, value_of_type<double>(kRho, "0.5"));
  EXPECT_EQ("--set rho=1: expected a number from 0.01 to 0.99, or auto", error_of(kRho, "1"));
}

TEST(Parameters, OfOtherAlgorithmsAreIgnored) {
  SearchOptions options;
  options.parameters["other"] = "9";
  EXPECT_TRUE(check_values(kGamma, options).ok());
  EXPECT_EQ("0.1", value_of(kGamma, options, "gamma"));
  EXPECT_EQ("", value_of(kGamma, options, "other"));
}

}  // namespace
}  // namespace strata
