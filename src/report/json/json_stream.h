// JSON with lists that are written element by element, as nlohmann's dump(2) would write them whole.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/text_sink.h"

namespace strata {

class JsonStream {
 public:
  using Json = nlohmann::ordered_json;
  using Element = std::function<void(const Json&)>;
  using Generate = std::function<void(const Element&)>;

  // What stands for a list in a value that is written; generate(element) gives its elements to element(json) then.
  Json list(Generate generate);
  // Indented by `indent` columns, but for the first line. Names in a model may hold any bytes; those that are
  // not UTF-8 are shown as U+FFFD.
  void write(const Json& value, const TextSink& sink, size_t indent = 0);

 private:
  void write_list(size_t number, const TextSink& sink, size_t indent);

  std::vector<Generate> lists_;
};

}  // namespace strata
