// The page's frame: which view is shown, what happens on changes, keys and theme.
import {follow, get} from "./api.js";
import {redrawCharts} from "./chart.js";
import {h, show} from "./dom.js";
import {notice} from "./parts.js";
import {candidateView} from "./views/candidate.js";
import {resultsView} from "./views/results.js";
import {searchView} from "./views/search.js";
import {studiesView} from "./views/studies.js";
import {studyView} from "./views/study.js";
import {workersView} from "./views/workers.js";

// A view: {title, load(signal) -> data, draw(data) -> elements, concerns(change) -> bool, up, next, previous,
// ages(data) -> bool}. `ages`: its data gets old without a change that the server tells.
const routes = [
  [/^\/(?:studies)?$/, studiesView],
  [/^\/studies\/([^/]+)$/, studyView],
  [/^\/studies\/([^/]+)\/search$/, searchView],
  [/^\/studies\/([^/]+)\/candidates\/([0-9]+)$/, candidateView],
  [/^\/workers$/, workersView],
  [/^\/results$/, resultsView],
];
const betweenLoads = 2000; // ms, so that a page costs the server little while much changes

const betweenAges = 15_000; // ms

const main = document.getElementById("main");
let view = null;
let address = ""; // of the view
let data = null;
let loading = null;
let loaded = 0;
let waiting = null;
let wantedScroll = 0; // pixels, when the view is drawn first

// Null where a percent sign stands for nothing.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function findView() {
  for (const [pattern, make] of routes) {
    const match = pattern.exec(location.pathname);
    const names = match?.slice(1).map(decoded);
    if (names && !names.includes(null)) return make(context, ...names);
  }
  return {
    title: "Not found",
    load: async () => null,
    draw: () => [h("h1", {}, "Not found"), notice("error", `There is nothing at ${location.pathname}.`)],
    concerns: () => false,
  };
}

// What views may do.
const context = {
  go(path) {
    history.replaceState({scroll: scrollY}, "");
    history.pushState(null, "", path);
    open();
    main.focus({preventScroll: true});
  },
  parameters: () => new URLSearchParams(location.search),
  // Changes the address of the view that is shown: filters, pages. A list is a parameter given several times. With
  // `redraw` the data stays as it is.
  setParameters(changes, {redraw = false} = {}) {
    const parameters = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes)) {
      parameters.delete(name);
      for (const one of Array.isArray(value) ? value : [value ?? ""])
        if (one !== "") parameters.append(name, one);
    }
    const text = parameters.toString();
    address = location.pathname + (text ? `?${text}` : "");
    history.replaceState(history.state, "", address);
    if (redraw) draw();
    else load();
  },
  reload: () => load(),
  shows: (one) => one === view,
};

