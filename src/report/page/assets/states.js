// Reconstructs the states of a trace from the differences in the data, and compares them.
//
// A value is null (undefined), a number, a boolean, a text, or a node {kind, keys, values}: "r" a record, "a" an array,
// "m" a multiset. Parts that a step does not change are shared by both states, so a comparison costs only as much as
// the change.
"use strict";
(() => {
  const isNode = (value) => value !== null && typeof value === "object";

  function decode(json) {
    if (json === null || typeof json !== "object") return json;
    if ("i" in json) return json.i;
    if ("m" in json) return {kind: "m", keys: json.m.map((_, i) => String(i)), values: json.m.map(decode)};
    const kind = "r" in json ? "r" : "a";
    return {kind, keys: json[kind].map((pair) => pair[0]), values: json[kind].map((pair) => decode(pair[1]))};
  }

  // A copy of the value in which the part at a path is replaced; the rest is shared.
  function replaced(node, path, at, value) {
    if (at === path.length) return value;
    const values = node.values.slice();
    values[path[at]] = replaced(values[path[at]], path, at + 1, value);
    return {kind: node.kind, keys: node.keys, values};
  }

  const scalarText = (value) => (value === null ? "undefined" : String(value));

  // A value on one line.
  function text(value) {
    if (!isNode(value)) return scalarText(value);
    const cached = texts.get(value);
    if (cached !== undefined) return cached;
    const members =
        value.values.map((member, i) => (value.kind === "r" ? `${value.keys[i]}: ${text(member)}` : text(member)));
    const made = value.kind === "m" ? `{${members.join(", ")}}` :
        value.kind === "a" ? `[${members.join(", ")}]` :
                             `(${members.join(", ")})`;
    texts.set(value, made);
    return made;
  }
  const texts = new WeakMap();

  const memberPath = (node, path, key) => node.kind === "a" ? `${path}[${key}]` :
      node.kind === "m" ? `${path}{${key}}` :
      path === "" ? key :
                    `${path}.${key}`;

  function same(a, b) {
    if (a === b) return true;
    if (!isNode(a) || !isNode(b) || a.kind !== b.kind || a.values.length !== b.values.length) return false;
    return a.values.every((value, i) => a.keys[i] === b.keys[i] && same(value, b.values[i]));
  }

  // The members of a node compared with its previous value: [{key, value, old, status}], where status is same, changed,
  // added or removed. Members of a multiset have no names: equal members are the same member.
  function members(before, after) {
    if (!isNode(before) || before.kind !== after.kind)
      return after.values.map(
          (value, i) => ({key: after.keys[i], value, old: undefined, status: before === undefined ? "same" : "added"}));
    if (after.kind === "m") return multisetMembers(before, after);
    const old = new Map(before.keys.map((key, i) => [key, before.values[i]]));
    const rows = after.keys.map((key, i) => {
      const value = after.values[i];
      if (!old.has(key)) return {key, value, old: undefined, status: "added"};
      const was = old.get(key);
      old.delete(key);
      return {key, value, old: was, status: same(was, value) ? "same" : "changed"};
    });
    for (const [key, value] of old) rows.push({key, value, old: value, status: "removed"});
    return rows;
  }

  function multisetMembers(before, after) {
    const {gained, lost} = multisetChange(before, after);
    const rows = after.values.map(
        (value, i) => ({key: String(i), value, old: undefined, status: gained.has(i) ? "added" : "same"}));
    for (const value of lost) rows.push({key: "−", value, old: value, status: "removed"});
    return rows;
  }

  // The indices of members that a multiset gained, and the members that it lost.
  function multisetChange(before, after) {
    const left = new Map();
    for (const value of before.values) {
      const key = text(value);
      left.set(key, [...(left.get(key) || []), value]);
    }
    const gained = new Set();
    after.values.forEach((value, i) => {
      const known = left.get(text(value));
      if (known && known.length > 0)
        known.pop();
      else
        gained.add(i);
    });
    return {gained, lost: [...left.values()].flat()};
  }

  // The states of one trace. Every kApart-th state is cached once it has been computed.
  class States {
    static kApart = 64;

    constructor(steps) {
      this.steps = steps;
      this.kept = [];
      this.latest = new Map();
      // Whether the states have different variables, which traces of other tools may have.
      this.varies = steps.some((step, i) => i > 0 && step.c.some(([path]) => path.length === 0));
    }
    get length() {
      return this.steps.length;
    }
    after(state, number) {
      for (const [path, value] of this.steps[number].c) state = replaced(state, path, 0, decode(value));
      return state;
    }
    at(number) {
      if (this.latest.has(number)) return this.latest.get(number);
      const place = Math.floor(number / States.kApart);
      while (this.kept.length <= place) {
        const last = this.kept.length - 1;
        let state = last < 0 ? this.after(null, 0) : this.kept[last];
        for (let i = last * States.kApart + 1; last >= 0 && i <= (last + 1) * States.kApart; ++i)
          state = this.after(state, i);
        this.kept.push(state);
      }
      // Starts from the last computed state if that is nearer than the cached one.
      let from = place * States.kApart, state = this.kept[place];
      if (this.latest.has(number - 1)) [from, state] = [number - 1, this.latest.get(number - 1)];
      for (let i = from + 1; i <= number; ++i) state = this.after(state, i);
      if (this.latest.size > 16) this.latest.clear();
      this.latest.set(number, state);
      return state;
    }
    // The nearest step from `number` on, in the given direction, at which the part at this path changes; -1: there is
    // none.
    nextChange(keys, number, direction) {
      for (let i = number; i > 0 && i < this.length; i += direction) {
        if (!this.touches(keys, i)) continue;
        const now = partAt(this.at(i), keys), was = partAt(this.at(i - 1), keys);
        if (now === undefined || was === undefined ? now !== was : !same(now, was)) return i;
      }
      return -1;
    }
    // Whether a change of the step could affect the part: one path is a prefix of the other.
    touches(keys, number) {
      if (this.varies) return true;
      if (!this.first) this.first = this.at(0);
      return this.steps[number].c.some(([path]) => {
        let node = this.first;
        for (let i = 0; i < path.length && i < keys.length; ++i) {
          if (!isNode(node) || path[i] >= node.keys.length) return true;
          if (node.keys[path[i]] !== keys[i]) return false;
          node = node.values[path[i]];
        }
        return true;
      });
    }
    // The names of the variables that a step changes.
    variables(number) {
      if (this.varies)
        return members(this.at(number - 1), this.at(number))
            .filter((one) => one.status !== "same")
            .map((one) => one.key);
      const state = this.at(0), names = new Set();
      for (const [path] of this.steps[number].c) names.add(state.keys[path[0]]);
      return [...names];
    }
  }

  function partAt(state, keys) {
    for (const key of keys) {
      if (!isNode(state)) return undefined;
      const place = state.keys.indexOf(key);
      if (place < 0) return undefined;
      state = state.values[place];
    }
    return state;
  }

  const leaves = (value) => (isNode(value) ? value.values.reduce((sum, member) => sum + leaves(member), 0) : 1);

  Object.assign(
      window.strata, {values: {isNode, text, same, members, multisetChange, memberPath, partAt, leaves}, States});
})();
