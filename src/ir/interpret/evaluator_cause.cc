// Which parts of the state, and which values of quantifiers, decide about a condition.
#include <algorithm>

#include "ir/interpret/evaluator.h"
#include "ir/layout.h"

namespace strata::ir {
namespace {

// More are of no use to a reader.
constexpr size_t kMostReads = 200;

}  // namespace

// The path of the part of this type at an offset of the state; of a member of a multiset, the path of the multiset.
std::string Evaluator::state_path(uint64_t offset, TypeId part) const {
  size_t variable = offsets_.size();
  while (variable > 1 && offsets_[variable - 1] > offset) --variable;
  --variable;
  std::string path = program_.state[variable].name;
  TypeId type = program_.state[variable].type;
  uint64_t rest = offset - offsets_[variable];
  for (;;) {
    if (rest == 0 && type == part) return path;
    const Type& at = program_.types[type];
    if (const ArrayType* array = at.array()) {
      const uint64_t bits = type_bits(program_, array->element), place = bits == 0 ? 0 : rest / bits;
      const ScalarType& index = scalar_type(array->index);
      path += "[" + ir::value_text(index, value_at(index, place)) + "]";
      rest -= place * bits;
      type = array->element;
    } else if (const RecordType* record = at.record()) {
      size_t field = 0;
      for (; field + 1 < record->fields.size(); ++field) {
        const uint64_t bits = type_bits(program_, record->fields[field].type);
        if (rest < bits) break;
        rest -= bits;
      }
      path += "." + record->fields[field].name;
      type = record->fields[field].type;
    } else {
      return path;
    }
  }
}

void Evaluator::note_read(const Spot& at) const {
  if (cause_ == nullptr || at.bits != &state_ || cause_->reads.size() >= kMostReads) return;
  std::string path = state_path(at.offset, at.type);
  if (std::find(cause_->reads.begin(), cause_->reads.end(), path) == cause_->reads.end())
    cause_->reads.push_back(std::move(path));
}

void Evaluator::explain(const Expr& e, FailureCause& cause) {
  // Evaluates a part without noting it.
  const auto holds = [&](const Expr& part) {
    cause_ = nullptr;
    return truth(part);
  };
  switch (e.op) {
    case ExprOp::logical_not: return explain(*e.args[0], cause);
    case ExprOp::logical_and:
    case ExprOp::logical_or: {
      // The first operand decides alone if it has the value that decides.
      const bool deciding = e.op == ExprOp::logical_or;
      if (holds(*e.args[0]) == deciding) return explain(*e.args[0], cause);
      if (holds(*e.args[1]) == deciding) return explain(*e.args[1], cause);
      explain(*e.args[0], cause);
      return explain(*e.args[1], cause);
    }
    case ExprOp::implies:
      if (!holds(*e.args[0])) return explain(*e.args[0], cause);
      if (!holds(*e.args[1])) explain(*e.args[0], cause);
      return explain(*e.args[1], cause);
    case ExprOp::conditional: {
      const bool first = holds(*e.args[0]);
      explain(*e.args[0], cause);
      return explain(*e.args[first ? 1 : 2], cause);
    }
    case ExprOp::for_all:
    case ExprOp::exists: {
      const bool deciding = e.op == ExprOp::exists;
      std::optional<int64_t> witness;
      each_value(e.domain, [&](int64_t value) {
        frames_.back().cells[e.local] = Scalar(value);
        if (holds(*e.args[0]) == deciding) witness = value;
        return !witness;
      });
      if (!witness) break;
      const Local& local = (*frames_.back().locals)[e.local];
      const bool named = local.type != kInteger && local.type != kNoType;
      cause.bound.emplace_back(local.name,
                               named ? value_text(*witness, local.type) : std::to_string(*witness));
      frames_.back().cells[e.local] = Scalar(*witness);
      return explain(*e.args[0], cause);
    }
    default: break;
  }
  cause_ = &cause;
  scalar(e);
  cause_ = nullptr;
}

}  // namespace strata::ir
