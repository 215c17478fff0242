// Numbers and times as people read them.

export function seconds(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0 s";
  for (const [unit, scale] of [
    ["s", 1],
    ["ms", 1e-3],
    ["µs", 1e-6],
  ]) {
    if (value / scale >= 0.9995) return `${digits(value / scale)} ${unit}`;
  }
  return `${digits(value / 1e-9)} ns`;
}

export function digits(value) {
  if (Math.abs(value) >= 99.95) return value.toFixed(0);
  return Math.abs(value) >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

export function gain(value) {
  if (!value) return "–";
  return `${value >= 99.95 ? value.toFixed(0) : value >= 9.95 ? value.toFixed(1) : value.toFixed(2)}×`;
}

// With three digits, for ratios near one.
export function ratio(value) {
  if (!value) return "–";
  return `${value >= 99.95 ? value.toFixed(0) : value.toPrecision(3)}×`;
}

// A ratio with its range, of a result or a comparison.
export function ratioRange(times) {
  return times.ratio_high ? `${ratio(times.ratio_low)} to ${ratio(times.ratio_high)}` : "";
}

export function bytes(value) {
  let unit = 0;
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  while (value >= 1024 && unit < 4) {
    value /= 1024;
    ++unit;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

// 1.2e9 -> "1.20 G".
export function metric(value) {
  for (const [prefix, scale] of [
    ["T", 1e12],
    ["G", 1e9],
    ["M", 1e6],
    ["k", 1e3],
  ]) {
    if (Math.abs(value) >= scale) return `${digits(value / scale)} ${prefix}`;
  }
  return `${digits(value)} `;
}

export function ago(unixMs, now = Date.now()) {
  if (!unixMs) return "–";
  const past = Math.max(0, Math.round((now - unixMs) / 1000));
  if (past < 5) return "now";
  if (past < 120) return `${past} s ago`;
  if (past < 7200) return `${Math.floor(past / 60)} min ago`;
  if (past < 172800) return `${Math.floor(past / 3600)} h ago`;
  return `${Math.floor(past / 86400)} d ago`;
}

// With the time zone, which is that of the browser.
export function moment(unixMs) {
  return unixMs ? new Date(unixMs).toLocaleString(undefined, {dateStyle: "medium", timeStyle: "long"}) : "–";
}

// For <time datetime>; null where there is none. Imported studies may have any number.
export function machineTime(unixMs) {
  return unixMs && Math.abs(unixMs) <= 8.64e15 ? new Date(unixMs).toISOString() : null;
}

export function percent(part, whole) {
  return whole > 0 ? `${((100 * part) / whole).toFixed(part / whole < 0.0995 ? 1 : 0)} %` : "–";
}

export function plural(count, noun, nouns = `${noun}s`) {
  return `${count.toLocaleString()} ${count === 1 ? noun : nouns}`;
}

// "worker_lost" -> "worker lost".
export const words = (name) => String(name ?? "").replaceAll("_", " ");

// At most `most` letters: the middle of a longer text is left out.
export function shorten(text, most) {
  const letters = [...text];
  if (letters.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return `${letters.slice(0, head).join("")}…${letters.slice(letters.length - (most - 1 - head)).join("")}`;
}
