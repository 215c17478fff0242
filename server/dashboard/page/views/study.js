// One study: how the search went and what it found.
import {get, query} from "../api.js";
import {outcomeLegend, outcomes, progressChart} from "../progress_chart.js";
import {codeBlock, textBlock} from "../code.js";
import {h} from "../dom.js";
import {gain, metric, percent, ratio, ratioRange, seconds, words} from "../format.js";
import {compareValues, quantitiesOf, quantityText, valueOf} from "../quantities.js";
import {drawTree, fetchedFold} from "../search.js";
import {
  badge,
  candidatePath,
  choice,
  kernelTable,
  link,
  notice,
  outcomeBadge,
  pager,
  searchPath,
  section,
  stateBadge,
  table,
  tiles,
  when,
} from "../parts.js";
import {casesSection} from "./cases_section.js";
import {frontSection} from "./front_section.js";
import {bestSection, carvingSection, confirmationSection, detailsSection, roofline, timingSection} from "./study_sections.js";

const pageSize = 50;

export function studyView(context, id) {
  const base = `/studies/${encodeURIComponent(id)}`;
  const rows = []; // by index; those without an evaluation are read again
  let spec = null;
  const view = {
    title: id,
    currentTitle: (data) => `${data.study.name || id} (${words(data.study.state)})`,
    up: "/studies",
    concerns: (change) => change.studies.includes(id),
    ages: () => true, // replays are no change of their study
    async load(signal) {
      const study = await get(base, signal);
      const [timing, best, carving] = await Promise.all([
        get(`${base}/timing`, signal),
        study.best_index === null ? null : get(`${base}/best`, signal),
        study.inspections ? get(`${base}/inspections`, signal) : null,
        readRows(base, rows, signal),
        spec ?? get(`${base}/spec`, signal).then((document) => (spec = document)),
      ]);
      return {study, timing, best, carving, rows, spec};
    },
    draw: (data) => drawStudy(context, id, data),
  };
  return view;
}

// Brings `rows` up to date: from the first on that was open, or that is a replay, behind which others may come.
async function readRows(base, rows, signal) {
  const open = rows.findIndex((row, i) => row.outcome === null || row.index !== i);
  let kept = open < 0 ? rows.length : open;
  while (true) {
    const first = kept === 0 ? 0 : rows[kept - 1].index + 1;
    const page = await get(`${base}/candidates${query({first, limit: 2000})}`, signal);
    rows.length = kept;
    rows.push(...page.candidates);
    kept = rows.length;
    if (page.matching <= page.candidates.length) return;
  }
}

function drawStudy(context, id, {study, timing, best, carving, rows, spec}) {
  const progress = context.parameters().get("by") === "time" ? "time" : "evaluation";
  return [
    h("p", {class: "path"}, link("/studies", "Studies"), " / ", id),
    h("h1", {}, study.name || id, " ", stateBadge(study.state)),
    notes(study),
    figures(id, study),
    downloads(id, study),
    section(
      "Search",
      h(
        "div",
        {class: "chart-head"},
        outcomeLegend(study.outcomes),
        choice(
          "Horizontal axis",
          [
            ["evaluation", "by evaluation"],
            ["time", "by time"],
          ],
          progress,
          (by) => {
            context.setParameters({by: by === "time" ? "time" : ""});
          },
        ),
      ),
      progressChart(rows, progress, study.objective, (index) => context.go(candidatePath(id, index))),
    ),
    frontSection(context, id, study, rows),
    carving ? carvingSection(context, id, carving) : null,
    best ? bestSection(context, id, best) : null,
    best && best.kernels.length > 0
      ? section("Kernels of the best", kernelTable(best.kernels), roofline(best.kernels, study.device))
      : null,
    confirmationSection(id, study),
    study.reference && study.evaluated > 0
      ? section(
          "What the search has learned",
          h(
            "p",
            {class: "downloads"},
            h("a", {class: "button", href: searchPath(id)}, "Pheromone graph"),
            "Decisions, options and trails, with the walk of the best candidate.",
          ),
          fetchedFold("Regression tree", `/studies/${id}/search`, drawTree),
        )
      : null,
    study.cases ? casesSection(study.cases) : null,
    timingSection(timing),
    candidatesSection(context, id, study.objective, rows),
    spec
      ? section(
          "Region",
          spec.region.text
            ? codeBlock(spec.region.text, "Source of the region")
            : h("p", {class: "empty"}, "The program was submitted without its source."),
        )
      : null,
    detailsSection(study, spec),
  ];
}

