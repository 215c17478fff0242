// Parts that several views share.
import {h} from "./dom.js";
import {quantityText} from "./quantities.js";
import {ago, bytes, digits, machineTime, moment, plural, ratio, seconds, words} from "./format.js";

export const studyPath = (id) => `/studies/${encodeURIComponent(id)}`;
export const candidatePath = (id, index) => `${studyPath(id)}/candidates/${index}`;
export const searchPath = (id, index) =>
  `${studyPath(id)}/search${index === undefined ? "" : `?candidate=${index}`}`;

export function link(path, ...content) {
  return h("a", {href: path}, content);
}

export function badge(kind, text) {
  return h("span", {class: `badge ${kind}`}, text);
}
export const stateBadge = (state) => badge(`state-${state}`, words(state));
export const outcomeBadge = (outcome) =>
  outcome ? badge(`outcome-${outcome}`, words(outcome)) : badge("outcome-open", "open");

// table({caption, columns: [{name, cell(row), number, header, hidden}], rows, key(row), empty}): the first `header`
// column names its row for screen readers; on a phone each row is a card with the names beside the values.
export function table({caption, columns, rows, key, empty, id}) {
  const shown = columns.filter((column) => column && !column.hidden);
  if (rows.length === 0) return h("p", {class: "empty", id}, empty ?? "nothing yet");
  const cells = (row) =>
    shown.map((column) =>
      h(
        column.header ? "th" : "td",
        {
          scope: column.header ? "row" : null,
          class: column.number ? "number" : null,
          "data-label": column.name,
        },
        column.cell(row),
      ),
    );
  return h(
    "div",
    {class: "scroll", tabindex: "0", role: "group", "aria-label": caption, id},
    h(
      "table",
      {},
      h("caption", {class: "visually-hidden"}, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          shown.map((column) => h("th", {scope: "col", class: column.number ? "number" : null}, column.name)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) => h("tr", {"data-key": key ? String(key(row)) : null}, cells(row))),
      ),
    ),
  );
}

// How long ago something was; `otherwise` where it has not been.
export function when(unixMs, otherwise = "–") {
  if (!unixMs) return otherwise;
  return h("time", {datetime: machineTime(unixMs), title: moment(unixMs)}, ago(unixMs));
}

