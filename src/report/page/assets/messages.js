// Finds messages between the nodes of a trace, in its states. If a carrier (carriers.js) gains a message in one step
// and loses an equal one in a later step, the actor of the first step sent it (actors.js), and the message goes
//
//   to the node that a field of the message names as its receiver (dst, to, ...);
//   else to the node of the carrier, command[p], if that is not the sender;
//   else to the actor of the step that takes it.
//
// An arrow is drawn only where this is sure: one actor sends, and who takes the message is its receiver. A message that
// names its sender counts only if that sender makes the step; otherwise it is a copy of a message.
"use strict";
(() => {
  const {isNode, text} = window.strata.values;
  const {eachChange, label, kindOf} = window.strata.carriers;

  const kFrom = /^(src|source|from|sender|snd|sndr)$/i;
  const kTo = /^(dst|dest|destination|to|target|receiver|rcv|rcvr)$/i;
  const isAddress = (key) => kFrom.test(key) || kTo.test(key);

  // The value of the first field with such a name; null: there is none, or it is undefined.
  function address(message, names) {
    if (!isNode(message) || message.kind !== "r") return null;
    const place = message.keys.findIndex((key) => names.test(key));
    return place < 0 || isNode(message.values[place]) ? null : message.values[place];
  }

  class Finder {
    constructor(trace, states) {
      [this.trace, this.states, this.arrows, this.waiting] = [trace, states, [], new Map()];
      this.actors = new window.strata.Actors(trace, states.at(0));
      this.changes = this.allChanges();
      this.actors.addresses = this.addresses();
      this.events = [];
      let before = null;
      trace.steps.forEach((step, i) => {
        const after = states.at(i);
        this.events.push({step: i, lanes: i === 0 && step.p.length === 0 ? [] : this.actors.of(step, before, after)});
        before = after;
      });
    }

    // What steps change in carriers: {step, path, keys, gained, lost}.
    allChanges() {
      const {trace, states, actors} = this, all = [];
      let before = states.at(0);
      for (let i = 1; i < trace.steps.length; ++i) {
        const after = states.at(i);
        eachChange(actors.carriers, before, after, (change) => all.push({step: i, ...change}));
        before = after;
      }
      // If some messages have fields, plain values in a multiset are not messages: they may be a set of sharers.
      const records = all.some((one) => [...one.gained, ...one.lost].some(isNode));
      const messages = (kind, list) => list.filter((one) => !records || kind !== "m" || isNode(one));
      return all.map((one) => ({...one, gained: messages(one.kind, one.gained), lost: messages(one.kind, one.lost)}));
    }
    // The values by which messages name nodes.
    addresses() {
      const found = new Set();
      for (const change of this.changes)
        for (const message of change.gained)
          for (const names of [kFrom, kTo])
            if (address(message, names) !== null) found.add(String(address(message, names)));
      return found;
    }
    lane(message, names) {
      const value = address(message, names);
      return value === null ? -1 : this.actors.named(value);
    }
    // The node to which a carrier belongs: the index on its path that is one, and not the sender; -1: none, or several.
    owner(change, from) {
      const lanes = new Set(change.keys.map((key) => this.actors.named(/^-?\d+$/.test(key) ? Number(key) : key)));
      const others = [...lanes].filter((lane) => lane >= 0 && lane !== from);
      return others.length === 1 ? others[0] : -1;
    }

    send(change, message) {
      const acting = this.events[change.step].lanes, sender = this.lane(message, kFrom);
      if (sender >= 0 && acting.length > 0 && !acting.includes(sender)) return;
      const lane = sender >= 0 ? sender : acting.length === 1 ? acting[0] : -1;
      if (lane < 0) return;
      const arrow = {
        from: {step: change.step, lane},
        to: null,
        label: label(message, isAddress),
        kind: kindOf(message),
        title: `${change.path}: ${text(message)}`
      };
      const key = `${change.path} ${text(message)}`;
      this.waiting.set(key, [...(this.waiting.get(key) || []), arrow]);
      this.arrows.push(arrow);
    }
    take(change, message) {
      const sent = this.waiting.get(`${change.path} ${text(message)}`);
      if (!sent || sent.length === 0) return;
      const arrow = sent.shift(), lane = this.receiver(change, message, arrow.from.lane);
      if (lane >= 0) arrow.to = {step: change.step, lane};
    }
    // Who takes a message: the owner of the carrier or the node that a field names, unless another node acts.
    receiver(change, message, from) {
      const acting = this.events[change.step].lanes, named = this.lane(message, kTo);
      const owner = this.owner(change, from), known = named >= 0 ? named : owner;
      if (acting.length === 0) return known;
      if (owner >= 0 && acting.includes(owner)) return owner;
      if (known >= 0) return acting.includes(known) ? known : -1;
      return acting.length === 1 && acting[0] !== from ? acting[0] : -1;
    }
    // In a step of which nothing else is known, the node acts to which all messages go that the step takes.
    takers() {
      const taken = new Map();
      for (const change of this.changes)
        for (const message of change.lost) {
          const lane = this.lane(message, kTo);
          taken.set(change.step, [...(taken.get(change.step) || []), lane]);
        }
      for (const [step, lanes] of taken)
        if (this.events[step].lanes.length === 0 && lanes[0] >= 0 && lanes.every((lane) => lane === lanes[0]))
          this.events[step].lanes = [lanes[0]];
    }

    // A rendezvous: two processes in one step, the sender first.
    rendezvous() {
      const {trace} = this;
      (trace.loop_step ? [...trace.steps, trace.loop_step] : trace.steps).forEach((step, i) => {
        const channel = / \(([^()]*)\)$/.exec(trace.rules[step.r].name);
        if (step.p.length !== 2 || !channel) return;
        const [from, to] = this.actors.of(step);
        this.arrows.push({
          from: {step: i, lane: from},
          to: {step: i, lane: to},
          label: channel[1],
          kind: channel[1],
          title: trace.rules[step.r].name
        });
      });
    }

    find() {
      this.takers();
      for (const change of this.changes) {
        change.lost.forEach((message) => this.take(change, message));
        change.gained.forEach((message) => this.send(change, message));
      }
      this.rendezvous();
      const last = [this.trace.failing, this.trace.loop_step].map((step) => {
        const state = this.trace.steps.length > 0 ? this.states.at(this.trace.steps.length - 1) : null;
        return step && state ? this.actors.of(step, state, state) : [];
      });
      return this.sorted({events: this.events, arrows: this.arrows, failing: last[0], looping: last[1]});
    }
    // Nodes by their names, and then the other parts of the state.
    sorted({events, arrows, failing, looping}) {
      const {lanes} = this.actors, order = lanes.map((_, i) => i);
      order.sort(
          (a, b) => lanes[b].node - lanes[a].node || lanes[a].name.localeCompare(lanes[b].name, "en", {numeric: true}));
      const place = order.map((_, i) => order.indexOf(i)), moved = (list) => list.map((lane) => place[lane]);
      for (const arrow of arrows)
        for (const end of [arrow.from, arrow.to].filter(Boolean)) end.lane = place[end.lane];
      return {
        lanes: order.map((lane) => lanes[lane].name),
        events: events.map((event) => ({step: event.step, lanes: moved(event.lanes)})),
        arrows,
        failing: moved(failing),
        looping: moved(looping)
      };
    }
  }

  // {lanes: [name], events: [{step, lanes}], arrows: [{from: {step, lane}, to: {step, lane} or null, label, kind,
  // title}], failing: lanes of the failing step, looping: lanes of the step back}
  function find(trace, states) {
    if (trace.steps.length === 0) return {lanes: [], events: [], arrows: [], failing: [], looping: []};
    return new Finder(trace, states).find();
  }

  Object.assign(window.strata, {messages: {find}});
})();
