// The best known result of each program, size and device.
import {get, query} from "../api.js";
import {h} from "../dom.js";
import {gain, plural} from "../format.js";
import {bestText, candidatePath, link, pager, studyPath, table, when} from "../parts.js";

const pageSize = 100;

export function resultsView(context) {
  const chosen = () => ({
    search: context.parameters().get("search") ?? "",
    target: context.parameters().get("target") ?? "",
  });
  const set = (name) => (event) => context.setParameters({[name]: event.target.value, offset: ""});
  const offset = () => Math.max(0, Number.parseInt(context.parameters().get("offset"), 10) || 0);
  return {
    title: "Results",
    load: (signal) => get(`/results${query({...chosen(), offset: offset() || "", limit: pageSize})}`, signal),
    concerns: (change) => change.studies.length > 0,
    draw: (data) => [
      h("h1", {}, "Results"),
      h(
        "p",
        {},
        "The best verified version of each program, size, device and objective that any study of this server has found. Programs are the same when their loops are: names and layout do not matter.",
      ),
      h(
        "form",
        {
          class: "filters",
          role: "search",
          "aria-label": "Filter results",
          onsubmit: (event) => event.preventDefault(),
        },
        h(
          "label",
          {},
          h("span", {}, "Search"),
          h("input", {
            type: "search",
            name: "search",
            value: chosen().search,
            maxlength: "100",
            autocomplete: "off",
            oninput: set("search"),
          }),
        ),
        h(
          "label",
          {},
          h("span", {}, "Target"),
          h(
            "select",
            {name: "target", onchange: set("target")},
            [
              ["", "any"],
              ["cpu", "cpu"],
              ["cuda", "cuda"],
            ].map(([value, text]) => h("option", {value, selected: value === chosen().target}, text)),
          ),
        ),
      ),
      table({
        caption: "Results",
        rows: data.results,
        id: "results",
        key: (row) => row.study,
        empty: data.total === 0 ? "No study has a result yet." : "No result is like that.",
        columns: [
          {
            name: "program",
            header: true,
            cell: (row) => link(studyPath(row.study), h("span", {class: "name"}, row.program || row.study)),
          },
          {
            name: "size",
            cell: (row) => h("span", {class: "size"}, row.size.replaceAll(" = ", "\u00a0=\u00a0") || "–"),
          },
          {
            name: "device",
            cell: (row) =>
              [row.device, row.generator && row.generator !== "builtin" && `by ${row.generator}`, row.rounding !== "free" && row.rounding].filter(Boolean).join(", "),
          },
          {
            name: "best",
            number: true,
            cell: (row) =>
              link(candidatePath(row.study, row.candidate), bestText(row.objective, row.seconds)),
          },
          {name: "default", number: true, cell: (row) => bestText({...row.objective, best: row.objective.default}, row.default_seconds)},
          {name: "over default", number: true, cell: (row) => gain(row.objective.gain_over_default)},
          {name: "over sequential", number: true, cell: (row) => gain(row.gain_over_sequential)},
          {
            name: "from",
            cell: (row) =>
              `${row.studies} ${row.studies === 1 ? "study" : "studies"}, ${plural(row.evaluations, "evaluation")}`,
          },
          {name: "owner", cell: (row) => row.owner || "–"},
          {
            name: "found",
            cell: (row) => when(row.found, "still searching"),
          },
        ],
      }),
      pager(offset(), pageSize, data.matching, ["result"], (next) =>
        context.setParameters({offset: next || ""}),
      ),
    ],
  };
}
