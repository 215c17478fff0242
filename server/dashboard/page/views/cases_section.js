// The case discussion of a study's region: for which machines and formats each variant of a kernel is.
import {h} from "../dom.js";
import {facts, section, table} from "../parts.js";

export function casesSection({name, requirement, kernels}) {
  return section(
    "Cases for all sizes and GPUs",
    h(
      "p",
      {},
      "Code in which sizes are arguments, and what a block needs decides among variants. ",
      requirement ? ["It is for ", h("code", {}, requirement), "; for other sizes the original runs."] : null,
    ),
    kernels.map((kernel) => drawKernel(name, kernel)),
  );
}

function drawKernel(region, {name, symbols, cases, tree}) {
  return h(
    "div",
    {"data-key": `cases ${name}`},
    h("h3", {}, region, ", kernel ", h("code", {}, name)),
    facts(symbols.map((symbol) => [symbol.name, symbol.meaning + (symbol.machine ? " that the machine has" : "")])),
    h("ul", {class: "tree", "aria-label": `Cases of ${name}`}, drawNode("", tree)),
    table({
      caption: `Cases of ${name}`,
      rows: cases.map((one, i) => ({...one, number: i + 1})),
      key: (one) => one.number,
      columns: [
        {name: "case", header: true, cell: (one) => one.number},
        {name: "decisions", cell: (one) => one.decisions.join(", ")},
        {name: "needs", cell: (one) => one.values.map(({counter, value}) => [h("code", {}, value), ` ${counter}; `])},
        {name: "kernel", cell: (one) => [h("code", {}, one.function), one.unknown ? " (may never occur)" : ""]},
      ],
    }),
  );
}

// `holds`: "yes", "no", or nothing at the root. A condition has both branches below it.
function drawNode(holds, node) {
  const answer = holds ? h("small", {}, `${holds}: `) : null;
  if (!node) return h("li", {}, h("div", {class: "branch"}, answer, "none"));
  if (node.case) return h("li", {}, h("div", {class: "branch"}, answer, h("strong", {}, `case ${node.case}`)));
  return h(
    "li",
    {},
    h("div", {class: "branch"}, answer, h("code", {}, node.condition)),
    h("ul", {}, drawNode("yes", node.holds), drawNode("no", node.fails)),
  );
}
