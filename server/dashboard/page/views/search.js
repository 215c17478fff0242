// What the search of a study has learned: its pheromone graph as a picture and as tables, and its regression tree.
import {get, getPatiently} from "../api.js";
import {
  countHidden,
  largestSize,
  makeGraph,
  makeWalk,
  shownNodes,
  unfoldedAtFirst,
} from "../decision_graph.js";
import {h} from "../dom.js";
import {plural} from "../format.js";
import {layOut} from "../graph_layout.js";
import {graphPicture} from "../graph_picture.js";
import {loadLayout} from "../libraries.js";
import {candidatePath, choice, link, notice, section, studyPath} from "../parts.js";
import {drawTree, graphTables} from "../search.js";

const mostFlips = 100; // nodes folded by hand that the address keeps

// The address has all that the picture depends on: candidate, the walk that is marked, else that of the best; show, which
// nodes are unfolded at first; fold, once for each node that the user has folded or unfolded since.
export function searchView(context, id) {
  const base = `/studies/${encodeURIComponent(id)}`;
  const walks = new Map(); // by candidate
  let state = null; // read once: while the study runs the server makes it anew each time
  // Which box the Tab key reaches; the graph and the layout drawn last, which cost time.
  const kept = {current: null, graph: null, layout: null, layoutOf: ""};

  async function readWalk(index, signal) {
    if (index === null) return null;
    if (!walks.has(index)) {
      const path = `${base}/candidates/${index}`;
      const {origin, configuration} = await get(path, signal);
      const walk = makeWalk(index, configuration, null);
      walks.set(index, {...walk, explained: origin === "search" ? "later" : "never"});
      if (origin === "search") explainWalk(index, configuration, `${path}/explanation`);
    }
    return walks.get(index);
  }

  // The server walks all candidates before this one again: the picture does not wait for it.
  async function explainWalk(index, configuration, path) {
    const explanation = await getPatiently(path).catch(() => null);
    if (!walks.has(index)) return;
    walks.set(index, {
      ...makeWalk(index, configuration, explanation),
      explained: explanation ? "now" : "never",
    });
    if (context.shows(view)) context.reload();
  }

  const view = {
    title: `${id}: search`,
    up: studyPath(id),
    concerns: (change) => change.studies.includes(id),
    async load(signal) {
      const study = await get(base, signal);
      if (!state) {
        const [document, dagre] = await Promise.all([getPatiently(`${base}/search`, signal), loadLayout()]);
        state = {document, dagre, evaluated: study.evaluated, best: study.best_index};
      }
      const index = chosenCandidate(context) ?? state.best;
      const walk = state.document.edges.length > 0 ? await readWalk(index, signal) : null;
      if (kept.graph?.state !== state || kept.graph.walk !== walk) {
        kept.graph = {...makeGraph(state.document.edges, walk), state, walk};
        kept.layout = null;
      }
      return {study, state, walk, graph: kept.graph};
    },
    draw: (data) => drawSearch(context, id, kept, data, renew),
  };
  function renew() {
    state = null;
    walks.clear();
    context.reload();
  }
  return view;
}

function chosenCandidate(context) {
  const text = context.parameters().get("candidate") ?? "";
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}

function drawSearch(context, id, kept, {study, state, walk, graph}, renew) {
  const {document} = state;
  const later = study.evaluated - state.evaluated;
  return [
    h("p", {class: "path"}, link("/studies", "Studies"), " / ", link(studyPath(id), id), " / search"),
    h("h1", {}, "What the search has learned"),
    h(
      "p",
      {},
      "of ",
      link(studyPath(id), study.name || id),
      `, before candidate ${document.index}, iteration ${document.iteration}`,
    ),
    later > 0
      ? h(
          "p",
          {class: "notice"},
          `${plural(later, "candidate")} more since. `,
          h("button", {type: "button", onclick: renew}, "Read again"),
        )
      : null,
    section(
      "Pheromone graph",
      graph.nodes.size === 0
        ? h("p", {class: "empty"}, "There is no graph: this search keeps no pheromone, or has not begun.")
        : graphSection(context, id, kept, {state, walk, graph}),
    ),
    section("Regression tree", drawTree(document)),
  ];
}

const ways = [
  ["", "most visited"],
  ["walk", "the walk"],
  ["all", "all"],
];

