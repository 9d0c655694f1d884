// The state of a step as a tree in which the changes are marked: the right side of the trace viewer.
"use strict";
(() => {
  const {el, count, plural, values, VirtualList} = window.strata;
  const {isNode, text, members, memberPath, leaves} = values;
  const kRowHeight = 24;
  // A state with fewer values is shown completely unfolded.
  const kFewLeaves = 150;

  const nodes = (value) => (isNode(value) ? value.values.reduce((sum, member) => sum + nodes(member), 1) : 1);

  // Whether the path is that of a part of another.
  const within = (path, of) => path.startsWith(of) && ".[{".includes(path[of.length] || "x");

  class StateTree {
    constructor(trace, states) {
      [this.trace, this.states] = [trace, states];
      [this.step, this.chosen, this.filter, this.onlyChanges] = [0, null, "", false];
      this.folds = new Map();
      this.unfoldAll = trace.steps.length > 0 && leaves(states.at(0)) <= kFewLeaves;
      this.stateTitle = el("h3", {id: "state-title"});
      this.stateBox = el("div", {class: "state", tabindex: "0", role: "tree", "aria-label": "State"});
      this.about = el("p", {class: "about", role: "status", "aria-live": "polite"});
      this.broken = el("p", {class: "broken", hidden: ""});
      this.put = el("pre", {class: "put", title: "what the step puts"});
      this.stateList = new VirtualList(this.stateBox, kRowHeight, (i) => this.stateRow(i));
    }

    // The height of the whole tree in pixels.
    height() {
      return (nodes(this.states.at(0)) + 4) * kRowHeight;
    }

    drawState() {
      const now = this.states.at(this.step), before = this.step === 0 ? undefined : this.states.at(this.step - 1);
      this.rows = [];
      this.walk(members(before, now), now, before, "", [], 0, false);
      this.stateList.reset(this.rows.length);
      const place = this.rows.findIndex((row) => row.path === this.chosen);
      if (place >= 0)
        this.stateList.reveal(place);
      else
        this.revealChange();
      const changed = this.rows.filter((row) => row.status !== "same" && !row.foldable).length;
      this.stateTitle.textContent = this.step === 0 ?
          "Start state" :
          `State after step ${count(this.step)}${changed > 0 ? `: ${plural(changed, "change")}` : ""}`;
      const {put} = this.trace.steps[this.step];
      this.put.hidden = !put;
      this.put.textContent = put || "";
      const broken = this.step === this.trace.steps.length - 1 && this.trace.bound;
      this.broken.hidden = !broken;
      this.broken.textContent = broken ? `The property fails for ${this.trace.bound}.` : "";
      this.tell();
    }

    // Scrolls to a change, if none is visible.
    revealChange() {
      const box = this.stateBox, first = this.rows.findIndex((row) => row.status !== "same" && !row.foldable);
      const seen = (i) => i * kRowHeight >= box.scrollTop && (i + 1) * kRowHeight <= box.scrollTop + box.clientHeight;
      if (first < 0 || this.rows.some((row, i) => row.status !== "same" && !row.foldable && seen(i))) return;
      box.scrollTop = Math.max(0, first - 2) * kRowHeight;
    }

    // Appends the rows of the members. A row is shown if its path, or a path below it, matches the filter.
    walk(list, node, before, path, keys, depth, fits) {
      for (const member of list) {
        const own = memberPath(node, path, member.key), matches = fits || own.toLowerCase().includes(this.filter);
        const changed = member.status !== "same";
        if (this.onlyChanges && !changed) continue;
        const row = {
          path: own,
          keys: [...keys, member.key],
          key: node.kind === "m" && member.key !== "−" ? "" : member.key,
          depth,
          ...member,
          foldable: isNode(member.value) && member.value.values.length > 0
        };
        const at = this.rows.length;
        this.rows.push(row);
        if (row.foldable) {
          row.open = this.isOpen(row, changed);
          if (row.open || (this.filter !== "" && !matches))
            this.walk(this.below(row), member.value, member.old, own, row.keys, depth + 1, matches);
        }
        if (!matches && this.rows.length === at + 1)
          this.rows.pop();
        else if (!matches)
          row.open = true;
      }
    }
    // A part that was added or removed as a whole has the same mark on all its members.
    below(row) {
      if (row.status === "added" || row.status === "removed")
        return row.value.values.map((value, i) => ({key: row.value.keys[i], value, old: value, status: row.status}));
      return members(row.old === undefined ? undefined : row.old, row.value);
    }
    // Whether the property that fails in the last state reads the row, or a part of it that is folded.
    isRead(row) {
      const reads = this.trace.reads || [];
      if (this.step !== this.trace.steps.length - 1 || reads.length === 0) return false;
      return reads.some((path) => path === row.path || (row.foldable && !row.open && within(path, row.path)));
    }
    isOpen(row, changed) {
      if (this.folds.has(row.path)) return this.folds.get(row.path);
      const last = this.step === this.trace.steps.length - 1;
      if (last && (this.trace.reads || []).some((path) => within(path, row.path))) return true;
      return this.unfoldAll || (changed && row.status === "changed") || this.filter !== "";
    }

    stateRow(i) {
      const row = this.rows[i], {status} = row;
      const sign = {same: "", changed: row.foldable ? "" : "Δ", added: "+", removed: "−"}[status];
      const node = el(
          "div", {
            class: `variable ${status}${row.foldable ? " folder" : ""}${row.path === this.chosen ? " chosen" : ""}${
                this.isRead(row) ? " read" : ""}`,
            role: "treeitem",
            "aria-level": row.depth + 1,
            "aria-expanded": row.foldable ? String(row.open) : null,
            "data-path": row.path,
            title: row.path,
            onclick: () => {
              this.chosen = row.path;
              if (row.foldable) this.folds.set(row.path, !row.open);
              this.drawState();
            }
          },
          el("span", {class: "sign"}, sign), el("span", {class: "caret"}, row.foldable ? (row.open ? "▾" : "▸") : ""),
          el("span", {class: "key"}, row.key), this.valueOf(row));
      node.style.paddingLeft = `${4 + row.depth * 16}px`;
      return node;
    }

    valueOf(row) {
      if (row.foldable && row.open)
        return el(
            "span", {class: "muted kind"}, row.value.kind === "m" ? plural(row.value.values.length, "member") : "");
      const now = text(row.value);
      if (row.status === "changed" && !row.foldable)
        return el("span", {class: "value"}, el("del", {}, text(row.old)), " → ", el("ins", {}, now));
      if (row.status === "removed") return el("span", {class: "value"}, el("del", {}, now));
      return el(
          "span", {class: `value${row.value === null ? " undefined" : ""}`},
          row.status === "added" ? el("ins", {}, now) : now);
    }

    // Says where the selected variable last changed and where it changes next.
    tell() {
      const row = this.rows.find((one) => one.path === this.chosen);
      if (!row) {
        this.about.replaceChildren(
            el("span", {class: "muted"},
               this.trace.steps.length > 1 ? "Choose a variable to see where it last changed." : ""));
        return;
      }
      const last = this.states.nextChange(row.keys, this.step, -1),
            next = this.states.nextChange(row.keys, this.step + 1, 1);
      const jump = (step, key) =>
          el("button", {type: "button", class: "link", title: `key ${key}`, onclick: () => this.go(step)},
             `step ${count(step)}`);
      this.about.replaceChildren(
          el("code", {}, row.path), last < 0 ? " is as in the start state" : " last changed in ",
          last < 0 ? "" : jump(last, "L"),
          last < 0 ? "" : el("span", {}, " by ", el("b", {}, this.ruleText(this.trace.steps[last].r))),
          next < 0 ? "; it does not change again." : "; it changes next in ", next < 0 ? "" : jump(next, "N"));
    }
    jumpToChange(direction) {
      const row = this.rows.find((one) => one.path === this.chosen);
      if (!row) return;
      // If this step changed it, the previous change is meant.
      const found = this.states.nextChange(
          row.keys, direction < 0 ? this.step - (this.changedHere(row) ? 1 : 0) : this.step + 1, direction);
      if (found > 0) this.go(found);
    }
    changedHere(row) {
      return this.states.nextChange(row.keys, this.step, -1) === this.step;
    }
    choose(direction) {
      const at = this.rows.findIndex((row) => row.path === this.chosen);
      const row = this.rows[at < 0 ? 0 : Math.min(this.rows.length - 1, Math.max(0, at + direction))];
      if (!row) return;
      this.chosen = row.path;
      this.drawState();
    }
    toggle() {
      const row = this.rows.find((one) => one.path === this.chosen);
      if (!row || !row.foldable) return;
      this.folds.set(row.path, !row.open);
      this.drawState();
    }
  }

  Object.assign(window.strata, {StateTree});
})();
