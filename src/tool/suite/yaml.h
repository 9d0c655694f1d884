// The part of YAML that suites need, read strictly:
//
//   block mappings and sequences, by indentation; flow ones, [a, b] and {a: 1}, over several lines too
//   texts on one line: plain, 'single' or "double" quoted; numbers: 0, 882
//   comments; one document, with or without --- before it
//
// Everything else of YAML is refused with its place: anchors, tags, block texts (| and >), texts over several
// lines, complex keys, directives, tabs as indentation. So are keys given twice, and the plain words true,
// false and null, which mean no text.
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
  std::string text;  // of a number, too
  std::vector<Entry> entries;
};

// Of a mapping; those of a sequence have no key.
struct YamlNode::Entry {
  std::string key;
  SourcePosition position;  // of the key
  YamlNode value;
};

// A mistake is a usage error that shows its line.
Result<YamlNode> read_yaml(const SourceFile& file);

}  // namespace strata
