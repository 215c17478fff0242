// What the page shows of studies that are tuned for something else than the time, and of several quantities.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {before, describe, it} from "node:test";

import {alter, good, inPage, laboratory, quick, small} from "./fixture.mjs";
import {sourceFolder} from "./laboratory.mjs";

// As a module by its text: node would take the file's ending for a script's.
const page = (name) => readFileSync(join(sourceFolder, "server/dashboard/page", name), "utf8");
const moduleOf = (text) => `data:text/javascript,${encodeURIComponent(text)}`;
const quantitiesModule = moduleOf(
  page("quantities.js").replace('"./format.js"', JSON.stringify(moduleOf(page("format.js")))),
);
const {compareValues, quantitiesOf, quantityText, valueOf} = await import(quantitiesModule);
const nothing = moduleOf("export const axis = 0, colour = 0, mark = 0, polyline = 0, ring = 0, scatterChart = 0;");
const {frontPoints} = await import(
  moduleOf(
    page("front_chart.js")
      .replace(/"\.\/(chart|scatter)\.js"/g, JSON.stringify(nothing))
      .replace('"./log_axis.js"', JSON.stringify(moduleOf(page("log_axis.js"))))
      .replace('"./quantities.js"', JSON.stringify(quantitiesModule)),
  )
);

const row = (index, seconds, joules, metrics = {}) => ({
  index,
  seconds,
  joules,
  metrics,
  origin: "search",
  outcome: "correct",
});

describe("quantities", () => {
  it("have values, units and an order", () => {
    const measured = row(1, 0.5, 8, {gflops: 412.34567});
    assert.equal(valueOf(measured, "power"), 16);
    assert.equal(valueOf(measured, "edp"), 4);
    assert.equal(valueOf(measured, "other"), null);
    assert.equal(valueOf(row(1, 0.5, null), "power"), null);
    assert.deepEqual(quantitiesOf([row(1, 0.5, null), measured]), ["time", "energy", "power", "edp", "gflops"]);
    assert.deepEqual(quantitiesOf([row(1, 0.5, null)]), ["time"]);
    assert.equal(quantityText("energy", 0.0033), "0.0033 J");
    assert.equal(quantityText("time", 0.0033), "3.30 ms");
    assert.equal(quantityText("gflops", 412.34567), "412.3");
    assert.equal(quantityText("gflops", null), "–");
    assert.ok(compareValues(1, 2, false) < 0 && compareValues(1, 2, true) > 0);
    assert.ok(compareValues(null, 2, true) > 0 && compareValues(null, null, true) === 0);
  });
});

describe("a front", () => {
  const time = {name: "time", maximise: false},
    energy = {name: "energy", maximise: false},
    rate = {name: "rate", maximise: true};
  it("is of those that none surpasses", () => {
    const rows = [
      row(0, 3, 2, {rate: 5}),
      row(1, 1, 9, {rate: 5}),
      row(2, 2, 4, {rate: 5}),
      row(3, 2, 5, {rate: 5}),
      row(4, 1, 9, {rate: 5}),
      row(5, 1, null, {rate: 5}),
      row(6, 4, 3, {rate: 7}),
      {...row(7, 0.1, 0.1), outcome: "correctness"},
      {...row(8, 0.1, 0.1), origin: "replay"},
    ];
    const front = (...quantities) =>
      frontPoints(rows, ...quantities)
        .filter((point) => point.on_front)
        .map((point) => point.index);
    assert.deepEqual(front(time, energy), [1, 4, 2, 0]);
    assert.deepEqual(front(energy, rate), [0, 6]);
    assert.deepEqual(front(time, {name: "nothing", maximise: false}), []);
  });
});

describe("a study for a metric", {timeout: 300_000}, () => {
  let id;
  before(async () => {
    const program = await laboratory.write("rate.c", small.replace("N 64", "N 56"));
    id = await laboratory.submit(program, ...quick, "--metric", "rate=56**3/time", "--objective", "rate", "--maximise");
    await laboratory.finished(id);
  });

  it("shows the metric wherever a study for the time shows that", () =>
    inPage(async (page) => {
      const {objective, best_index} = await laboratory.get(`/api/v1/studies/${id}`);
      assert.ok(objective.best > 0);
      await page.go(`${laboratory.url}/studies/${id}`);
      await page.waitFor(`document.querySelector(".chart canvas") !== null`);
      const text = await page.text();
      for (const part of ["most rate", "time of the best", "most rate first", quantityText("rate", objective.best)])
        assert.ok(text.includes(part), `${part} is missing in:\n${text}`);
      const label = await page.evaluate(`document.querySelector(".chart").getAttribute("aria-label")`);
      assert.match(label, new RegExp(`^Rate of 8 candidates .* candidate ${best_index}, has `));
      const first = best_index === 0 ? "0, the default" : String(best_index);
      assert.equal(await page.evaluate(`document.querySelector("#candidates tbody a").textContent`), first);
      await page.go(`${laboratory.url}/studies/${id}/candidates/${best_index}`);
      assert.match(await page.text(), /rate, the objective/);
      await page.go(`${laboratory.url}/studies`);
      assert.match(await page.text(), /\(rate\)/);
    }));

  it("draws the front of time and metric, whose axes can be chosen", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/studies/${id}`);
      const chart = `[...document.querySelectorAll(".chart")].find((c) => / on the front\\./.test(c.getAttribute("aria-label")))`;
      await page.waitFor(`${chart}?.querySelector("canvas")`);
      // The rate is one by the time: none of different times is better in one and worse in the other.
      assert.match(
        await page.evaluate(`${chart}.getAttribute("aria-label")`),
        /^time and rate of \d candidates, of which \d are on the front\./,
      );
      await page.evaluate(`${chart}.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}))`);
      await page.waitFor(`/rate/.test(${chart}.querySelector(".tip")?.textContent)`);
      await page.evaluate(
        `[...document.querySelectorAll("[aria-label='Better, vertical'] button")].find((b) => b.textContent === "less is better").click()`,
      );
      await page.waitFor(`location.search === "?front=time%2Crate"`);
      assert.ok((await page.text()).includes(`tunectl show ${id} --front time,rate`));
    }));
});

describe("a study for the time alone", {timeout: 300_000}, () => {
  it("has no front, and one with energy has", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/studies/${good}`);
      assert.equal(await page.evaluate(`document.querySelector("#section-front") === null`), true);
      await alter(page, `${good}/candidates?*`, ({candidates}) => {
        for (const candidate of candidates) if (candidate.seconds) candidate.joules = 2 + candidate.index;
      });
      await page.go(`${laboratory.url}/studies/${good}?`);
      await page.waitFor(`document.querySelector("#section-front") !== null`);
      assert.match(await page.text(), /energy/);
    }));
});
