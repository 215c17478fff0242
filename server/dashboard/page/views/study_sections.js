// Parts of the view of a study.
import {h} from "../dom.js";
import {bytes, moment, percent, plural, ratio, ratioRange, seconds} from "../format.js";
import {
  bar,
  candidatePath,
  choice,
  configurationTable,
  facts,
  link,
  measurement,
  section,
  table,
} from "../parts.js";
import {carvingChart, carvingLegend} from "../carving_chart.js";
import {withUnit} from "../quantities.js";
import {rooflineChart} from "../roofline_chart.js";

// Of studies that are not free to round as is fastest.
const roundings = {
  exact: "exact: sums keep their order, products are rounded",
  tf32x3:
    "tf32x3: tensor cores compute products of floats, each split in two numbers of TF32; errors are near those of floats",
};

export function bestSection(context, id, best) {
  const all = context.parameters().get("decisions") === "all";
  const changed = best.decisions.filter((decision) => decision.changed);
  return section(
    "Best configuration",
    h(
      "p",
      {},
      best.index === 0
        ? "The default configuration is the best."
        : [
            `${changed.length} of ${plural(best.decisions.length, "decision")} of `,
            link(candidatePath(id, best.index), `candidate ${best.index}`),
            " differ from the default. ",
            choice(
              "Decisions",
              [
                ["", "those that differ"],
                ["all", "all"],
              ],
              all ? "all" : "",
              (chosen) => context.setParameters({decisions: chosen}),
            ),
          ],
    ),
    best.index === 0 && !all
      ? null
      : configurationTable("Decisions of the best and of the default", all ? best.decisions : changed, [
          "default",
          "best",
        ]),
  );
}

// Needs operations a byte and a second of each kernel; says which counters are missing.
export function roofline(kernels, device) {
  const find = (kernel, name) => kernel.metrics.find((metric) => metric.name === name);
  const points = kernels
    .map((kernel) => ({kernel, flops: find(kernel, "flop_throughput")}))
    .filter(({flops}) => flops?.value > 0 && flops.normalised > 0)
    .map(({kernel, flops}) => ({
      name: kernel.name,
      intensity: find(kernel, "arithmetic_intensity")?.value,
      rate: flops.value,
      peak: flops.value / flops.normalised, // of the device, for the kernel's mixture of precisions
    }))
    .filter((point) => point.intensity > 0);
  const cuda = device?.cuda;
  // Twice the memory's clock, which is a bus cycle's.
  const bandwidth = cuda ? (2 * cuda.memory_clock_khz * 1e3 * cuda.memory_bus_bits) / 8 : 0;
  if (points.length > 0 && bandwidth > 0) return [h("h3", {}, "Roofline"), rooflineChart(points, bandwidth)];
  const measured = kernels.some((kernel) => kernel.metrics.length > 0);
  const missing = !measured
    ? "the worker had no permission to read the device's counters (its log names the remedy)"
    : points.length === 0
      ? "no kernel has both arithmetic_intensity and flop_throughput: none has floating-point operations on values from the device's memory, or the worker did not count them"
      : "the device's memory clock is not known";
  return [
    h("h3", {}, "Roofline"),
    h(
      "p",
      {class: "empty"},
      `There is no roofline: ${missing}.`,
      measured ? " The table above shows each kernel's throughput as a part of the device's peak." : "",
    ),
  ];
}

export function confirmationSection(id, study) {
  const confirmation = study.confirmation;
  if (!confirmation) return null;
  const equal = new Set(confirmation.equal_to_best);
  const fastest = confirmation.candidates[0]?.index;
  return section(
    "Confirmation",
    h(
      "p",
      {},
      "The best few measured again side by side, in turns with the unmodified region",
      confirmation.worker ? ` on ${confirmation.worker}` : "",
      ".",
    ),
    table({
      caption: "Confirmed candidates, fastest first",
      rows: confirmation.candidates,
      key: (row) => row.index,
      columns: [
        {
          name: "candidate",
          header: true,
          cell: (row) => link(candidatePath(id, row.index), row.index === 0 ? "0, the default" : row.index),
        },
        {name: "time (95 %)", number: true, cell: (row) => measurement(row.measurement)},
        {
          name: "verdict",
          cell: (row) =>
            row.message ||
            (row.index === fastest
              ? "best"
              : equal.has(row.index)
                ? "cannot be told apart from the best"
                : "slower"),
        },
      ],
    }),
    facts([
      ["sequential", confirmation.sequential ? measurement(confirmation.sequential) : null],
      ...checkFacts(confirmation.check, study.device?.target === "cuda"),
    ]),
  );
}

// What became of the user's program with the best candidate in it.
function checkFacts(check, onGpu) {
  if (!check) return [];
  if (!check.outcome) return [["unchecked", check.message]];
  if (check.outcome !== "correct") return []; // a notice above says so
  const agree = [
    "the tuned program's outputs agree with the original's",
    check.fresh || !check.seconds ? "" : `; ${seconds(check.seconds)} for the region in one run`,
    onGpu ? "; times are with copies to the device and back" : "",
    check.beside_others ? "; the worker had other work meanwhile" : "",
    check.message ? `; ${check.message}` : "",
  ];
  return [
    ["checked", agree.join("")],
    ["fresh", check.fresh ? comparison(check.fresh, "the region's first execution") : null],
    ["warm", check.warm ? comparison(check.warm, "its later executions") : null],
  ];
}

function comparison(times, what) {
  const range = ratioRange(times);
  const interval = range ? ` (${range})` : "";
  const medians = `${seconds(times.tuned_seconds)} for ${seconds(times.original_seconds)}`;
  return `${times.verdict}: ${ratio(times.ratio)}${interval} over the original, ${medians}; ${what} in ${plural(times.runs, "run")} of each`;
}

