// One candidate: what it is, how it was made, what became of it.
import {get} from "../api.js";
import {codeBlock, diffBlock, fingerprint, textBlock} from "../code.js";
import {h} from "../dom.js";
import {bytes, gain, moment, seconds, words} from "../format.js";
import {quantitiesOf, quantityText, valueOf} from "../quantities.js";
import {drawExplanation, fetchedFold} from "../search.js";
import {
  bar,
  candidatePath,
  configurationTable,
  facts,
  kernelTable,
  link,
  measurement,
  notice,
  outcomeBadge,
  searchPath,
  section,
  studyPath,
  table,
  tiles,
} from "../parts.js";

export function candidateView(context, id, text) {
  const index = Number(text);
  const base = `/studies/${encodeURIComponent(id)}`;
  const view = {
    title: `${id}/${index}`,
    up: studyPath(id),
    concerns: (change) => change.studies.includes(id),
    ages: (data) => data.candidate.evaluation === null, // a replay's end is no change of the study
    async load(signal) {
      const [study, candidate, first] = await Promise.all([
        get(base, signal),
        get(`${base}/candidates/${index}`, signal),
        index === 0 ? null : get(`${base}/candidates/0`, signal).catch(() => null),
      ]);
      const around = await get(`${base}/candidates?first=${index}&limit=2`, signal);
      view.previous = index > 0 && candidate.origin === "search" ? candidatePath(id, index - 1) : undefined;
      view.next = around.candidates.length > 1 ? candidatePath(id, around.candidates[1].index) : undefined;
      return {study, candidate, first: index === 0 ? candidate : first};
    },
    draw: (data) => drawCandidate(view, id, data),
  };
  return view;
}

function drawCandidate(view, id, {study, candidate, first}) {
  const evaluation = candidate.evaluation;
  return [
    h(
      "p",
      {class: "path"},
      link("/studies", "Studies"),
      " / ",
      link(studyPath(id), id),
      " / ",
      candidate.index,
      h(
        "span",
        {class: "around"},
        view.previous ? link(view.previous, "Previous") : null,
        view.next ? link(view.next, "Next") : null,
      ),
    ),
    h(
      "h1",
      {},
      candidate.index === 0 ? "Candidate 0, the default" : `Candidate ${candidate.index}`,
      " ",
      evaluation ? outcomeBadge(evaluation.outcome) : outcomeBadge(null),
      study.best_index === candidate.index ? h("span", {class: "badge best"}, "best") : null,
    ),
    h(
      "p",
      {},
      "of ",
      link(studyPath(id), study.name || id),
      candidate.origin === "replay" ? ", a replay that the search does not see" : "",
    ),
    evaluation?.message ? notice(evaluation.outcome === "correct" ? "" : "error", evaluation.message) : null,
    evaluation
      ? evaluationSections(id, study, candidate, first)
      : notice("", `It is ${candidate.state}; attempts so far: ${candidate.attempts}.`),
    configurationSection(id, candidate, first),
    evaluation ? codeSections(candidate, first) : null,
    detailsSection(candidate),
  ];
}

// Energy, power and metrics, with the default's beside them.
function quantityTiles(objective, evaluation, base) {
  const rowOf = ({measurement, metrics}) => ({
    seconds: measurement?.median ?? null,
    joules: measurement?.joules ?? null,
    metrics,
  });
  const row = rowOf(evaluation);
  return quantitiesOf([row])
    .filter((name) => name !== "time")
    .map((name) => {
      const told = base && base !== evaluation ? valueOf(rowOf(base), name) : null;
      return [
        name === objective.name ? `${name}, the objective` : name,
        quantityText(name, valueOf(row, name)),
        told === null ? null : `default ${quantityText(name, told)}`,
      ];
    });
}

function evaluationSections(id, study, candidate, first) {
  const {evaluation} = candidate;
  const measured = evaluation.measurement;
  const base = first?.evaluation?.measurement?.median;
  return [
    measured
      ? tiles([
          [
            "time",
            seconds(measured.median),
            `${seconds(measured.confidence_low)} to ${seconds(measured.confidence_high)}`,
          ],
          ["over default", base ? gain(base / measured.median) : "–"],
          [
            "over sequential",
            study.sequential_seconds ? gain(study.sequential_seconds / measured.median) : "–",
          ],
          ["samples", measured.samples.length],
          ...quantityTiles(study.objective, evaluation, first?.evaluation),
        ])
      : null,
    evaluation.duplicate_of !== null
      ? notice(
          "",
          "Its code is that of ",
          link(candidatePath(id, evaluation.duplicate_of), `candidate ${evaluation.duplicate_of}`),
          "; it was not run again.",
        )
      : null,
    measured
      ? h(
          "details",
          {},
          h("summary", {}, "All samples, in the order measured"),
          h(
            "p",
            {class: "samples"},
            measured.samples.map((sample) => `${seconds(sample)} `),
          ),
        )
      : null,
    evaluation.kernels.length > 0 ? section("Kernels", kernelTable(evaluation.kernels)) : null,
    evaluation.errors.length > 0
      ? section("Outputs against the reference", errorTable(evaluation.errors))
      : null,
    evaluation.stages.length > 0 ? section("Time of its evaluation", stageTable(evaluation.stages)) : null,
  ];
}

