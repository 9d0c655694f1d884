#include "lang/common/nearest_name.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <vector>

namespace strata::lang {
namespace {

std::string nearest(const char* wanted, std::initializer_list<const char*> candidates) {
  NearestName name(wanted);
  for (const char* candidate : candidates) name.offer(candidate);
  return name.best();
}

TEST(NearestName, near_misses) {
  EXPECT_EQ(nearest("foo", {"bar", "Foo"}), "Foo");
  EXPECT_EQ(nearest("a", {"A", "b"}), "A");
  EXPECT_EQ(nearest("a", {"b"}), "");
  EXPECT_EQ(nearest("cout", {"count", "c"}), "count");
  EXPECT_EQ(nearest("processor", {"procesor", "process"}), "procesor");
  EXPECT_EQ(nearest("state", {"tests"}), "");
  EXPECT_EQ(nearest("cell3", {"cell2", "cell1"}), "cell1");
}

TEST(NearestName, letters_in_the_wrong_order_are_one_slip) {
  EXPECT_EQ(nearest("edn", {"and", "end"}), "end");
  EXPECT_EQ(nearest("treu", {"true"}), "true");
}

TEST(NearestName, of_lists_and_maps) {
  const std::map<std::string, int> map = {{"rule", 1}, {"ruleset", 2}};
  EXPECT_EQ(NearestName("rul").offer_all(map).best(), "rule");
  EXPECT_EQ(NearestName("rul").offer_all(std::vector<std::string>{"type", "rule"}).best(), "rule");
}

}  // namespace
}  // namespace strata::lang
