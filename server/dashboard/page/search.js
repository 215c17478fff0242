// What a search has learned: its regression tree, its pheromone graph, and why it made a candidate.
import {h} from "./dom.js";
import {getPatiently} from "./api.js";
import {textBlock} from "./code.js";
import {plural, seconds} from "./format.js";
import {bar, notice, table} from "./parts.js";

// A fold whose content is fetched when it is opened first: the server has to walk all candidates for it.
export function fetchedFold(name, path, draw) {
  const place = h("div", {class: "fetched", "data-keep": path});
  const load = async (shown) => {
    shown.replaceChildren(
      h("p", {class: "empty", role: "status"}, "The server walks the candidates once more…"),
    );
    try {
      shown.replaceChildren(...[draw(await getPatiently(path))].flat(Infinity).filter(Boolean));
    } catch (error) {
      shown.replaceChildren(
        notice("error", error.message),
        h("button", {type: "button", onclick: () => load(shown)}, "Try again"),
      );
    }
  };
  const toggled = (event) => {
    const shown = event.target.querySelector(".fetched");
    if (event.target.open && shown.childNodes.length === 0) load(shown);
  };
  return h("details", {"data-key": name, ontoggle: toggled}, h("summary", {}, name), place);
}

// The tree as the server prints it: a line a branch, two blanks a level, then the decisions by importance.
function parseTree(text) {
  const [branches, importance = ""] = text.split("decisions by importance:\n");
  const root = {children: []};
  const open = [root]; // by level
  for (const line of branches.split("\n").filter((line) => line !== "")) {
    const match = /^( *)(.*): (\S+) s \((\d+) candidates\)$/.exec(line);
    const level = match ? match[1].length / 2 : -1;
    if (!open[level]) return null;
    const node = {condition: match[2], seconds: Number(match[3]), samples: Number(match[4]), children: []};
    open[level].children.push(node);
    open.length = level + 1;
    open.push(node);
  }
  const decisions = [...importance.matchAll(/^ *(\d+) % (.*)$/gm)].map((match) => ({
    share: Number(match[1]),
    key: match[2],
  }));
  return {root: root.children[0], decisions};
}

const slowest = (node) => Math.max(node.seconds, ...node.children.map(slowest));

function drawBranch(node, most) {
  const [key, ...rest] = node.condition.split(" ");
  return h(
    "li",
    {},
    h(
      "div",
      {class: "branch"},
      h("span", {}, h("code", {}, key), ` ${rest.join(" ")}`),
      bar(node.seconds, most, seconds(node.seconds)),
      h("small", {}, `${node.samples} candidates`),
    ),
    node.children.length > 0
      ? h(
          "ul",
          {},
          node.children.map((child) => drawBranch(child, most)),
        )
      : null,
  );
}

export function drawTree(state) {
  if (!state.tree)
    return h(
      "p",
      {class: "empty"},
      "There is no tree: the search has too few candidates yet, or does without.",
    );
  const parsed = parseTree(state.tree);
  if (!parsed?.root) return textBlock(state.tree, "Regression tree");
  return [
    h(
      "p",
      {class: "note"},
      "Each branch divides the candidates by one decision; its time is the geometric mean of its candidates, failed ones as the search counts them.",
    ),
    h("ul", {class: "tree"}, drawBranch(parsed.root, slowest(parsed.root))),
    parsed.decisions.length > 0
      ? table({
          caption: "Decisions by importance",
          rows: parsed.decisions,
          key: (row) => row.key,
          columns: [
            {name: "decision", header: true, cell: (row) => h("code", {}, row.key)},
            {name: "explains of the variation", cell: (row) => bar(row.share, 100, `${row.share} %`)},
          ],
        })
      : null,
  ];
}

// The pheromone graph as text: a table of options for each decision, in the order of walks.
export function graphTables(graph, walk) {
  const nodes = [...graph.nodes.values()];
  const most = nodes.reduce((largest, node) => Math.max(largest, node.most), 0);
  return nodes.map((node) => optionsTable(node, walk, most));
}

function optionsTable(node, walk, most) {
  const best = node.options.reduce((a, b) => (b.pheromone > a.pheromone ? b : a));
  const leads = (option) =>
    option.next.map(([next, count], i) => [
      i > 0 ? ", " : "",
      next === "" ? "the end" : h("code", {}, next),
      ` ${count}`,
    ]);
  return h(
    "details",
    {class: "node", "data-key": `table ${node.key}`},
    h(
      "summary",
      {},
      h("code", {}, node.key),
      ` ${plural(node.options.length, "option")}, taken ${node.visits} times; most pheromone on `,
      h("code", {}, best.option),
    ),
    table({
      caption: `Options of ${node.key}`,
      rows: node.options,
      key: (option) => option.option,
      columns: [
        {name: "option", header: true, cell: (option) => h("code", {}, option.option)},
        {
          name: "pheromone",
          cell: (option) => bar(option.pheromone, most, option.pheromone.toPrecision(3)),
        },
        {name: "desirability", number: true, cell: (option) => option.desirability.toPrecision(3)},
        {name: "taken", number: true, cell: (option) => option.visits},
        {name: "then asked", cell: leads},
        {
          name: `candidate ${walk?.index}`,
          hidden: !walk,
          cell: (option) => (option.taken !== null ? h("mark", {}, "takes it") : option.closed),
        },
      ],
    }),
  );
}

export function drawExplanation(state) {
  return [
    h("p", {}, `Made in iteration ${state.iteration}: ${state.origin || "drawn by the search"}.`),
    ...state.notes.map((note) => notice("warning", note)),
    table({
      caption: "How each decision was made",
      rows: state.decisions,
      key: (row) => row.key,
      empty: "It made no decision of its own.",
      columns: [
        {name: "decision", header: true, cell: (row) => h("code", {}, row.key)},
        {name: "chosen", cell: (row) => h("mark", {}, h("code", {}, row.options[row.chosen]?.option ?? "?"))},
        {name: "how", cell: (row) => row.reason},
        {
          name: "options (probability)",
          cell: (row) =>
            row.options.map((option, i) => [
              i > 0 ? ", " : "",
              h("code", {}, option.option),
              option.closed ? ` (${option.closed})` : ` ${(100 * option.probability).toFixed(0)} %`,
            ]),
        },
      ],
    }),
  ];
}
