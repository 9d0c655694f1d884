#include "tool/suite/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "base/text/is_number.h"

namespace strata {
namespace {

constexpr size_t kDeepest = 100;

// Thrown within this file alone.
struct YamlMistake {
  SourcePosition position;
  std::string text;
};

[[noreturn]] void refuse(const SourcePosition& position, std::string text) {
  throw YamlMistake{position, std::move(text)};
}

// yaml-cpp calls it for every node, in the order of the text.
class YamlBuilder final : public YAML::EventHandler {
 public:
  explicit YamlBuilder(const SourceFile& file)
      : file_(file), skipped_(file.text().starts_with("\xef\xbb\xbf") ? 3 : 0) {}

  size_t offset_of(const YAML::Mark& mark) const {
    const size_t offset = mark.pos < 0 ? 0 : static_cast<size_t>(mark.pos) + skipped_;
    return std::min(offset, file_.text().size());
  }
  SourcePosition position(const YAML::Mark& mark) const { return file_.position(offset_of(mark)); }
  YamlNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) refuse(position(mark), "a suite is one document");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    const bool has_key = !open_.empty() && open_.back().key;
    refuse(has_key ? open_.back().key_position : position(mark),
           "a value is missing; quote null or ~ to use it as text");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(position(mark), "a suite must not use anchors");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = node_at(mark, tag, anchor, YamlNode::Kind::text);
    node.text = value;
    if (tag == "?") {
      // yaml-cpp joins the lines of a text; indentation that slipped would change its meaning.
      if (!file_.text().substr(offset_of(mark)).starts_with(value))
        refuse(node.position, "a text over several lines must be in quotes");
      classify(node);
    }
    if (!open_.empty() && open_.back().needs_key())
      set_key(std::move(node));
    else
      add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(node_at(mark, tag, anchor, YamlNode::Kind::sequence));
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(node_at(mark, tag, anchor, YamlNode::Kind::mapping));
  }
  void OnMapEnd() override { end(); }

 private:
  // A sequence or mapping whose end is not reached, with the key whose value comes next.
  struct Open {
    YamlNode node;
    std::optional<std::string> key;
    SourcePosition key_position;

    bool needs_key() const { return node.kind == YamlNode::Kind::mapping && !key; }
  };

  // yaml-cpp tags plain texts "?" and quoted ones "!".
  YamlNode node_at(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                   YamlNode::Kind kind) const {
    YamlNode node;
    node.kind = kind;
    node.position = position(mark);
    if (anchor != 0) refuse(node.position, "a suite must not use anchors");
    if (!tag.empty() && tag != "?" && tag != "!") refuse(node.position, "a suite must not use tags");
    return node;
  }

  static void classify(YamlNode& node) {
    const std::string& text = node.text;
    if (text == "true" || text == "false")
      refuse(node.position, fmt::format("{} is a YAML boolean; quote it to use it as text", text));
    if (is_number(text) && (text == "0" || text.front() != '0')) node.kind = YamlNode::Kind::number;
  }

  void set_key(YamlNode node) {
    Open& mapping = open_.back();
    for (const YamlNode::Entry& other : mapping.node.entries)
      if (other.key == node.text)
        refuse(node.position,
               fmt::format("'{}' is given twice, first in line {}", node.text, other.position.line));
    mapping.key = std::move(node.text);
    mapping.key_position = node.position;
  }

  void begin(YamlNode node) {
    if (!open_.empty() && open_.back().needs_key()) refuse(node.position, "a key must be a text");
    if (open_.size() >= kDeepest)
      refuse(node.position, fmt::format("lists and mappings are nested more than {} deep", kDeepest));
    open_.push_back({std::move(node), std::nullopt, {}});
  }

  void end() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  void add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    const SourcePosition at = parent.key ? parent.key_position : node.position;
    parent.node.entries.push_back({parent.key.value_or(""), at, std::move(node)});
    parent.key.reset();
  }

  const SourceFile& file_;
  const size_t skipped_;  // the mark of UTF-8 at the beginning, which yaml-cpp does not count
  YamlNode root_;
  std::vector<Open> open_;
  int documents_ = 0;
};

}  // namespace

Result<YamlNode> read_yaml(const SourceFile& file) {
  YamlBuilder builder(file);
  const auto refused = [&](const SourcePosition& position, const std::string& text) {
    Diagnostics diagnostics(file);
    diagnostics.error(position, text);
    return Status::usage(diagnostics.render());
  };
  try {
    std::istringstream text{std::string(file.text())};
    YAML::Parser parser(text);
    if (!parser.HandleNextDocument(builder)) return refused(file.position(0), "the file is empty");
    // A second document is refused by the builder.
    while (parser.HandleNextDocument(builder)) continue;
  } catch (const YamlMistake& mistake) {
    return refused(mistake.position, mistake.text);
  } catch (const YAML::Exception& error) {
    return refused(builder.position(error.mark), error.msg);
  }
  return builder.take_root();
}

}  // namespace strata
