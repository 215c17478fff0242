// The course of a search: best-so-far as steps, every candidate as a point.
import {axis, chartElement, colour, mark} from "./chart.js";
import {h} from "./dom.js";
import {seconds, words} from "./format.js";
import {logAxis} from "./log_axis.js";
import {pointSelection} from "./point_selection.js";
import {compareValues, plainText, quantityText, withUnit} from "./quantities.js";

export const outcomes = [
  "correct",
  "timeout",
  "compile",
  "runtime",
  "correctness",
  "constraints",
  "oom",
  "worker_lost",
  "cancelled",
  "carved",
];

// Not by the arguments of Math.min: there may be more values than a call takes.
const smallest = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
const largest = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);

// Room above and below on a logarithmic axis.
function logRange(values) {
  return [smallest(values) / 1.25, largest(values) * 1.25];
}

function drawPoints(plot, points, selected) {
  const context = plot.ctx,
    ratio = devicePixelRatio;
  context.save();
  context.lineWidth = 1.5 * ratio;
  for (const point of points) {
    const failed = point.outcome !== "correct";
    context.strokeStyle = context.fillStyle = colour(`outcome-${point.outcome}`);
    const x = plot.valToPos(point.x, "x", true);
    const y = failed ? plot.bbox.top - 10 * ratio : plot.valToPos(point.objective, "y", true);
    mark(context, x, y, (failed ? 3 : 3.5) * ratio, failed);
    if (point === selected) {
      context.strokeStyle = colour("text");
      context.beginPath();
      context.arc(x, y, 8 * ratio, 0, 2 * Math.PI);
      context.stroke();
    }
  }
  context.restore();
}

// The candidates that were evaluated in the search, in that order, each with its place on the horizontal axis. Correct
// ones without a value above 0 of the objective have none on the other.
function progressPoints(rows, by) {
  const evaluated = rows
    .filter((row) => row.origin === "search" && row.evaluated && row.outcome && row.outcome !== "carved")
    .sort((a, b) => a.evaluated - b.evaluated);
  const start = smallest(evaluated.map((row) => row.created ?? row.evaluated));
  return evaluated
    .map((row, i) => ({...row, x: by === "time" ? (row.evaluated - start) / 1000 : i + 1}))
    .filter((row) => row.outcome !== "correct" || row.objective > 0);
}

function progressOptions(UPlot, width, by, {name}, values, hooks) {
  const room = (high) => (by === "time" ? high * 0.01 + 1e-3 : 0.5);
  const places = (value) => (by === "time" ? seconds(value) : Number.isInteger(value) ? value : "");
  return {
    width,
    height: 280,
    legend: {show: false},
    padding: [24, 12, 0, 0],
    hooks,
    cursor: {points: {show: false}, drag: {x: false, y: false}},
    scales: {
      x: {time: false, range: (plot, low, high) => [by === "time" ? 0 : low - 0.5, high + room(high)]},
      y: {distr: 3, range: () => logRange(values)},
    },
    axes: [
      axis(places, by === "time" ? "time since the start" : "evaluation"),
      {
        ...axis((value) => plainText(name, value), name === "time" ? "time of the region" : withUnit(name)),
        ...logAxis,
        size: 70,
      },
    ],
    series: [
      {},
      {stroke: colour("best"), width: 2, points: {show: false}, paths: UPlot.paths.stepped({align: 1})},
    ],
  };
}

// The point nearest to the mouse; null when none is near.
function nearestPoint(plot, points) {
  const {left, top} = plot.cursor;
  let nearest = null,
    distance = 24;
  for (const point of points) {
    const dx = plot.valToPos(point.x, "x") - left;
    const dy = (point.outcome === "correct" ? plot.valToPos(point.objective, "y") : -10) - top;
    if (Math.hypot(dx, dy) < distance) [nearest, distance] = [point, Math.hypot(dx, dy)];
  }
  return nearest;
}

// Best-so-far as steps, every candidate as a point: correct ones at what the study is tuned for, failed ones as crosses
// at the top. `by`: "evaluation" or "time"; `objective`: the study's. `open(index)` when one is chosen.
export function progressChart(rows, by, objective, open) {
  const points = progressPoints(rows, by);
  const correct = points.filter((point) => point.outcome === "correct");
  if (correct.length === 0) {
    return h(
      "p",
      {class: "empty"},
      points.length === 0
        ? "no candidate has been evaluated yet"
        : `none of ${points.length} candidates was correct, so there is no ${objective.name} to draw`,
    );
  }
  const state = pointSelection(points, {
    tell: (chart, point) => tell(chart, point, objective),
    nearest: (plot) => nearestPoint(plot, points),
    open: (point) => open(point.index),
  });
  state.build = (UPlot, width, chart) => ({
    data: [points.map((point) => point.x), points.map((point) => point.best_so_far)],
    options: progressOptions(
      UPlot,
      width,
      by,
      objective,
      correct.map((point) => point.objective),
      {
        ...state.hooks(chart),
        draw: [
          (plot) =>
            drawPoints(
              plot,
              points,
              points.find((point) => point.index === state.selected),
            ),
        ],
      },
    ),
  });
  const better = (a, b) => compareValues(b.objective, a.objective, objective.maximise) < 0;
  const best = correct.reduce((a, b) => (better(a, b) ? b : a));
  const {name} = objective;
  const label =
    `${name[0].toUpperCase()}${name.slice(1)} of ${points.length} candidates by ${by}; the best, candidate ${best.index}, ` +
    `${name === "time" ? "takes" : "has"} ${quantityText(name, best.objective)}. ` +
    "Left and right arrow move through the candidates, Enter opens one.";
  return chartElement(`progress-${by}-${points.length}-${points.at(-1).index}-${best.index}`, label, state);
}

// The text beside the chosen point; also said to screen readers.
function tell(chart, point, {name}) {
  const {tip, plot} = chart;
  if (!tip) return;
  tip.hidden = !point;
  if (!point) return;
  tip.setAttribute("role", "status");
  tip.textContent = `candidate ${point.index}: ${point.outcome === "correct" ? quantityText(name, point.objective) : words(point.outcome)}`;
  const left = plot.valToPos(point.x, "x");
  tip.style.left = `${Math.min(left + 10, plot.over.clientWidth - tip.offsetWidth)}px`;
  tip.style.top =
    point.outcome === "correct" ? `${Math.max(0, plot.valToPos(point.objective, "y") - 30)}px` : "0px";
}

export function outcomeLegend(counts) {
  const shown = outcomes.filter((outcome) => counts[outcome]);
  return h(
    "ul",
    {class: "legend", "aria-label": "Outcomes"},
    h("li", {}, h("span", {class: "swatch best-line", "aria-hidden": "true"}), "best so far"),
    shown.map((outcome) =>
      h(
        "li",
        {},
        h(
          "span",
          {class: `swatch outcome-${outcome}`, "aria-hidden": "true"},
          outcome === "correct" ? "●" : "×",
        ),
        `${words(outcome)} ${counts[outcome]}`,
      ),
    ),
  );
}
