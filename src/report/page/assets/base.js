// Shared by all scripts of the page: elements, formatted numbers, colours.
"use strict";
window.strata = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  // Children and texts become text nodes: data is never interpreted as HTML.
  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on"))
        node.addEventListener(name.slice(2), value);
      else
        node.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children.flat()) {
      if (child === null || child === undefined || child === false) continue;
      node.append(child instanceof Node ? child : String(child));
    }
    return node;
  }
  const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  // Between a number and its unit, where no line may end.
  const kGap = "\u00a0";
  const count = (n) => (typeof n === "number" ? n.toLocaleString("en-GB") : String(n));
  const plural = (n, word, words) => `${count(n)}${kGap}${n === 1 ? word : words || word + "s"}`;

  function bytes(n) {
    const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (n >= 1024 && unit < units.length - 1) [n, unit] = [n / 1024, unit + 1];
    return unit === 0 ? plural(n, "byte") : `${n.toFixed(n < 10 ? 2 : n < 100 ? 1 : 0)}${kGap}${units[unit]}`;
  }

  function duration(seconds) {
    const of = (n, digits, unit) => `${n.toFixed(digits)}${kGap}${unit}`;
    if (seconds === 0) return `0${kGap}s`;
    if (seconds < 1) return of(seconds * 1000, seconds < 0.01 ? 1 : 0, "ms");
    if (seconds < 120) return of(seconds, seconds < 10 ? 2 : 1, "s");
    if (seconds < 7200) return of(seconds / 60, 1, "min");
    return seconds < 172800 ? of(seconds / 3600, 1, "h") : of(seconds / 86400, 1, "days");
  }

  // A short form of a number: 12.3 k, 4 M.
  function short(n) {
    for (const [size, unit] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]])
      if (Math.abs(n) >= size) return `${+ (n / size).toPrecision(3)}${kGap}${unit}`;
    return String(+n.toPrecision(3));
  }

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  // A section of the page, with an entry in the table of contents.
  function section(id, title, ...children) {
    const node =
        el("section", {id, class: "card", "aria-labelledby": `${id}-title`}, el("h2", {id: `${id}-title`}, title),
           ...children);
    document.getElementById("main").append(node);
    document.getElementById("nav").append(el("a", {href: `#${id}`}, title));
    return node;
  }

  // Offers a file for download.
  function download(name, type, text) {
    const url = URL.createObjectURL(new Blob([text], {type}));
    const link = el("a", {href: url, download: name});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  return {onTheme: [], el, svg, count, plural, bytes, duration, short, colour, section, download};
})();