function notes(study) {
  const slow = study.finished && study.result && !study.result.gain && study.result.verdict !== "failed";
  const check = study.confirmation?.check;
  return [
    study.failure ? notice("error", study.failure) : null,
    study.failure_log
      ? h(
          "details",
          {},
          h("summary", {}, "Log of the failure"),
          textBlock(study.failure_log, "Log of the failure"),
        )
      : null,
    study.state === "queued"
      ? notice(
          "",
          "No worker has taken it yet. It waits for one that offers ",
          study.target || "any device",
          study.generator === "ppcg" ? " with ppcg" : study.generator === "cpu+cuda" ? " with nvcc" : "",
          "; see ",
          link("/workers", "workers"),
          ".",
        )
      : null,
    study.roofline?.doubtful
      ? notice(
          "warning",
          "The best time is less than the device's peak rates allow, so check before believing it: the compiler may have dropped work, data stayed in a nearer cache, or the device was busy when its peaks were measured.",
        )
      : null,
    slow
      ? notice("warning", "The tuned program is not faster than the original with 95 % confidence: keep the original.")
      : null,
    check?.outcome && check.outcome !== "correct"
      ? notice("error", `The tuned program failed its check (${words(check.outcome)}): ${check.message}`)
      : null,
    study.note ? notice("", study.note) : null,
    study.warnings.map((warning) => notice("warning", warning)),
  ];
}

function figures(id, study) {
  const interval = (measured) =>
    measured ? `${seconds(measured.confidence_low)} to ${seconds(measured.confidence_high)}` : null;
  return tiles([
    programGain(study),
    placeFigure(study),
    objectiveFigure(id, study),
    [
      study.objective.name === "time" ? "best" : `time of the best`,
      study.best_index === null
        ? "–"
        : link(candidatePath(id, study.best_index), seconds(study.best_seconds)),
      interval(study.best),
    ],
    [
      "default",
      study.default_seconds ? link(candidatePath(id, 0), seconds(study.default_seconds)) : "–",
      interval(study.default),
    ],
    [
      study.objective.name === "time" ? "over default" : "time over default",
      gain(study.gain_over_default),
      study.best_index === 0 ? "the default is the best" : null,
    ],
    [
      "over sequential",
      gain(study.gain_over_sequential),
      study.sequential_seconds ? `sequential ${seconds(study.sequential_seconds)}` : null,
    ],
    study.roofline ? boundFigure(study) : null,
    [
      "evaluations",
      `${study.evaluated} of ${study.budget}`,
      study.duplicates ? `${study.duplicates} with known code` : null,
    ],
    study.inspections ? inspectedFigure(study.inspections) : null,
    ["device", study.device?.model ?? (study.target || "any"), study.owner],
  ].filter(Boolean));
}

// What the best is worth, where that is no time.
function objectiveFigure(id, {objective, best_index}) {
  const {name, best, default: base, gain_over_default} = objective;
  if (name === "time") return null;
  return [
    objective.maximise ? `most ${name}` : `least ${name}`,
    best === null ? "–" : link(candidatePath(id, best_index), quantityText(name, best)),
    base === null || gain_over_default === null
      ? null
      : `${gain(gain_over_default)} as good as the default's ${quantityText(name, base)}`,
  ];
}

// Configurations that were looked at, and what carving made of those before the search.
function inspectedFigure({planned, whole_space, inspected, removed}) {
  const of = whole_space ? "of the whole space" : "of a sample";
  return [
    "inspected",
    planned > 0 && inspected < planned ? `${inspected} of ${planned}` : inspected,
    planned > 0 && inspected >= planned ? `${planned - removed} of ${planned} kept, ${of}` : null,
  ];
}

// What the result is worth: the tuned program against the user's own, where that was run, else the region.
function programGain({result, device}) {
  if (!result) return null;
  const kind = result.gain ? null : "bad";
  if (result.verdict === "failed") return ["over the original", "failed", "not right in the program", kind];
  const onGpu = device?.target === "cuda";
  const name =
    result.of === "program"
      ? `over the original${onGpu ? ", with copies" : ""}`
      : `over the region by itself${onGpu ? ", without copies" : ""}`;
  return [name, ratio(result.ratio), [result.verdict, ratioRange(result)].filter(Boolean).join(", "), kind];
}

// Of a region on a GPU: where it takes how long.
function placeFigure({result}) {
  if (!result?.host_seconds || !result.device_seconds) return null;
  const copies = result.device_seconds_with_copies;
  return [
    "on the host",
    seconds(result.host_seconds),
    `device ${seconds(result.device_seconds)} without copies${copies ? `, ${seconds(copies)} with them` : ""}`,
  ];
}

