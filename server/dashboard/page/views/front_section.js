// The candidates of a study that none surpasses in two quantities.
import {h} from "../dom.js";
import {plural} from "../format.js";
import {frontChart, frontPoints, parseQuantity, printQuantity} from "../front_chart.js";
import {quantitiesOf} from "../quantities.js";
import {candidatePath, choice, section} from "../parts.js";

// Time and what the study is tuned for, else what is known beside the time; null: there is no second quantity.
function chosenQuantities(context, study, names) {
  const told = (context.parameters().get("front") ?? "").split(",").map(parseQuantity);
  if (told.length === 2 && told.every(({name}) => names.includes(name)) && told[0].name !== told[1].name) return told;
  const {name, maximise} = study.objective;
  const others = names.filter((one) => one !== "time");
  if (others.length === 0 || !names.includes("time")) return null;
  const second = others.includes(name) ? {name, maximise} : {name: others[0], maximise: false};
  return [{name: "time", maximise: false}, second];
}

// Which quantity an axis has, and which way is better.
function axisChoice(label, quantity, names, choose) {
  return [
    h(
      "label",
      {},
      h("span", {}, label),
      h(
        "select",
        {onchange: (event) => choose({name: event.target.value, maximise: false})},
        names.map((name) => h("option", {value: name, selected: name === quantity.name}, name)),
      ),
    ),
    choice(
      `Better, ${label.toLowerCase()}`,
      [
        [false, "less is better"],
        [true, "more is better"],
      ],
      quantity.maximise,
      (maximise) => choose({...quantity, maximise}),
    ),
  ];
}

export function frontSection(context, id, study, rows) {
  const correct = rows.filter((row) => row.origin === "search" && row.outcome === "correct");
  const names = quantitiesOf(correct);
  const quantities = chosenQuantities(context, study, names);
  if (quantities === null) return null;
  const [first, second] = quantities;
  const points = frontPoints(correct, first, second);
  const choose = (place) => (quantity) => {
    const chosen = quantities.map((old, i) => (i === place ? quantity : old));
    // The other axis takes the quantity that was here.
    if (chosen[0].name === chosen[1].name) chosen[1 - place] = quantities[place];
    context.setParameters({front: chosen.map(printQuantity).join(",")}, {redraw: true});
  };
  const front = points.filter((point) => point.on_front).length;
  return section(
    "Front",
    h(
      "form",
      {class: "filters", onsubmit: (event) => event.preventDefault()},
      axisChoice("Horizontal", first, names, choose(0)),
      axisChoice("Vertical", second, names, choose(1)),
    ),
    points.length === 0
      ? h("p", {class: "empty"}, "no correct candidate has both")
      : frontChart(points, first, second, study.best_index, (index) => context.go(candidatePath(id, index))),
    h(
      "p",
      {},
      `No other candidate surpasses the ${plural(front, "candidate")} on the line in both; the best by ${study.objective.name} has a ring. `,
      h("code", {}, `tunectl show ${id} --front ${quantities.map(printQuantity).join(",")}`),
      " lists them.",
    ),
  );
}
