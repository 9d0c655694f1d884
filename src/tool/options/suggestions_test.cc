#include "tool/options/suggestions.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(Suggestions, ExchangedLettersAreOneMistake) {
  EXPECT_EQ(nearest("--tarce", {"--trace", "--space"}), "--trace");
  EXPECT_EQ(nearest("arm", {"ram", "mono"}), "ram");
  EXPECT_EQ(nearest("ifno", {"ltl", "info", "check"}), "info");
  // One exchange is nearer than two replacements.
  EXPECT_EQ(nearest("ab", {"cd", "ba"}), "ba");
  EXPECT_EQ(nearest("zzzzzz", {"ram", "mono"}), "");
  EXPECT_EQ(nearest("x", {"y"}), "");
}

TEST(Suggestions, OptionsOfCMurphi) {
  EXPECT_EQ(cmurphi_hint("-tv"), "; did you mean `strata murphi -tv MODEL`, which takes CMurphi's options?");
  for (const char* word :
       {"-m", "-m1024", "-k500", "-ndl", "-pr", "-p5", "-loop100", "-sym3", "-vdfs", "-b40"})
    EXPECT_NE(cmurphi_hint(word), "") << word;
  for (const char* word : {"-D", "-mx", "-p", "--memory", "-symx", "--tv", "tv"})
    EXPECT_EQ(cmurphi_hint(word), "") << word;
}

}  // namespace
}  // namespace strata
