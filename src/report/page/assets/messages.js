// Finds messages between processes in the states of a trace. If a carrier gains a message in one step and loses an
// equal one in a later step, the process of the first step sent it and the process of the second step received it.
// Carriers:
//
//   multiset   its messages are its members
//   queue      a record of a length and an array, like the channels of a DVE model: the first `length` elements
//   slot       a record with a kind that is empty in the start state ("NoRequest", "Empty", undefined): the record
//              itself, when it is not empty
//   slots      an array of slots with numbers as indices: the slots that are not empty, at any index
//
// A message that names its sender counts only if that sender makes the step; otherwise it is a copy of a message.
"use strict";
(() => {
  const {isNode, text, memberPath} = window.strata.values;

  const kLength = /^(length|len|count|cnt|size|used|num\w*|n)$/i;
  const kKind = /^(kind|type|cmd|command|op|mtype|msg|tag|\w*_?(cmd|type|kind))$/i;
  const kEmpty =
      /^(?:[Nn]o|NO|[Nn]one|[Ee]mpty|[Nn]il|[Nn]ull|[Ii]dle)(?:[A-Z_0-9].*)?$|^\w*(?:None|Empty|Nil|NONE|EMPTY|NIL)$/;
  const kFrom = /^(src|source|from|sender|snd|sndr)$/i;
  const kTo = /^(dst|dest|destination|to|target|receiver|rcv|rcvr)$/i;

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

  // The carriers, by path, as the start state shows them.
  function carriersOf(state) {
    const found = new Map();
    const look = (node, path) => {
      if (!isNode(node)) return;
      if (node.kind === "m")
        found.set(path, "m");
      else if (queueOf(node))
        found.set(path, "q");
      else if (isEmptySlot(node))
        found.set(path, "s");
      else if (node.kind === "a" && node.keys.every((key) => /^\d+$/.test(key)) && node.values.every(isEmptySlot))
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

  // Calls change(path, gained, lost) for each carrier that a step changes.
  function eachChange(carriers, before, after, path, change) {
    if (before === after || !isNode(after) || !isNode(before)) return;
    const kind = carriers.get(path);
    if (kind) {
      const old = contents(kind, before), now = contents(kind, after);
      const gained = beyond(now, old), lost = beyond(old, now);
      if (gained.length + lost.length > 0) change(path, gained, lost);
      return;
    }
    after.values.forEach((value, i) => {
      if (before.keys[i] === after.keys[i])
        eachChange(carriers, before.values[i], value, memberPath(after, path, after.keys[i]), change);
    });
  }

  // The process that a field of a message names.
  function named(message, names, lanes) {
    if (!isNode(message) || message.kind !== "r") return -1;
    const place = message.keys.findIndex((key) => names.test(key));
    return place < 0 ? -1 : lanes.indexOf(String(message.values[place]));
  }

  function label(message) {
    if (!isNode(message)) return text(message);
    if (message.kind !== "r") return text(message);
    const parts = [], kind = kindPlace(message);
    if (kind >= 0) parts.push(text(message.values[kind]));
    message.keys.forEach((key, i) => {
      const value = message.values[i];
      if (i !== kind && value !== null && !isNode(value) && !kFrom.test(key) && !kTo.test(key))
        parts.push(typeof value === "string" ? value : `${key} ${value}`);
    });
    // The label of a large message is only its kind.
    return parts.slice(0, kind >= 0 && message.keys.length > 4 ? 1 : 3).join(" ");
  }
  const kindOf = (message) =>
      (isNode(message) && kindPlace(message) >= 0 ? text(message.values[kindPlace(message)]) : "");

  // {lanes: [name], events: [{step, lanes}], arrows: [{from: {step, lane}, to: {step, lane} or null, label, kind,
  // title}]}
  function find(trace, states) {
    const order = trace.processes.map((_, i) => i)
                      .sort((a, b) => trace.processes[a].localeCompare(trace.processes[b], "en", {numeric: true}));
    const lanes = order.map((i) => trace.processes[i]), place = new Map(order.map((process, lane) => [process, lane]));
    const lanesOf = (step) => step.p.map((process) => place.get(process));
    const events = trace.steps.map((step, i) => ({step: i, lanes: lanesOf(step)}));
    const arrows = [], waiting = new Map();
    if (trace.steps.length === 0) return {lanes, events, arrows};
    const carriers = carriersOf(states.at(0));
    const all = [];
    let before = states.at(0);
    for (let i = 1; i < trace.steps.length; ++i) {
      const after = states.at(i);
      eachChange(carriers, before, after, "", (path, gained, lost) => all.push({step: i, path, gained, lost}));
      before = after;
    }
    // If some messages have fields, plain values are not messages: they may be a set of sharers, for example.
    const records = all.some((one) => [...one.gained, ...one.lost].some(isNode));
    for (const {step, path, gained, lost} of all) {
      const own = events[step].lanes;
      for (const message of lost.filter((one) => !records || isNode(one))) {
        const sent = waiting.get(`${path} ${text(message)}`);
        if (!sent || sent.length === 0) continue;
        const arrow = sent.shift();
        arrow.to = {step, lane: own.length > 0 ? own[own.length - 1] : named(message, kTo, lanes)};
        if (arrow.to.lane < 0)
          arrow.to = null;
        else
          settle(arrow, message, path, lanes);
      }
      for (const message of gained.filter((one) => !records || isNode(one))) {
        const sender = named(message, kFrom, lanes), lane = own.length > 0 ? own[0] : sender;
        if (lane < 0 || (sender >= 0 && own.length > 0 && !own.includes(sender))) continue;
        const arrow = {
          from: {step, lane},
          to: null,
          label: label(message),
          kind: kindOf(message),
          title: `${path}: ${text(message)}`
        };
        const key = `${path} ${text(message)}`;
        waiting.set(key, [...(waiting.get(key) || []), arrow]);
        arrows.push(arrow);
      }
    }
    // A rendezvous: two processes in one step, the sender first.
    (trace.loop_step ? [...trace.steps, trace.loop_step] : trace.steps).forEach((step, i) => {
      const channel = / \(([^()]*)\)$/.exec(trace.rules[step.r].name), [from, to] = lanesOf(step);
      if (step.p.length === 2 && channel)
        arrows.push({
          from: {step: i, lane: from},
          to: {step: i, lane: to},
          label: channel[1],
          kind: channel[1],
          title: trace.rules[step.r].name
        });
    });
    return {lanes, events, arrows};
  }

  // If a process seems to have sent a message to itself, the fields of the message or its index may tell otherwise.
  function settle(arrow, message, path, lanes) {
    if (arrow.from.lane !== arrow.to.lane) return;
    const from = named(message, kFrom, lanes), to = named(message, kTo, lanes);
    if (from >= 0 && from !== arrow.to.lane)
      arrow.from.lane = from;
    else if (to >= 0 && to !== arrow.from.lane)
      arrow.to.lane = to;
  }

  Object.assign(window.strata, {messages: {find}});
})();
