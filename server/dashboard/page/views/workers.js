// Workers and their devices.
import {get} from "../api.js";
import {h} from "../dom.js";
import {ago, bytes, percent} from "../format.js";
import {badge, candidatePath, link, studyPath, table} from "../parts.js";

const window = 60_000; // ms over which the rate is taken

export function workersView() {
  const seen = new Map(); // name -> [{time, evaluations}, ...]
  return {
    title: "Workers",
    load: async (signal) => {
      const data = await get("/workers", signal);
      for (const worker of data.workers) remember(seen, worker);
      return data;
    },
    concerns: (change) => change.workers,
    ages: () => true, // a worker's last call is no change
    draw: (data) => [
      h("h1", {}, "Workers"),
      table({
        caption: "Workers",
        rows: data.workers,
        key: (worker) => worker.name,
        id: "workers",
        empty: "No worker calls this server. `tune-worker --server ADDRESS` on a host starts one.",
        columns: [
          {name: "worker", header: true, cell: (worker) => worker.name},
          {
            name: "state",
            cell: (worker) => [
              badge(`worker-${worker.state}`, worker.state),
              worker.note ? h("p", {class: "note"}, worker.note) : null,
            ],
          },
          {
            name: "devices",
            cell: (worker) =>
              h(
                "ul",
                {class: "plain"},
                worker.devices.map((device) => h("li", {}, deviceText(device), deviceState(device))),
              ),
          },
          {name: "runs", cell: (worker) => running(worker.running)},
          {name: "evaluations", number: true, cell: (worker) => worker.evaluations.toLocaleString()},
          {name: "a second", number: true, cell: (worker) => rate(seen.get(worker.name))},
          {
            name: "failures",
            number: true,
            cell: (worker) =>
              `${worker.failures.toLocaleString()} (${percent(worker.failures, worker.evaluations)})`,
          },
          {name: "called", cell: (worker) => ago(worker.last_seen)},
        ],
      }),
      h(
        "p",
        {class: "note"},
        "Evaluations and failures since the server started; a failure is any outcome but correct. The rate is that of the last minute that this page was open.",
      ),
    ],
  };
}

function deviceText(device) {
  const cuda = device.cuda ? `, compute capability ${device.cuda.compute_capability}` : "";
  const cores = device.cuda ? `${device.cores} multiprocessors` : `${device.cores} cores`;
  return [
    h("strong", {}, device.model),
    ` ${deviceName(device)}, ${cores}, ${bytes(device.memory_bytes)}${cuda}; ${device.compiler}; ${device.operating_system}`,
  ];
}

// "cuda:1", "cpu".
function deviceName(device) {
  return device.cuda ? `${device.target}:${device.cuda.ordinal}` : device.target;
}

// Nothing of a device that gets work; why another one gets none is in the worker's note.
function deviceState(device) {
  return device.quarantine ? [" ", badge("worker-quarantined", "quarantined")] : null;
}

// "s3/17 run" names what it works on.
function running(text) {
  if (!text) return "–";
  const match = /^(s[0-9]+)\/([0-9]+)\b/.exec(text);
  if (match) return link(candidatePath(match[1], match[2]), text);
  const study = /^(s[0-9]+)\b/.exec(text);
  return study ? link(studyPath(study[1]), text) : text;
}

function remember(seen, worker) {
  const history = seen.get(worker.name) ?? [];
  const now = Date.now();
  if (history.length > 0 && history.at(-1).evaluations > worker.evaluations) history.length = 0; // the server is a new one
  history.push({time: now, evaluations: worker.evaluations});
  while (history.length > 2 && history[0].time < now - window) history.shift();
  seen.set(worker.name, history);
}

function rate(history) {
  if (!history || history.length < 2) return "–";
  const first = history[0],
    last = history.at(-1);
  return last.time > first.time
    ? ((1000 * (last.evaluations - first.evaluations)) / (last.time - first.time)).toPrecision(2)
    : "–";
}