export function timingSection(timing) {
  if (timing.stages.length === 0) return null;
  const total = timing.stages.reduce((sum, stage) => sum + stage.seconds, 0);
  return section(
    "Where the time went",
    h(
      "p",
      {},
      `${plural(timing.evaluations, "evaluation")} in ${seconds(timing.wall_seconds)}: ${timing.evaluations_per_second.toPrecision(3)} a second. Stages of several candidates overlap.`,
    ),
    table({
      caption: "Stages of the evaluations",
      rows: timing.stages,
      key: (stage) => stage.stage,
      columns: [
        {name: "stage", header: true, cell: (stage) => stage.stage},
        {name: "share", cell: (stage) => bar(stage.seconds, total, percent(stage.seconds, total))},
        {name: "sum", number: true, cell: (stage) => seconds(stage.seconds)},
        {name: "mean", number: true, cell: (stage) => seconds(stage.seconds / stage.evaluations)},
        {name: "evaluations", number: true, cell: (stage) => stage.evaluations.toLocaleString()},
      ],
    }),
  );
}

function deviceLimits(cuda) {
  return [
    `compute capability ${cuda.compute_capability}`,
    `${cuda.max_threads_per_block} threads a block, ${cuda.max_threads_per_multiprocessor} a multiprocessor`,
    `${cuda.registers_per_multiprocessor} registers`,
    `shared memory ${bytes(cuda.shared_bytes_per_block)} a block, ${bytes(cuda.shared_bytes_per_block_optin)} on request, ${bytes(cuda.shared_bytes_per_multiprocessor)} a multiprocessor`,
    `L2 ${bytes(cuda.l2_bytes)}`,
  ].join("; ");
}

export function detailsSection(study, spec) {
  const search = study.search,
    reference = study.reference,
    region = study.region;
  const constants =
    search.strategy === "ants"
      ? `, ${search.ants} ants, ${search.iterations} iterations, α ${search.alpha}, β ${search.beta}, ρ ${search.rho}`
      : search.strategy === "tree" || search.strategy === "portfolio"
        ? `, σ ${search.sigma}, base offset ${search.base_offset}`
        : "";
  const without = [
    search.no_kernel_updates ? "pheromone by kernel" : null,
    search.no_metrics ? "counters" : null,
    search.no_tree ? "regression tree" : null,
  ].filter(Boolean);
  const code = (texts) => (texts?.length ? h("code", {}, texts.join(" ")) : null);
  const sizes = (record, text) =>
    Object.entries(record ?? {})
      .map(([name, value]) => text(name, value))
      .join(", ");
  return section(
    "Details",
    facts([
      ["owner", study.owner],
      ["created", moment(study.created)],
      ["finished", study.finished ? moment(study.finished) : null],
      [
        "region",
        region
          ? `${region.file}, lines ${region.begin_line} to ${region.end_line}, in ${region.function}`
          : null,
      ],
      ["parameters", sizes(reference?.parameters, (name, value) => `${name} = ${value}`)],
      [
        "arrays",
        sizes(reference?.arrays, (name, extents) => name + extents.map((extent) => `[${extent}]`).join("")),
      ],
      ["memory", reference ? bytes(reference.memory_bytes) : null],
      ["inputs", reference?.seeded ? "made by the worker: the file has no main" : null],
      ["search", `${search.strategy}, seed ${search.seed}${constants}`],
      [
        "objective",
        search.objective === "time" ? null : `${search.maximise ? "most" : "least"} ${withUnit(search.objective)}`,
      ],
      ["generator", study.generator === "ppcg" ? study.device?.ppcg || "ppcg" : study.generator === "cpu+cuda" ? "cpu+cuda" : null],
      ["rounding", roundings[study.rounding] ?? null],
      ["level", search.level || null],
      ["counters", search.count_all ? "of every correct candidate" : null],
      ["without", search.strategy === "ants" ? without.join(", ") : null],
      [
        "device",
        study.device
          ? `${study.device.model}, ${study.device.cores} ${study.device.target === "cuda" ? "multiprocessors" : "cores"}`
          : null,
      ],
      ["limits", study.device?.cuda ? deviceLimits(study.device.cuda) : null],
      ["compiler", study.device?.compiler],
      ["system", study.device?.operating_system],
      ["flags", code(spec?.compile_flags)],
      ["defines", code(spec?.defines)],
      ["arguments", code(spec?.arguments)],
      [
        "came from",
        study.provenance
          ? `${study.provenance.format} ${study.provenance.server} ${study.provenance.study_id}, ${moment(study.provenance.imported)}`
          : null,
      ],
    ]),
  );
}

export function carvingSection(context, id, {margin, inspections}) {
  const unknown = inspections.filter((inspection) => !inspection.known);
  const unbuilt = unknown.filter((inspection) => inspection.removed).length;
  return section(
    "Carving",
    h("div", {class: "chart-head"}, carvingLegend(inspections)),
    carvingChart(inspections, margin, (index) => context.go(candidatePath(id, index))),
    h(
      "p",
      {},
      "Each point is a configuration, compiled and not run: how few instructions it executes, and how much there is to do while a warp waits. The line is the front that no other one surpasses",
      margin > 0 ? `, the dashed one the margin of ${margin}` : "",
      "; the fastest measured one has a ring.",
      unbuilt > 0 ? ` ${unbuilt} cannot be built.` : "",
      unknown.length > unbuilt ? ` Of ${unknown.length - unbuilt} nothing is known; they are kept.` : "",
    ),
  );
}