// Pairs of name and value; pairs without a value are left out.
export function facts(pairs, attributes = {}) {
  const filled = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return h(
    "dl",
    {class: "facts", ...attributes},
    filled.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

// Large numbers at the top of a view: [name, value, detail, kind]; of kind "bad" they are red.
export function tiles(entries) {
  return h(
    "dl",
    {class: "tiles"},
    entries
      .filter(Boolean)
      .map(([name, value, detail, kind]) =>
        h(
          "div",
          {class: kind ? `tile ${kind}` : "tile"},
          h("dt", {}, name),
          h(
            "dd",
            {},
            h(
              "strong",
              {class: String(value).length > 14 && typeof value === "string" ? "long" : null},
              value,
            ),
            detail ? h("small", {}, detail) : null,
          ),
        ),
      ),
  );
}

export function section(title, ...content) {
  const id = `section-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
  return h("section", {"aria-labelledby": id, "data-key": id}, h("h2", {id}, title), content);
}

export function notice(kind, ...content) {
  return h("p", {class: `notice ${kind}`, role: kind === "error" ? "alert" : null}, content);
}

export function measurement(measured) {
  if (!measured) return "–";
  return `${seconds(measured.median)} (${seconds(measured.confidence_low)} to ${seconds(measured.confidence_high)})`;
}

// A part of a whole as a bar with its number beside it.
export function bar(part, whole, text) {
  return h(
    "span",
    {class: "bar-cell"},
    h("meter", {min: "0", max: String(whole || 1), value: part, "aria-label": text}),
    h("span", {}, text),
  );
}

export function configurationTable(caption, decisions, names) {
  return table({
    caption,
    rows: decisions,
    key: (row) => row.key,
    columns: [
      {name: "decision", header: true, cell: (row) => h("code", {}, row.key)},
      {name: names[0], cell: (row) => (row.default === null ? "–" : h("code", {}, row.default))},
      {
        name: names[1],
        cell: (row) =>
          row.best === null
            ? "–"
            : row.changed
              ? h("mark", {}, h("code", {}, row.best))
              : h("code", {}, row.best),
      },
    ],
    empty: "no decisions",
  });
}

const metricNames = {
  executed_ipc: "IPC",
  achieved_occupancy: "occupancy",
  global_load_throughput: "loads",
  global_store_throughput: "stores",
  l2_hit_rate: "L2 hits",
  l1_hit_rate: "L1 hits",
  flop_throughput: "operations",
  arithmetic_intensity: "intensity",
};
const metricUnit = {
  achieved_occupancy: (v) => `${v.toFixed(0)} %`,
  l2_hit_rate: (v) => `${v.toFixed(0)} %`,
  l1_hit_rate: (v) => `${v.toFixed(0)} %`,
  global_load_throughput: (v) => `${(v / 1e9).toFixed(0)} GB/s`,
  global_store_throughput: (v) => `${(v / 1e9).toFixed(0)} GB/s`,
  flop_throughput: (v) => `${(v / 1e9).toFixed(0)} GFLOP/s`,
  arithmetic_intensity: (v) => `${digits(v)} FLOP/B`,
};

// The kernels of a candidate on a GPU, with what the counters said.
export function kernelTable(kernels) {
  const total = kernels.reduce((sum, kernel) => sum + (kernel.seconds ?? 0), 0);
  const metrics = [...new Set(kernels.flatMap((kernel) => kernel.metrics.map((metric) => metric.name)))];
  const find = (kernel, name) => kernel.metrics.find((metric) => metric.name === name);
  return table({
    caption: "Kernels",
    rows: kernels,
    key: (kernel) => kernel.function,
    columns: [
      {name: "kernel", header: true, cell: (kernel) => h("code", {}, kernel.name)},
      {
        name: "time",
        number: true,
        cell: (kernel) => bar(kernel.seconds ?? 0, total, seconds(kernel.seconds)),
      },
      {name: "launches", number: true, cell: (kernel) => kernel.launches.toLocaleString()},
      {name: "threads", number: true, cell: (kernel) => kernel.threads_per_block},
      {name: "registers", number: true, cell: (kernel) => kernel.registers},
      {name: "shared", number: true, cell: (kernel) => bytes(kernel.shared_bytes)},
      {name: "spilled", number: true, cell: (kernel) => bytes(kernel.local_bytes)},
      {name: "blocks fit", number: true, cell: (kernel) => kernel.blocks_per_multiprocessor},
      ...metrics.map((name) => ({
        name: metricNames[name] ?? words(name),
        number: true,
        cell: (kernel) => {
          const metric = find(kernel, name);
          if (!metric || metric.value === null) return "–";
          return bar(metric.normalised, 1, (metricUnit[name] ?? ((v) => v.toPrecision(3)))(metric.value));
        },
      })),
    ],
  });
}

// Buttons of which one is pressed: [[value, text], ...].
export function choice(label, options, chosen, choose) {
  return h(
    "span",
    {class: "choice", role: "group", "aria-label": label},
    options.map(([value, text]) =>
      h(
        "button",
        {type: "button", "aria-pressed": String(value === chosen), onclick: () => choose(value)},
        text,
      ),
    ),
  );
}

// What a study's best candidate is worth by its objective; `time`: of it, in seconds.
export function bestText({name, best}, time) {
  return name === "time" ? seconds(time) : `${quantityText(name, best)} (${name})`;
}

// How a study compares with the user's program, red where it is no gain by the objective; nothing where that is not
// known.
export function overProgram(result) {
  if (!result) return "–";
  const text = result.verdict === "failed" ? "failed" : ratio(result.ratio);
  return result.gain ? text : h("span", {class: "bad", title: "not faster with 95 % confidence"}, text);
}

// What is shown of a longer list, and buttons for the parts before and after it; `go(offset)`.
export function pager(offset, limit, matching, nouns, go) {
  if (matching <= limit && offset === 0) return h("p", {class: "count"}, plural(matching, ...nouns));
  const last = Math.min(offset + limit, matching);
  const shown = offset < matching ? `${offset + 1} to ${last} of ` : "none of ";
  const before = Math.max(0, Math.min(offset, matching) - limit);
  return h(
    "p",
    {class: "count"},
    h("button", {type: "button", disabled: offset === 0, onclick: () => go(before)}, "Previous"),
    ` ${shown}${plural(matching, ...nouns)} `,
    h("button", {type: "button", disabled: last >= matching, onclick: () => go(offset + limit)}, "Next"),
  );
}
