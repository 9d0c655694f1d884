#include "report/json/json_stream.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

using Json = JsonStream::Json;

std::string written(JsonStream& stream, const Json& value) {
  return gather_text([&](const TextSink& sink) { stream.write(value, sink); });
}

TEST(JsonStream, ListsLookAsIfWrittenWhole) {
  JsonStream stream;
  const Json element{{"rule", "a"}, {"state", {{"x", 1}, {"y", Json::array({1, 2})}}}};
  Json streamed{{"first", 1}}, whole{{"first", 1}};
  streamed["inner"]["steps"] = stream.list([&](const auto& next) {
    next(element);
    next(element);
  });
  whole["inner"]["steps"] = Json::array({element, element});
  streamed["empty"] = stream.list([](const auto&) {});
  whole["empty"] = Json::array();
  streamed["last"] = whole["last"] = "end";
  EXPECT_EQ(whole.dump(2), written(stream, streamed));
}

TEST(JsonStream, ListsMayBeNested) {
  JsonStream stream;
  const Json streamed{{"errors", stream.list([&](const auto& next) {
                         for (int i = 0; i < 2; ++i) {
                           next({{"number", i}, {"steps", stream.list([i](const auto& step) {
                                                   for (int k = 0; k < i; ++k) step(k);
                                                 })}});
                         }
                       })}};
  const Json whole{{"errors", Json::array({{{"number", 0}, {"steps", Json::array()}},
                                           {{"number", 1}, {"steps", Json::array({0})}}})}};
  EXPECT_EQ(whole.dump(2), written(stream, streamed));
}

}  // namespace
}  // namespace strata
