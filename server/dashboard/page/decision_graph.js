// The pheromone graph as data: decisions, their options, a candidate's walk through it, and which part of it is unfolded.

// Keys in the order in which walks ask them.
function walkOrder(nodes) {
  const order = [],
    seen = new Set();
  const visit = (node) => {
    if (seen.has(node)) return;
    seen.add(node);
    for (const key of node.next) visit(nodes.get(key));
    order.push(node);
  };
  for (const node of [...nodes.values()].reverse()) visit(node);
  return order.reverse();
}

const place = (key, option) => JSON.stringify([key, option]);

// A walk from a candidate's configuration and, where there is one, the document that explains it:
// {index, follows: what is asked after each option that it took, closed: why options could not be taken}.
export function makeWalk(index, configuration, explanation) {
  const walk = {index, follows: new Map(), closed: new Map()};
  configuration.forEach(({key, option}, i) =>
    walk.follows.set(place(key, option), configuration[i + 1]?.key ?? ""),
  );
  for (const {key, options} of explanation?.decisions ?? []) {
    for (const {option, closed} of options) if (closed) walk.closed.set(place(key, option), closed);
  }
  return walk;
}

// What a mask of the space says of an option; other reasons are the search's own.
const isMask = (reason) => reason.startsWith("not allowed");

// The graph of the API's edges with `walk`, or null, marked in it: {nodes: key -> node in the order of walks, roots}.
// A node: {key, visits, most (pheromone), next: keys of decisions asked after it, onWalk, options}. An option: that of the
// API with next as [[key, visits], ...], "" at the end of a walk, by visits; taken: the key that the walk asked after it,
// null where it did not take it; closed: why it could not; masked: whether that is a rule of the space.
export function makeGraph(edges, walk) {
  const found = new Map();
  for (const edge of edges) {
    if (!found.has(edge.key))
      found.set(edge.key, {key: edge.key, visits: 0, most: 0, next: new Set(), onWalk: false, options: []});
    const node = found.get(edge.key);
    const name = place(edge.key, edge.option);
    const closed = walk?.closed.get(name) ?? "";
    const next = Object.entries(edge.next).sort((a, b) => b[1] - a[1]);
    const taken = walk?.follows.get(name) ?? null;
    node.options.push({...edge, next, taken, closed, masked: isMask(closed)});
    node.visits += edge.visits;
    node.most = Math.max(node.most, edge.pheromone);
    node.onWalk ||= taken !== null;
  }
  for (const node of found.values()) {
    const keys = node.options.flatMap((option) => option.next).map(([key]) => key);
    node.next = new Set(keys.filter((key) => found.has(key)));
  }
  const nodes = new Map(walkOrder(found).map((node) => [node.key, node]));
  return {nodes, roots: findRoots(nodes)};
}

// Where walks begin; where they go in circles one node of each.
function findRoots(nodes) {
  const later = new Set([...nodes.values()].flatMap((node) => [...node.next]));
  const roots = [...nodes.keys()].filter((key) => !later.has(key));
  for (const key of nodes.keys()) if (!reach({nodes}, roots, () => true).has(key)) roots.push(key);
  return roots;
}

export const startSize = 24; // decisions that are shown at first
export const largestSize = 300; // ... at most: a picture of more is no help, and its layout takes seconds

// Keys of the nodes that are unfolded before the user folds any. `how`: "visited": the most visited, until `startSize`
// decisions are shown; "walk": those of the walk; "all": as many as can be shown.
export function unfoldedAtFirst(graph, how) {
  if (how === "walk")
    return new Set([...graph.nodes.values()].filter((node) => node.onWalk).map((node) => node.key));
  const most = how === "all" ? largestSize : startSize;
  const unfolded = new Set(),
    shown = new Set(graph.roots);
  const waiting = graph.roots.map((key) => graph.nodes.get(key));
  while (waiting.length > 0) {
    let chosen = 0;
    waiting.forEach((node, i) => {
      if (node.visits > waiting[chosen].visits) chosen = i;
    });
    const [node] = waiting.splice(chosen, 1);
    const fresh = [...node.next].filter((key) => !shown.has(key));
    if (shown.size + fresh.length > most && unfolded.size > 0) continue;
    unfolded.add(node.key);
    for (const key of fresh) {
      shown.add(key);
      waiting.push(graph.nodes.get(key));
    }
  }
  return unfolded;
}

function reach(graph, starts, follows) {
  const reached = new Set(starts);
  for (const key of reached) {
    if (follows(key)) for (const next of graph.nodes.get(key).next) reached.add(next);
  }
  return reached;
}

// The nodes that are shown when those of `unfolded` are, in the order of walks.
export function shownNodes(graph, unfolded) {
  const reached = reach(graph, graph.roots, (key) => unfolded.has(key));
  return [...graph.nodes.values()].filter((node) => reached.has(node.key)).slice(0, largestSize);
}

// How many decisions come after `key` that are not among `shown` (keys).
export function countHidden(graph, key, shown) {
  return [...reach(graph, [key], () => true)].filter((other) => !shown.has(other)).length;
}
