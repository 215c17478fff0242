// Where the boxes and edges of the pheromone graph lie: sizes from the texts, places from dagre.
import {shorten} from "./format.js";

const letter = 7.3; // pixels of a letter of the picture's font
const padding = 8;
const headHeight = 40,
  gap = 6;
export const chipTop = headHeight,
  chipHeight = 40;
const mostChips = 10;
const byNumber = new Intl.Collator(undefined, {numeric: true}); // 8 before 16
const longestOption = 12,
  longestKey = 36;

// What an open box shows of a node: fields for the options that were taken, most pheromone first where there are too many,
// then one for the rest of them; then, apart, those that were not.
function chipsOf(node) {
  const options = [...node.options].sort((a, b) => byNumber.compare(a.option, b.option));
  const taken = options.filter((option) => option.visits > 0 || option.taken !== null);
  const kept = new Set(
    [...taken]
      .sort((a, b) => (b.taken !== null) - (a.taken !== null) || b.pheromone - a.pheromone)
      .slice(0, taken.length > mostChips ? mostChips - 1 : mostChips),
  );
  const chips = taken.filter((option) => kept.has(option)).map(optionChip);
  const rest = taken.filter((option) => !kept.has(option));
  if (rest.length > 0) chips.push(restChip(rest));
  const apart = options.filter((option) => option.visits === 0 && option.taken === null);
  const masked = apart.filter((option) => option.masked);
  const others = apart.filter((option) => !option.masked);
  for (const [options, name] of [
    [others, "not taken"],
    [masked, "not allowed"],
  ]) {
    if (options.length > 2) chips.push(apartChip(options, name));
    else chips.push(...options.map((option) => ({...optionChip(option), apart: true, detail: name})));
  }
  return chips;
}

const optionChip = (option) => ({
  key: `option ${option.option}`,
  name: (option.taken !== null ? "✓ " : "") + shorten(option.option, longestOption),
  detail: `${option.pheromone.toFixed(2)} · ${option.visits}`,
  title: `${option.option}: pheromone ${option.pheromone.toPrecision(3)}, desirability ${option.desirability.toPrecision(3)}, taken by ${option.visits}${option.closed ? `; on this walk: ${option.closed}` : ""}`,
  pheromone: option.pheromone,
  visits: option.visits,
  next: option.next,
  taken: option.taken,
  masked: option.masked,
  apart: false,
});

// Options that share a field. The edges of all of them leave it.
function restChip(options) {
  const next = new Map();
  for (const [key, visits] of options.flatMap((option) => option.next))
    next.set(key, (next.get(key) ?? 0) + visits);
  const visits = options.reduce((sum, option) => sum + option.visits, 0);
  return {
    ...apartChip(options, `others · ${visits}`),
    key: "rest",
    pheromone: Math.max(...options.map((option) => option.pheromone)),
    visits,
    next: [...next],
    apart: false,
  };
}

const apartChip = (options, detail) => ({
  key: detail,
  name: `+ ${options.length}`,
  detail,
  title: `${detail}: ${options.map((option) => option.option).join(", ")}`,
  pheromone: 0,
  visits: 0,
  next: [],
  taken: null,
  masked: options.every((option) => option.masked),
  apart: true,
});

const widthOf = (...texts) => Math.max(...texts.map((text) => [...text].length)) * letter + 2 * padding;

function makeBox(node, unfolded, hidden) {
  const name = shorten(node.key, longestKey);
  const detail = [
    `${node.options.length} option${node.options.length === 1 ? "" : "s"}`,
    `${node.visits} taken`,
    ...(hidden > 0 ? [`${hidden} below`] : []),
  ].join(" · ");
  const chips = unfolded ? chipsOf(node) : [];
  let x = padding;
  for (const chip of chips) {
    chip.x = x;
    chip.width = Math.max(48, widthOf(chip.name, chip.detail));
    x += chip.width + gap;
  }
  return {
    node,
    unfolded,
    name,
    detail,
    chips,
    width: Math.max(widthOf(name, detail) + 16, x - gap + padding),
    height: headHeight + (unfolded ? chipHeight + padding : 0),
  };
}

