// The message-sequence view: a lifeline for each process, steps as marks on it, messages as arrows. Drawn as SVG with
// explicit colours, so that an exported picture looks like the page.
"use strict";
(() => {
  const {el, svg, colour, download, messages} = window.strata;
  const kRow = 34, kHead = 40, kGutter = 250, kApart = 13, kFont = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
  const kHues = ["blue", "vermilion", "green", "purple", "orange", "sky"];
  // The number of rows drawn beyond the visible ones.
  const kMargin = 40;

  const cut = (words, room) => (words.length <= room ? words : `${words.slice(0, room - 1)}…`);

  class Chart {
    constructor(viewer) {
      [this.viewer, this.trace] = [viewer, viewer.trace];
      this.found = messages.find(viewer.trace, viewer.states);
      this.hues = new Map();
      for (const arrow of this.found.arrows)
        if (!this.hues.has(arrow.kind)) this.hues.set(arrow.kind, kHues[this.hues.size % kHues.length]);
      this.ends = {from: this.together("from"), to: this.together("to")};
    }
    // The arrows that share an end: by step and lifeline, in the order of their other ends.
    together(end) {
      const groups = new Map(), other = end === "from" ? "to" : "from";
      for (const arrow of this.found.arrows) {
        if (!arrow[end]) continue;
        const key = `${arrow[end].step} ${arrow[end].lane}`;
        groups.set(key, [...(groups.get(key) || []), arrow]);
      }
      const far = (arrow) => (arrow[other] ? arrow[other].step : Infinity);
      for (const group of groups.values()) group.sort((a, b) => far(a) - far(b));
      return groups;
    }
    // The height of an end of an arrow: messages of one step are side by side.
    end(arrow, end) {
      const group = this.ends[end].get(`${arrow[end].step} ${arrow[end].lane}`);
      const gap = Math.min(kApart, (kRow - 10) / group.length);
      return this.y(arrow[end].step) + (group.indexOf(arrow) - (group.length - 1) / 2) * gap;
    }
    get rows() {
      return this.trace.steps.length + (this.trace.failing || this.trace.loop !== null ? 1 : 0);
    }
    // Computes the layout for a box of this width; without a width, as wide as the longest names need.
    measure(width) {
      const lanes = this.found.lanes.length,
            longest = (list) => list.reduce((most, one) => Math.max(most, one.length), 0);
      const name = Math.min(190, 8 * longest(this.found.lanes) + 24);
      if (width === undefined) {
        this.gutter = Math.min(520, 7.1 * longest(this.trace.rules.map((_, i) => this.viewer.ruleText(i))) + 50);
        this.lane = Math.max(110, name + 10);
        width = 0;
      } else {
        this.gutter = width < 600 ? 110 : Math.max(kGutter, Math.min(430, width - lanes * 150 - 60));
        this.lane = Math.max(width < 600 ? 70 : 110, Math.min(220, (width - this.gutter - 60) / lanes));
      }
      this.name = Math.min(this.lane - 8, Math.max(60, name));
      this.width = Math.max(width, this.gutter + this.lane * lanes + 60);
    }
    x(lane) {
      return this.gutter + this.lane * (lane + 0.5);
    }
    y(step) {
      return step * kRow + kRow / 2;
    }
    text(x, y, words, more) {
      return svg(
          "text",
          Object.assign(
              {x, y, fill: colour("text"), "font-size": 12, "font-family": kFont, "dominant-baseline": "middle"}, more),
          words);
    }

    head(y) {
      const group = svg("g", {});
      this.found.lanes.forEach((name, i) => {
        const width = this.name;
        group.append(
            svg("rect", {
              x: this.x(i) - width / 2,
              y: y + 6,
              width,
              height: 26,
              rx: 6,
              fill: colour("soft"),
              stroke: colour("line")
            }),
            this.text(
                this.x(i), y + 19, cut(name, Math.floor(width / 7.8)), {"text-anchor": "middle", "font-weight": 600}));
      });
      return group;
    }

    // Draws the rows [first, last], the first one at height `top`.
    body(first, last, top) {
      const group = svg("g", {transform: `translate(0 ${top})`}), {trace, found} = this;
      const bottom = this.y(last) + kRow / 2;
      if (trace.loop !== null && trace.loop < last)
        group.append(svg("rect", {
          x: 0,
          y: this.y(trace.loop) - kRow / 2,
          width: this.width,
          height: bottom - this.y(trace.loop),
          fill: colour("orange"),
          opacity: 0.09
        }));
      if (this.viewer.step >= first && this.viewer.step < last)
        group.append(svg("rect", {
          class: "here",
          x: 0,
          y: this.y(this.viewer.step) - kRow / 2,
          width: this.width,
          height: kRow,
          fill: colour("chosen")
        }));
      found.lanes.forEach((_, i) => group.append(svg("line", {
        x1: this.x(i),
        x2: this.x(i),
        y1: this.y(first) - kRow / 2,
        y2: bottom,
        stroke: colour("grey"),
        "stroke-width": 1
      })));
      for (const arrow of found.arrows) {
        const end = arrow.to ? arrow.to.step : arrow.from.step;
        if (arrow.from.step < last && end >= first) group.append(this.arrow(arrow));
      }
      for (let i = first; i < last; ++i) group.append(this.row(i));
      return group;
    }

    row(i) {
      const {trace} = this, failing = i >= trace.steps.length && trace.failing,
            back = i >= trace.steps.length && !trace.failing;
      const step = failing || (back ? trace.loop_step || {r: -1, p: []} : trace.steps[i]);
      const name = step.r < 0 ? "" : this.viewer.ruleText(step.r);
      const sign = trace.loop === i ? "↻ " : "";
      const words = back ? `↻ ${name}, back to step ${trace.loop}` : failing ? `✗ ${name}` : `${sign}${i}  ${name}`;
      const group = svg("g", {class: "event", "data-step": i});
      group.append(
          svg("title", {}, words),
          svg("rect", {x: 0, y: this.y(i) - kRow / 2, width: this.width, height: kRow, fill: "transparent"}),
          this.text(8, this.y(i), cut(words, Math.floor(this.gutter / 6.9)), {
            fill: failing ? colour("vermilion") : colour("text"),
            "font-weight": i === this.viewer.step ? 700 : 400
          }));
      const lanes = failing ? this.found.failing : back ? this.found.looping : this.found.events[i].lanes;
      for (const lane of lanes) {
        const at = {cx: this.x(lane), cy: this.y(i)};
        group.append(
            failing ? this.text(
                          at.cx, at.cy, "✗",
                          {"text-anchor": "middle", "font-size": 20, "font-weight": 700, fill: colour("vermilion")}) :
                      svg("circle", Object.assign(at, {
                        r: 5,
                        fill: back ? colour("card") : colour("text"),
                        stroke: colour("text"),
                        "stroke-width": 2
                      })));
      }
      if (lanes.length === 0 && !back && this.found.lanes.length > 0)
        group.append(svg("line", {
          x1: this.gutter,
          x2: this.x(this.found.lanes.length - 1) + 20,
          y1: this.y(i),
          y2: this.y(i),
          stroke: colour("line"),
          "stroke-width": 2,
          "stroke-dasharray": "2 4"
        }));
      return group;
    }

    arrow(arrow) {
      const hue = colour(this.hues.get(arrow.kind)), x1 = this.x(arrow.from.lane), y1 = this.end(arrow, "from");
      const group = svg("g", {class: "message"}, svg("title", {}, arrow.title));
      const line = (d, more) => svg("path", Object.assign({d, fill: "none", stroke: hue, "stroke-width": 1.8}, more));
      const words = (x, y, anchor) => this.text(x, y, cut(arrow.label, 26), {
        "text-anchor": anchor,
        "font-size": 11,
        fill: hue,
        "font-weight": 600,
        stroke: colour("card"),
        "stroke-width": 3,
        "paint-order": "stroke"
      });
      if (!arrow.to) {
        // On the side where the step has no other message.
        const taken = this.found.arrows.some(
            (other) => other.to && other.from.step === arrow.from.step && other.from.lane === arrow.from.lane &&
                other.to.lane >= arrow.from.lane);
        const side = taken ? -1 : 1;
        group.append(
            line(`M${x1} ${y1}L${x1 + side * 26} ${y1 + 9}`, {"stroke-dasharray": "4 3"}),
            svg("circle", {cx: x1 + side * 30, cy: y1 + 10, r: 3.5, fill: "none", stroke: hue, "stroke-width": 1.5}),
            words(x1 + side * 38, y1 + 11, taken ? "end" : "start"));
        return group;
      }
      const x2 = this.x(arrow.to.lane), y2 = this.end(arrow, "to");
      if (arrow.from.lane === arrow.to.lane) {
        const out = x1 + Math.min(46, this.lane / 3);
        group.append(
            line(`M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${x1 + 9} ${y2}`), this.tip(x1 + 6, y2, Math.PI, hue),
            words(x1 + 14, (y1 + y2) / 2, "start"));
        return group;
      }
      const angle = Math.atan2(y2 - y1, x2 - x1), short = 8;
      group.append(
          line(`M${x1} ${y1}L${x2 - short * Math.cos(angle)} ${y2 - short * Math.sin(angle)}`),
          this.tip(x2 - 5 * Math.cos(angle), y2 - 5 * Math.sin(angle), angle, hue));
      // Near the start of the arrow, where arrows to the same process are still apart.
      const share = Math.min(0.5, 40 / Math.abs(x2 - x1) + 0.12);
      group.append(words(x1 + share * (x2 - x1), y1 + share * (y2 - y1) - 7, "middle"));
      return group;
    }
    tip(x, y, angle, hue) {
      const at = (turn, length) => `${x + length * Math.cos(angle + turn)} ${y + length * Math.sin(angle + turn)}`;
      return svg("path", {d: `M${x} ${y}L${at(Math.PI - 0.42, 9)}L${at(Math.PI + 0.42, 9)}Z`, fill: hue});
    }

    // The whole picture, as text.
    file() {
      const before = this.viewer.step;
      this.viewer.step = -1;
      this.measure();
      const height = kHead + this.rows * kRow + 12;
      const picture =
          svg("svg",
              {xmlns: "http://www.w3.org/2000/svg", width: this.width, height, viewBox: `0 0 ${this.width} ${height}`},
              svg("title", {}, this.trace.title), svg("rect", {width: this.width, height, fill: colour("card")}),
              this.head(0), this.body(0, this.rows, kHead));
      this.viewer.step = before;
      return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture)}\n`;
    }
  }

  // The view as a part of the trace viewer; made when it is first opened.
  function panel(viewer) {
    // The messages of a long trace are found when the view is opened.
    let chart = viewer.trace.steps.length <= 2000 ? new Chart(viewer) : null;
    if (chart && chart.found.lanes.length === 0) return null;
    const scroll = el("div", {class: "sequence", tabindex: "0", role: "region", "aria-label": "Message sequence"});
    const exported =
        el("button", {
          type: "button",
          class: "small",
          onclick: () => download("trace.svg", "image/svg+xml", (chart || new Chart(viewer)).file())
        },
           "Export SVG");
    const note = el("span", {class: "muted"});
    const details =
        el("details", {class: "sequence-panel", open: chart !== null && chart.found.lanes.length > 1},
           el("summary", {}, "Message sequence"), el("div", {class: "tools"}, exported, note), scroll);
    let drawn = null;
    const head = el("div", {class: "sequence-head"}), space = el("div", {class: "sequence-space"});
    scroll.append(head, space);
    const draw = (again) => {
      if (!details.open || scroll.clientWidth === 0) return;
      if (!chart) chart = new Chart(viewer);
      note.textContent = chart.found.arrows.length > 0 ?
          "Arrows are messages: from the step that sent one to the step that took it. Dashed: not received, or by " +
              "nobody for sure." :
          "No messages were found between nodes.";
      chart.measure(scroll.clientWidth - 2);
      const first = Math.max(0, Math.floor(scroll.scrollTop / kRow) - kMargin),
            last = Math.min(chart.rows, Math.ceil((scroll.scrollTop + scroll.clientHeight) / kRow) + kMargin);
      const visible = [Math.floor(scroll.scrollTop / kRow), Math.ceil((scroll.scrollTop + scroll.clientHeight) / kRow)];
      if (!again && drawn && drawn[0] <= Math.max(0, visible[0] - 5) &&
          drawn[1] >= Math.min(chart.rows, visible[1] + 5))
        return;
      drawn = [first, last];
      head.replaceChildren(svg("svg", {width: chart.width, height: kHead}, chart.head(0)));
      space.style.height = `${chart.rows * kRow}px`;
      space.style.width = `${chart.width}px`;
      const part =
          svg("svg", {width: chart.width, height: (last - first) * kRow}, chart.body(first, last, -first * kRow));
      part.style.top = `${first * kRow}px`;
      space.replaceChildren(part);
    };
    scroll.addEventListener("scroll", () => draw(false), {passive: true});
    space.addEventListener("click", (event) => {
      const event_ = event.target.closest("[data-step]");
      if (event_) viewer.go(Number(event_.getAttribute("data-step")));
    });
    details.addEventListener("toggle", () => draw(true));
    new ResizeObserver(() => draw(true)).observe(scroll);
    viewer.listeners.push((step) => {
      const top = step * kRow, height = scroll.clientHeight - kHead;
      if (details.open && height > 0 && (top < scroll.scrollTop || top + kRow > scroll.scrollTop + height))
        scroll.scrollTop = top - height / 2;
      draw(true);
    });
    window.strata.onTheme.push(() => draw(true));
    return details;
  }

  Object.assign(window.strata, {sequence: {panel, Chart}});
})();
