// Builds the page from its data: verdict, traces, search, coverage, text.
"use strict";
(() => {
  const {el, count, plural, bytes, duration, section, plots, source} = window.strata;
  const data = JSON.parse(document.getElementById("data").textContent);
  window.strata.data = data;
  const report = data.report;

  // ---- Light and dark

  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const retheme = () => {
    plots.retheme();
    window.strata.onTheme.forEach((redraw) => redraw());
  };

  document.getElementById("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    retheme();
  });
  dark.addEventListener("change", retheme);
  // Printed pages use the light theme.
  matchMedia("print").addEventListener("change", retheme);

  // ---- Verdict

  const kinds = {
    holds: ["good", "✓", "Holds"],
    violated: ["bad", "✗", "Violated"],
    deadlock: ["bad", "✗", "Deadlock"],
    assertion: ["bad", "✗", "Assertion failed"],
    error: ["bad", "✗", "Run-time error"],
    incomplete: ["open", "…", "Incomplete"]
  };

  function depth(unknown) {
    if (report.levels.length === 0 && report.states > 0) return unknown;
    return report.levels_exact ? count(report.depth) : `at most ${count(report.depth_at_most)}`;
  }

  function words() {
    if (!report) return "";
    const found = `${plural(report.states, "state")}, ${plural(report.transitions, "rule")} fired, depth ${
        depth("not known")}, in ${duration(report.seconds.search)}`;
    if (report.verdict === "holds")
      return `${
          report.exact ? "Every reachable state was visited" :
                         "Every reachable state was visited, except states that signatures may hide"}: ${found}.`;
    return report.verdict === "incomplete" ? `Searched so far: ${found}.` : `Found after ${found}.`;
  }

  function nextSteps() {
    const steps = [];
    if (data.run.resume)
      steps.push(["Continue where it stopped:", data.run.resume]);
    else if (report && report.verdict === "incomplete" && report.stop !== "bound" && !report.checkpoint)
      steps.push([
        "Run it again with more memory, disk or time, or with checkpoints, so that it can be resumed:",
        `${data.run.command} --checkpoint DIR`
      ]);
    if (report && report.stop === "bound") steps.push(["Raise --bound, or omit it.", null]);
    return steps;
  }

  function verdict() {
    const [tone, sign, name] = report ? kinds[report.verdict] || ["open", "…", report.verdict] : ["bad", "⟿", "Trace"];
    const box = document.getElementById("verdict");
    box.classList.add(tone);
    const next = nextSteps();
    box.replaceChildren(
        el("div", {class: "badge", "aria-hidden": "true"}, sign),
        el("div", {}, el("p", {class: "kind"}, name, " · ", el("code", {}, data.model.path)),
           ...data.verdict.map((line, i) => el(i === 0 ? "h1" : "p", {id: i === 0 ? "verdict-words" : null}, line)),
           report && el("p", {}, words()), data.run.forecast && el("p", {}, `Forecast: ${data.run.forecast}.`),
           report && !report.exact &&
               el("p", {},
                  `States were kept as ${report.store}: the probability that a state was omitted is at most ${
                      report.omission_probability.toPrecision(2)}.`),
           report && report.property && el("p", {class: "muted"}, "Checked: ", report.property),
           ...next.map(
               ([text, command]) => el("div", {class: "next"}, el("p", {}, text), command && el("pre", {}, command)))));
    document.getElementById("made").textContent = `Made by Strata ${data.run.version}${
        data.run.time ? `, ${data.run.time}` : ""}. This page loads nothing from the network.`;
  }

  // ---- Figures

  const figure = (name, value, note) =>
      el("div", {class: "figure"}, el("span", {class: "value"}, value), el("span", {class: "name"}, name),
         note && el("span", {class: "muted"}, note));

  function figures() {
    const rate = report.seconds.search > 0 ? report.states / report.seconds.search : 0;
    const symmetry = report.symmetry.orbit_states;
    return el(
        "div", {class: "figures"},
        figure("states", count(report.states), symmetry ? `${count(symmetry)} without symmetry` : ""),
        figure("rules fired", count(report.transitions)), figure("depth", depth("—")),
        figure("search", duration(report.seconds.search), rate > 0 ? `${count(Math.round(rate))} states/s` : ""),
        figure("peak memory", bytes(report.memory.peak_rss), `of ${bytes(report.memory.budget)}`),
        report.disk.peak > 0 &&
            figure(
                "peak disk", bytes(report.disk.peak),
                `written ${bytes(report.disk.written)}, read ${bytes(report.disk.read)}`));
  }

  const cell = (value) =>
      (typeof value === "number"      ? count(value) :
           typeof value === "boolean" ? (value ? "yes" : "no") :
                                        String(value));
  function table(title, rows) {
    const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
    if (shown.length === 0) return null;
    return el(
        "div", {class: "facts"}, el("h3", {}, title),
        el("table", {},
           el("tbody", {},
              ...shown.map(
                  ([name, value]) =>
                      el("tr", {}, el("th", {scope: "row"}, name),
                         el("td", {class: typeof value === "number" && "number"},
                            value instanceof Node ? value : cell(value)))))));
  }

  function facts() {
    const model = data.model, run = data.run;
    const rows = [
      table(
          "Model",
          [
            ["file", model.path], ["language", model.language],
            ...(report ? [["bits a state", report.state_bits], ["bytes a state", report.state_bytes]] : []),
            ["rules", model.rules || null], ["variables", model.variables || null]
          ]),
      table("Constants", model.constants),
      table("Machine", run.machine),
    ];
    if (report) {
      rows.splice(
          2, 0, table("Search", [
            ["algorithm", report.algorithm], ["threads", report.threads], ["deadlock", run.deadlock],
            ["states stored as", report.store],
            [
              "symmetry",
              report.symmetry.mode === "off" ? null : `${report.symmetry.mode}: ${report.symmetry.types.join(", ")}`
            ],
            [
              "folding",
              report.folding.mode === "off" ? null : `${report.folding.mode}: keys of ${report.folding.key_bytes} bytes`
            ],
            ["expansions", report.expansions], ["resumed", report.resumed || null],
            ...Object.entries(report.parameters), ...Object.entries(report.details || {})
          ]));
      rows.push(
          table("Memory plan", Object.entries(report.memory.plan || {}).map(([name, value]) => [name, bytes(value)])));
      rows.push(table(
          "Covers",
          report.covers.map(
              (cover) =>
                  [cover.name,
                   cover.hit === null ? "not known" :
                       cover.hit      ? "hit" :
                                        "not hit"])));
      rows.push(table(
          "Detections", Object.values(report.detections).some((n) => n > 0) ? Object.entries(report.detections) : []));
    }
    return el("div", {class: "fact-grid"}, ...rows);
  }

  verdict();
  let showLine = () => {};
  if (data.traces.length > 0) window.strata.trace.draw(data, (line) => showLine(line));
  if (report) {
    const search = section("search", "Search", figures());
    if (report.states > 0) {
      // A program that was built without Chart.js makes pages without plots.
      if (window.Chart) {
        const grid = el("div", {class: "plots"});
        search.append(grid);
        plots.draw(grid, data);
      }
    }
  }
  showLine = source.draw(data);
  section("run", "Run", data.run.command && el("pre", {class: "command"}, data.run.command), facts());
  window.strata.ready = true;
})();
