// The libraries, each loaded when it is needed first. A build may lack them: then null.
const scripts = new Map();

function script(path, name) {
  if (!scripts.has(path)) {
    scripts.set(
      path,
      new Promise((done) => {
        const element = document.createElement("script");
        element.src = path;
        element.onload = () => done(globalThis[name] ?? null);
        element.onerror = () => done(null);
        document.head.append(element);
      }),
    );
  }
  return scripts.get(path);
}

export const loadChart = () => script("/lib/uPlot.iife.min.js", "uPlot");
export const loadLayout = () => script("/lib/dagre.min.js", "dagre");
export const loadDiff = () => script("/lib/diff.min.js", "Diff");

let highlighter = null;
export function loadHighlighter() {
  highlighter ??= Promise.all([import("/lib/core.min.js"), import("/lib/cpp.min.js")]).then(
    ([core, cpp]) => {
      core.default.registerLanguage("cpp", cpp.default);
      return core.default;
    },
    () => null,
  );
  return highlighter;
}
