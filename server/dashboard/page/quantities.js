// What candidates are worth: their time, energy and power, and the metrics of their study.
import {seconds} from "./format.js";

const measured = {
  time: {unit: "s", of: (row) => row.seconds},
  energy: {unit: "J", of: (row) => row.joules},
  power: {unit: "W", of: (row) => (row.joules && row.seconds ? row.joules / row.seconds : null)},
  edp: {unit: "J s", of: (row) => (row.joules && row.seconds ? row.joules * row.seconds : null)},
};

// Empty for a metric, whose unit nobody has said.
export const unitOf = (name) => measured[name]?.unit ?? "";

// Of a row of candidates; null where it is not known.
export const valueOf = (row, name) =>
  (Object.hasOwn(measured, name) ? measured[name].of(row) : row.metrics[name]) ?? null;

export const withUnit = (name) => (unitOf(name) ? `${name} (${unitOf(name)})` : name);

// Four digits, without the unit.
export function plainText(name, value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return name === "time" ? seconds(value) : String(Number(value.toPrecision(4)));
}

export function quantityText(name, value) {
  const text = plainText(name, value);
  return name === "time" || text === "–" || !unitOf(name) ? text : `${text} ${unitOf(name)}`;
}

// The names of what is known of one of these rows or more, time first.
export function quantitiesOf(rows) {
  const names = new Set(Object.keys(measured).filter((name) => rows.some((row) => valueOf(row, name) !== null)));
  for (const row of rows) for (const name of Object.keys(row.metrics)) names.add(name);
  return [...names];
}

// The better one of two values, less being better unless `maximise`; values that are not known are worse.
export function compareValues(a, b, maximise) {
  const cost = (value) => (value === null ? Infinity : maximise ? -value : value);
  return cost(a) === cost(b) ? 0 : cost(a) - cost(b);
}
