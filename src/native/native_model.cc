// The Model over a compiled object: calls go to the object, words (names, values, messages) come from the program.
#include <dlfcn.h>
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <optional>

#include "base/diagnostic_line.h"
#include "base/hash.h"
#include "base/image/image.h"
#include "ir/actors/rule_accesses.h"
#include "ir/interpret/interpreter.h"
#include "ir/layout.h"
#include "model/device_code.h"
#include "native/abi.h"
#include "native/analysis/premises.h"
#include "native/compile/cache_folder.h"
#include "native/compile/compiler.h"
#include "native/emit/emit.h"
#include "native/failure_text.h"
#include "native/native.h"
#include "native/uncounted.h"

namespace strata::native {

namespace {

struct CloseLibrary {
  void operator()(void* handle) const { ::dlclose(handle); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

class NativeSymmetry final : public Symmetry {
 public:
  NativeSymmetry(const ir::Program& program, const StrataModel& entry)
      : proved_(!program.trusted_symmetry), entry_(entry) {
    for (const uint32_t number : program.reduced) {
      const ir::Scalarset& set = program.scalarsets[number];
      sets_.push_back({set.name, static_cast<uint32_t>(set.size())});
    }
  }

  const std::vector<SymmetricSet>& sets() const override { return sets_; }
  bool proved() const override { return proved_; }
  void canonicalise(uint8_t* states, uint64_t n) const override { entry_.canonical(states, n); }
  void canonicalise(const Successors& s, double* sizes) const override {
    StrataSuccessors call{s.parents, s.parent_count, s.states, s.parent_of, s.count, sizes};
    entry_.successors(&call);
  }
  void permute(const uint8_t* state, const uint8_t* permutation, uint8_t* out) const override {
    entry_.permute(state, permutation, out);
  }

 private:
  std::vector<SymmetricSet> sets_;
  const bool proved_;
  const StrataModel& entry_;
};

class NativeModel final : public Model, private ErrorStates, private SavedData, private DeviceModel {
 public:
  NativeModel(ir::Program program, Emission emission, Library library, const StrataModel* entry,
              bool fail_error_states);

  const ModelInfo& info() const override { return info_; }
  void starts(Expansion& out, const Full& full) const override {
    call(entry_->initial, nullptr, 0, out, &full);
  }
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override {
    call(entry_->expand, states, n, out);
  }
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override {
    call(entry_->check, states, n, out);
  }
  void accepting(const uint8_t* states, uint64_t n, uint8_t* out) const override {
    if (entry_->accepting == nullptr) return Model::accepting(states, n, out);
    entry_->accepting(states, n, out);
  }
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override;
  bool reached_error_state() const override { return reached_error_state_.load(std::memory_order_relaxed); }
  void serialize(Image& image) const override {
    bool reached = reached_error_state_;
    image.value("reached_error_state", reached);
    // Several checkpoints may be read, of other processes that searched it.
    if (reached) reached_error_state_ = true;
  }
  Status runs_on_device() const override { return native::runs_on_device(program_); }
  Result<DeviceCode> device_code() const override { return emit_for_device(program_, fail_error_states_); }
  Result<DeviceCode> reduced_device_code() const override {
    return emit_for_device(program_, fail_error_states_, true);
  }
  Capabilities capabilities() const override {
    Capabilities offered;
    offered.symmetry = symmetry_ ? &*symmetry_ : nullptr;
    offered.error_states = this;
    offered.saved = this;
    offered.device = this;
    return offered;
  }
  Value describe(const uint8_t* state) const override { return ir::decode_state(program_, state); }
  InstanceName rule_name(uint32_t rule) const override { return instance_name(program_.rules, rule); }
  InstanceName start_name(uint32_t start) const override { return instance_name(program_.starts, start); }
  FailureText describe_failure(const Failure& failure) const override {
    return FailureTexts(program_, emission_.sites).describe(failure);
  }
  FailureCause explain_failure(const Failure& failure, const uint8_t* state) const override {
    if (failure.kind != Failure::Kind::property || failure.detail >= program_.properties.size()) return {};
    return ir::Interpreter(program_).explain(program_.properties[failure.detail],
                                             static_cast<uint64_t>(failure.value), state);
  }
  FailureCause explain_proposition(uint32_t proposition, const uint8_t* state) const override {
    return ir::Interpreter(program_).explain(program_.properties[program_.atoms[proposition]], 0, state);
  }

 private:
  // What the compiled object's callbacks find behind StrataCall::host.
  struct Host {
    const NativeModel* model;
    Expansion* out;
    const Full* full;
    StrataCall* call;
  };
  static void on_fail(void* host, const StrataFailure* failure);
  static void on_put(void* host, strata_u32 put, const strata_u64* words);
  static void on_full(void* host);
  void call(void (*function)(StrataCall*), const uint8_t* states, uint64_t n, Expansion& out,
            const Full* full = nullptr) const;
  RuleInfo rule_info(const ir::Rule& rule) const;
  InstanceName instance_name(const std::vector<ir::Rule>& rules, uint32_t instance) const;
  std::string put_text(const Put& put, const strata_u64* words) const;

  ir::Program program_;
  Emission emission_;
  Library library_;
  const StrataModel* entry_;
  const bool fail_error_states_;
  mutable std::atomic<bool> reached_error_state_{false};
  std::optional<NativeSymmetry> symmetry_;
  ModelInfo info_;
};

PropertyKind property_kind(ir::Property::Kind kind) {
  switch (kind) {
    case ir::Property::Kind::assertion: return PropertyKind::assertion;
    case ir::Property::Kind::assumption: return PropertyKind::assumption;
    case ir::Property::Kind::cover: return PropertyKind::cover;
    case ir::Property::Kind::liveness: return PropertyKind::liveness;
    case ir::Property::Kind::proposition: return PropertyKind::proposition;
    default: return PropertyKind::invariant;
  }
}

NativeModel::NativeModel(ir::Program program, Emission emission, Library library, const StrataModel* entry,
                         bool fail_error_states)
    : program_(std::move(program)),
      emission_(std::move(emission)),
      library_(std::move(library)),
      entry_(entry),
      fail_error_states_(fail_error_states) {
  if (!program_.reduced.empty()) symmetry_.emplace(program_, *entry_);
  emission_.text.clear();
  emission_.text.shrink_to_fit();
  info_.path = program_.path;
  info_.language = program_.language;
  info_.state_bits = ir::state_bits(program_);
  info_.state_bytes = entry_->state_bytes;
  info_.constants = program_.constants;
  info_.deadlock = program_.deadlock;
  info_.has_accepting = program_.accepting != nullptr;
  for (const ir::StateVariable& v : program_.state)
    info_.variables.push_back({v.name, program_.types[v.type].name, ir::type_bits(program_, v.type)});
  info_.processes = program_.processes;
  for (const ir::Step& step : program_.steps) info_.steps.push_back({step.name, step.position});
  for (const ir::Rule& r : program_.rules) {
    info_.rules.push_back(rule_info(r));
    info_.max_successors += info_.rules.back().instances;
  }
  for (const ir::Rule& r : program_.starts) info_.max_initial += ir::instance_count(program_, r.bindings);
  for (const ir::Property& p : program_.properties)
    info_.properties.push_back(
        {property_kind(p.kind), p.name + p.parameters, p.position, p.named, is_constant(p)});
  info_.premises = emission_.premises;
  info_.has_puts = !emission_.puts.empty();
  const bool only_goals = std::all_of(program_.atoms.begin(), program_.atoms.end(), [&](uint32_t atom) {
    return program_.properties[atom].kind == ir::Property::Kind::liveness;
  });
  if (only_goals) info_.goals = program_.atoms;
}

Failure to_failure(const StrataFailure& failure) {
  const bool in_guard = failure.kind == kStrataFailureGuard;
  const uint32_t kind =
      in_guard || failure.kind == kStrataErrorState ? uint32_t{kStrataFailureRuntime} : failure.kind;
  return {failure.state, failure.rule,    static_cast<Failure::Kind>(kind), failure.detail, failure.value,
          in_guard,      failure.property};
}

void NativeModel::on_fail(void* host, const StrataFailure* failure) {
  const Host& h = *static_cast<Host*>(host);
  if (failure->kind == kStrataErrorState) {
    h.model->reached_error_state_.store(true, std::memory_order_relaxed);
    if (!h.out->report_errors) return;
  }
  h.out->failures.push_back(to_failure(*failure));
}

void NativeModel::on_put(void* host, strata_u32 put, const strata_u64* words) {
  const Host& h = *static_cast<Host*>(host);
  if (!h.out->put) return;
  if (h.out->put_rule != nullptr) *h.out->put_rule = h.call->putting;
  const std::string text = h.model->put_text(h.model->emission_.puts[put], words);
  h.out->put(h.out->put_context, text.data(), text.size());
}

std::string NativeModel::put_text(const Put& put, const strata_u64* words) const {
  if (put.literal) return put.text;
  if (put.type == ir::kNoType || put.text.empty()) {
    const auto number = static_cast<int64_t>(words[0]);
    const ir::ScalarType* type =
        put.type == ir::kNoType || put.type == ir::kInteger ? nullptr : program_.types[put.type].scalar();
    const std::string text = type ? ir::value_text(*type, number) : std::to_string(number);
    return put.text.empty() ? text : fmt::format("{}:{}\n", put.text, text);
  }
  Value value;
  value.kind = Value::Kind::record;
  value.members.emplace_back(put.text,
                             ir::decode(program_, put.type, reinterpret_cast<const uint8_t*>(words), 0));
  std::string text;
  for (const Leaf& leaf : leaves(value)) text += fmt::format("{}:{}\n", leaf.path, leaf.text);
  return text;
}

// The lowest address that recursion may reach on this thread's stack. What is below is for a failure and its report.
const strata_u8* stack_end() {
  static constexpr size_t kReserve = 32 * 1024;
  static thread_local const strata_u8* const end = [] {
    pthread_attr_t attributes;
    void* lowest = nullptr;
    size_t size = 0;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0)
      return static_cast<const strata_u8*>(nullptr);
    ::pthread_attr_getstack(&attributes, &lowest, &size);
    ::pthread_attr_destroy(&attributes);
    return static_cast<const strata_u8*>(lowest) + std::min(kReserve, size);
  }();
  return end;
}

static_assert(sizeof(StrataCount) == sizeof(RuleCount) &&
              offsetof(StrataCount, fired) == offsetof(RuleCount, fired) &&
              offsetof(StrataCount, states) == offsetof(RuleCount, states) &&
              offsetof(StrataCount, last) == offsetof(RuleCount, last));

void NativeModel::on_full(void* host) {
  const Host& h = *static_cast<Host*>(host);
  h.out->count = h.out->capacity();
  (*h.full)();
}

void NativeModel::call(void (*function)(StrataCall*), const uint8_t* states, uint64_t n, Expansion& out,
                       const Full* full) const {
  StrataCall c{};
  Host host{this, &out, full, &c};
  c.putting = kStrataNone;
  c.states = states;
  c.n = n;
  c.deadlock = out.deadlock == DeadlockMode::off     ? kStrataDeadlockOff
               : out.deadlock == DeadlockMode::stuck ? kStrataDeadlockStuck
                                                     : kStrataDeadlockStuttering;
  c.check_properties = out.check_properties;
  c.emit_self_loops = out.emit_self_loops;
  c.fail_error_states = fail_error_states_;
  c.out_states = out.states.data();
  c.out_rules = out.rules.data();
  c.out_parents = out.parents.data();
  c.capacity = out.capacity();
  c.out_changes = out.changes.empty() ? nullptr : reinterpret_cast<strata_u64*>(out.changes.data());
  c.covered = out.covered.data();
  c.premises = out.premises.data();
  RuleCounts& counts = out.counts != nullptr ? *out.counts : uncounted(info_);
  c.counts = reinterpret_cast<StrataCount*>(counts.rules.data());
  c.counted = counts.state;
  c.stack_end = stack_end();
  c.host = &host;
  c.fail = on_fail;
  c.put = on_put;
  c.full = on_full;
  function(&c);
  counts.state = c.counted;
  out.count = c.count;
  out.consumed = c.consumed;
  out.transitions = c.transitions;
  out.tells_changes = c.out_changes != nullptr && c.tells_changes != 0;
}

void NativeModel::propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                               std::vector<Failure>& failures) const {
  if (entry_->propositions == nullptr) return Model::propositions(states, n, values, failures);
  StrataCall c{};
  c.states = states;
  c.n = n;
  c.stack_end = stack_end();
  c.host = &failures;
  c.fail = [](void* host, const StrataFailure* failure) {
    static_cast<std::vector<Failure>*>(host)->push_back(to_failure(*failure));
  };
  static_assert(sizeof(strata_u64) == sizeof(uint64_t));
  entry_->propositions(&c, reinterpret_cast<strata_u64*>(values));
}

// The last parameter varies fastest, so the stride of one is the product of the sizes behind it.
RuleInfo NativeModel::rule_info(const ir::Rule& rule) const {
  RuleInfo info;
  info.name = rule.name;
  info.position = rule.position;
  info.instances = ir::instance_count(program_, rule.bindings);
  info.processes = rule.processes;
  info.steps = rule.steps;
  info.named = rule.named;
  info.actor = rule.actor;
  // Where rules consist of steps of processes, these act.
  if (rule.steps.empty()) {
    info.parameters = ir::rule_parameters(program_, rule);
    info.accesses = ir::rule_accesses(program_, rule);
  }
  if (!rule.process_parameter) return info;
  info.process_values = ir::domain_size(program_, rule.bindings[*rule.process_parameter].domain);
  for (size_t i = *rule.process_parameter + 1; i < rule.bindings.size(); ++i) {
    const ir::Binding& b = rule.bindings[i];
    if (b.kind == ir::Binding::Kind::parameter) info.process_stride *= ir::domain_size(program_, b.domain);
    if (b.kind == ir::Binding::Kind::choose)
      info.process_stride *= program_.types[b.place->type].multiset()->capacity;
  }
  return info;
}

InstanceName NativeModel::instance_name(const std::vector<ir::Rule>& rules, uint32_t instance) const {
  uint64_t rest = instance;
  for (const ir::Rule& rule : rules) {
    const uint64_t count = ir::instance_count(program_, rule.bindings);
    if (rest < count)
      return {rule.name, parameter_text(program_, rule.bindings, rule.locals, rest), rule.named};
    rest -= count;
  }
  return {fmt::format("Rule {}", instance), "", false};
}

Result<const StrataModel*> entry_point(void* library, const std::string& path, uint64_t state_bytes) {
  const auto* entry = static_cast<const StrataModel*>(::dlsym(library, "strata_model"));
  if (!entry || entry->abi_version != kStrataAbiVersion || entry->state_bytes != state_bytes)
    return Status::system(fmt::format("the compiled model '{}' is damaged", path));
  return entry;
}

Status check_size(const ir::Program& program) {
  for (const std::vector<ir::Rule>* rules : {&program.rules, &program.starts}) {
    uint64_t total = 0;
    for (const ir::Rule& r : *rules)
      if (__builtin_add_overflow(total, ir::instance_count(program, r.bindings), &total) ||
          total > (1u << 24))
        return Status::model(DiagnosticLine{
            program.path, r.position, Severity::error,
            fmt::format("the parameters of '{}' give too many rule instances; at most {} are possible",
                        r.name, 1u << 24)}
                                 .text());
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Model>> load(ir::Program program, const LoadOptions& options, LoadStats* stats) {
  const auto begin = std::chrono::steady_clock::now();
  if (Status s = check_size(program); !s.ok()) return s;
  Emission emission = emit(program, form_for(program));
  const Result<CacheFolder> cache =
      options.cache_dir.empty() ? open_cache() : Result<CacheFolder>(CacheFolder{options.cache_dir, ""});
  if (!cache.ok()) return cache.status();
  const uint64_t state_bytes = std::max<uint64_t>(1, (ir::state_bits(program) + 7) / 8);
  // A cached object that does not load is made anew, once.
  for (const bool fresh : {false, true}) {
    const auto tell = [&] {
      if (!options.tell || emission.parts == 1) return;
      options.tell(fmt::format("compiling the model, {} KiB of C++ in {} parts; this is done once",
                               emission.text.size() >> 10, emission.parts));
    };
    Result<CompiledObject> object = compile({emission.text, emission.parts}, cache->path, fresh, tell);
    if (!object.ok()) return object.status();
    Library library(::dlopen(object->path.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!library && fresh)
      return Status::system(
          fmt::format("cannot load the compiled model '{}': {}", object->path, ::dlerror()));
    if (!library) continue;
    Result<const StrataModel*> entry = entry_point(library.get(), object->path, state_bytes);
    if (!entry.ok() && fresh) return entry.status();
    if (!entry.ok()) continue;
    if (stats) {
      stats->from_cache = object->from_cache;
      stats->program = hash_bytes(emission.text.data(), emission.text.size());
      stats->note = cache->note;
      stats->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    return std::unique_ptr<Model>(std::make_unique<NativeModel>(
        std::move(program), std::move(emission), std::move(library), *entry, options.fail_error_states));
  }
  return Status::internal("compiled model could not be loaded");
}

}  // namespace strata::native
