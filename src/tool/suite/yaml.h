// YAML as suites may use it, read by yaml-cpp and more strictly than YAML is: keys given twice, anchors, tags, missing
// values, several documents, and the plain words true, false and null are refused with their line. Plain whole numbers
// are numbers; every other scalar is a text.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "base/status.h"

namespace strata {

struct YamlNode {
  enum class Kind { text, number, sequence, mapping };
  struct Entry;

  Kind kind = Kind::text;
  SourcePosition position;
  std::string text;  // of a text or number
  std::vector<Entry> entries;
};

// Of a mapping; those of a sequence have no key.
struct YamlNode::Entry {
  std::string key;
  SourcePosition position;  // of the key
  YamlNode value;
};

// A mistake is a usage error that shows the line of the file.
Result<YamlNode> read_yaml(const SourceFile& file);

}  // namespace strata
