#include "tool/suite/yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace strata {
namespace {

// Thrown within this file alone.
struct YamlMistake {
  size_t offset;
  std::string text;
};

constexpr int kDeepest = 100;

bool is_number(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return digits && (text.size() == 1 || text.front() != '0');
}

class YamlReader {
 public:
  explicit YamlReader(const SourceFile& file) : file_(file), text_(file.text()) {}

  YamlNode read() {
    if (text_.starts_with("\xef\xbb\xbf")) offset_ = 3;
    skip_blank();
    if (at_marker("---")) {
      offset_ += 3;
      end_line();
      skip_blank();
    }
    if (at_end()) fail("the file is empty");
    YamlNode root = block_node(0);
    if (at_marker("---") || at_marker("...")) fail("a suite is one document");
    if (!at_end()) fail("this line is indented less than the lines before it, and belongs to nothing");
    return root;
  }

 private:
  // ---- Characters

  bool at_end() const { return offset_ >= text_.size(); }
  char peek(size_t ahead = 0) const { return offset_ + ahead < text_.size() ? text_[offset_ + ahead] : '\n'; }
  bool at_line_end() const { return peek() == '\n' || (peek() == '\r' && peek(1) == '\n'); }
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  // A word of its own: a blank or the end of the line follows.
  bool blank_at(size_t ahead) const {
    return is_blank(peek(ahead)) || peek(ahead) == '\n' || peek(ahead) == '\r';
  }
  bool at_dash() const { return peek() == '-' && blank_at(1) && !at_end(); }
  bool at_marker(std::string_view marker) const {
    return column() == 0 && text_.substr(offset_).starts_with(marker) && blank_at(marker.size());
  }
  size_t line_start() const {
    const size_t before = offset_ == 0 ? std::string_view::npos : text_.rfind('\n', offset_ - 1);
    return before == std::string_view::npos ? 0 : before + 1;
  }
  size_t column() const { return offset_ - line_start(); }

  [[noreturn]] void fail(std::string what) const { throw YamlMistake{offset_, std::move(what)}; }
  [[noreturn]] void fail_at(size_t offset, std::string what) const {
    throw YamlMistake{offset, std::move(what)};
  }

  void skip_spaces() {
    while (is_blank(peek()) && !at_end()) ++offset_;
  }
  // Behind a blank, or at the begin of a line, a number sign begins a comment.
  void skip_comment() {
    if (peek() != '#' || (offset_ > 0 && !is_blank(text_[offset_ - 1]) && text_[offset_ - 1] != '\n')) return;
    offset_ = std::min(text_.find('\n', offset_), text_.size());
  }
  // To what comes next, on this line or a later one.
  void skip_blank(bool in_flow = false) {
    while (true) {
      const bool fresh = offset_ == line_start();
      const size_t begin = offset_;
      skip_spaces();
      skip_comment();
      if (at_end()) return;
      if (!at_line_end()) {
        const std::string_view indentation = text_.substr(begin, offset_ - begin);
        if (fresh && !in_flow && indentation.find('\t') != std::string_view::npos)
          fail_at(begin + indentation.find('\t'), "a tab in the indentation; use blanks");
        return;
      }
      // A carriage return may be the last character of all.
      offset_ = std::min(text_.find('\n', offset_), text_.size() - 1) + 1;
    }
  }
  // Nothing but a comment may follow on this line.
  void end_line() {
    skip_spaces();
    skip_comment();
    if (!at_line_end()) fail("this cannot follow on the same line");
  }

  // ---- Blocks

  YamlNode node_here(YamlNode::Kind kind) const {
    YamlNode node;
    node.kind = kind;
    node.position = file_.position(offset_);
    return node;
  }

  // What begins here, at this column or further right.
  YamlNode block_node(size_t least) {
    if (at_end() || column() < least) fail("a value is missing");
    const Depth deeper(*this);
    if (at_dash()) return sequence(column());
    if (at_key()) return mapping(column());
    YamlNode node = inline_node(false);
    end_line();
    skip_blank();
    return node;
  }

