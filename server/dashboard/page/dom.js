// Making and updating elements. Text from the server becomes text nodes, nothing else.

// h("a", {href: "/x", class: "y", onclick: f}, "text", element, [more], null): attributes by name, functions as
// handlers; true and false set and leave out an attribute; null children are left out.
export function h(name, attributes, ...children) {
  return filled(document.createElement(name), attributes, children);
}

// The same for a part of a picture.
export function svg(name, attributes, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element[key] = value;
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

const handlers = ["onclick", "oninput", "onchange", "onsubmit", "onkeydown", "ontoggle"];

// Makes `from` look like `to`, keeping nodes that stay the same, so that focus, selection and scrolling survive.
// data-key names a child among its siblings. data-keep marks what makes its own content: it stays while the value is
// equal; when that differs `onupdate` of the new element is called with the old one, or the new one takes its place.
export function morph(from, to) {
  if (from.nodeName !== to.nodeName || from.nodeType !== to.nodeType || keyOf(from) !== keyOf(to)) {
    from.replaceWith(to);
    return to;
  }
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return from;
  }
  for (const handler of handlers) from[handler] = to[handler] ?? null;
  if (to.dataset.keep !== undefined) return keep(from, to);
  morphAttributes(from, to);
  morphChildren(from, to);
  return from;
}

const keyOf = (node) => node.dataset?.key;

function keep(from, to) {
  if (from.dataset.keep === to.dataset.keep) return from;
  if (from.dataset.keep !== undefined && to.onupdate && to.onupdate(from)) {
    from.dataset.keep = to.dataset.keep;
    return from;
  }
  from.replaceWith(to);
  return to;
}

function morphAttributes(from, to) {
  const stays = from.nodeName === "DETAILS" ? "open" : "";
  for (const {name} of [...from.attributes]) {
    if (name !== stays && !to.hasAttribute(name)) from.removeAttribute(name);
  }
  for (const {name, value} of to.attributes) {
    if (name !== stays && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  const typed = from.nodeName === "INPUT" || from.nodeName === "SELECT";
  if (typed && document.activeElement !== from && from.value !== to.value) from.value = to.value;
}

function morphChildren(from, to) {
  // What goes, goes first: so that what stays need not be moved, which would take its focus.
  const wantedKeys = new Set([...to.children].map(keyOf));
  for (const child of [...from.children]) if (keyOf(child) && !wantedKeys.has(keyOf(child))) child.remove();
  const keyed = new Map([...from.children].filter(keyOf).map((child) => [keyOf(child), child]));
  let place = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const known = keyOf(wanted) ? keyed.get(keyOf(wanted)) : undefined;
    if (known && known !== place) from.insertBefore(known, place);
    const current = known ?? place;
    if (current && !(keyOf(current) && !known)) {
      place = current.nextSibling;
      morph(current, wanted);
    } else {
      from.insertBefore(wanted, place);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

// Shows `content` in `root`, updating what is there.
export function show(root, ...content) {
  const next = root.cloneNode(false);
  append(next, content);
  morphChildren(root, next);
}
