// Who acts in the steps of a trace: the nodes of a model, each a lifeline.
//
// A node is an index of an array of the state with a record or a symbol for each node (cache[p]). A rule that writes
// cache[p] for its parameter p is acted by p; one that writes no node but a record of its own (home.phase) is acted by
// that record. What a rule writes is known from its text (src/ir/actors), so a step that changes nothing has an actor,
// too; where the text allows several, those count whose part of the state the step changes. Carriers of messages are
// no part of a node. The author may say who acts. Values and members that a rule chooses are never nodes.
//
// Rules of which nothing is known (saved traces) are acted by the node that is the only one among their parameters, if
// the state has no record that could act instead.
"use strict";
(() => {
  const {isNode, memberPath} = window.strata.values;
  const kShared = "shared state";

  const member = (node, key) =>
      (isNode(node) && node.keys.includes(key) ? node.values[node.keys.indexOf(key)] : undefined);
  // The part of a state at a dotted path of fields.
  const part = (state, path) => path.split(".").reduce((node, key) => (key === "" ? node : member(node, key)), state);
  const isArray = (node) => isNode(node) && node.kind === "a" && node.keys.length > 0;
  // Whether the elements of an array are the states of nodes, rather than a set or a table.
  const hasNodes = (node) =>
      isArray(node) && (isNode(node.values[0]) ? node.values[0].kind === "r" : typeof node.values[0] === "string");

  class Actors {
    constructor(trace, start) {
      [this.trace, this.start, this.names] = [trace, start, new Map()];
      this.families = trace.families || [];
      this.lanes = [];          // {name, value, node}, in the order in which they are met
      this.others = new Set();  // names of nodes that are no index
      this.arrays = new Set();
      this.carriers = new Map();
      [this.types, this.addresses] = [[], new Set()];
      if (!isNode(start)) return;
      // An array of slots belongs to nodes if a parameter indexes it and an array of nodes.
      this.carriers = window.strata.carriers.carriersOf(start, new Set());
      this.arrays = this.arraysOfNodes();
      this.carriers = window.strata.carriers.carriersOf(start, this.indexedByNodes());
      this.arrays = this.arraysOfNodes();
      this.homes = this.records();
      this.types = this.typesOfNodes();
    }

    // ---- What the places are

    // Whether a place is a carrier, or in one, or has only carriers in it.
    inCarrier(access) {
      const [path, index, inside] = access, node = part(this.start, path);
      if (this.under(path)) return true;
      if (index === null || !isArray(node)) return false;
      return this.under(`${memberPath(node, path, node.keys[0])}${inside}`);
    }
    under(path) {
      for (let end = path.length; end > 0; --end)
        if ((end === path.length || ".[{".includes(path[end])) && this.carriers.has(path.slice(0, end))) return true;
      return false;
    }
    eachAccess(visit) {
      this.families.forEach((family) => family.accesses.forEach((access) => visit(access, family)));
    }

    // The arrays whose indices are nodes: those of records and symbols among the variables; else those within records;
    // else, in a model without such arrays, all that a parameter of every rule indexes.
    arraysOfNodes() {
      const found = [new Set(), new Set(), new Set()];
      this.eachAccess((access, family) => {
        const [path, index] = access;
        if (typeof index !== "number" || family.parameters[index][2] || this.inCarrier(access)) return;
        const node = part(this.start, path);
        if (!isArray(node)) return;
        const rank = !hasNodes(node) ? 2 : path.includes(".") ? 1 : 0;
        if (rank < 2 || (!path.includes(".") && this.everywhere(family.parameters[index][1]))) found[rank].add(path);
      });
      return found.find((paths) => paths.size > 0) || found[0];
    }
    // Whether all rules have a parameter of a type.
    everywhere(type) {
      return this.families.every((family) => family.parameters.some((parameter) => parameter[1] === type));
    }
    // The types of parameters that are nodes, each with its values.
    typesOfNodes() {
      const found = new Map();
      this.eachAccess(([path, index], family) => {
        if (typeof index !== "number" || family.parameters[index][2] || !this.arrays.has(path)) return;
        const [name, type] = family.parameters[index];
        if (!found.has(type)) found.set(type, {type, name, keys: part(this.start, path).keys});
      });
      return [...found.values()];
    }
    indexedByNodes() {
      const paths = new Set();
      for (const family of this.families) {
        const nodes = new Set(family.accesses.filter(([path]) => this.arrays.has(path)).map((access) => access[1]));
        for (const [path, index] of family.accesses)
          if (typeof index === "number" && nodes.has(index)) paths.add(path);
      }
      return paths;
    }
    // The records that some rule writes without writing a node: "home". A record that is written by nodes alone is
    // shared by them, like a lock.
    records() {
      const found = new Set();
      for (const family of this.families) {
        const written = family.accesses.filter((access) => access[3] && !this.inCarrier(access));
        if (written.some((access) => this.isOfNode(access))) continue;
        for (const access of written)
          if (this.recordOf(access)) found.add(this.recordOf(access));
      }
      return found;
    }
    // Whether a place is in the state of a node, or of something else that is one of many.
    isOfNode(access) {
      const [path, index] = access;
      return index !== null && (this.arrays.has(path) || (!path.includes(".") && hasNodes(part(this.start, path))));
    }
    // The record that holds a place: the variable or the innermost field that is one; "" for a plain variable.
    recordOf(access) {
      const [path] = access;
      if (this.inCarrier(access) || this.isOfNode(access)) return null;
      let found = "";
      for (let end = path.indexOf("."), last = false; !last; end = path.indexOf(".", end + 1)) {
        last = end < 0;
        const prefix = last ? path : path.slice(0, end), node = part(this.start, prefix);
        if (isNode(node) && node.kind === "r" && !this.holdsNodes(prefix)) found = prefix;
      }
      return found;
    }
    holdsNodes(prefix) {
      return [...this.arrays].some((path) => path.startsWith(`${prefix}.`));
    }

    // ---- Lifelines

    // The number of the lifeline of a node; numbers of different types are different nodes.
    lane(value, type, name) {
      const numeric = /^-?\d+$/.test(value), key = numeric ? `${type} ${value}` : value;
      if (!this.names.has(key)) {
        this.names.set(key, this.lanes.length);
        this.lanes.push({name: numeric ? `${name}:${value}` : value, value, node: true});
      }
      return this.names.get(key);
    }
    place(name) {
      const key = `place ${name}`;
      if (!this.names.has(key)) {
        this.names.set(key, this.lanes.length);
        this.lanes.push({name, value: name, node: false});
      }
      return this.names.get(key);
    }
    // The lifeline of the node that a value of the state names; -1: none, or several.
    named(value) {
      const words = String(value), numeric = typeof value === "number";
      if (value === null || typeof value === "boolean") return -1;
      const types = this.types.filter((type) => type.keys.includes(words));
      // A number may be the index of an array that no parameter indexes.
      if (numeric && this.isIndexOfOthers(words)) return -1;
      if (types.length > 0 && !numeric) return this.lane(words, "", "");
      if (types.length > 0) return types.length === 1 ? this.lane(words, types[0].type, types[0].name) : -1;
      const nodes = this.lanes.map((lane, i) => ({lane, i})).filter(({lane}) => lane.node && lane.value === words);
      if (nodes.length > 0) return nodes.length === 1 ? nodes[0].i : -1;
      if (numeric) return -1;
      // Another node than those of the arrays is the one record that acts, or all other variables together.
      if (this.arrays.size === 0 || this.homes.size > 1) return -1;
      if (this.homes.size === 1) return this.place([...this.homes][0]);
      const lane = this.lanes[this.place(kShared)];
      this.others.add(words);
      lane.name = this.others.size === 1 ? words : kShared;
      return this.place(kShared);
    }

    isIndexOfOthers(words) {
      return this.families.some(
          (family) => family.accesses.some(
              (access) => this.isOfNode(access) && !this.arrays.has(access[0]) && !this.inCarrier(access) &&
                  part(this.start, access[0]).keys.includes(words)));
    }

    // ---- Steps

    // The lifelines that act in a step: one; none if that is not known; several if the text allows them.
    of(step, before, after) {
      if (step.p.length > 0) return step.p.map((process) => this.lane(this.trace.processes[process], "", ""));
      const rule = this.trace.rules[step.r], family = this.families[rule.family];
      if (!family) return this.fromWords(rule);
      if (family.actor) return [this.said(family, rule)];
      if (this.arrays.size === 0) return this.byAddress(family, rule);
      const written = this.candidates(family, rule, true);
      const found = written.some((one) => one.sure) ? written : this.candidates(family, rule, false);
      const sure = this.changed(found.filter((one) => one.sure), before, after);
      if (sure.length > 0) return sure.map((one) => one.lane());
      return written.length > 0 && !written.some((one) => one.other) ? [written[0].lane()] : [];
    }
    said(family, rule) {
      const number = family.parameters.findIndex(([name]) => name === family.actor);
      return number < 0 ? this.place(family.actor) : this.laneOf(family, rule, number);
    }
    laneOf(family, rule, number) {
      const [name, type] = family.parameters[number];
      return this.lane(rule.values[number], type, name);
    }

    // Who may act, each with the places that tell it.
    candidates(family, rule, writes) {
      const found = new Map();
      const add = (key, lane, sure, access) => {
        if (!found.has(key)) found.set(key, {lane, sure, other: key === "?", places: []});
        found.get(key).places.push(access);
      };
      for (const access of family.accesses) {
        const [path, index] = access;
        if (access[3] !== writes || this.inCarrier(access)) continue;
        if (this.isOfNode(access)) {
          const node = typeof index === "number" && !family.parameters[index][2] && this.arrays.has(path) &&
              part(this.start, path).keys.includes(rule.values[index]);
          if (node) add(index, () => this.laneOf(family, rule, index), true, [path, rule.values[index]]);
          if (!node && !(typeof index === "number" && this.arrays.has(path))) add("?", () => -1, false, [path, null]);
          continue;
        }
        const record = this.recordOf(access);
        if (record && this.homes.has(record))
          add(record, () => this.place(record), true, [record, null]);
        else if (writes)
          add("", () => this.place(this.homes.size === 1 ? [...this.homes][0] : kShared), false, [path, null]);
      }
      return [...found.values()].sort((a, b) => a.other - b.other);
    }
    // Of several, those whose places the step changes, if there are any.
    changed(list, before, after) {
      if (list.length < 2 || !isNode(before)) return list;
      const at = (state, [path, key]) => (key === null ? part(state, path) : member(part(state, path), key));
      const moved = list.filter((one) => one.places.some((place) => at(before, place) !== at(after, place)));
      return moved.length > 0 ? moved : list;
    }

    // In a model without arrays of nodes: the parameter that is one of the addresses of messages.
    byAddress(family, rule) {
      const numbers = family.parameters.map((_, i) => i)
                          .filter((i) => !family.parameters[i][2] && this.addresses.has(rule.values[i]));
      return numbers.length === 1 ? [this.laneOf(family, rule, numbers[0])] : [];
    }
    // Of a rule in words, "p:Proc_1, v:2": numbers may be anything, and a record of the state may act instead.
    fromWords(rule) {
      if (!isNode(this.start) || this.start.keys.some((key) => this.isRecord(key))) return [];
      const pairs =
          (rule.parameters || "").split(", ").map((words) => words.split(":")).filter((pair) => pair.length === 2);
      const nodes = pairs.filter(([, value]) => !/^-?\d+$/.test(value) && this.isNodeName(value));
      return nodes.length === 1 ? [this.lane(nodes[0][1], "", nodes[0][0])] : [];
    }
    isRecord(name) {
      const node = member(this.start, name);
      return isNode(node) && node.kind === "r" && !this.carriers.has(name);
    }
    isNodeName(value) {
      return this.start.values.some((node) => hasNodes(node) && node.keys.includes(value));
    }
  }

  Object.assign(window.strata, {Actors});
})();