function graphSection(context, id, kept, {state, walk, graph}) {
  const show = context.parameters().get("show") ?? "";
  const flips = context.parameters().getAll("fold");
  const unfolded = unfoldedAtFirst(graph, show);
  for (const key of flips) if (!unfolded.delete(key) && graph.nodes.has(key)) unfolded.add(key);
  const toggle = (key) =>
    context.setParameters(
      {
        fold: flips.includes(key)
          ? flips.filter((other) => other !== key)
          : [...flips, key].slice(-mostFlips),
      },
      {redraw: true},
    );
  return [
    h(
      "p",
      {class: "note"},
      "A box is a decision. The fields in it are options that candidates took: pheromone, which is also the width of the edge, and how many candidates took it. Ants follow more pheromone more often. Options with a dashed border were never taken, or were not allowed on the marked walk. A click on a box, or Enter, folds and unfolds it; arrow keys go from box to box.",
    ),
    h(
      "form",
      {class: "filters", onsubmit: (event) => event.preventDefault()},
      h(
        "div",
        {class: "field"},
        h("span", {}, "Unfolded"),
        choice("Unfolded", ways, ways.some(([value]) => value === show) ? show : "", (value) =>
          context.setParameters({show: value, fold: ""}, {redraw: true}),
        ),
      ),
      h(
        "label",
        {},
        h("span", {}, "Walk of candidate"),
        h("input", {
          type: "number",
          name: "candidate",
          min: "0",
          value: walk ? String(walk.index) : "",
          onchange: (event) => context.setParameters({candidate: event.target.value}),
        }),
      ),
    ),
    h("p", {class: "walk-legend"}, walkText(id, state, walk)),
    picture(kept, state, graph, unfolded, toggle),
    tables(kept, graph, walk),
  ];
}

// Made when they are looked at: they are many.
function tables(kept, graph, walk) {
  const fill = (shown) => shown.replaceChildren(...graphTables(graph, walk));
  kept.number = kept.tablesOf === graph ? kept.number : (kept.number ?? 0) + 1;
  kept.tablesOf = graph;
  const place = h("div", {class: "tables", "data-keep": String(kept.number)});
  place.onupdate = (shown) => {
    if (shown.childNodes.length > 0) fill(shown);
    return true;
  };
  const toggled = (event) => {
    const shown = event.target.querySelector(".tables");
    if (event.target.open && shown?.childNodes.length === 0) fill(shown);
  };
  return h("details", {"data-key": "tables", ontoggle: toggled}, h("summary", {}, "As tables"), place);
}

const explainedText = {
  now: "",
  later: " Which options were not allowed on it comes in a moment.",
  never: " Which options were not allowed on it is not known.",
};

function walkText(id, state, walk) {
  if (!walk) return "No candidate is marked: none is correct yet.";
  return [
    h("span", {class: "swatch best-line", "aria-hidden": "true"}),
    "✓ marks the walk of ",
    link(candidatePath(id, walk.index), `candidate ${walk.index}`),
    walk.index === state.best ? ", the best so far." : ".",
    explainedText[walk.explained],
  ];
}

function picture(kept, state, graph, unfolded, toggle) {
  if (!state.dagre)
    return notice(
      "",
      "This server was built without the library that lays graphs out; the tables have all of it.",
    );
  const nodes = shownNodes(graph, unfolded);
  const keys = new Set(nodes.map((node) => node.key));
  const name = JSON.stringify([...unfolded]);
  if (!kept.layout || kept.layoutOf !== name) {
    kept.layout = layOut(state.dagre, nodes, unfolded, (node) => countHidden(graph, node.key, keys));
    kept.layoutOf = name;
  }
  const hidden = graph.nodes.size - nodes.length;
  const most = [...graph.nodes.values()].reduce((largest, node) => Math.max(largest, node.most), 0);
  return [
    graphPicture(kept.layout, most, kept, `Pheromone graph, ${plural(nodes.length, "decision")}`, toggle),
    h(
      "p",
      {class: "count", role: "status"},
      hidden === 0
        ? `All ${plural(nodes.length, "decision")}.`
        : `${nodes.length} of ${plural(graph.nodes.size, "decision")}; the others are folded${nodes.length >= largestSize ? ", a picture shows no more" : ""}.`,
    ),
  ];
}
