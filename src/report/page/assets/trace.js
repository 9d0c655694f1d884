// The trace viewer: the list of steps, and beside it the state of the current step with its changes.
//
// Keys: left and right (in the list of steps also up and down) go one step back and forth, Page Up and Page Down ten
// steps, Home and End to the first and last step, wherever the focus is but in a field. In the state, up and down
// select a row, Enter folds it, L goes to its last change, N to its next change; / focuses the filter.
"use strict";
(() => {
  const {el, count, plural, section, values, States, StateTree, VirtualList, VirtualStrip, sequence, expression} =
      window.strata;
  const {isNode, text, members, memberPath} = values;
  const kStepHeight = 46, kCell = 22, kCellRow = 22;

  class Viewer extends StateTree {
    constructor(trace, show, place) {
      super(trace, new States(trace.steps));
      [this.show, this.place, this.listeners, this.asked] = [show, place, [], []];
      this.build();
      // A counterexample is read from its end.
      this.go(trace.kind === "counterexample" && trace.loop === null ? trace.steps.length - 1 : 0);
    }

    // ---- The parts

    build() {
      const {trace} = this;
      this.stepBox = el("div", {class: "steps", tabindex: "0", role: "listbox", "aria-label": "Steps"});
      this.stepList = new VirtualList(this.stepBox, kStepHeight, (i) => this.stepRow(i));
      if (trace.steps.length === 0) return this.buildFailure();
      const tall = Math.max(this.rowCount() * kStepHeight, this.height());
      const views =
          el("div", {class: "panes"}, el("div", {class: "pane"}, el("h3", {}, "Steps"), this.stepBox),
             el("div", {class: "pane"}, this.stateTitle, this.broken, this.put, this.stateBox, this.about));
      views.style.setProperty("--pane", `${Math.max(200, tall + 4)}px`);
      this.timelineBox = el("div");
      this.root = el("div", {class: "viewer"}, this.toolbar(), this.questions(), this.timelineBox, views);
      this.drawTimeline();
      this.place.append(this.root);
      this.root.addEventListener("keydown", (event) => this.key(event));
      this.stepList.reset(this.rowCount());
      const messages = sequence.panel(this);
      if (messages) this.root.append(messages);
    }

    // If a start state failed, there is no state to show.
    buildFailure() {
      this.stepBox.style.setProperty("--pane", `${kStepHeight + 4}px`);
      this.root = el("div", {class: "viewer"}, this.stepBox);
      this.place.append(this.root);
      this.stepList.reset(this.rowCount());
    }

    toolbar() {
      const button = (label, title, action) =>
          el("button", {type: "button", title, "aria-label": title, onclick: action}, label);
      const last = this.trace.steps.length - 1;
      this.number = el("input", {
        type: "number",
        min: 0,
        max: last,
        class: "number",
        "aria-label": "Step number",
        onchange: () => this.go(Number(this.number.value))
      });
      this.filterBox = el("input", {
        type: "search",
        class: "filter",
        placeholder: "filter variables",
        "aria-label": "Filter by variable",
        oninput: () => {
          this.filter = this.filterBox.value.trim().toLowerCase();
          this.drawState();
        }
      });
      this.changes = el("input", {
        type: "checkbox",
        onchange: () => {
          this.onlyChanges = this.changes.checked;
          this.drawState();
        }
      });
      this.back = [
        button("|◀", "First step (Home)", () => this.go(0)),
        button("◀", "Step back (left arrow)", () => this.go(this.step - 1))
      ];
      this.forth = [
        button("▶", "Step forward (right arrow)", () => this.go(this.step + 1)),
        button("▶|", "Last step (End)", () => this.go(last))
      ];
      const fold = (open) => () => {
        this.folds.clear();
        this.unfoldAll = open;
        this.drawState();
      };
      return el(
          "div", {class: "tools"},
          el("span", {class: "group"}, ...this.back, this.number, el("span", {class: "muted"}, `of ${count(last)}`),
             ...this.forth),
          el("span", {class: "group"}, this.filterBox, el("label", {class: "check"}, this.changes, "only changes")),
          el("span", {class: "group"}, button("unfold", "Unfold everything", fold(true)),
             button("fold", "Fold everything except changes", fold(false))));
    }

    // ---- Questions: expressions over the shown values, each a row of the timeline

    questions() {
      this.question = el("input", {
        type: "text",
        class: "question",
        placeholder: "expression, in all steps: pc[0] = Critical",
        "aria-label": "Expression over the shown values",
        onkeydown: (event) => {
          if (event.key === "Enter") this.ask(this.question.value);
        }
      });
      this.mistake = el("span", {class: "mistake", role: "alert"});
      const jump = (label, title, direction) =>
          el("button", {type: "button", title, "aria-label": title, onclick: () => this.goWhere(direction)}, label);
      return el(
          "div", {class: "tools"},
          el("span", {class: "group"}, this.question,
             el("button", {type: "button", onclick: () => this.ask(this.question.value)}, "show")),
          el("span", {class: "group"}, jump("◀ holds", "The step before in which the last expression holds", -1),
             jump("holds ▶", "The next step in which the last expression holds", 1)),
          this.mistake);
    }

    // The value after step i; a message where it has none.
    valueAt(one, i) {
      try {
        return {value: one.at(this.states.at(i))};
      } catch (error) {
        return {message: error.message};
      }
    }

    ask(words) {
      this.mistake.textContent = "";
      if (words.trim() === "") return;
      try {
        this.asked.push(expression.read(words.trim(), this.states.at(this.step).keys));
      } catch (error) {
        this.mistake.textContent = error.message;
        return;
      }
      this.question.value = "";
      this.drawTimeline();
    }

    // Goes to the nearest step in this direction, 1 or -1, in which the last expression holds.
    goWhere(direction) {
      const one = this.asked[this.asked.length - 1];
      if (!one) return;
      const {length} = this.trace.steps;
      for (let i = this.step + direction; i >= 0 && i < length; i += direction) {
        if (this.valueAt(one, i).value !== true) continue;
        this.mistake.textContent = "";
        this.go(i);
        return;
      }
      const here = this.valueAt(one, this.step);
      this.mistake.textContent = here.message ? `step ${this.step}: ${here.message}` :
          typeof here.value !== "boolean" ? "" :
          direction < 0                   ? `${one.text} holds in no step before this one` :
                                            `${one.text} holds in no later step`;
    }

    drawTimeline() {
      this.strip = null;
      this.timelineBox.replaceChildren(...[this.timeline()].filter((node) => node !== null));
      if (this.strip && this.step !== undefined) this.strip.reveal(this.step);
    }

    // The timeline: a column for each step, with its number, whether it is in the loop, and the values of the
    // propositions and of the expressions.
    timeline() {
      const {trace} = this;
      if (trace.loop === null && trace.propositions.length === 0 && this.asked.length === 0) return null;
      const dismiss = (one) =>
          el("button", {
            type: "button",
            class: "link",
            title: "remove this row",
            "aria-label": `Remove ${one.text}`,
            onclick: () => {
              this.asked = this.asked.filter((other) => other !== one);
              this.drawTimeline();
            }
          },
             "×");
      const names = [
        el("span", {}, "step"), ...(trace.loop === null ? [] : [el("span", {}, "loop")]),
        ...trace.propositions.map((name) => el("span", {title: name}, name)),
        ...this.asked.map((one) => el("span", {title: one.text}, dismiss(one), " ", one.text))
      ];
      this.stripBox =
          el("div", {class: "strip", tabindex: "0", role: "img", "aria-label": "Propositions over the steps"});
      this.strip = new VirtualStrip(this.stripBox, kCell, names.length * kCellRow, (i) => this.column(i));
      this.strip.reset(trace.steps.length);
      const loop = trace.loop === null ?
          null :
          el("p", {class: "muted loop-words"}, `The loop: steps ${trace.loop} to ${trace.steps.length - 1}, then `,
             trace.loop_step ? el("b", {}, this.ruleText(trace.loop_step.r)) : "a step", " leads back to ",
             el("button", {type: "button", class: "link", onclick: () => this.go(trace.loop)}, `step ${trace.loop}`),
             ", for ever.");
      return el("div", {}, loop, el("div", {class: "timeline"}, el("div", {class: "names"}, ...names), this.stripBox));
    }

    column(i) {
      const {trace} = this, inLoop = trace.loop !== null && i >= trace.loop;
      const cells = [el("span", {class: "tick"}, i)];
      if (trace.loop !== null)
        cells.push(el("span", {class: inLoop ? "in-loop" : ""}, i === trace.loop ? "↻" : inLoop ? "─" : ""));
      [...(trace.steps[i].t || "")].forEach(
          (value, k) => cells.push(
              el("span", {
                class: value === "1" ? "true" :
                    value === "0"    ? "false" :
                                       "unknown",
                title: `${trace.propositions[k]} is ${
                    value === "1"     ? "true" :
                        value === "0" ? "false" :
                                        "not defined"} after step ${i}`,
              },
                 value === "1"     ? "T" :
                     value === "0" ? "F" :
                                     "?")));
      for (const one of this.asked) cells.push(this.answerCell(one, i));
      return el(
          "div", {
            class: `column${i === this.step ? " chosen" : ""}${inLoop ? " looped" : ""}`,
            "data-step": i,
            onclick: () => this.go(i)
          },
          ...cells);
    }

    answerCell(one, i) {
      const {value, message} = this.valueAt(one, i);
      const words = message === undefined ? text(value) : message;
      const [tone, sign] = message !== undefined ? ["unknown", "?"] :
          value === true                         ? ["true", "T"] :
          value === false                        ? ["false", "F"] :
                                                   ["", words];
      return el("span", {class: `answer ${tone}`, title: `${one.text} after step ${i}: ${words}`}, sign);
    }

    ruleText(number) {
      const rule = this.trace.rules[number];
      return rule.parameters ? `${rule.name}, ${rule.parameters}` : rule.name;
    }

    // ---- Steps

    rowCount() {
      return this.trace.steps.length + (this.trace.failing ? 1 : 0) + (this.trace.loop === null ? 0 : 1);
    }

    stepRow(i) {
      const {trace} = this, {steps} = trace;
      if (i >= steps.length) return this.lastRow();
      const rule = trace.rules[steps[i].r], inLoop = trace.loop !== null && i >= trace.loop;
      const changed = i === 0 ? "start state" : this.states.variables(i).join(", ") || "no change";
      // In a rendezvous, the step of each process has its own line.
      const comma = rule.name.includes(" -> ") ? rule.name.indexOf(", ") : -1;
      const [name, more] = comma < 0 ? [rule.name, changed] : [rule.name.slice(0, comma), rule.name.slice(comma + 2)];
      return el(
          "div", {
            class: `step${i === this.step ? " chosen" : ""}${inLoop ? " looped" : ""}`,
            role: "option",
            "aria-selected": String(i === this.step),
            "data-step": i,
            title: `${this.ruleText(steps[i].r)}\nchanges: ${changed}`,
            onclick: () => this.go(i)
          },
          el("span", {class: "index"}, i,
             inLoop && i === trace.loop && el("span", {class: "loop-mark", title: "the loop begins"}, "↻")),
          el("span", {class: "what"},
             el("span", {class: "rule"}, el("b", {}, name),
                rule.parameters && el("span", {class: "parameters"}, rule.parameters)),
             el("span", {class: comma < 0 ? "changed-names" : "rule"}, more)),
          rule.line &&
              el("button", {
                type: "button",
                class: "link at",
                title: "show in the model text",
                onclick: (event) => {
                  event.stopPropagation();
                  this.show(rule.line);
                }
              },
                 `line ${rule.line}`));
    }

    // The row after the last state: the failing rule, or the step back to the start of the loop.
    lastRow() {
      const {trace} = this;
      if (trace.failing) {
        const rule = this.ruleText(trace.failing.r);
        return el(
            "div", {class: "step failing"}, el("span", {class: "index"}, "✗"),
            el("span", {class: "what"},
               el("span", {class: "rule"}, trace.failing.guard ? "guard of " : "", el("b", {}, rule)),
               el("span", {class: "changed-names", title: trace.failing.message}, trace.failing.message)),
            trace.failing.line > 0 &&
                el("button", {type: "button", class: "link at", onclick: () => this.show(trace.failing.line)},
                   `line ${trace.failing.line}`));
      }
      return el(
          "div", {class: "step looped back", onclick: () => this.go(trace.loop)}, el("span", {class: "index"}, "↻"),
          el("span", {class: "what"},
             el("span", {class: "rule"}, el("b", {}, trace.loop_step ? this.ruleText(trace.loop_step.r) : "then")),
             el("span", {class: "changed-names"}, `back to step ${trace.loop}`)));
    }

    go(step) {
      const last = this.trace.steps.length - 1;
      if (!Number.isFinite(step) || last < 0) return;
      this.step = Math.min(last, Math.max(0, Math.round(step)));
      this.number.value = this.step;
      this.back.forEach((button) => {
        button.disabled = this.step === 0;
      });
      this.forth.forEach((button) => {
        button.disabled = this.step === last;
      });
      this.stepList.reveal(this.step === last ? this.rowCount() - 1 : this.step);
      this.stepList.reset(this.rowCount());
      if (this.strip) {
        this.strip.reveal(this.step);
        this.strip.reset(this.trace.steps.length);
      }
      this.drawState();
      this.listeners.forEach((listener) => listener(this.step));
    }

    // ---- Keys

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const tag = event.target.tagName;
      if (tag === "INPUT" || tag === "SELECT") {
        if (event.key === "Escape" && event.target === this.filterBox) this.stateBox.focus();
        return;
      }
      const inState = this.stateBox.contains(event.target);
      const actions = {
        ArrowLeft: () => this.go(this.step - 1),
        ArrowRight: () => this.go(this.step + 1),
        Home: () => this.go(0),
        End: () => this.go(this.trace.steps.length - 1),
        ArrowUp: () => (inState ? this.choose(-1) : this.go(this.step - 1)),
        ArrowDown: () => (inState ? this.choose(1) : this.go(this.step + 1)),
        PageUp: inState ? null : () => this.go(this.step - 10),
        PageDown: inState ? null : () => this.go(this.step + 10),
        Enter: inState ? () => this.toggle() : null,
        " ": inState ? () => this.toggle() : null,
        l: () => this.jumpToChange(-1),
        n: () => this.jumpToChange(1),
        "/": () => this.filterBox.focus(),
      };
      const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
      if (!action || (tag === "BUTTON" && (event.key === "Enter" || event.key === " "))) return;
      event.preventDefault();
      action();
    }
  }

  function draw(data, show) {
    const {traces} = data, place = el("div");
    const name = (trace) => trace.steps.length === 0 ?
        trace.title :
        `${trace.title} (${plural(trace.steps.length - 1 + (trace.failing ? 1 : 0), "step")})`;
    let viewer = null;
    const open = (i) => {
      place.replaceChildren();
      window.strata.viewer = viewer = new Viewer(traces[i], show, place);
    };
    const choice = traces.length > 1 &&
        el("p", {},
           el("label", {}, "Trace: ",
              el("select", {id: "trace-choice", onchange: (event) => open(Number(event.target.value))},
                 ...traces.map((trace, i) => el("option", {value: i}, `${i + 1}. ${name(trace)}`)))));
    const title = traces[0].kind === "witness" ? "Path" :
        traces.length > 1                      ? "Counterexamples" :
        data.report                            ? "Counterexample" :
                                                 "Trace";
    section("trace", title, choice || el("p", {class: "muted"}, name(traces[0])), place);
    open(0);
    // The keys that step work wherever the focus is.
    document.addEventListener("keydown", (event) => {
      const steps = ["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"];
      const elsewhere =
          !viewer.root.contains(event.target) && !event.target.closest("input, select, textarea, .scrolls");
      if (elsewhere && steps.includes(event.key)) viewer.key(event);
    });
    window.addEventListener("beforeprint", () => print(viewer));
    window.addEventListener("afterprint", () => document.getElementById("printed")?.remove());
  }

  // On paper a list cannot be scrolled: prints all steps with their changes.
  const kMostPrinted = 500;
  function print(viewer) {
    document.getElementById("printed")?.remove();
    const items = [];
    for (let i = 0; i < Math.min(kMostPrinted, viewer.trace.steps.length); ++i) {
      const lines = [];
      const collect = (list, node, path) => {
        for (const member of list) {
          const own = memberPath(node, path, member.key);
          if (member.status === "same" && i > 0) continue;
          if (member.status === "changed" && isNode(member.value) && isNode(member.old))
            collect(members(member.old, member.value), member.value, own);
          else
            lines.push(
                member.status === "removed" ? `− ${own}: ${text(member.value)}` :
                    member.status === "changed" ? `${own}: ${text(member.old)} → ${text(member.value)}` :
                                                  `${i > 0 ? "+ " : ""}${own}: ${text(member.value)}`);
        }
      };
      const now = viewer.states.at(i);
      collect(members(i === 0 ? undefined : viewer.states.at(i - 1), now), now, "");
      items.push(
          el("li", {value: i}, el("b", {}, viewer.ruleText(viewer.trace.steps[i].r)),
             ...lines.map((line) => el("div", {class: "mono"}, line))));
    }
    viewer.place.append(el("ol", {id: "printed", start: 0}, ...items));
  }

  Object.assign(window.strata, {trace: {draw}});
})();
