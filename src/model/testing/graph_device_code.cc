#include "model/testing/graph_device_code.h"

#include <algorithm>
#include <set>
#include <vector>

#include "model/testing/explicit_graph.h"

namespace strata {

namespace {

// The tables: the words before the nodes, then for each node its first edge, the end of its edges and its labels, then
// the packed states of the nodes, then edges. States are found by the number of the node in their first bytes.
constexpr const char* kText = R"(
struct Context : Firing {
  u64 node;
};
enum : u64 { kNodes, kIdMask, kUnscramble, kStates, kEdges, kFirstNode };
enum : u64 { kViolates = 1, kCovers = 2 };
enum : u64 { kRuleAt = 32, kFails = 1ull << 62, kFirst = 1ull << 63 };
inline void load(Context& x, const u64* state) {
  x.node = (state[0] & x.data[kIdMask]) * x.data[kUnscramble] & x.data[kIdMask];
}
inline const u64* labels_of(const Context& x) { return x.data + kFirstNode + 3 * x.node; }
inline bool check(Context& x) {
  const u64 labels = labels_of(x)[2];
  if ((labels & kCovers) != 0) x.note(0);
  return (labels & kViolates) == 0;
}
inline void fire(Context& x, u32 group) {
  const u64* const node = labels_of(x);
  for (u64 i = node[0] + group; i < node[1]; i += kGroups) {
    const u64 edge = x.data[x.data[kEdges] + i], target = edge & 0xffffffff;
    if (kTwoPasses && x.pass == Pass::guards) {
      x.found = true;
      continue;
    }
    x.count(u32(edge >> kRuleAt & 0xffffff), (edge & kFirst) != 0);
    if ((edge & kFails) != 0) {
      x.failed = true;
    } else if (target != x.node) {
      x.push(x.data + x.data[kStates] + target * kStateWords);
    }
  }
}
)";

constexpr uint64_t kHead = 5;
constexpr uint64_t kFails = uint64_t{1} << 62, kFirst = uint64_t{1} << 63;
constexpr uint32_t kGroups = 32;
// Constants of the text are rounded, so that fewer texts are compiled.
constexpr uint64_t kRoundedRules = 64;

std::vector<uint64_t> edge_table(const GraphNode& node) {
  std::vector<uint64_t> edges;
  std::set<uint32_t> rules;
  for (const GraphEdge& edge : node.edges)
    edges.push_back(edge.target | uint64_t{edge.rule} << 32 | (edge.fails ? kFails : 0) |
                    (rules.insert(edge.rule).second ? kFirst : 0));
  return edges;
}

std::vector<uint64_t> tables(const ExplicitGraphModel& model, uint64_t words) {
  const Graph& graph = model.graph();
  const uint64_t nodes = graph.nodes.size();
  const uint64_t id_bytes = std::min<uint64_t>(model.info().state_bytes, 4);
  const uint64_t states = kHead + 3 * nodes;
  std::vector<uint64_t> data = {nodes, (uint64_t{1} << 8 * id_bytes) - 1, ExplicitGraphModel::unscramble(),
                                states, states + nodes * words};
  std::vector<uint64_t> edges;
  for (const GraphNode& node : graph.nodes) {
    const std::vector<uint64_t> own = edge_table(node);
    data.push_back(edges.size());
    edges.insert(edges.end(), own.begin(), own.end());
    data.push_back(edges.size());
    data.push_back((node.violates || node.violates_b ? 1 : 0) | (node.covers && graph.with_cover ? 2 : 0));
  }
  data.resize(states + nodes * words);
  for (uint32_t node = 0; node < nodes; ++node)
    model.encode(node, reinterpret_cast<uint8_t*>(data.data() + states + node * words));
  data.insert(data.end(), edges.begin(), edges.end());
  return data;
}

}  // namespace

DeviceCode graph_device_code(const ExplicitGraphModel& model, bool two_passes) {
  DeviceCode code;
  code.text = kText;
  code.state_words = static_cast<uint32_t>((model.info().state_bytes + 7) / 8);
  code.groups = kGroups;
  code.two_passes = two_passes;
  for (const GraphNode& node : model.graph().nodes)
    while (uint64_t{code.most_of_group} * kGroups < node.edges.size()) code.most_of_group *= 2;
  if (two_passes) {
    code.groups *= code.most_of_group;
    code.most_of_group = 1;
  }
  const uint64_t rules = std::max<uint64_t>(model.info().rules.size(), 1);
  code.rules = static_cast<uint32_t>((rules + kRoundedRules - 1) / kRoundedRules * kRoundedRules);
  code.notes = 1;
  code.data = tables(model, code.state_words);
  return code;
}

}  // namespace strata
