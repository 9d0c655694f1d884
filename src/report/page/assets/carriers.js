// The parts of a state that carry messages, and what steps add to them and take from them. Carriers:
//
//   multiset   its messages are its members
//   queue      a record of a length and an array, like the channels of a DVE model: the first `length` elements
//   slot       a record with a kind that is empty in the start state ("NoRequest", "Empty", undefined): the record
//              itself, when it is not empty
//   slots      an array of slots with numbers as indices that name no node: the slots that are not empty, at any index
"use strict";
(() => {
  const {isNode, text, memberPath} = window.strata.values;

  const kLength = /^(length|len|count|cnt|size|used|num\w*|n)$/i;
  const kKind = /^(kind|type|cmd|command|op|mtype|msg|tag|\w*_?(cmd|type|kind))$/i;
  const kEmpty =
      /^(?:[Nn]o|NO|[Nn]one|[Ee]mpty|[Nn]il|[Nn]ull|[Ii]dle)(?:[A-Z_0-9].*)?$|^\w*(?:None|Empty|Nil|NONE|EMPTY|NIL)$/;

  function queueOf(node) {
    if (node.kind !== "r" || node.keys.length !== 2) return null;
    const length = node.keys.findIndex((key, i) => kLength.test(key) && typeof node.values[i] === "number");
    const array = node.values[1 - length];
    if (length < 0 || !isNode(array) || array.kind !== "a") return null;
    return array.values.slice(0, node.values[length]);
  }

  const kindPlace = (node) =>
      (node.kind === "r" ? node.keys.findIndex((key, i) => kKind.test(key) && !isNode(node.values[i])) : -1);
  const isEmpty = (value) => value === null || (typeof value === "string" && kEmpty.test(value));
  const isEmptySlot = (node) => isNode(node) && kindPlace(node) >= 0 && isEmpty(node.values[kindPlace(node)]);
  const isNumbered = (node) => node.kind === "a" && node.keys.every((key) => /^\d+$/.test(key));

  // The carriers, by path, as the start state shows them. The indices of the arrays in `nodes` name nodes.
  function carriersOf(state, nodes) {
    const found = new Map();
    const look = (node, path) => {
      if (!isNode(node)) return;
      if (node.kind === "m")
        found.set(path, "m");
      else if (path !== "" && queueOf(node))
        found.set(path, "q");
      else if (isEmptySlot(node))
        found.set(path, "s");
      else if (isNumbered(node) && !nodes.has(path) && node.values.every(isEmptySlot))
        found.set(path, "b");
      else
        node.values.forEach((value, i) => look(value, memberPath(node, path, node.keys[i])));
    };
    look(state, "");
    return found;
  }

  function contents(kind, node) {
    if (!isNode(node)) return [];
    if (kind === "m") return node.values;
    if (kind === "q") return queueOf(node) || [];
    if (kind === "b") return node.values.flatMap((value) => contents("s", value));
    const place = kindPlace(node);
    return place < 0 || isEmpty(node.values[place]) ? [] : [node];
  }

  // The elements that `list` has more often than `other`.
  function beyond(list, other) {
    const left = new Map();
    for (const value of other) left.set(text(value), (left.get(text(value)) || 0) + 1);
    return list.filter((value) => {
      const known = left.get(text(value)) || 0;
      left.set(text(value), known - 1);
      return known <= 0;
    });
  }

  // Calls change({path, kind, keys, gained, lost}) for each carrier that a step changes; keys are the indices on its
  // path.
  function eachChange(carriers, before, after, change, path = "", keys = []) {
    if (before === after || !isNode(after) || !isNode(before)) return;
    const kind = carriers.get(path);
    if (kind) {
      const old = contents(kind, before), now = contents(kind, after);
      const gained = beyond(now, old), lost = beyond(old, now);
      if (gained.length + lost.length > 0) change({path, kind, keys, gained, lost});
      return;
    }
    after.values.forEach((value, i) => {
      if (before.keys[i] === after.keys[i])
        eachChange(
            carriers, before.values[i], value, change, memberPath(after, path, after.keys[i]),
            after.kind === "a" ? [...keys, after.keys[i]] : keys);
    });
  }

  // What is said of a message: its kind and its first values.
  function label(message, isAddress) {
    if (!isNode(message) || message.kind !== "r") return text(message);
    const parts = [], kind = kindPlace(message);
    if (kind >= 0) parts.push(text(message.values[kind]));
    message.keys.forEach((key, i) => {
      const value = message.values[i];
      if (i !== kind && value !== null && !isNode(value) && !isAddress(key))
        parts.push(typeof value === "string" ? value : `${key} ${value}`);
    });
    // The label of a large message is only its kind.
    return parts.slice(0, kind >= 0 && message.keys.length > 4 ? 1 : 3).join(" ");
  }
  const kindOf = (message) =>
      (isNode(message) && kindPlace(message) >= 0 ? text(message.values[kindPlace(message)]) : "");

  Object.assign(window.strata, {carriers: {carriersOf, eachChange, label, kindOf}});
})();
