#include "report/page/page.h"

#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "report/json/json_report.h"
#include "report/json/json_stream.h"
#include "report/page/content_policy.h"
#include "report/page/trace_data.h"
#include "report/text/text_report.h"
#include "report/trace/trace_text.h"

namespace strata {

namespace embedded {
extern const char* const kPagePage;
extern const char* const kPageLicence;
}  // namespace embedded

namespace {

using Json = nlohmann::ordered_json;
using Part = std::function<void(const TextSink&)>;

// Text in a script element must not contain "</script" or "<!--". In JSON, < occurs only in strings, where it can be
// escaped.
TextSink within_script(const TextSink& sink) {
  return [&sink](std::string_view piece) {
    for (size_t done = 0; done < piece.size();) {
      const size_t next = std::min(piece.find('<', done), piece.size());
      sink(piece.substr(done, next - done));
      if (next < piece.size()) sink("\\u003c");
      done = next + 1;
    }
  };
}

// Writes the page of assets/page.html, with each {{name}} replaced by a part.
void fill_template(const std::map<std::string_view, Part>& parts, const TextSink& sink) {
  const std::string_view page = embedded::kPagePage;
  size_t done = 0;
  for (size_t open = page.find("{{"); open != std::string_view::npos; open = page.find("{{", done)) {
    const size_t close = page.find("}}", open);
    sink(page.substr(done, open - done));
    parts.at(page.substr(open + 2, close - open - 2))(sink);
    done = close + 2;
  }
  sink(page.substr(done));
}

struct Heading {
  std::string title;
  std::string verdict;
};

void write_document(const Heading& heading, const Part& data, const TextSink& sink) {
  const auto text = [](std::string what) {
    return [what = std::move(what)](const TextSink& out) { out(html_text(what)); };
  };
  fill_template({{"policy", text(content_policy())},
                 {"title", text(heading.title)},
                 {"verdict", text(heading.verdict)},
                 {"licence", text(embedded::kPageLicence)},
                 {"style", [](const TextSink& out) { out(page_style().text); }},
                 {"data", [&](const TextSink& out) { data(within_script(out)); }},
                 {"scripts",
                  [](const TextSink& out) {
                    for (const PagePart& script : page_scripts()) {
                      out("<script>");
                      out(script.text);
                      out("</script>\n");
                    }
                  }}},
                sink);
}

Json position_json(SourcePosition position) {
  return position.line == 0 ? Json(nullptr) : Json(position.line);
}

Json model_json(const ModelInfo& info) {
  Json out = {{"path", info.path}, {"language", info.language}, {"constants", Json::array()}};
  for (const auto& [name, value] : info.constants) out["constants"].push_back({name, value});
  out["variables"] = info.variables.size();
  out["rules"] = info.rules.size();
  out["properties"] = Json::array();
  for (const PropertyInfo& property : info.properties)
    out["properties"].push_back({{"kind", property_kind(property.kind)},
                                 {"name", property.name},
                                 {"line", position_json(property.position)}});
  return out;
}

Json run_json(const RunInfo& run, const PageInfo& page, const std::optional<Forecast>& forecast) {
  Json out = {{"version", run.version}, {"command", page.command}, {"time", page.time}};
  out["machine"] = Json::array();
  for (const auto& [name, value] : page.machine) out["machine"].push_back({name, value});
  out["deadlock"] = deadlock_name(run.deadlock);
  out["resume"] = run.checkpoint && !run.checkpoint->resume.empty() ? Json(run.checkpoint->resume) : Json();
  out["forecast"] = forecast ? Json(forecast_text(*forecast)) : Json();
  return out;
}

// The last forecast of a search that was stopped early.
std::optional<Forecast> open_forecast(const SearchResult& result) {
  return result.stop == StopReason::none || result.stop == StopReason::bound ? std::nullopt : result.forecast;
}

// The seconds of the search before this process continued it.
double began(const RunInfo& run) { return run.resumptions.empty() ? 0 : run.resumptions.back().seconds; }

// 0 means that the figure is unknown.
Json known(double figure) { return figure > 0 ? Json(figure) : Json(nullptr); }

// The times are those of the whole search: a resumed run begins where it was resumed.
Json series_json(const std::vector<SeriesPoint>& points, double offset) {
  Json out = {{"began", offset}};
  for (const char* name : {"seconds", "states", "queue", "memory", "disk", "least", "most"})
    out[name] = Json::array();
  for (const SeriesPoint& point : points) {
    out["seconds"].push_back(offset + point.seconds);
    out["states"].push_back(point.states);
    out["queue"].push_back(point.queue);
    out["memory"].push_back(point.memory);
    out["disk"].push_back(point.disk);
    out["least"].push_back(known(point.least_states));
    out["most"].push_back(known(point.most_states));
  }
  return out;
}

Json sources_json(const std::vector<SourceFile>& sources) {
  Json out = Json::array();
  for (const SourceFile& source : sources)
    out.push_back({{"path", source.name()}, {"text", std::string(source.text())}});
  return out;
}

void write_traces(const Answers& answers, const TextSink& sink) {
  const char* separator = "[\n";
  const auto write = [&](const Answered& answered, const Counterexample& counterexample, const char* kind,
                         const std::string& title) {
    if (!counterexample.has_path()) return;
    sink(std::exchange(separator, ",\n"));
    const std::string named = answers.several() ? answered.run.name + ": " + title : title;
    write_trace_data(answered.model, counterexample, {kind, named}, answered.run.propositions, sink);
  };
  const auto write_all = [&](const Answered& answered) {
    if (answered.result.witness)
      write(answered, *answered.result.witness, "witness", "A path to a state that the formula asks for");
    for (const Counterexample& counterexample : answered.result.counterexamples)
      write(answered, counterexample, "counterexample",
            failure_line(answered.model.info(), counterexample.text));
  };
  write_all(answers.main());
  for (size_t i = 0; i < answers.all.size(); ++i)
    if (i != answers.deciding) write_all(answers.all[i]);
  sink(*separator == '[' ? "[]" : "]");
}

// With several properties, that of the run and the first line of each.
std::vector<std::string> verdict_of(const Answers& answers) {
  const Answered& main = answers.main();
  std::vector<std::string> lines = verdict_lines(main.model.info(), main.result, main.run);
  if (!answers.several()) return lines;
  lines = {main.result.verdict == Verdict::holds ? "All properties hold."
                                                 : main.run.name + ": " + lines.front()};
  for (const Answered& answered : answers.all)
    lines.push_back(answered.run.name + ": " +
                    verdict_lines(answered.model.info(), answered.result, answered.run).front());
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : " ") + line;
  return out;
}

}  // namespace

