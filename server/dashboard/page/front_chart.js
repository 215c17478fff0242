// Candidates by two quantities, with the front of those that no other one surpasses in both.
import {axis, colour, mark} from "./chart.js";
import {logAxis} from "./log_axis.js";
import {plainText, quantityText, valueOf, withUnit} from "./quantities.js";
import {polyline, ring, scatterChart} from "./scatter.js";

// A quantity as the address has it: "+gflops" where more is better.
export const parseQuantity = (text) => ({name: text.replace(/^\+/, ""), maximise: text.startsWith("+")});
export const printQuantity = ({name, maximise}) => (maximise ? `+${name}` : name);

// What a quantity costs: less is better.
const cost = (quantity, value) => (quantity.maximise ? -value : value);

// The correct candidates of the search that have both quantities, by the first one, the best first; `on_front`: none
// is as good in both and better in one.
export function frontPoints(rows, first, second) {
  const points = rows
    .filter((row) => row.origin === "search" && row.outcome === "correct")
    .map((row) => ({...row, x: valueOf(row, first.name), y: valueOf(row, second.name)}))
    .filter((point) => Number.isFinite(point.x ?? NaN) && Number.isFinite(point.y ?? NaN))
    .sort((a, b) => cost(first, a.x) - cost(first, b.x) || cost(second, a.y) - cost(second, b.y));
  let best = null;
  for (const point of points) {
    const equal = best !== null && point.x === best.x && point.y === best.y;
    point.on_front = best === null || equal || cost(second, point.y) < cost(second, best.y);
    if (point.on_front) best = point;
  }
  return points;
}

// Steps from one of the front to the next: the corner is what both surpass.
function frontSteps(points) {
  const steps = [];
  for (const {x, y} of points.filter((point) => point.on_front)) {
    if (steps.length > 0) steps.push([x, steps.at(-1)[1]]);
    steps.push([x, y]);
  }
  return steps;
}

// With room around the values; logarithmic where all are above 0.
function scaleOf(values) {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity),
    high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  if (low > 0) return {distr: 3, range: () => [low / 1.25, high * 1.25]};
  const room = (high - low) / 20 || 1;
  return {range: () => [low - room, high + room]};
}

function axisOf(quantity, scale) {
  const shown = axis((value) => plainText(quantity.name, value), withUnit(quantity.name));
  return scale.distr === 3 ? {...shown, ...logAxis} : shown;
}

function drawPoints(plot, points, selected, best) {
  const context = plot.ctx;
  context.save();
  context.lineWidth = 1.5 * devicePixelRatio;
  for (const point of points) {
    const x = plot.valToPos(point.x, "x", true),
      y = plot.valToPos(point.y, "y", true);
    context.strokeStyle = context.fillStyle = colour(point.on_front ? "best" : "outcome-correct");
    mark(context, x, y, 3.5 * devicePixelRatio, false);
    const size = point.index === best ? 8 : point.index === selected ? 6 : 0;
    if (size > 0) ring(plot, x, y, size, colour("text"));
  }
  context.restore();
}

// `points` of frontPoints, one or more; `best`: the index of the study's best, which has a ring; `open(index)` when one
// is chosen.
export function frontChart(points, first, second, best, open) {
  const scales = {
    x: scaleOf(points.map((point) => point.x)),
    y: scaleOf(points.map((point) => point.y)),
  };
  const front = points.filter((point) => point.on_front).length;
  return scatterChart({
    name: `front-${printQuantity(first)}-${printQuantity(second)}-${points.length}-${front}`,
    label:
      `${first.name} and ${second.name} of ${points.length} candidates, of which ${front} are on the front. ` +
      "Left and right arrow move through them, Enter opens one.",
    points,
    scales,
    axes: () => [axisOf(first, scales.x), {...axisOf(second, scales.y), size: 70}],
    draw: (plot, selected) => {
      polyline(plot, frontSteps(points), colour("best"), false);
      drawPoints(plot, points, selected, best);
    },
    lines: (point) => [
      `candidate ${point.index}${point.on_front ? ", on the front" : ""}`,
      `${first.name} ${quantityText(first.name, point.x)}`,
      `${second.name} ${quantityText(second.name, point.y)}`,
    ],
    open: (point) => open(point.index),
  });
}