// Smooth, leaving and reaching every point vertically.
function curve(points) {
  const number = (value) => value.toFixed(1);
  let path = `M${number(points[0].x)} ${number(points[0].y)}`;
  for (let i = 1; i < points.length; ++i) {
    const a = points[i - 1],
      b = points[i];
    const middle = number((a.y + b.y) / 2);
    path += `C${number(a.x)} ${middle} ${number(b.x)} ${middle} ${number(b.x)} ${number(b.y)}`;
  }
  return path;
}

// Edges from each field of a box to the boxes after it, along the way that the layout found for all of them together.
function edgesOf(box, boxes, ways) {
  const edges = [];
  for (const chip of box.chips) {
    for (const [key, visits] of chip.next) {
      const target = boxes.get(key);
      if (!target || target === box) continue;
      const start = {x: box.x + chip.x + chip.width / 2, y: box.y + box.height};
      const stop = {x: target.x + target.width / 2, y: target.y};
      edges.push({
        key: JSON.stringify([box.node.key, chip.key, key]),
        path: curve([start, ...ways.get(JSON.stringify([box.node.key, key])), stop]),
        pheromone: chip.pheromone,
        share: box.node.visits > 0 ? visits / box.node.visits : 0,
        taken: chip.taken === key,
      });
    }
  }
  return edges.sort((a, b) => a.taken - b.taken);
}

// The points of a way between two rows; none between neighbouring ones.
const bends = (points) => (points.length > 3 ? points.slice(1, -1) : []);

const end = {key: "", options: [], visits: 0, next: new Set(), onWalk: false};

// Lays out the nodes `shown`, those of the set `unfolded` open: {width, height, boxes: [{node, unfolded, name, detail, chips,
// x, y, width, height}], edges: [{key, path, pheromone, share, taken}]}, pixels. `hidden(node)`: decisions that its folding
// hides. The end of all walks is a box whose node has the key "".
export function layOut(dagre, shown, unfolded, hidden) {
  const boxes = new Map(
    shown.map((node) => {
      const open = unfolded.has(node.key);
      return [node.key, makeBox(node, open, open ? 0 : hidden(node))];
    }),
  );
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({rankdir: "TB", nodesep: 28, edgesep: 12, ranksep: 44, marginx: 16, marginy: 16});
  const ends = [...boxes.values()].some((box) =>
    box.chips.some((chip) => chip.next.some(([key]) => key === "")),
  );
  if (ends)
    boxes.set("", {node: end, unfolded: false, name: "end", detail: "", chips: [], width: 56, height: 28});
  for (const [key, box] of boxes) graph.setNode(`n${key}`, {width: box.width, height: box.height});
  for (const [key, box] of boxes) {
    for (const chip of box.chips) {
      for (const [next, visits] of chip.next) {
        if (!boxes.has(next) || next === key) continue;
        const known = graph.edge(`n${key}`, `n${next}`);
        graph.setEdge(`n${key}`, `n${next}`, {
          weight: (known?.weight ?? 1) + visits + (chip.taken === next ? 20 : 0),
        });
      }
    }
  }
  dagre.layout(graph);
  for (const [key, box] of boxes) {
    const {x, y} = graph.node(`n${key}`);
    Object.assign(box, {x: x - box.width / 2, y: y - box.height / 2});
  }
  const ways = new Map();
  for (const {v, w} of graph.edges())
    ways.set(JSON.stringify([v.slice(1), w.slice(1)]), bends(graph.edge(v, w).points));
  const {width, height} = graph.graph();
  const all = [...boxes.values()];
  return {width, height, boxes: all, edges: all.flatMap((box) => edgesOf(box, boxes, ways))};
}
