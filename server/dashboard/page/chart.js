// Charts on uPlot, which draws on a canvas: each has a text that says what it shows, and keys to move in it.
import {h} from "./dom.js";
import {loadChart} from "./libraries.js";

export const colour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// Redraws every chart of the page after a change of theme.
const drawn = new Set();
export function redrawCharts() {
  for (const chart of drawn) chart.restart();
}

// A chart's element; `build(width)` gives uPlot's options and data from what is current. `key`: charts of equal key are
// the same one, which `update` brings up to date.
class Chart {
  constructor(element, state) {
    this.element = element;
    this.state = state;
    this.plot = null;
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
    drawn.add(this);
    this.restart();
  }

  async restart() {
    const UPlot = await loadChart();
    if (!this.element.isConnected) return this.end();
    this.plot?.destroy();
    this.plot = null;
    if (!UPlot) {
      this.element.replaceChildren(
        h(
          "p",
          {class: "empty"},
          "This server was built without the chart library; the table has the numbers.",
        ),
      );
      return;
    }
    const {options, data} = this.state.build(UPlot, this.width(), this);
    this.element.replaceChildren();
    this.plot = new UPlot(options, data, this.element);
    this.tip = h("div", {class: "tip", hidden: true});
    this.plot.over.append(this.tip);
  }

  width() {
    return Math.max(200, this.element.clientWidth);
  }

  resize() {
    if (!this.element.isConnected) return this.end();
    if (this.plot && Math.abs(this.plot.width - this.width()) > 1) {
      this.plot.setSize({width: this.width(), height: this.plot.height});
    }
  }

  end() {
    this.observer.disconnect();
    drawn.delete(this);
    this.plot?.destroy();
    this.plot = null;
  }
}

export function chartElement(name, label, state) {
  const element = h("div", {
    class: "chart",
    "data-keep": name,
    tabindex: "0",
    role: "img",
    "aria-label": label,
  });
  const begin = (own) => {
    own.chart = new Chart(own, state);
    own.onkeydown = (event) => state.key?.(event, own.chart);
  };
  // Not connected yet: the view is put into the page in this task.
  queueMicrotask(() => element.isConnected && begin(element));
  element.onupdate = (shown) => {
    if (!shown.chart) return false;
    shown.setAttribute("aria-label", label);
    state.selected = shown.chart.state.selected;
    shown.chart.state = state;
    shown.onkeydown = (event) => state.key?.(event, shown.chart);
    shown.chart.restart();
    return true;
  };
  return element;
}

export const axis = (values, label) => ({
  stroke: colour("muted"),
  grid: {stroke: colour("line"), width: 1},
  ticks: {stroke: colour("line"), width: 1},
  font: "12px system-ui, sans-serif",
  labelFont: "12px system-ui, sans-serif",
  label,
  labelSize: 18,
  size: 44,
  values: (plot, splits) => splits.map((value) => (value === null ? "" : values(value))),
});

export function mark(context, x, y, size, failed) {
  context.beginPath();
  if (failed) {
    context.moveTo(x - size, y - size);
    context.lineTo(x + size, y + size);
    context.moveTo(x + size, y - size);
    context.lineTo(x - size, y + size);
    context.stroke();
  } else {
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.fill();
  }
}