std::string html_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

void write_page(const Answers& answers, const PageInfo& page, const TextSink& sink) {
  const Answered& main = answers.main();
  const std::vector<std::string> verdict = verdict_of(answers);
  // The first answer is that about the model's own properties, if they were checked.
  const ModelInfo& info = answers.all.front().model.info();
  const auto data = [&](const TextSink& out) {
    JsonStream stream;
    out("{\"report\":");
    stream.write(report_without_steps(answers, stream), out);
    out(",\n\"verdict\":" + compact_json(verdict) + ",\n\"model\":" + compact_json(model_json(info)));
    out(",\n\"run\":" + compact_json(run_json(main.run, page, open_forecast(main.result))) +
        ",\n\"series\":" + compact_json(series_json(main.result.series, began(main.run))));
    out(",\n\"sources\":" + compact_json(sources_json(page.sources)) + ",\n\"traces\":");
    write_traces(answers, out);
    out("}\n");
  };
  write_document({info.path + ": " + verdict_name(main.result.verdict), joined(verdict)}, data, sink);
}

void write_trace_page(const Model& model, const Counterexample& counterexample, const RunInfo& run,
                      const PageInfo& page, const TextSink& sink) {
  const std::string title = failure_line(model.info(), counterexample.text);
  const auto data = [&](const TextSink& out) {
    out("{\"report\":null,\"verdict\":" + compact_json(Json::array({title})));
    out(",\n\"model\":" + compact_json(model_json(model.info())) +
        ",\n\"run\":" + compact_json(run_json(run, page, {})));
    out(",\n\"series\":null,\n\"sources\":" + compact_json(sources_json(page.sources)) + ",\n\"traces\":[\n");
    write_trace_data(model, counterexample, {"counterexample", title}, run.propositions, out);
    out("]}\n");
  };
  write_document({model.info().path, title}, data, sink);
}

std::string message_page(const std::string& title, const std::string& message) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\n<title>" +
         html_text(title) + "</title>\n<h1>" + html_text(title) + "</h1>\n<p>" + html_text(message) +
         "</p>\n</html>\n";
}

}  // namespace strata
