// Coverage, and the text of the model coloured by coverage.
"use strict";
(() => {
  const {el, count, section, VirtualList} = window.strata;
  const kLine = 20;

  const known = {name: "rule", line: "line", fired: "times fired", states: "in states"};
  const heading = (name) => known[name] || name.replaceAll("_", " ");

  // If rules consist of transitions of processes, users know the transitions.
  const rowsOf = (coverage) => {
    const rows = coverage && (coverage.transitions || coverage.rules);
    return rows && rows.length > 0 ? rows : null;
  };

  function trivialWords(one) {
    if (one.reason === "constant")
      return `Invariant "${one.name}" was trivially true: it does not depend on the state.`;
    return one.wholly ? `Invariant "${one.name}" was trivially true: its premise never held.` :
                        `Invariant "${one.name}" was trivially true in part: one of its premises never held.`;
  }

  // All columns of the rows, in the order of the data.
  function columns(rows) {
    const names = new Set();
    for (const row of rows)
      for (const [name, value] of Object.entries(row))
        if (typeof value !== "object" || value === null) names.add(name);
    names.delete("column");
    return [...names];
  }

  function coverageTable(rows, show) {
    const names = columns(rows), most = Math.max(1, ...rows.map((row) => row.fired));
    const body = el("tbody");
    let order = [];
    const draw = (name, direction) => {
      const sorted = rows.slice();
      if (name)
        sorted.sort(
            (a, b) => direction *
                (typeof a[name] === "number" ? a[name] - b[name] : String(a[name]).localeCompare(String(b[name]))));
      body.replaceChildren(...sorted.map(
          (row) => el("tr", {class: row.fired === 0 ? "never" : ""}, ...names.map((column) => {
            const value = row[column];
            if (column === "line" && typeof value === "number" && value > 0)
              return el(
                  "td", {class: "number"},
                  el("button", {type: "button", class: "link", onclick: () => show(value)}, value));
            if (column === "fired") {
              const bar = el("span", {class: "share", "aria-hidden": "true"});
              bar.style.width = `${(100 * value) / most}%`;
              return el("td", {class: "number gauge"}, bar, el("span", {}, value === 0 ? "never" : count(value)));
            }
            return el(
                "td", {class: typeof value === "number" ? "number" : ""},
                typeof value === "number" ? count(value) : value ?? "");
          }))));
    };
    const head =
        el("tr", {},
           ...names.map(
               (name) =>
                   el("th", {scope: "col", class: typeof rows[0][name] === "number" ? "number" : ""},
                      el("button", {
                        type: "button",
                        class: "link",
                        onclick: () => {
                          order = order[0] === name ?
                              [name, -order[1]] :
                              [name, typeof rows[0][name] === "number" && name !== "line" ? -1 : 1];
                          draw(...order);
                        }
                      },
                         heading(name)))));
    draw();
    return el("div", {class: "scroll"}, el("table", {class: "coverage"}, el("thead", {}, head), body));
  }

  // For each line, the rule that contains it: a rule extends to the start of the next rule or property.
  function ownersOf(lines, rules, others) {
    const starts = new Map(others.map((line) => [line, null]));
    for (const rule of rules)
      if (rule.line > 0) starts.set(rule.line, [...(starts.get(rule.line) || []), rule]);
    const owners = [];
    let owner = null;
    for (let i = 1; i <= lines.length; ++i) {
      if (starts.has(i))
        owner = starts.get(i);
      else if (
          owner &&
          /^(startstate|invariant|cover|assume|liveness|ruleset|alias|process|endruleset|endalias|system)\b/i.test(
              lines[i - 1].trim()))
        owner = null;
      owners[i] = owner;
    }
    // Text before the start of the next rule belongs to no rule.
    for (let i = lines.length; i > 0; --i)
      if (owners[i + 1] !== owners[i] && !starts.has(i) && /^\s*(--.*|\/\/.*)?$/.test(lines[i - 1]))
        owners[i] = owners[i + 1] ?? null;
    return owners;
  }

  function sourceView(data, errorLines) {
    const source = data.sources[0], lines = source.text.split(/\r?\n/);
    const coverage = rowsOf(data.report && data.report.coverage);
    const owners = coverage ?
        ownersOf(lines, coverage, data.model.properties.map((property) => property.line).filter((line) => line > 0)) :
        [];
    const most = coverage ? Math.max(1, ...coverage.map((rule) => rule.fired)) : 1;
    const box = el("div", {class: "source", tabindex: "0", role: "region", "aria-label": `Text of ${source.path}`});
    box.style.setProperty("--lines", `${lines.length * kLine + 20}px`);
    let marked = 0;
    const list = new VirtualList(box, kLine, (i) => {
      const owner = owners[i + 1], fired = owner ? owner.reduce((sum, rule) => sum + rule.fired, 0) : null;
      const grade = fired === null ? "" :
          fired === 0              ? " never" :
                        ` fired g${Math.min(4, Math.floor((5 * Math.log1p(fired)) / Math.log1p(most * 1.0001)))}`;
      const begins = owner && owner.some((rule) => rule.line === i + 1);
      return el(
          "div", {class: `line${grade}${errorLines.has(i + 1) ? " error" : ""}${marked === i + 1 ? " marked" : ""}`},
          el("span", {class: "number"}, i + 1),
          coverage && el("span", {class: "fired"}, begins ? (fired === 0 ? "never" : count(fired)) : ""),
          el("code", {}, lines[i] === "" ? " " : lines[i]));
    });
    const show = (line) => {
      marked = line;
      box.closest("details")?.setAttribute("open", "");
      box.scrollIntoView({block: "nearest"});
      box.scrollTop = Math.max(0, (line - 6) * kLine);
      list.reset(lines.length);
    };
    list.reset(lines.length);
    // Scrolls to the first error once the page has been laid out.
    if (errorLines.size > 0)
      requestAnimationFrame(() => {
        box.scrollTop = Math.max(0, (Math.min(...errorLines) - 6) * kLine);
      });
    list.space.style.minWidth = `${Math.max(...lines.map((line) => line.length)) * 0.62 + 9}em`;
    return {box, show, path: source.path, size: lines.length};
  }

  function draw(data) {
    const errors = new Set(
        (data.report ? data.report.errors : []).map((error) => error.position && error.position.line).filter(Boolean));
    const view = data.sources.length > 0 ? sourceView(data, errors) : null;
    const show = (line) => view && view.show(line);
    const coverage = data.report && data.report.coverage, rows = rowsOf(coverage);
    if (rows) {
      const never = rows.filter((row) => row.fired === 0).length, what = coverage.transitions ? "transitions" : "rules";
      const part =
          coverage.whole === false || data.report.verdict === "incomplete" ? " in the part that was searched" : "";
      section(
          "coverage", "Coverage",
          el("p", {},
             never === 0 ? `Each of the ${count(rows.length)} ${what} fired.` :
                           `${never} of ${count(rows.length)} ${what} never fired${part}.`),
          ...(coverage.trivially_true || []).map((one) => el("p", {class: "note"}, trivialWords(one))),
          coverageTable(rows, show));
    }
    if (view) {
      section(
          "source", "Model text",
          el("p", {class: "muted"}, `${view.path}, ${count(view.size)} lines`,
             rows ? "; the colour says how often a rule fired" : ""),
          rows &&
              el("p", {class: "legend"}, el("span", {class: "line never"}, "never fired"),
                 ...[0, 1, 2, 3, 4].map(
                     (i) => el("span", {class: `line fired g${i}`}, ["rarely", "", "", "", "often"][i] || " "))),
          view.box);
    }
    return show;
  }

  Object.assign(window.strata, {source: {draw}});
})();
