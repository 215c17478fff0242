// Kernels under the roofs of their device.
import {axis, chartElement, colour, mark} from "./chart.js";
import {digits} from "./format.js";
import {logAxis} from "./log_axis.js";

// Throughput of kernels over arithmetic intensity under the device's two roofs.
// `kernels`: [{name, intensity, rate, peak}] in operations a byte and a second, `peak`: what the device could do of
// the kernel's operations; the flat roof drawn is the highest of these. `peakBandwidth`: bytes a second.
export function rooflineChart(kernels, peakBandwidth) {
  const peakRate = Math.max(...kernels.map((kernel) => kernel.peak));
  const ridge = peakRate / peakBandwidth;
  const xs = [...kernels.map((kernel) => kernel.intensity), ridge];
  const low = Math.min(...xs) / 4,
    high = Math.max(...xs) * 4;
  const roof = (x) => Math.min(peakRate, x * peakBandwidth);
  const unit = (value) =>
    value >= 1e12 ? `${digits(value / 1e12)} T` : value >= 1e9 ? `${digits(value / 1e9)} G` : `${value.toPrecision(2)}`;
  const state = {
    build: (UPlot, width) => ({
      data: [
        [low, ridge, high],
        [roof(low), peakRate, peakRate],
      ],
      options: {
        width,
        height: 260,
        legend: {show: false},
        cursor: {show: false},
        padding: [14, 20, 0, 0],
        scales: {
          x: {time: false, distr: 3, range: () => [low, high]},
          y: {
            distr: 3,
            range: () => [Math.min(roof(low), ...kernels.map((kernel) => kernel.rate)) / 2, peakRate * 2],
          },
        },
        axes: [
          {...axis((value) => `${value}`, "operations a byte"), ...logAxis},
          {...axis(unit, "operations a second"), ...logAxis, size: 70},
        ],
        series: [{}, {stroke: colour("best"), width: 2, points: {show: false}}],
        hooks: {
          draw: [
            (plot) => {
              const context = plot.ctx;
              context.save();
              context.fillStyle = colour("outcome-correct");
              context.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
              for (const kernel of kernels) {
                const x = plot.valToPos(kernel.intensity, "x", true),
                  y = plot.valToPos(kernel.rate, "y", true);
                mark(context, x, y, 5 * devicePixelRatio, false);
                context.fillText(kernel.name, x + 9 * devicePixelRatio, y);
              }
              context.restore();
            },
          ],
        },
      },
    }),
  };
  const texts = kernels.map(
    (kernel) =>
      `${kernel.name}: ${unit(kernel.rate)} operations a second, ${((100 * kernel.rate) / Math.min(kernel.peak, kernel.intensity * peakBandwidth)).toFixed(0)} percent of its roof`,
  );
  return chartElement(`roofline-${JSON.stringify(kernels)}`, `Roofline. ${texts.join("; ")}`, state);
}
