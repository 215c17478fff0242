// The server's read API: documents and changes.

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const longestWait = 120_000; // ms; after a laptop's sleep a connection may be dead without a word

// The document at /api/v1 + path. `signal` ends the wait.
export async function get(path, signal) {
  const own = AbortSignal.timeout(longestWait);
  const either = signal ? (AbortSignal.any?.([signal, own]) ?? signal) : own;
  const left = (error) => {
    if (error.name === "AbortError") throw error;
    return null;
  };
  const request = {signal: either, headers: {Accept: "application/json"}};
  const response = await fetch(`/api/v1${path}`, request).catch(left);
  if (!response) throw new ApiError(0, "The server does not answer. Is tuned-server running?");
  const document = await response.json().catch(left);
  if (!response.ok)
    throw new ApiError(response.status, document?.error?.message ?? `status ${response.status}`);
  if (document === null) throw new ApiError(0, "The server's answer ended too early.");
  return document;
}

// The same for what the server makes for a few at a time: asks again while it is busy.
export async function getPatiently(path, signal, tries = 10) {
  try {
    return await get(path, signal);
  } catch (error) {
    if (error.status !== 503 || tries <= 1 || signal?.aborted) throw error;
  }
  await new Promise((done) => setTimeout(done, 2000));
  return getPatiently(path, signal, tries - 1);
}

export function query(parameters) {
  const filled = Object.entries(parameters).filter(
    ([, value]) => value !== "" && value !== null && value !== undefined,
  );
  return filled.length === 0 ? "" : `?${new URLSearchParams(filled)}`;
}

// One event stream for the whole page, open while the page is looked at: a browser has six connections to a server for
// all its tabs. `onChange({studies, workers})` after changes, null when everything may have changed;
// `onState("live" | "polling" | "lost")`. Where no stream can be had, everything may have changed every ten seconds.
export function follow(onChange, onState) {
  let events = null,
    poll = null,
    retry = null;
  let greeted = false;
  const stop = () => {
    events?.close();
    events = null;
    clearInterval(poll);
    clearTimeout(retry);
    poll = retry = null;
  };
  const open = () => {
    stop();
    if (document.hidden) return;
    events = new EventSource("/api/v1/events");
    events.addEventListener("hello", () => {
      clearInterval(poll);
      poll = null;
      onState("live");
      if (greeted) onChange(null);
      greeted = true;
    });
    events.addEventListener("change", (event) => onChange(JSON.parse(event.data)));
    events.addEventListener("error", () => {
      const refused = events?.readyState === EventSource.CLOSED;
      onState(refused ? "polling" : "lost");
      poll ??= setInterval(() => onChange(null), 10000);
      if (refused) retry ??= setTimeout(open, 30000);
    });
  };
  document.addEventListener("visibilitychange", open);
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => event.persisted && open());
  open();
}
