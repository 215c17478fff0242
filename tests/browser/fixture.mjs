// The server that the tests look at, and pages on it.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {after, before} from "node:test";

import {Browser} from "./browser.mjs";
import {Laboratory, sourceFolder} from "./laboratory.mjs";

export const small = readFileSync(join(sourceFolder, "tests/end_to_end/small.c"), "utf8");
export const quick = ["--evaluations", "8", "--ants", "4", "--confirm", "2"];
const hostile = '<img src=x onerror=alert(1)> & "quoted".c';

export let laboratory, browser;
// Studies: one with results, one with a name that is markup, one whose candidates take too long.
export let good, evil, late;

// Registered here, which every file of tests imports first.
before(prepare);
after(leave);

async function prepare() {
  laboratory = await Laboratory.start();
  browser = await Browser.start();
  good = await laboratory.submit(await laboratory.write("small.c", small), ...quick);
  evil = await laboratory.submit(await laboratory.write(hostile, small.replace("N 64", "N 48")), ...quick);
  // A billion operations: on no machine in a millisecond.
  const slow = await laboratory.write("late.c", small.replace("N 64", "N 800"));
  late = await laboratory.submit(slow, ...quick, "--time-limit", "1ms");
  for (const id of [good, evil, late]) await laboratory.finished(id);
}

async function leave() {
  await browser?.stop();
  await laboratory?.stop();
}

// Runs `steps` in a page, which must not complain, nor ask another host for anything.
export async function inPage(steps, options = {}) {
  const page = await browser.open(options);
  try {
    await steps(page);
    assert.deepEqual(page.complaints, []);
    const own = (address) => address.startsWith(`${laboratory.url}/`) || address === "about:blank";
    assert.deepEqual(
      page.requests.filter((address) => !own(address)),
      [],
    );
  } finally {
    await page.close();
  }
}

// Answers requests to the API about studies at `path` with `change` of the server's document.
export function alter(page, path, change) {
  return alterAnswer(page, `studies/${path}`, change);
}

// The same for any part of the API.
export async function alterAnswer(page, path, change) {
  await page.send("Fetch.enable", {
    patterns: [{urlPattern: `*/api/v1/${path}`, requestStage: "Response"}],
  });
  page.connection.handlers.push(async ({method, params, sessionId}) => {
    if (method !== "Fetch.requestPaused" || sessionId !== page.session) return;
    const {body, base64Encoded} = await page.send("Fetch.getResponseBody", {requestId: params.requestId});
    const document = JSON.parse(base64Encoded ? Buffer.from(body, "base64").toString() : body);
    change(document);
    await page.send("Fetch.fulfillRequest", {
      requestId: params.requestId,
      responseCode: 200,
      responseHeaders: [{name: "Content-Type", value: "application/json"}],
      body: Buffer.from(JSON.stringify(document)).toString("base64"),
    });
  });
}

// How many values the first chart's pixels have: few when nothing is drawn.
export const drawnValues = `(() => {
  const canvas = document.querySelector(".chart canvas");
  return new Set(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data).size;
})()`;

export const rowCount = `document.querySelectorAll("main tbody tr").length`;
