// The picture of the pheromone graph: boxes that fold and unfold with the mouse and with keys.
import {h, svg} from "./dom.js";
import {chipTop, chipHeight} from "./graph_layout.js";

const widest = 7; // pixels of the edge with most pheromone

function drawEdge(edge, most) {
  return svg("path", {
    "data-key": edge.key,
    class: edge.taken ? "edge walk" : "edge",
    d: edge.path,
    "stroke-width": (1 + ((widest - 1) * edge.pheromone) / (most || 1)).toFixed(2),
    "stroke-opacity": (edge.taken ? 1 : 0.2 + 0.7 * Math.min(1, edge.share)).toFixed(2),
  });
}

function drawChip(chip, most) {
  const kind = [
    "chip",
    chip.taken !== null ? "walk" : "",
    chip.apart ? "apart" : "",
    chip.masked ? "masked" : "",
  ];
  const level = (chip.width * chip.pheromone) / (most || 1);
  return svg(
    "g",
    {
      class: kind.filter(Boolean).join(" "),
      "data-key": chip.key,
      transform: `translate(${chip.x} ${chipTop})`,
    },
    svg("title", {}, chip.title),
    svg("rect", {width: chip.width, height: chipHeight, rx: 4}),
    chip.apart
      ? null
      : svg("rect", {class: "level", y: chipHeight - 4, width: level.toFixed(1), height: 4, rx: 2}),
    svg("text", {x: chip.width / 2, y: 16, "text-anchor": "middle"}, chip.name),
    svg("text", {class: "detail", x: chip.width / 2, y: 32, "text-anchor": "middle"}, chip.detail),
  );
}

// What a screen reader says of a box's head: first what is seen of it.
function headLabel({node, name, detail}) {
  const best = node.options.reduce((a, b) => (b.pheromone > a.pheromone ? b : a));
  const taken = node.options.find((option) => option.taken !== null);
  const masked = node.options.filter((option) => option.masked).map((option) => option.option);
  return [
    `${name}, ${detail}`,
    name === node.key ? null : `in full ${node.key}`,
    `most pheromone on ${best.option}`,
    taken ? `the marked walk takes ${taken.option}` : null,
    masked.length > 0 ? `not allowed on the marked walk: ${masked.join(", ")}` : null,
  ]
    .filter(Boolean)
    .join("; ");
}

function drawBox(box, most, current) {
  const place = {
    transform: `translate(${box.x.toFixed(1)} ${box.y.toFixed(1)})`,
    "data-key": `node ${box.node.key}`,
  };
  if (box.node.key === "") {
    return svg(
      "g",
      {...place, class: "end"},
      svg("rect", {width: box.width, height: box.height, rx: box.height / 2}),
      svg("text", {x: box.width / 2, y: 18, "text-anchor": "middle"}, box.name),
    );
  }
  return svg(
    "g",
    {
      ...place,
      class: ["decision", box.node.onWalk ? "walk" : "", box.unfolded ? "" : "folded"]
        .filter(Boolean)
        .join(" "),
      "data-node": box.node.key,
    },
    svg("title", {}, box.node.key),
    svg("rect", {class: "box", width: box.width, height: box.height, rx: 6}),
    svg(
      "g",
      {
        class: "head",
        role: "button",
        tabindex: box.node.key === current ? "0" : "-1",
        "aria-expanded": String(box.unfolded),
        "aria-label": headLabel(box),
      },
      svg("rect", {class: "grip", width: box.width, height: 40, rx: 6}),
      svg("text", {x: 8, y: 17}, `${box.unfolded ? "▾" : "▸"} ${box.name}`),
      svg("text", {class: "detail", x: 8, y: 33}, `  ${box.detail}`),
    ),
    box.chips.map((chip) => drawChip(chip, most)),
  );
}

// The box that a key leads to from `box`: up and down along the edges most taken, left and right in a row, to both ends.
function neighbour(layout, box, key) {
  const boxes = layout.boxes.filter((other) => other.node.key !== "");
  const find = (name) => boxes.find((other) => other.node.key === name);
  const middle = (other) => other.y + other.height / 2;
  if (key === "ArrowDown") {
    const counts = new Map();
    for (const [next, visits] of box.chips.flatMap((chip) => chip.next))
      if (find(next)) counts.set(next, (counts.get(next) ?? 0) + visits);
    const [first] = [...counts].sort((a, b) => b[1] - a[1]);
    return first && find(first[0]);
  }
  if (key === "ArrowUp") {
    const leads = (other) =>
      other.chips
        .flatMap((chip) => chip.next)
        .reduce((sum, [next, visits]) => sum + (next === box.node.key ? visits : 0), 0);
    return boxes.filter((other) => other !== box && leads(other) > 0).sort((a, b) => leads(b) - leads(a))[0];
  }
  if (key === "Home") return boxes[0];
  if (key === "End") return boxes.at(-1);
  const row = boxes.filter((other) => Math.abs(middle(other) - middle(box)) < 1).sort((a, b) => a.x - b.x);
  return row[row.indexOf(box) + (key === "ArrowRight" ? 1 : -1)];
}

const moves = ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"];

// The picture of a layout (see layOut) in a box of its own that scrolls. `most`: the most pheromone of any option.
// `state.current`: key of the node that the Tab key reaches, kept here; `toggle(key)` folds or unfolds a node.
export function graphPicture(layout, most, state, label, toggle) {
  const find = (key) => layout.boxes.find((box) => box.node.key === key && key !== "");
  if (!find(state.current)) state.current = layout.boxes[0].node.key;
  const elementOf = (event) => event.target.closest("[data-node]");
  const focus = (picture, key) => {
    for (const element of picture.querySelectorAll("[data-node]")) {
      const chosen = element.dataset.node === key;
      const head = element.querySelector(".head");
      head.setAttribute("tabindex", chosen ? "0" : "-1");
      if (!chosen) continue;
      head.focus({preventScroll: true});
      element.scrollIntoView({block: "nearest", inline: "nearest"});
    }
    state.current = key;
  };
  const picture = svg(
    "svg",
    {
      width: Math.ceil(layout.width),
      height: Math.ceil(layout.height),
      viewBox: `0 0 ${Math.ceil(layout.width)} ${Math.ceil(layout.height)}`,
      role: "group",
      "aria-label": label,
      onclick: (event) => {
        const element = elementOf(event);
        if (!element) return;
        focus(element.ownerSVGElement, element.dataset.node);
        if (event.target.closest(".head")) toggle(element.dataset.node);
      },
      onkeydown: (event) => {
        const element = elementOf(event);
        if (!element || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "Enter" || event.key === " ") toggle(element.dataset.node);
        else if (moves.includes(event.key)) {
          const next = neighbour(layout, find(element.dataset.node), event.key);
          if (next) focus(element.ownerSVGElement, next.node.key);
        } else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
    svg(
      "g",
      {"aria-hidden": "true"},
      layout.edges.map((edge) => drawEdge(edge, most)),
    ),
    svg(
      "g",
      {},
      layout.boxes.map((box) => drawBox(box, most, state.current)),
    ),
  );
  const frame = h("div", {class: "graph", "data-key": "graph"}, picture);
  // The first decision is what is seen first.
  const [first] = layout.boxes;
  queueMicrotask(() => {
    if (frame.isConnected) frame.scrollLeft = first.x + first.width / 2 - frame.clientWidth / 2;
  });
  return frame;
}
