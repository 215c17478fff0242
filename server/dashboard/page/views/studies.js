// All studies, filtered and searched; the filters are in the address.
import {get, query} from "../api.js";
import {h} from "../dom.js";
import {gain} from "../format.js";
import {bar, bestText, link, overProgram, pager, stateBadge, studyPath, table, when} from "../parts.js";

const pageSize = 50;
const states = ["unfinished", "queued", "reference", "searching", "confirming", "done", "failed", "stopped"];
const filters = ["search", "state", "target", "owner", "device"];

export function studiesView(context) {
  const parameters = () =>
    Object.fromEntries(filters.map((name) => [name, context.parameters().get(name) ?? ""]));
  const offset = () => Math.max(0, Number.parseInt(context.parameters().get("offset"), 10) || 0);
  return {
    title: "Studies",
    load: (signal) =>
      get(`/studies${query({...parameters(), offset: offset() || "", limit: pageSize})}`, signal),
    concerns: (change) => change.studies.length > 0,
    draw: (data) => [
      h("h1", {}, "Studies"),
      filterForm(context, parameters(), data.states),
      table({
        caption: "Studies, newest first",
        rows: data.studies,
        key: (study) => study.id,
        id: "studies",
        empty:
          data.total === 0
            ? "No study yet. `tunectl submit FILE.c` makes one."
            : "No study is like that. Clear the filters to see all.",
        columns: [
          {
            name: "study",
            header: true,
            cell: (study) =>
              link(studyPath(study.id), `${study.id} `, h("span", {class: "name"}, study.name || "unnamed")),
          },
          {name: "state", cell: (study) => stateBadge(study.state)},
          {
            name: "progress",
            cell: (study) => bar(study.evaluated, study.budget, `${study.evaluated} of ${study.budget}`),
          },
          {name: "best", number: true, cell: (study) => bestText(study.objective, study.best_seconds)},
          {name: "over program", number: true, cell: (study) => overProgram(study.result)},
          {name: "over default", number: true, cell: (study) => gain(study.objective.gain_over_default)},
          {name: "over sequential", number: true, cell: (study) => gain(study.gain_over_sequential)},
          {name: "device", cell: (study) => study.device || study.target || "any"},
          {name: "owner", cell: (study) => study.owner || "–"},
          {name: "created", cell: (study) => when(study.created)},
        ],
      }),
      pager(offset(), pageSize, data.matching, ["study", "studies"], (next) =>
        context.setParameters({offset: next || ""}),
      ),
    ],
  };
}

function filterForm(context, chosen, counts) {
  const set = (name) => (event) => context.setParameters({[name]: event.target.value, offset: ""});
  const text = (name, label, type) =>
    h(
      "label",
      {},
      h("span", {}, label),
      h("input", {
        type,
        name,
        value: chosen[name],
        oninput: set(name),
        maxlength: "100",
        autocomplete: "off",
      }),
    );
  const list = (name, label, options) =>
    h(
      "label",
      {},
      h("span", {}, label),
      h(
        "select",
        {name, onchange: set(name)},
        options.map(([value, shown]) => h("option", {value, selected: value === chosen[name]}, shown)),
      ),
    );
  const clear = () =>
    context.setParameters(Object.fromEntries([...filters, "offset"].map((name) => [name, ""])));
  return h(
    "form",
    {
      class: "filters",
      role: "search",
      "aria-label": "Filter studies",
      onsubmit: (event) => event.preventDefault(),
    },
    text("search", "Search", "search"),
    list("state", "State", [
      ["", "any"],
      ...states.map((state) => [state, counts[state] ? `${state} (${counts[state]})` : state]),
    ]),
    list("target", "Target", [
      ["", "any"],
      ["cpu", "cpu"],
      ["cuda", "cuda"],
    ]),
    text("owner", "Owner", "text"),
    text("device", "Device", "text"),
    h(
      "button",
      {type: "button", onclick: clear, disabled: Object.values(chosen).every((value) => value === "")},
      "Clear",
    ),
  );
}
