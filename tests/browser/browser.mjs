// Headless Chromium through its DevTools protocol.
import {spawn} from "node:child_process";
import {mkdtemp, rm, writeFile} from "node:fs/promises";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";

const require = createRequire(join(process.env.TUNE_NPM, "node_modules", "x.js"));
const WebSocket = require("ws");

export const limit = 30_000; // ms for anything that a test waits for

// The first value of `look` that is true. Throws with `what` after the limit.
export async function until(look, what, most = limit) {
  const end = Date.now() + most;
  let last;
  while (Date.now() < end) {
    try {
      last = await look();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`waited in vain for ${what}; last: ${last}`);
}

class Connection {
  constructor(socket) {
    this.socket = socket;
    this.number = 0;
    this.waiting = new Map();
    this.handlers = [];
    socket.on("message", (text) => this.receive(JSON.parse(text)));
    socket.on("close", () => {
      for (const {fail} of this.waiting.values()) fail(new Error("the browser has ended"));
      this.waiting.clear();
    });
  }

  receive(message) {
    const call = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!call) return this.handlers.forEach((handler) => handler(message));
    if (message.error) call.fail(new Error(`${call.method}: ${message.error.message}`));
    else call.done(message.result);
  }

  send(method, params, sessionId) {
    const id = ++this.number;
    return new Promise((done, fail) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        fail(new Error(`${method}: the browser does not answer`));
      }, 2 * limit);
      const settled = (settle) => (value) => {
        clearTimeout(timer);
        settle(value);
      };
      this.waiting.set(id, {done: settled(done), fail: settled(fail), method});
      this.socket.send(JSON.stringify({id, method, params, sessionId}));
    });
  }
}

export class Browser {
  static async start() {
    const browser = new Browser();
    browser.folder = await mkdtemp(join(tmpdir(), "tune-browser-"));
    browser.process = spawn(
      process.env.TUNE_CHROMIUM ?? "chromium",
      [
        "--headless=new",
        "--remote-debugging-port=0",
        `--user-data-dir=${browser.folder}`,
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-extensions",
        "--disable-gpu",
        "--hide-scrollbars",
        "--force-color-profile=srgb",
        "--mute-audio",
        // Tests run as root in containers, where Chromium's own sandbox cannot be set up; it sees the test's server alone.
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "about:blank",
      ],
      {stdio: ["ignore", "ignore", "pipe"]},
    );
    const address = await new Promise((done, fail) => {
      let text = "";
      browser.process.stderr.on("data", (data) => {
        text += data;
        const match = /DevTools listening on (ws:\/\/\S+)/.exec(text);
        if (match) done(match[1]);
      });
      browser.process.on("error", fail);
      browser.process.on("exit", (code) =>
        fail(new Error(`chromium ended with ${code}:\n${text.slice(-2000)}`)),
      );
    });
    const socket = new WebSocket(address, {perMessageDeflate: false, maxPayload: 256 << 20});
    await new Promise((done, fail) => socket.on("open", done).on("error", fail));
    browser.connection = new Connection(socket);
    return browser;
  }

  // A page of its own, with the window's size and the theme that the system wishes.
  async open({width = 1280, height = 900, dark = false, phone = false, scale = 1} = {}) {
    const {targetId} = await this.connection.send("Target.createTarget", {url: "about:blank"});
    const {sessionId} = await this.connection.send("Target.attachToTarget", {targetId, flatten: true});
    const page = new Page(this.connection, sessionId, targetId);
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await page.send(`${domain}.enable`);
    await page.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: scale,
      mobile: phone,
    });
    await page.send("Emulation.setEmulatedMedia", {
      features: [{name: "prefers-color-scheme", value: dark ? "dark" : "light"}],
    });
    return page;
  }

  async stop() {
    const ended = new Promise((done) => this.process.on("exit", done));
    this.process.removeAllListeners("exit");
    this.process.on("exit", () => {});
    const exited = new Promise((done) => this.process.once("close", done));
    this.connection?.send("Browser.close").catch(() => {});
    const timer = setTimeout(() => this.process.kill("SIGKILL"), 5000);
    await Promise.race([ended, exited]);
    clearTimeout(timer);
    await rm(this.folder, {recursive: true, force: true, maxRetries: 5});
  }
}

export class Page {
  constructor(connection, session, target) {
    Object.assign(this, {connection, session, target, complaints: [], requests: []});
    connection.handlers.push((message) => message.sessionId === session && this.hear(message));
  }

  send(method, params = {}) {
    return this.connection.send(method, params, this.session);
  }

  // Keeps what the browser complains about and every address that is asked for.
  hear({method, params}) {
    if (method === "Runtime.exceptionThrown") {
      this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    } else if (
      method === "Runtime.consoleAPICalled" &&
      ["error", "warning", "assert"].includes(params.type)
    ) {
      this.complaints.push(params.args.map((arg) => arg.value ?? arg.description).join(" "));
    } else if (method === "Log.entryAdded" && params.entry.level === "error") {
      this.complaints.push(`${params.entry.text} ${params.entry.url ?? ""}`);
    } else if (method === "Network.requestWillBeSent") {
      this.requests.push(params.request.url);
    }
  }

  // The value of an expression in the page; promises are awaited.
  async evaluate(expression) {
    const {result, exceptionDetails} = await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  // Loads an address and waits until its view is drawn.
  async go(address) {
    await this.send("Page.navigate", {url: address});
    await this.shown(new URL(address).pathname);
  }

  // Waits until the view of this path is drawn with its data.
  async shown(path) {
    await until(
      () =>
        this.evaluate(
          `location.pathname === ${JSON.stringify(path)} && document.querySelector("main")?.dataset.ready === ${JSON.stringify(path)}`,
        ),
      `the view ${path}`,
    );
  }

  text(selector = "main") {
    return this.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ""`);
  }

  async waitFor(expression, what = expression) {
    return until(() => this.evaluate(expression), what);
  }

  async press(key, modifiers = 0) {
    const codes = {Tab: 9, Enter: 13, Escape: 27, " ": 32, End: 35, Home: 36};
    Object.assign(codes, {ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40});
    const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
    const event = {
      key,
      modifiers,
      text,
      windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0),
    };
    await this.send("Input.dispatchKeyEvent", {type: "keyDown", ...event});
    await this.send("Input.dispatchKeyEvent", {type: "keyUp", ...event, text: undefined});
  }

  async type(text) {
    for (const letter of text) await this.press(letter);
  }

  // A picture as PNG; `whole`: not only what the window shows.
  async screenshot(file, {whole = false} = {}) {
    const {data} = await this.send("Page.captureScreenshot", {format: "png", captureBeyondViewport: whole});
    await writeFile(file, Buffer.from(data, "base64"));
  }

  close() {
    return this.connection.send("Target.closeTarget", {targetId: this.target});
  }
}
