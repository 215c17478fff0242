// Points in a plane, chosen by the mouse or the arrow keys, each with a text beside it.
import {chartElement} from "./chart.js";
import {h} from "./dom.js";
import {pointSelection} from "./point_selection.js";

function nearestPoint(plot, points) {
  const {left, top} = plot.cursor;
  let nearest = null,
    distance = 24;
  for (const point of points) {
    const away = Math.hypot(plot.valToPos(point.x, "x") - left, plot.valToPos(point.y, "y") - top);
    if (away < distance) [nearest, distance] = [point, away];
  }
  return nearest;
}

// The lines beside the point; also said to screen readers.
function tell(chart, point, lines) {
  const {tip, plot} = chart;
  if (!tip) return;
  tip.hidden = !point;
  if (!point) return;
  tip.setAttribute("role", "status");
  tip.replaceChildren(...lines(point).map((line) => h("div", {}, line)));
  const left = plot.valToPos(point.x, "x"),
    top = plot.valToPos(point.y, "y");
  tip.style.left = `${Math.max(0, Math.min(left + 10, plot.over.clientWidth - tip.offsetWidth))}px`;
  tip.style.top = `${Math.max(0, Math.min(top + 10, plot.over.clientHeight - tip.offsetHeight))}px`;
}

// `points`: [{index, x, y, ...}]; `scales` and `axes`: uPlot's, of x and y; `draw(plot, selected)` draws them, where
// `selected` is the index of the chosen one or null; `lines(point)`: the text beside it; `open(point)` follows it.
export function scatterChart({name, label, points, scales, axes, draw, lines, open}) {
  const places = points.map((point) => point.x).sort((a, b) => a - b);
  const state = pointSelection(points, {
    tell: (chart, point) => tell(chart, point, lines),
    nearest: (plot) => nearestPoint(plot, points),
    open,
  });
  state.build = (UPlot, width, chart) => ({
    data: [
      [places[0], places.at(-1)],
      [null, null],
    ],
    options: {
      width,
      height: 320,
      legend: {show: false},
      padding: [14, 20, 0, 0],
      cursor: {points: {show: false}, drag: {x: false, y: false}},
      scales: {x: {time: false, ...scales.x}, y: scales.y},
      axes: axes(),
      series: [{}, {points: {show: false}}],
      hooks: {...state.hooks(chart), draw: [(plot) => draw(plot, state.selected)]},
    },
  });
  return chartElement(name, label, state);
}

export function ring(plot, x, y, size, colour) {
  const context = plot.ctx;
  context.strokeStyle = colour;
  context.beginPath();
  context.arc(x, y, size * devicePixelRatio, 0, 2 * Math.PI);
  context.stroke();
}

// A line through places of the plane.
export function polyline(plot, places, colour, dashed) {
  const context = plot.ctx;
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = 1.5 * devicePixelRatio;
  if (dashed) context.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  context.beginPath();
  for (const [x, y] of places) context.lineTo(plot.valToPos(x, "x", true), plot.valToPos(y, "y", true));
  context.stroke();
  context.restore();
}
