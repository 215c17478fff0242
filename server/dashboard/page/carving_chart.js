// What carving makes of configurations: figure 4 of Ryoo et al., Program optimization carving for GPU computing.
import {axis, colour, mark} from "./chart.js";
import {h} from "./dom.js";
import {seconds} from "./format.js";
import {polyline, ring, scatterChart} from "./scatter.js";

const largest = (values) => values.reduce((a, b) => Math.max(a, b), 0);

const kinds = {
  front: ["best", "on the front"],
  measured: ["outcome-correct", "measured"],
  kept: ["outcome-timeout", "kept, not measured"],
  removed: ["outcome-cancelled", "removed"],
};

function kindOf(inspection) {
  if (inspection.removed) return "removed";
  if (inspection.seconds) return "measured";
  return inspection.on_front ? "front" : "kept";
}

// The largest value along each axis is 1, as in the paper.
function pointsOf(inspections) {
  const known = inspections.filter((inspection) => inspection.known);
  const efficiency = largest(known.map((inspection) => inspection.efficiency)) || 1;
  const utilization = largest(known.map((inspection) => inspection.utilization)) || 1;
  return known.map((inspection) => ({
    ...inspection,
    x: inspection.efficiency / efficiency,
    y: inspection.utilization / utilization,
    kind: kindOf(inspection),
  }));
}

// Steps around what the points, each made smaller by the margin, have more of in both.
function frontSteps(points, margin) {
  const front = points
    .filter((point) => point.on_front)
    .map((point) => [point.x / (1 + margin), point.y / (1 + margin)])
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const steps = [];
  for (let i = 0; i < front.length; i++) {
    const height = largest(front.slice(i).map(([, y]) => y));
    steps.push([i === 0 ? 0 : front[i - 1][0], height], [front[i][0], height]);
  }
  if (steps.length > 0) steps.push([steps.at(-1)[0], 0]);
  return steps;
}

function drawPoints(plot, points, selected, fastest) {
  const context = plot.ctx,
    ratio = devicePixelRatio;
  context.save();
  context.lineWidth = 1.5 * ratio;
  for (const point of points) {
    const x = plot.valToPos(point.x, "x", true),
      y = plot.valToPos(point.y, "y", true);
    context.strokeStyle = context.fillStyle = colour(kinds[point.kind][0]);
    mark(context, x, y, 3.5 * ratio, point.kind === "removed");
    const size = point === fastest ? 8 : point.index === selected ? 6 : 0;
    if (size === 0) continue;
    ring(plot, x, y, size, colour("text"));
  }
  context.restore();
}

// The configuration beside its point.
function linesOf(point) {
  const time = point.seconds ? `, ${seconds(point.seconds)}` : "";
  const decisions = point.configuration.length > 0 ? point.configuration.slice(0, 12) : ["the default"];
  const more = point.configuration.length > 12 ? [`and ${point.configuration.length - 12} more`] : [];
  return [`inspection ${point.index}: ${kinds[point.kind][1]}${time}`, ...decisions, ...more];
}

export function carvingLegend(inspections) {
  const points = pointsOf(inspections);
  return h(
    "ul",
    {class: "legend", "aria-label": "Configurations"},
    Object.entries(kinds)
      .map(([kind, [, text]]) => [kind, text, points.filter((point) => point.kind === kind).length])
      .filter(([, , count]) => count > 0)
      .map(([kind, text, count]) =>
        h(
          "li",
          {},
          h(
            "span",
            {class: `swatch carving-${kind}`, "aria-hidden": "true"},
            kind === "removed" ? "×" : "●",
          ),
          `${text} ${count}`,
        ),
      ),
  );
}

// Every configuration by its metrics, the front as a line and the margin as a dashed one; the fastest has a ring.
// `open(index)` of a candidate, when the point of one is chosen.
export function carvingChart(inspections, margin, open) {
  const points = pointsOf(inspections);
  if (points.length === 0) return h("p", {class: "empty"}, "no configuration has been inspected yet");
  const timed = points.filter((point) => point.seconds);
  const fastest = timed.length > 0 ? timed.reduce((a, b) => (b.seconds < a.seconds ? b : a)) : null;
  const kept = points.filter((point) => !point.removed).length;
  const label =
    `Efficiency and utilisation of ${points.length} configurations, of which carving keeps ${kept}. ` +
    "Left and right arrow move through them, Enter opens the candidate of one.";
  const range = () => [0, 1.05];
  return scatterChart({
    name: `carving-${points.length}-${kept}-${timed.length}`,
    label,
    points,
    scales: {x: {range}, y: {range}},
    axes: () => [
      axis((value) => `${value}`, "efficiency, of the largest"),
      {...axis((value) => `${value}`, "utilisation, of the largest"), size: 60},
    ],
    draw: (plot, selected) => {
      polyline(plot, frontSteps(points, 0), colour("best"), false);
      if (margin > 0) polyline(plot, frontSteps(points, margin), colour("muted"), true);
      drawPoints(plot, points, selected, fastest);
    },
    lines: linesOf,
    open: (point) => point.candidate !== null && open(point.candidate),
  });
}
