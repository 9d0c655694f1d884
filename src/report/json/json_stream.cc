#include "report/json/json_stream.h"

#include <charconv>
#include <string>
#include <utility>

namespace strata {
namespace {

// A placeholder in the text of a JSON value. It contains control characters, so no name in a model equals it.
constexpr std::string_view kOpen = "\"\\u0001strata list ", kClose = "\\u0002\"";

std::string line_start(size_t indent) { return "\n" + std::string(indent, ' '); }

std::string indented(const std::string& text, size_t indent) {
  if (indent == 0) return text;
  std::string out;
  for (const char c : text) {
    if (c == '\n')
      out += line_start(indent);
    else
      out += c;
  }
  return out;
}

// The indentation of the line that contains `place`.
size_t indent_at(std::string_view text, size_t place, size_t first_line) {
  const size_t end = text.rfind('\n', place);
  if (end == std::string_view::npos) return first_line;
  return text.find_first_not_of(' ', end + 1) - end - 1;
}

}  // namespace

JsonStream::Json JsonStream::list(Generate generate) {
  lists_.push_back(std::move(generate));
  return "\1strata list " + std::to_string(lists_.size() - 1) + "\2";
}

void JsonStream::write(const Json& value, const TextSink& sink, size_t indent) {
  const std::string text = indented(value.dump(2, ' ', false, Json::error_handler_t::replace), indent);
  size_t done = 0;
  for (size_t place = text.find(kOpen); place != std::string::npos; place = text.find(kOpen, done)) {
    const size_t close = text.find(kClose, place);
    size_t number = 0;
    std::from_chars(text.data() + place + kOpen.size(), text.data() + close, number);
    sink(std::string_view(text).substr(done, place - done));
    write_list(number, sink, indent_at(text, place, indent));
    done = close + kClose.size();
  }
  sink(std::string_view(text).substr(done));
}

// Lists inside an element are registered only while the element is written.
void JsonStream::write_list(size_t number, const TextSink& sink, size_t indent) {
  const Generate generate = std::move(lists_[number]);
  const size_t known = lists_.size();
  const char* separator = "[";
  generate([&](const Json& element) {
    sink(std::exchange(separator, ",") + line_start(indent + 2));
    write(element, sink, indent + 2);
    lists_.resize(known);
  });
  sink(*separator == '[' ? "[]" : line_start(indent) + "]");
}

}  // namespace strata
