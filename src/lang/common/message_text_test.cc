#include "lang/common/message_text.h"

#include <gtest/gtest.h>

namespace strata::lang {
namespace {

TEST(MessageText, LongTextsAreCutBehindACharacter) {
  EXPECT_EQ(cut("abc", 3), "abc");
  EXPECT_EQ(cut("abcd", 3), "abc...");
  EXPECT_EQ(cut("a∀b", 3), "a...");
  EXPECT_EQ(cut("a∀b", 4), "a∀...");
  EXPECT_EQ(cut("\x80\x80\x80", 2), "...");
}

TEST(MessageText, HintsNeedSomethingSimilar) {
  EXPECT_EQ(did_you_mean("Proc"), "; did you mean 'Proc'?");
  EXPECT_EQ(did_you_mean(""), "");
}

}  // namespace
}  // namespace strata::lang