// `scroll`: how far down, once the view is drawn.
function open(scroll = 0) {
  address = location.pathname + location.search;
  view = findView();
  data = null;
  document.title = `${view.title} – tuned`;
  for (const link of document.querySelectorAll("header nav a")) {
    const here =
      location.pathname.startsWith(link.pathname) ||
      (location.pathname === "/" && link.pathname === "/studies");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  main.replaceChildren(h("p", {class: "empty", role: "status"}, "Loading…"));
  scrollTo(0, 0);
  wantedScroll = scroll;
  load();
}

async function load() {
  clearTimeout(waiting);
  waiting = null;
  loading?.abort();
  const own = (loading = new AbortController());
  const shown = view;
  try {
    const found = await shown.load(own.signal);
    if (own.signal.aborted) return;
    data = found;
    draw();
    if (wantedScroll > 0) scrollTo({top: wantedScroll, behavior: "instant"});
    wantedScroll = 0;
    tellState();
    main.dataset.ready = location.pathname;
  } catch (error) {
    if (own.signal.aborted) return;
    fail(error);
  } finally {
    loaded = Date.now();
    if (loading === own) loading = null;
  }
}

function draw() {
  if (data === null && view.title !== "Not found") return;
  if (view.currentTitle) document.title = `${view.currentTitle(data)} – tuned`;
  show(main, view.draw(data));
}

function fail(error) {
  if (!error.status && error.status !== 0) console.error(error);
  const login = error.status === 401 ? " Open the page once with /?token=TOKEN." : "";
  const message = notice("error", (error.message || String(error)) + login);
  if (data === null) show(main, h("h1", {}, view.title), message);
  else document.getElementById("live").textContent = error.message;
}

// Loads what is shown again, soon; not while nobody looks.
function refresh() {
  if (document.hidden || waiting || loading) {
    missed = true;
    return;
  }
  missed = false;
  waiting = setTimeout(load, Math.max(0, loaded + betweenLoads - Date.now()));
}
let missed = false;
document.addEventListener("visibilitychange", () => missed && refresh());
setInterval(() => missed && refresh(), betweenLoads);
// "5 s ago" does not stay true.
setInterval(() => {
  if (document.hidden || data === null) return;
  if (view.ages?.(data)) refresh();
  else draw();
}, betweenAges);

follow(
  (change) => {
    if (change === null || view.concerns(change)) refresh();
  },
  (state) => {
    document.getElementById("live").dataset.state = state;
    tellState();
  },
);

function tellState() {
  const live = document.getElementById("live");
  const text = {live: "live", polling: "every 10 s", lost: "connection lost"}[live.dataset.state] ?? "";
  if (live.textContent !== text) live.textContent = text;
}

// Links inside the page change the view without loading the page again.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || link.origin !== location.origin || link.hasAttribute("download") || link.target)
    return;
  if (link.pathname.startsWith("/api/") || link.hash) return;
  event.preventDefault();
  context.go(link.pathname + link.search);
});
// Not after a jump within the page. Going back leads to where one was on it.
history.scrollRestoration = "manual";
addEventListener("popstate", (event) => {
  if (location.pathname + location.search === address) return;
  open(event.state?.scroll ?? 0);
  main.focus({preventScroll: true});
});

// ---- theme: the system's, light, dark
const themes = ["system", "light", "dark"];
const themeButton = document.getElementById("theme");
function nextTheme() {
  tuneTheme.choice = themes[(themes.indexOf(tuneTheme.choice) + 1) % themes.length];
  nameTheme();
}
function nameTheme() {
  themeButton.textContent = `Theme: ${tuneTheme.choice}`;
}
themeButton.onclick = nextTheme;
tuneTheme.onchange = redrawCharts;
nameTheme();

// ---- keys
const help = document.getElementById("help");
document.getElementById("keys").onclick = () => help.showModal();
// Keys of one letter disturb those who speak to their computer.
const keysOn = document.getElementById("keys-on");
keysOn.checked = kept("keys") !== "off";
keysOn.onchange = () => keep("keys", keysOn.checked ? "on" : "off");

// What this browser keeps for the page; it may refuse.
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {}
}

function moveRow(step) {
  const rows = [...main.querySelectorAll("tbody tr")].filter(
    (row) => row.querySelector("a") && row.offsetParent !== null,
  );
  if (rows.length === 0) return;
  const now = rows.indexOf(document.activeElement?.closest?.("tr"));
  rows[Math.min(rows.length - 1, Math.max(0, now + step))].querySelector("a").focus();
}

const keys = {
  j: () => (view.next ? context.go(view.next) : moveRow(1)),
  k: () => (view.previous ? context.go(view.previous) : moveRow(-1)),
  u: () => view.up && context.go(view.up),
  t: nextTheme,
  "?": () => help.showModal(),
  "/": () => main.querySelector("input[type=search]")?.focus(),
  "g s": () => context.go("/studies"),
  "g r": () => context.go("/results"),
  "g w": () => context.go("/workers"),
};
let prefix = "";
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, select, textarea, dialog");
  if (typing || !keysOn.checked || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = prefix + event.key;
  prefix = event.key === "g" && prefix === "" ? "g " : "";
  if (!keys[key]) return;
  event.preventDefault();
  keys[key]();
});

open();
get("/server").then(
  (server) => {
    const footer = document.getElementById("footer");
    footer.append(
      h("span", {}, `tuned-server ${server.version}`),
      " · ",
      h("a", {href: "/api/v1/openapi.json"}, "read API"),
      " · ",
      h("a", {href: "/metrics", target: "_blank", rel: "noopener"}, "metrics"),
    );
    if (!server.page_libraries) {
      main.before(
        notice(
          "warning",
          "This server was built without the page's libraries: there are no charts, no colours in code and no differences. Build it again where npm can fetch them.",
        ),
      );
    }
  },
  () => {},
);
