// Writes JSON whose lists are produced element by element, with the layout of nlohmann's dump(2).
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

  // A placeholder for a list, to be put into a value for write(). While that value is written, generate(element) must
  // call element(json) for each element of the list.
  Json list(Generate generate);
  // Writes the value, indented by `indent` columns except for the first line. Names in a model may contain any bytes;
  // bytes that are not UTF-8 are shown as U+FFFD.
  void write(const Json& value, const TextSink& sink, size_t indent = 0);

 private:
  void write_list(size_t number, const TextSink& sink, size_t indent);

  std::vector<Generate> lists_;
};

}  // namespace strata