// How near the best time is to what the device allows.
function boundFigure(study) {
  const {share, amount, peak, limit} = study.roofline;
  const unit = limit === "operations" ? "FLOP/s" : "B/s";
  const place = {operations: "", memory: " through memory", cache: " through the largest cache"}[limit];
  return [
    "of the bound",
    percent(share, 1),
    `${metric(amount / study.best_seconds)}${unit} of ${metric(peak)}${unit}${place}`,
  ];
}

function downloads(id, study) {
  if (study.best_index === null) return null;
  const file = (name, text) =>
    h("a", {href: `/api/v1/studies/${id}/${name}`, download: true, class: "button"}, text);
  return h(
    "p",
    {class: "downloads"},
    file("tuned.c", "Tuned file"),
    study.device?.target === "cuda" ? file("tuned.cu", "CUDA file") : null,
    study.device?.target === "cuda" && !["ppcg", "cpu+cuda"].includes(study.generator) ? file("tuned.h", "Header") : null,
    file("configuration", "Configuration"),
  );
}

// Of candidates: [name in the address, text, comparison], the one that is chosen where nothing is said first.
function ordersOf({name, maximise}) {
  const byIndex = (a, b) => a.index - b.index;
  const byTime = (a, b) => compareValues(a.seconds, b.seconds) || byIndex(a, b);
  const byObjective = (a, b) => compareValues(a.objective, b.objective, maximise) || byIndex(a, b);
  return [
    name === "time" ? null : ["objective", maximise ? `most ${name} first` : `least ${name} first`, byObjective],
    ["seconds", "fastest first", byTime],
    ["index", "by number", byIndex],
  ].filter(Boolean);
}

function candidatesSection(context, id, objective, rows) {
  const outcome = context.parameters().get("outcome") ?? "";
  const orders = ordersOf(objective);
  const [sort, , compare] = orders.find(([name]) => name === context.parameters().get("sort")) ?? orders[0];
  const quantities = quantitiesOf(rows).filter((name) => name !== "time");
  const offset = Math.max(0, Number.parseInt(context.parameters().get("offset"), 10) || 0);
  const shown = rows
    .filter((row) => outcome === "" || (outcome === "open" ? row.outcome === null : row.outcome === outcome))
    .sort(compare);
  const set = (name) => (event) => context.setParameters({[name]: event.target.value, offset: ""});
  return section(
    "Candidates",
    h(
      "form",
      {class: "filters", onsubmit: (event) => event.preventDefault()},
      h(
        "label",
        {},
        h("span", {}, "Outcome"),
        h(
          "select",
          {name: "outcome", onchange: set("outcome")},
          [["", "any"], ["open", "open"], ...outcomes.map((name) => [name, words(name)])].map(
            ([value, text]) => h("option", {value, selected: value === outcome}, text),
          ),
        ),
      ),
      h(
        "label",
        {},
        h("span", {}, "Order"),
        h(
          "select",
          {name: "sort", onchange: set("sort")},
          orders.map(([value, text]) => h("option", {value, selected: value === sort}, text)),
        ),
      ),
    ),
    table({
      caption: "Candidates",
      rows: shown.slice(offset, offset + pageSize),
      key: (row) => row.index,
      id: "candidates",
      empty: rows.length === 0 ? "no candidate yet" : "no candidate is like that",
      columns: [
        {
          name: "candidate",
          header: true,
          cell: (row) => link(candidatePath(id, row.index), row.index === 0 ? "0, the default" : row.index),
        },
        {
          name: "outcome",
          cell: (row) => [
            row.outcome ? outcomeBadge(row.outcome) : badge("outcome-open", row.state),
            row.origin === "replay" ? " replay" : "",
          ],
        },
        {name: "time", number: true, cell: (row) => seconds(row.seconds)},
        ...quantities.map((name) => ({
          name,
          number: true,
          cell: (row) => quantityText(name, valueOf(row, name)),
        })),
        {
          name: "interval (95 %)",
          number: true,
          cell: (row) =>
            row.confidence_high ? `${seconds(row.confidence_low)} to ${seconds(row.confidence_high)}` : "–",
        },
        {
          name: "note",
          cell: (row) =>
            row.duplicate_of !== null
              ? ["same code as ", link(candidatePath(id, row.duplicate_of), row.duplicate_of)]
              : h("span", {class: "message"}, row.message),
        },
        {name: "worker", cell: (row) => row.worker || "–"},
        {name: "evaluated", cell: (row) => when(row.evaluated)},
      ],
    }),
    pager(offset, pageSize, shown.length, ["candidate"], (next) =>
      context.setParameters({offset: next || ""}),
    ),
  );
}
