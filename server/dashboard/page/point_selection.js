// One of a chart's points, chosen by the mouse or the arrow keys.

// `points`: [{index, ...}], in the order of the keys; `tell(chart, point)` puts the text beside the chosen one, or takes
// it away; `nearest(plot)`: the point at the mouse, or null; `open(point)` follows it. Returns a chart's state but for its
// build: selected (the index, or null) and key; and hooks(chart), uPlot's.
export function pointSelection(points, {tell, nearest, open}) {
  const select = (chart, point) => {
    selection.selected = point?.index ?? null;
    tell(chart, point);
    chart.plot?.redraw(false);
  };
  const openSelected = () => {
    const point = points.find((one) => one.index === selection.selected);
    if (point) open(point);
  };
  const selection = {
    selected: null,
    key(event, chart) {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      const now = points.findIndex((point) => point.index === selection.selected);
      if (step) select(chart, points[Math.min(points.length - 1, Math.max(0, now < 0 ? 0 : now + step))]);
      else if (event.key === "Enter" && now >= 0) openSelected();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    hooks: (chart) => ({
      setCursor: [
        (plot) => {
          if (plot.cursor.left === undefined || plot.cursor.left < 0) return;
          const at = nearest(plot);
          if ((at?.index ?? null) !== selection.selected) select(chart, at);
        },
      ],
      ready: [(plot) => plot.over.addEventListener("click", openSelected)],
    }),
  };
  return selection;
}
