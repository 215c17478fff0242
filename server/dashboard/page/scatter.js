// Points in a plane, chosen by the mouse or the arrow keys, each with a text beside it.
import {chartElement} from "./chart.js";
import {h} from "./dom.js";

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
  const select = (chart, point) => {
    state.selected = point?.index ?? null;
    tell(chart, point, lines);
    chart.plot?.redraw(false);
  };
  const openSelected = () => {
    const point = points.find((one) => one.index === state.selected);
    if (point) open(point);
  };
  const state = {
    selected: null,
    key(event, chart) {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      const now = points.findIndex((point) => point.index === state.selected);
      if (step) select(chart, points[Math.min(points.length - 1, Math.max(0, now < 0 ? 0 : now + step))]);
      else if (event.key === "Enter" && now >= 0) openSelected();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    build: (UPlot, width, chart) => ({
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
        hooks: {
          draw: [(plot) => draw(plot, state.selected)],
          setCursor: [
            (plot) => {
              if (plot.cursor.left === undefined || plot.cursor.left < 0) return;
              const nearest = nearestPoint(plot, points);
              if ((nearest?.index ?? null) !== state.selected) select(chart, nearest);
            },
          ],
          ready: [(plot) => plot.over.addEventListener("click", openSelected)],
        },
      },
    }),
  };
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
