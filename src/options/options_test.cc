#include "options/options.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lang/language.h"

namespace strata {
namespace {

const OptionRow* row_named(const std::vector<OptionRow>& rows, const std::string& name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const OptionRow& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

TEST(Options, a_language_adds_its_names_and_its_options) {
  Languages all = languages();
  all.push_back({"toy",
                 "Toy",
                 {"toy", "toy2"},
                 {".toy"},
                 {{"shade", "--shade", "light|dark", "light", "Toy: x"}},
                 nullptr});
  const std::vector<OptionRow> rows = option_rows_with(all);
  Options options;
  const OptionRow* language = row_named(rows, "--language");
  ASSERT_NE(language, nullptr);
  EXPECT_EQ(language->argument, "murphi|dve|mdve|toy|toy2");
  EXPECT_TRUE(language->set(options, "toy2").ok());
  EXPECT_EQ(options.language, "toy2");
  EXPECT_EQ(language->set(options, "tla").message(), "'tla' is not one of murphi, dve, mdve, toy, toy2");
  const OptionRow* shade = row_named(rows, "--shade");
  ASSERT_NE(shade, nullptr);
  EXPECT_EQ(shade->argument, "light|dark");
  EXPECT_NE(shade->commands & kLibrary, 0u);
  EXPECT_TRUE(shade->set(options, "dark").ok());
  EXPECT_EQ(options.language_options.at("shade"), "dark");
  EXPECT_EQ(shade->set(options, "grey").message(), "'grey' is not one of light, dark");
  EXPECT_EQ(row_named(option_rows(), "--shade"), nullptr);
}

TEST(Options, ids_and_names_are_unique) {
  std::vector<std::string> names;
  for (const OptionRow& row : option_rows()) {
    names.emplace_back(row.id);
    names.emplace_back(row.name);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace strata