  YamlNode sequence(size_t indent) {
    YamlNode node = node_here(YamlNode::Kind::sequence);
    while (!at_end() && column() == indent && at_dash()) {
      ++offset_;
      skip_blank();
      if (at_end() || column() <= indent) fail("an entry of the list is missing");
      node.entries.push_back({"", file_.position(offset_), block_node(indent + 1)});
    }
    expect_end_of_block(indent);
    return node;
  }

  YamlNode mapping(size_t indent) {
    YamlNode node = node_here(YamlNode::Kind::mapping);
    while (!at_end() && column() == indent && !at_dash() && !at_marker("---") && !at_marker("...")) {
      const size_t begin = offset_;
      add_entry(node, begin, key(false), [&] { return value_of_key(indent, begin); });
    }
    expect_end_of_block(indent);
    return node;
  }

  // On the line of its key, or below it.
  YamlNode value_of_key(size_t indent, size_t begin) {
    skip_spaces();
    skip_comment();
    if (!at_line_end() && !at_end()) {
      if (at_dash()) fail("a list begins on a line of its own, below its key");
      YamlNode node = inline_node(false);
      end_line();
      skip_blank();
      return node;
    }
    skip_blank();
    const bool below = !at_end() && (column() > indent || (column() == indent && at_dash()));
    if (!below) fail_at(begin, "this key has no value");
    return block_node(indent);
  }

  void expect_end_of_block(size_t indent) {
    if (!at_end() && column() > indent) fail("this line is indented deeper than those that it belongs to");
  }

  template <class Read>
  void add_entry(YamlNode& node, size_t begin, std::string name, const Read& read) {
    for (const YamlNode::Entry& other : node.entries)
      if (other.key == name)
        fail_at(begin, fmt::format("'{}' is given twice, first in line {}", name, other.position.line));
    const SourcePosition position = file_.position(begin);
    node.entries.push_back({std::move(name), position, read()});
  }

  // ---- On one line

  // Whether a key stands here: a text, then a colon and a blank.
  bool at_key() {
    const size_t begin = offset_;
    bool found = false;
    if (peek() == '"' || peek() == '\'') {
      quoted();
      skip_spaces();
      found = peek() == ':';
    } else if (peek() != '[' && peek() != '{') {
      while (!at_line_end() && !at_end() && !(peek() == ':' && blank_at(1)) && !comment_here()) ++offset_;
      found = peek() == ':';
    }
    offset_ = begin;
    return found;
  }
  bool comment_here() const { return peek() == '#' && offset_ > 0 && is_blank(text_[offset_ - 1]); }

  // Up to behind its colon.
  std::string key(bool in_flow) {
    const bool in_quotes = peek() == '"' || peek() == '\'';
    if (!in_quotes) refuse_indicator();
    const size_t begin = offset_;
    std::string name = in_quotes ? quoted() : plain(in_flow);
    if (name.empty()) fail_at(begin, "a key is missing");
    skip_spaces();
    if (peek() != ':' || !(blank_at(1) || in_quotes || in_flow))
      fail_at(begin, "a key is followed by a colon and a blank");
    ++offset_;
    return name;
  }

  YamlNode inline_node(bool in_flow) {
    const Depth deeper(*this);
    if (peek() == '[') return flow(YamlNode::Kind::sequence, ']');
    if (peek() == '{') return flow(YamlNode::Kind::mapping, '}');
    YamlNode node = node_here(YamlNode::Kind::text);
    if (peek() == '"' || peek() == '\'') {
      node.text = quoted();
      return node;
    }
    refuse_indicator();
    const size_t begin = offset_;
    node.text = plain(in_flow);
    if (peek() == ':') fail("a colon and a blank in a text: put the text in quotes");
    for (const char* word : {"true", "false", "null", "~"})
      if (node.text == word)
        fail_at(begin, fmt::format("{} is no text: put it in quotes if it is meant so", word));
    if (is_number(node.text)) node.kind = YamlNode::Kind::number;
    return node;
  }

