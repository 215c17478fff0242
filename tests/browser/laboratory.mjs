// A server with a worker in a folder of its own, made of the real programs.
import {execFile, spawn} from "node:child_process";
import {openSync, readFileSync} from "node:fs";
import {mkdtemp, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {promisify} from "node:util";

import {until} from "./browser.mjs";

const programs = join(process.env.TUNE_BINARY_DIR, "bin");
const run = promisify(execFile);

export const sourceFolder = process.env.TUNE_SOURCE_DIR;

export class Laboratory {
  static async start() {
    const laboratory = new Laboratory();
    laboratory.folder = await mkdtemp(join(tmpdir(), "tune-laboratory-"));
    laboratory.daemons = [];
    const socket = `unix:${laboratory.path("socket")}`;
    laboratory.server = socket;
    laboratory.begin("tuned-server", [
      "--listen",
      socket,
      "--http",
      "127.0.0.1:0",
      "--no-token",
      "--database",
      laboratory.path("tuned.db"),
    ]);
    const address = await until(
      () => /page: (http:\S+)\//.exec(readFileSync(laboratory.path("tuned-server.log"), "utf8")),
      "the server's page",
    );
    laboratory.url = address[1];
    laboratory.begin("tune-worker", [
      "--server",
      socket,
      "--name",
      "tester",
      "--cache",
      laboratory.path("cache"),
      "--unsafe-no-sandbox",
    ]);
    return laboratory;
  }

  path(name) {
    return join(this.folder, name);
  }

  begin(program, options) {
    const log = openSync(this.path(`${program}.log`), "a");
    this.daemons.push(spawn(join(programs, program), options, {stdio: ["ignore", log, log]}));
  }

  async tunectl(...options) {
    const {stdout} = await run(join(programs, "tunectl"), ["--server", this.server, "--json", ...options], {
      maxBuffer: 64 << 20,
    });
    return JSON.parse(stdout);
  }

  // Returns the study's id.
  async submit(file, ...options) {
    const [study] = await this.tunectl("submit", file, ...options);
    return study.id;
  }

  async get(path) {
    const response = await fetch(this.url + path);
    return response.json();
  }

  async finished(id) {
    return until(
      async () => {
        const study = await this.get(`/api/v1/studies/${id}`);
        return ["done", "failed", "stopped"].includes(study.state) && study;
      },
      `the end of ${id}`,
      300_000,
    );
  }

  async write(name, text) {
    await writeFile(this.path(name), text);
    return this.path(name);
  }

  async stop() {
    for (const daemon of this.daemons) {
      const ended = new Promise((done) => (daemon.exitCode !== null ? done() : daemon.once("exit", done)));
      daemon.kill("SIGTERM");
      const timer = setTimeout(() => daemon.kill("SIGKILL"), 15_000);
      await ended;
      clearTimeout(timer);
    }
    await rm(this.folder, {recursive: true, force: true});
  }
}
