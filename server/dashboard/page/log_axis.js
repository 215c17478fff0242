// Ticks of logarithmic axes. uPlot's own start at the lowest value of the axis, whatever it is, and never end for some
// of them (9.6e-6, say).

// First digits of the ticks of a decade: few for axes of many decades, more for shorter ones.
const digits = [[1], [1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]];
digits.push(Array.from({length: 90}, (_, i) => (10 + i) / 10));

// The ticks of an axis from `low` to `high`, both over 0: round numbers, from few to about a dozen.
export function logTicks(low, high) {
  let ticks = [];
  for (const mantissas of digits) {
    const more = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power) {
      for (const mantissa of mantissas) {
        const tick = Number(`${mantissa}e${power}`);
        if (tick >= low && tick <= high) more.push(tick);
      }
    }
    if (ticks.length >= 3 || (ticks.length > 0 && more.length > 12)) break;
    ticks = more;
  }
  const step = Math.ceil(ticks.length / 12);
  return ticks.filter((tick, i) => i % step === 0);
}

// What makes an axis of a uPlot chart have these ticks, each with its label.
export const logAxis = {
  splits: (plot, axis, low, high) => logTicks(low, high),
  filter: (plot, splits) => splits,
};
