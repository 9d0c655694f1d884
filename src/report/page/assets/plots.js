// The curves of a search, drawn by Chart.js.
"use strict";
(() => {
  const {el, bytes, duration, short, count, colour} = window.strata;
  const drawn = [];  // {canvas, config, chart}

  // Gives everything in a plot its colour. Chart.js keeps the colours with which it first drew an element, so a plot
  // has its colours before it is drawn, and is made again when they change.
  function theme(config) {
    const text = colour("muted"), line = colour("line");
    for (const scale of Object.values(config.options.scales)) {
      scale.grid = Object.assign(scale.grid || {}, {color: line, borderColor: line});
      scale.ticks = Object.assign(scale.ticks || {}, {color: text});
      scale.title = Object.assign(scale.title || {}, {color: text});
    }
    config.options.plugins.legend.labels.color = text;
    for (const set of config.data.datasets) {
      const base = set.hues ? set.hues.map(colour) : colour(set.hue);
      set.borderColor = base;
      set.backgroundColor = set.hues ? base : set.band ? `${base}33` : config.type === "bar" ? base : `${base}22`;
    }
  }
  // Chart.js clears a plot that gets another size and draws it a frame later, which pictures of the page may show.
  const atOnce = {
    id: "at-once",
    afterUpdate: (chart, {mode}) => {
      if (mode === "resize") chart.draw();
    }
  };
  function redraw(plot) {
    theme(plot.config);
    if (plot.chart) plot.chart.destroy();
    // Chart.js changes what it is given.
    const {type, data, options} = plot.config;
    plot.chart = new Chart(plot.canvas, {
      type,
      plugins: [atOnce],
      data: {...data, datasets: data.datasets.map((set) => ({...set}))},
      options:
          {...options, scales: Object.fromEntries(Object.entries(options.scales).map(([id, one]) => [id, {...one}]))}
    });
  }

  function scale(title, tick, more) {
    return Object.assign(
        {
          grid: {},
          title: {display: true, text: title},
          ticks: {callback: tick, includeBounds: false, maxTicksLimit: innerWidth < 600 ? 5 : 9, maxRotation: 0}
        },
        more);
  }

  function plot(place, id, title, note, config) {
    const canvas = el("canvas", {id, role: "img", "aria-label": `${title}. ${note}`});
    const box =
        el("figure", {class: "plot"}, el("figcaption", {}, el("b", {}, title), el("span", {class: "muted"}, note)),
           el("div", {class: "canvas"}, canvas));
    place.append(box);
    config.options = Object.assign(
        {
          animation: false,
          responsive: true,
          maintainAspectRatio: false,
          normalized: true,
          interaction: {mode: "index", intersect: false, axis: config.options.indexAxis || "x"},
        },
        config.options);
    config.options.plugins = Object.assign(
        {
          legend: {
            display: config.data.datasets.length > 1,
            labels: {usePointStyle: true, boxHeight: 6, filter: (item) => item.text !== ""}
          }
        },
        config.options.plugins);
    const one = {canvas, config, chart: null};
    drawn.push(one);
    redraw(one);
    return {one, box};
  }

  const line = (label, hue, data, more) => Object.assign(
      {label, hue, data, borderWidth: 2, pointRadius: data.length > 40 ? 0 : 2, pointHitRadius: 8, tension: 0}, more);
  const points = (xs, ys) => xs.map((x, i) => ({x, y: ys[i]})).filter((point) => point.y !== null);
  // The curves of a resumed run begin at the time at which it was resumed.
  const timeAxis = (series) =>
      scale("time", timeTick, {type: "linear", min: series.began, max: series.seconds[series.seconds.length - 1]});
  // A short form of a duration: 2 s, 0.5 s, 20 min.
  const timeTick = (seconds) => duration(seconds).replace(/(\.\d*?)0+\u00a0/, "$1\u00a0").replace(".\u00a0", "\u00a0");
  // A step between ticks that is a power of two bytes.
  const byteStep = (top) => 2 ** Math.ceil(Math.log2(Math.max(top, 1) / 6));
  const tooltip = (value) => ({
    callbacks: {
      title: (items) => duration(items[0].parsed.x),
      label: (item) => `${item.dataset.label}: ${value(item.parsed.y)}`
    }
  });

  function levels(place, report) {
    const sizes = report.levels;
    if (sizes.length < 2) return;
    const largest = sizes.reduce((best, size, i) => (size > sizes[best] ? i : best), 0);
    const many = sizes.length > 200;
    const note = `${count(sizes.length)} levels, the largest is ${count(largest)} with ${count(sizes[largest])} states${
        report.levels_exact ? "" : "; states found late are counted in later levels"}`;
    const { one, box } = plot(place, "plot-levels", "States by level", note, {
      type: many ? "line" : "bar",
      data: {
        labels: sizes.map((_, i) => i),
        datasets: [many ? line("states", "blue", sizes, { fill: true })
          : { label: "states", hue: "blue", data: sizes, barPercentage: 1, categoryPercentage: 0.92 }],
      },
      options: {
        scales: {
          x: scale("level: steps from a start state", function (value) { return this.getLabelForValue(value); }),
          y: scale("states", short, { beginAtZero: true }),
        },
        plugins: { tooltip: { callbacks: {
          title: (items) => `level ${items[0].label}`, label: (item) => `${count(item.parsed.y)} states`,
        } } },
      },
    });
    const log =
        el("button", {
          type: "button",
          class: "quiet small",
          "aria-pressed": "false",
          onclick: () => {
            const {scales} = one.config.options, wanted = scales.y.type !== "logarithmic";
            scales.y = scale("states", short, wanted ? {type: "logarithmic"} : {beginAtZero: true});
            log.setAttribute("aria-pressed", String(wanted));
            redraw(one);
          }
        },
           "log scale");
    box.querySelector("figcaption").append(log);
  }

  function states(place, series, resumed) {
    const {seconds} = series;
    // Cuts off the forecast far above the result, which would flatten the curve.
    const last = series.states[series.states.length - 1], most = Math.max(...series.most.filter((n) => n <= 4 * last));
    const top = Math.max(last, most);
    const sets = [line("states found", "blue", points(seconds, series.states), {fill: false})];
    if (series.queue.some((n) => n > 0))
      sets.push(line("waiting to be expanded", "orange", points(seconds, series.queue), {borderDash: [6, 3]}));
    if (series.most.some((n) => n !== null)) {
      const shown = (ys) =>
          seconds.map((x, i) => ({x, y: series.most[i] !== null && series.most[i] <= 4 * last ? ys[i] : null}));
      sets.push(line("forecast, at least", "purple", shown(series.least), {borderWidth: 1, pointRadius: 0}));
      sets.push(line(
          "forecast, at most", "purple", shown(series.most),
          {borderWidth: 1, pointRadius: 0, fill: "-1", band: true, borderDash: [2, 2]}));
    }
    plot(
        place, "plot-states", "States over time",
        `${count(last)} states in ${duration(seconds[seconds.length - 1])}${
            resumed ? `, resumed from ${count(series.states[0])} after ${duration(series.began)}` : ""}`,
        {
          type: "line",
          data: {datasets: sets},
          options: {
            scales: {x: timeAxis(series), y: scale("states", short, {min: 0, max: 1.05 * Math.max(1, top)})},
            plugins: {tooltip: tooltip(count)}
          },
        });
  }

  function room(place, series, report) {
    const {seconds} = series;
    const sets = [line("memory", "green", points(seconds, series.memory))];
    if (series.disk.some((n) => n > 0))
      sets.push(line("disk", "vermilion", points(seconds, series.disk), {borderDash: [6, 3]}));
    const top = Math.max(...series.memory, ...series.disk);
    const shown = report.memory.budget < 4 * top;
    if (shown)
      sets.push(line(
          "memory allowed", "grey",
          [seconds[0], seconds[seconds.length - 1]].map((x) => ({x, y: report.memory.budget})),
          {borderWidth: 1, pointRadius: 0, borderDash: [2, 2]}));
    plot(
        place, "plot-room", "Memory and disk over time",
        `peak memory ${bytes(report.memory.peak_rss)} of ${bytes(report.memory.budget)}${
            report.disk.peak > 0 ? `, peak disk ${bytes(report.disk.peak)}` : ", no disk used"}`,
        {
          type: "line",
          data: {datasets: sets},
          options: {
            scales: {
              x: timeAxis(series),
              y: scale("bytes", bytes, {
                min: 0,
                ticks: {
                  callback: bytes,
                  includeBounds: false,
                  stepSize: byteStep(Math.max(top, shown ? report.memory.budget : 0))
                }
              })
            },
            plugins: {tooltip: tooltip(bytes)}
          },
        });
  }

  const shareWords = {
    generate: "generating successors",
    canonicalise: "symmetry",
    insert: "inserting into the table",
    detect: "finding duplicates on disk",
    io: "waiting for the disk",
    queue: "the queue",
    partition: "partitions"
  };

  function shares(place, report) {
    const seconds = report.seconds;
    const rows = Object.keys(shareWords)
                     .filter((name) => seconds[name] > 0)
                     .map((name) => [shareWords[name], seconds[name], name]);
    const rest = seconds.search - rows.reduce((sum, row) => sum + row[1], 0);
    if (rows.length > 0 && rest > 0.005 * seconds.search) rows.push(["everything else", rest, "other"]);
    if (rows.length === 0) return;
    plot(
        place, "plot-shares", "Where the time went",
        `search ${duration(seconds.search)}, after ${duration(seconds.compile)} for loading the model`, {
          type: "bar",
          data: {
            labels: rows.map((row) => row[0]),
            datasets: [{
              label: "seconds",
              hue: "blue",
              hues: ["blue", "orange", "green", "vermilion", "sky", "purple", "yellow", "grey"].slice(0, rows.length),
              data: rows.map((row) => row[1])
            }]
          },
          options: {
            indexAxis: "y",
            scales: {
              x: scale(
                  "time of all threads, divided by threads", timeTick,
                  {beginAtZero: true, ticks: {callback: timeTick, maxTicksLimit: 6}}),
              y: scale(
                  "",
                  function(value) {
                    return this.getLabelForValue(value);
                  },
                  {title: {display: false}})
            },
            plugins: {
              tooltip: {
                callbacks: {
                  label: (item) => `${duration(item.parsed.x)}, ${(100 * item.parsed.x / seconds.search).toFixed(1)} %`
                }
              }
            },
          },
        });
  }

  function draw(place, data) {
    levels(place, data.report);
    // A short search has too few points for curves.
    if (data.series && data.series.seconds.length >= 8) {
      states(place, data.series, data.report.resumed > 0);
      room(place, data.series, data.report);
    }
    shares(place, data.report);
  }

  Object.assign(window.strata, {plots: {draw, retheme: () => drawn.forEach(redraw)}});
})();
