// The module `strata` for Python, on top of the library's own header. doc/library.md shows how it is used.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "api/strata.h"

namespace py = pybind11;
namespace api = strata::api;

namespace {

// How often ^C is looked for, in seconds.
constexpr double kPatience = 0.1;

py::object position_object(const api::Position& position) {
  if (position.line == 0) return py::none();
  return py::dict(py::arg("file") = position.file, py::arg("line") = position.line,
                  py::arg("column") = position.column);
}

// An index of an array is a number or a name.
py::object index_object(const std::string& text) {
  char* end = nullptr;
  const long long number = std::strtoll(text.c_str(), &end, 10);
  if (end != text.c_str() && *end == '\0') return py::int_(number);
  return py::str(text);
}

py::object value_object(const api::Value& value) {
  switch (value.kind) {
    case api::Value::Kind::undefined: return py::none();
    case api::Value::Kind::integer: return py::int_(value.number);
    case api::Value::Kind::boolean: return py::bool_(value.number != 0);
    case api::Value::Kind::symbol: return py::str(value.symbol);
    case api::Value::Kind::multiset: {
      py::list list;
      for (const auto& [name, member] : value.members) list.append(value_object(member));
      return list;
    }
    case api::Value::Kind::record:
    case api::Value::Kind::array: break;
  }
  py::dict dict;
  const bool array = value.kind == api::Value::Kind::array;
  for (const auto& [name, member] : value.members)
    dict[array ? index_object(name) : py::object(py::str(name))] = value_object(member);
  return dict;
}

py::dict path_object(const api::Counterexample& found) {
  py::list steps;
  for (uint64_t i = 0; i < found.size(); ++i) {
    const api::Step step = found.step(i);
    steps.append(py::dict(py::arg("rule") = step.rule, py::arg("state") = value_object(step.state)));
  }
  py::dict dict;
  dict["message"] = found.message();
  dict["position"] = position_object(found.position());
  dict["length"] = found.length();
  dict["loop"] = found.has_loop() ? py::object(py::int_(found.loop())) : py::object(py::none());
  dict["failing_rule"] = found.failing_rule();
  dict["steps"] = steps;
  return dict;
}

py::list path_list(const api::Result& result) {
  py::list list;
  for (const api::Counterexample& found : result.counterexamples()) list.append(path_object(found));
  return list;
}

py::list property_list(const api::Result& result) {
  py::list list;
  for (const api::Property& property : result.properties()) {
    py::object holds = py::none();
    if (property.outcome != api::Property::Outcome::unknown)
      holds = py::bool_(property.outcome == api::Property::Outcome::holds);
    list.append(py::dict(py::arg("kind") = property.kind, py::arg("name") = property.name,
                         py::arg("position") = position_object(property.position), py::arg("holds") = holds));
  }
  return list;
}

py::list rule_list(const api::Result& result) {
  py::list list;
  for (const api::RuleCount& rule : result.rules())
    list.append(py::dict(py::arg("name") = rule.name, py::arg("position") = position_object(rule.position),
                         py::arg("fired") = rule.fired));
  return list;
}

py::list variable_list(const api::Result& result) {
  py::list list;
  for (const api::Variable& variable : result.model().variables)
    list.append(py::dict(py::arg("name") = variable.name, py::arg("type") = variable.type,
                         py::arg("bits") = variable.bits));
  return list;
}

py::object stop_object(api::Stop stop) {
  switch (stop) {
    case api::Stop::none: break;
    case api::Stop::memory: return py::str("memory");
    case api::Stop::disk: return py::str("disk");
    case api::Stop::time: return py::str("time");
    case api::Stop::bound: return py::str("bound");
    case api::Stop::cancelled: return py::str("cancelled");
  }
  return py::none();
}

const char* kind_name(api::Error::Kind kind) {
  switch (kind) {
    case api::Error::Kind::usage: return "usage";
    case api::Error::Kind::model: return "model";
    case api::Error::Kind::limit: return "limit";
    case api::Error::Kind::interrupted: return "interrupted";
    case api::Error::Kind::busy: return "busy";
    case api::Error::Kind::system: return "system";
    case api::Error::Kind::internal: break;
  }
  return "internal";
}

py::dict progress_object(const api::Progress& progress) {
  return py::dict(py::arg("phase") = progress.phase, py::arg("seconds") = progress.seconds,
                  py::arg("states") = progress.states, py::arg("transitions") = progress.transitions,
                  py::arg("queue") = progress.queue, py::arg("levels") = progress.levels,
                  py::arg("memory") = progress.memory, py::arg("disk") = progress.disk);
}

// True and False are the words on and off of options that have them.
std::string word_of(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "on" : "off";
  return py::str(value);
}

// A list sets an option several times, a dict as NAME=VALUE; None leaves it out.
void set_option(api::Options& options, const std::string& name, const py::handle& value) {
  if (value.is_none()) return;
  if (py::isinstance<py::dict>(value)) {
    for (const auto& [key, member] : py::reinterpret_borrow<py::dict>(value))
      options.set(name, word_of(key) + "=" + word_of(member));
  } else if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    for (const py::handle& member : value) options.set(name, word_of(member));
  } else {
    options.set(name, word_of(value));
  }
}

[[noreturn]] void raise(const api::Error& error) {
  py::list messages;
  for (const api::Error::Message& message : error.messages)
    messages.append(
        py::dict(py::arg("position") = position_object(message.position), py::arg("text") = message.text));
  const py::object type = py::module_::import("strata").attr("Error");
  py::object raised = type(error.text);
  raised.attr("kind") = kind_name(error.kind);
  raised.attr("messages") = messages;
  raised.attr("exit_code") = error.exit_code;
  PyErr_SetObject(type.ptr(), raised.ptr());
  throw py::error_already_set();
}

