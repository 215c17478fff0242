// Generated code with colours, and differences between two texts.
import {h} from "./dom.js";
import {loadDiff, loadHighlighter} from "./libraries.js";

const longest = 200_000; // characters; longer texts are shown plain

// The highlighter's tokens as elements, where its own renderer writes markup.
class Tokens {
  constructor(options) {
    this.options = options;
    this.root = document.createDocumentFragment();
    this.open = [this.root];
  }
  get top() {
    return this.open[this.open.length - 1];
  }
  addText(text) {
    if (text !== "") this.top.append(document.createTextNode(text));
  }
  startScope(scope) {
    this.openNode(scope);
  }
  endScope() {
    this.closeNode();
  }
  openNode(scope) {
    const span = document.createElement("span");
    for (const part of String(scope).split(".").slice(0, 2))
      span.classList.add(`hl-${part.replaceAll(/[^a-z_]/g, "")}`);
    this.top.append(span);
    this.open.push(span);
  }
  closeNode() {
    this.open.pop();
  }
  __addSublanguage(emitter) {
    this.top.append(emitter.root);
  }
  finalize() {}
  toHTML() {
    return "";
  }
}

// Equal for equal texts, in an attribute that stays short.
export function fingerprint(...texts) {
  let hash = 2166136261;
  for (const text of texts) {
    for (let i = 0; i < text.length; ++i) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
    hash = Math.imul(hash ^ text.length, 16777619);
  }
  return String(hash >>> 0);
}

// A block of C or CUDA, `name` for its label; coloured as soon as the highlighter is there.
export function codeBlock(text, name) {
  const code = h("code", {}, text);
  const block = h(
    "pre",
    {class: "code", tabindex: "0", "aria-label": name, "data-keep": fingerprint(name, text)},
    code,
  );
  if (text.length <= longest) {
    loadHighlighter().then((highlighter) => {
      if (!highlighter || !code.isConnected) return; // a view drawn again keeps the block that it has
      highlighter.configure({__emitter: Tokens});
      code.replaceChildren(
        highlighter.highlight(text, {language: "cpp", ignoreIllegals: true})._emitter.root,
      );
    });
  }
  return block;
}

export function textBlock(text, name) {
  return h(
    "pre",
    {class: "code", tabindex: "0", "aria-label": name, "data-keep": fingerprint(name, text)},
    text,
  );
}

// Lines of `after` against `before`: removed ones with -, added ones with +, and three equal ones around each.
export function diffBlock(before, after, name) {
  const block = h(
    "pre",
    {class: "code diff", tabindex: "0", "aria-label": name, "data-keep": fingerprint(name, before, after)},
    "…",
  );
  loadDiff().then((Diff) => {
    if (!Diff) {
      block.replaceChildren("This server was built without the library that compares texts.");
      return;
    }
    const changes =
      before.length + after.length > 4 * longest ? null : Diff.diffLines(before, after, {timeout: 3000});
    if (!changes) {
      block.replaceChildren("The texts are too long or too different to be compared here.");
    } else if (changes.every((change) => !change.added && !change.removed)) {
      block.replaceChildren("No difference.");
    } else {
      block.replaceChildren(
        ...changes.flatMap((change, i) => changedLines(change, i > 0, i + 1 < changes.length)),
      );
    }
  });
  return block;
}

function changedLines(change, hasBefore, hasAfter) {
  const lines = change.value.replace(/\n$/, "").split("\n");
  const kind = change.added ? "ins" : change.removed ? "del" : "span";
  const sign = change.added ? "+" : change.removed ? "-" : " ";
  const line = (text) => h(kind, {class: "line"}, `${sign} ${text}\n`);
  if (kind !== "span") return lines.map(line);
  const head = hasBefore ? 3 : 0,
    tail = hasAfter ? 3 : 0;
  if (lines.length <= head + tail + 1) return lines.map(line);
  const hidden = lines.length - head - tail;
  return [
    ...lines.slice(0, head).map(line),
    h("span", {class: "line skipped"}, `  … ${hidden} equal line${hidden === 1 ? "" : "s"}\n`),
    ...lines.slice(lines.length - tail).map(line),
  ];
}