// Not every value is a finite number.
const exponential = (value) =>
  value === 0 ? "0" : typeof value === "number" ? value.toExponential(2) : "not a number";

function errorTable(errors) {
  return table({
    caption: "Differences of the outputs",
    rows: errors,
    key: (row) => row.array,
    columns: [
      {name: "array", header: true, cell: (row) => h("code", {}, row.array)},
      {name: "relative L2", number: true, cell: (row) => exponential(row.relative_l2)},
      {name: "largest", number: true, cell: (row) => exponential(row.largest)},
      {
        name: "verdict",
        cell: (row) =>
          !row.exceeded
            ? "within the tolerance"
            : `exceeds it, first at [${row.first_differing_index.join("][")}]: expected ${row.expected}, found ${row.found}`,
      },
    ],
  });
}

function stageTable(stages) {
  const total = stages.reduce((sum, stage) => sum + stage.seconds, 0);
  return table({
    caption: "Stages of the evaluation",
    rows: stages,
    columns: [
      {name: "stage", header: true, cell: (stage) => stage.stage},
      {name: "time", cell: (stage) => bar(stage.seconds, total, seconds(stage.seconds))},
    ],
  });
}

function configurationSection(id, candidate, first) {
  const base = new Map(first?.configuration.map(({key, option}) => [key, option]));
  const own = new Set(candidate.configuration.map(({key}) => key));
  const decisions = candidate.configuration.map(({key, option}) => ({
    key,
    best: option,
    default: base.get(key) ?? null,
    changed: base.get(key) !== option,
  }));
  for (const [key, option] of base) {
    if (!own.has(key)) decisions.push({key, best: null, default: option, changed: true});
  }
  return section(
    "Configuration",
    h(
      "p",
      {class: "downloads"},
      h(
        "a",
        {
          href: `/api/v1/studies/${id}/candidates/${candidate.index}/configuration`,
          download: true,
          class: "button",
        },
        "Configuration",
      ),
      " ",
      h("code", {}, `tunectl replay ${id}/${candidate.index}`),
      " evaluates it again.",
      candidate.origin === "search"
        ? h("a", {href: searchPath(id, candidate.index), class: "button"}, "Walk in the pheromone graph")
        : null,
    ),
    configurationTable("Decisions", decisions, [
      "default",
      candidate.index === 0 ? "this" : `candidate ${candidate.index}`,
    ]),
    candidate.origin === "search"
      ? fetchedFold(
          "Why the search made it",
          `/studies/${id}/candidates/${candidate.index}/explanation`,
          drawExplanation,
        )
      : null,
  );
}

function fold(name, open, ...content) {
  return h("details", {"data-key": name, open}, h("summary", {}, name), content);
}

// A difference is computed when it is looked at.
function foldedDifference(name, before, after) {
  const place = h("div", {"data-keep": fingerprint(name, before, after)});
  const begin = (element, details) => {
    if (details.open && element.childNodes.length === 0) element.append(diffBlock(before, after, name));
  };
  return h(
    "details",
    {"data-key": name, ontoggle: (event) => begin(event.target.querySelector("div"), event.target)},
    h("summary", {}, name),
    place,
  );
}

function codeSections(candidate, first) {
  const {evaluation} = candidate;
  const base = first?.evaluation;
  const parts = [];
  const addText = (name, text, before) => {
    if (!text) return;
    const main = name === "CUDA file" || !evaluation.device_file;
    parts.push(fold(name, main && evaluation.outcome === "correct", codeBlock(text, name)));
    if (candidate.index !== 0 && before)
      parts.push(foldedDifference(`${name}, difference to the default`, before, text));
  };
  addText("CUDA file", evaluation.device_file, base?.device_file);
  addText("C code", evaluation.code, base?.code);
  for (const finding of evaluation.findings)
    parts.push(fold(finding.title, false, textBlock(finding.text, finding.title)));
  return [
    evaluation.log ? section("Log", logText(candidate)) : null,
    parts.length > 0 ? section("Code", parts) : null,
  ];
}

function logText(candidate) {
  const {evaluation} = candidate;
  const path = `/api/v1/studies/${candidate.study}/candidates/${candidate.index}/log`;
  const cut = new Blob([evaluation.log]).size < evaluation.log_bytes;
  return [
    h(
      "p",
      {class: "downloads"},
      cut ? `The end of ${bytes(evaluation.log_bytes)}. ` : null,
      h("a", {href: path, download: true, class: "button"}, "Log"),
    ),
    textBlock(evaluation.log, "Log"),
  ];
}

function detailsSection(candidate) {
  const evaluation = candidate.evaluation;
  return section(
    "Details",
    facts([
      ["state", words(candidate.state)],
      [
        "attempts",
        candidate.lost
          ? `${candidate.attempts}, ${candidate.lost} of them lost with their worker`
          : candidate.attempts,
      ],
      ["created", moment(candidate.created)],
      ["evaluated", candidate.evaluated ? moment(candidate.evaluated) : null],
      ["worker", evaluation?.worker],
      ["device", evaluation?.device],
      ["command", evaluation?.compile_command ? h("code", {}, evaluation.compile_command) : null],
    ]),
  );
}