// Calls the user's function now and then, and looks for ^C, which Python tells its main thread alone.
class Watcher {
 public:
  Watcher(py::object progress, double interval)
      : progress_(std::move(progress)), interval_(interval), next_(interval) {}

  // False: the check is to end. The library calls it without Python's lock.
  bool look(const api::Progress& now) {
    const py::gil_scoped_acquire lock;
    if (thrown_) return false;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (progress_.is_none() || now.seconds < next_) return true;
      while (next_ <= now.seconds) next_ += interval_;
      // Only False cancels: a function may return a count or a list without that meaning.
      return !progress_(progress_object(now)).is(py::bool_(false));
    } catch (py::error_already_set& error) {
      thrown_ = error;
    }
    return false;
  }
  // Raises what the progress function raised.
  void rethrow() const {
    if (thrown_) throw *thrown_;
  }

 private:
  const py::object progress_;
  const double interval_;
  double next_;
  std::optional<py::error_already_set> thrown_;
};

api::Result check(const py::object& path, const py::object& text, const std::string& language,
                  const std::string& name, const py::object& progress, double interval,
                  const py::kwargs& keywords) {
  if (path.is_none() == text.is_none()) throw py::type_error("check() takes a path or a text");
  if (!(interval > 0)) throw py::value_error("interval must be more than 0 seconds");
  api::Options options;
  // A path may be a pathlib.Path; of a file, too, the language may be said.
  if (text.is_none() && !language.empty()) options.set("language", language);
  for (const auto& [key, value] : keywords) set_option(options, py::str(key), value);
  api::Check run(
      text.is_none() ? api::Model::file(py::str(path)) : api::Model::text(py::str(text), language, name),
      options);
  Watcher watcher(progress, interval);
  run.on_progress([&](const api::Progress& now) { return watcher.look(now); }, std::min(kPatience, interval));
  const api::Result result = [&] {
    const py::gil_scoped_release unlocked;
    return run.run();
  }();
  watcher.rethrow();
  if (const api::Error* error = result.error()) raise(*error);
  return result;
}

std::string summary(const api::Result& result) {
  return "<strata.Result " + std::string(api::name(result.verdict())) + ", " +
         std::to_string(result.states()) + " states>";
}

// One of `depth` and `depth_at_most` is a number, the other None.
py::object depth_object(const api::Result& result, bool exact) {
  return result.levels_exact() == exact ? py::object(py::int_(result.depth())) : py::object(py::none());
}

py::object report(const api::Result& result) {
  return py::module_::import("json").attr("loads")(result.json());
}

}  // namespace

PYBIND11_MODULE(strata, module) {
  module.doc() = "Strata, an explicit-state model checker: strata.check(path, **options).";
  module.attr("__version__") = api::version();
  module.attr("options") = api::Options::names();
  py::exception<api::Error>(module, "Error").doc() =
      "A check that has no result. kind: usage, model, limit, interrupted, busy, system or internal; "
      "messages: a list of "
      "position and text; exit_code: of `strata check`.";
  py::class_<api::Result>(module, "Result", "The outcome of a check.")
      .def_property_readonly("verdict", [](const api::Result& own) { return api::name(own.verdict()); })
      .def_property_readonly("message", &api::Result::message)
      .def_property_readonly("stop", [](const api::Result& own) { return stop_object(own.stop()); })
      .def_property_readonly("exit_code", &api::Result::exit_code)
      .def_property_readonly("states", &api::Result::states)
      .def_property_readonly("transitions", &api::Result::transitions)
      .def_property_readonly("depth", [](const api::Result& own) { return depth_object(own, true); })
      .def_property_readonly("depth_at_most", [](const api::Result& own) { return depth_object(own, false); })
      .def_property_readonly("levels", &api::Result::levels)
      .def_property_readonly("levels_exact", &api::Result::levels_exact)
      .def_property_readonly("exact", &api::Result::exact)
      .def_property_readonly("seconds", &api::Result::seconds)
      .def_property_readonly("algorithm", &api::Result::algorithm)
      .def_property_readonly("notes", &api::Result::notes)
      .def_property_readonly("variables", variable_list)
      .def_property_readonly("properties", property_list)
      .def_property_readonly("rules", rule_list)
      .def_property_readonly("counterexamples", path_list)
      .def_property_readonly("witness",
                             [](const api::Result& own) -> py::object {
                               const std::optional<api::Counterexample> found = own.witness();
                               return found ? py::object(path_object(*found)) : py::object(py::none());
                             })
      .def_property_readonly("report", report, "The object of `strata check --json`.")
      .def_property_readonly("text", &api::Result::text, "What `strata check` prints.")
      .def("__repr__", summary);
  module.def("check", check, py::arg("path") = py::none(), py::kw_only(), py::arg("text") = py::none(),
             py::arg("language") = "", py::arg("name") = "model", py::arg("progress") = py::none(),
             py::arg("interval") = 1.0,
             "Checks the model of a file, or of a text in a language (a value of --language). Options are "
             "those of `strata check` (strata.options names them): threads=2, define={'N': 3}, "
             "ltl='G F p'. progress(dict) is called every interval seconds; if it returns False, the check "
             "is cancelled. Raises strata.Error if there is no result.");
}