  YamlNode flow(YamlNode::Kind kind, char end) {
    YamlNode node = node_here(kind);
    const size_t begin = offset_++;
    const auto next = [&] {
      skip_blank(true);
      if (at_end()) fail_at(begin, fmt::format("no '{}' ends this", end));
    };
    for (next(); peek() != end; next()) {
      const size_t entry = offset_;
      const auto value = [&] {
        next();
        if (peek() == ',' || peek() == end) fail_at(entry, "a value is missing");
        return inline_node(true);
      };
      if (kind == YamlNode::Kind::mapping)
        add_entry(node, entry, key(true), value);
      else
        node.entries.push_back({"", file_.position(entry), value()});
      next();
      if (peek() == ',')
        ++offset_;
      else if (peek() != end)
        fail(fmt::format("a comma or '{}' must stand here", end));
    }
    ++offset_;
    return node;
  }

  // What means something else at the begin of a plain text.
  void refuse_indicator() const {
    const char c = peek();
    const bool alone = (c == '-' || c == '?' || c == ':') && blank_at(1);
    if (!alone && std::string_view(",[]{}#&*!|>%@`").find(c) == std::string_view::npos) return;
    const char* what = c == '&' || c == '*'   ? "anchors are not part of what suites may use"
                       : c == '!'             ? "tags are not part of what suites may use"
                       : c == '|' || c == '>' ? "texts over several lines are not part of what suites may use"
                       : c == '%'             ? "directives are not part of what suites may use"
                       : c == '?'             ? "complex keys are not part of what suites may use"
                                              : "a text cannot begin with this sign: put it in quotes";
    fail(what);
  }

  // To the end of the line, a comment, or a colon with a blank; within brackets to a comma or bracket, too.
  std::string plain(bool in_flow) {
    const size_t begin = offset_;
    const auto ends = [&] {
      if (at_end() || at_line_end() || comment_here()) return true;
      if (peek() == ':' && blank_at(1)) return true;
      if (!in_flow) return false;
      return std::string_view(",[]{}").find(peek()) != std::string_view::npos ||
             (peek() == ':' && std::string_view(",[]{}").find(peek(1)) != std::string_view::npos);
    };
    while (!ends()) ++offset_;
    std::string text(text_.substr(begin, offset_ - begin));
    while (!text.empty() && is_blank(text.back())) text.pop_back();
    return text;
  }

  std::string quoted() {
    const size_t begin = offset_;
    const char quote = text_[offset_++];
    std::string out;
    while (true) {
      if (at_end() || at_line_end()) fail_at(begin, "no quote ends this text in its line");
      const char c = text_[offset_++];
      if (c == quote && quote == '\'' && peek() == '\'') {
        out += '\'';
        ++offset_;
      } else if (c == quote) {
        return out;
      } else if (c == '\\' && quote == '"') {
        out += escaped();
      } else {
        out += c;
      }
    }
  }

  char escaped() {
    const char c = peek();
    const std::string_view signs = "\"\\/nt", meaning = "\"\\/\n\t";
    const size_t found = signs.find(c);
    if (found == std::string_view::npos)
      fail_at(offset_ - 1, "there is no such escape: only \\\", \\\\, \\/, \\n and \\t");
    ++offset_;
    return meaning[found];
  }

  // Nodes within nodes are calls within calls.
  struct Depth {
    explicit Depth(YamlReader& reader) : reader_(reader) {
      if (++reader.depth_ > kDeepest) reader.fail(fmt::format("more than {} levels", kDeepest));
    }
    ~Depth() { --reader_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    YamlReader& reader_;
  };

  const SourceFile& file_;
  const std::string_view text_;
  size_t offset_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<YamlNode> read_yaml(const SourceFile& file) {
  try {
    return YamlReader(file).read();
  } catch (const YamlMistake& mistake) {
    Diagnostics diagnostics(file);
    diagnostics.error(file.position(mistake.offset), mistake.text);
    return Status::usage(diagnostics.render());
  }
}

}  // namespace strata
