// The pheromone graph: what its picture shows, folding, keys, hostile names.
import assert from "node:assert/strict";
import {describe, it} from "node:test";

import {alter, browser, good, inPage, laboratory} from "./fixture.mjs";

const address = () => `${laboratory.url}/studies/${good}/search`;
const boxes = `[...document.querySelectorAll(".graph [data-node]")].map((box) => box.dataset.node)`;
const headOf = (key) => `${boxOf(key)}.querySelector(".head")`;
const boxOf = (key) => `document.querySelector('.graph [data-node=${JSON.stringify(key)}]')`;
const option = (key, name, next, pheromone = 0.5, visits = 1) => ({
  key,
  option: name,
  pheromone,
  desirability: 1,
  visits,
  next,
});

// first: left (9 of 10 walks) or right, one of which has three options that no walk took; then last.
const fork = [
  option("first", "left", {left: 9}, 0.9, 9),
  option("first", "right", {right: 1}, 0.1, 1),
  option("left", "8", {last: 5}, 0.25, 5),
  option("left", "16", {last: 4}, 0.75, 4),
  option("left", "32", {}, 0.05, 0),
  option("right", "a", {last: 1}, 0.5, 1),
  option("right", "b", {}, 0.05, 0),
  option("right", "c", {}, 0.05, 0),
  option("right", "d", {}, 0.05, 0),
  option("last", "on", {"": 10}, 0.95, 10),
];
const forkWalk = [
  {key: "first", option: "left"},
  {key: "left", option: "16"},
  {key: "last", option: "on"},
];

// Answers with a graph and a walk of these.
function show(page, edges, configuration, masked = []) {
  return alter(page, `${good}/*`, (document) => {
    if (document.edges) {
      document.edges = document.decisions.length === 0 ? edges : [];
      document.decisions = masked.map(([key, name]) => ({
        key,
        options: [{option: name, pheromone: 0, desirability: 1, probability: 0, closed: "not allowed here"}],
        chosen: 0,
        reason: "drawn",
      }));
    }
    if (document.configuration) document.configuration = configuration;
  });
}

async function openTables(page) {
  await page.evaluate(
    `[...document.querySelectorAll("summary")].find((s) => s.textContent === "As tables").click()`,
  );
  await page.waitFor(`document.querySelector("details.node") !== null`);
  await page.evaluate(
    `document.querySelectorAll("details.node").forEach((details) => (details.open = true))`,
  );
}

describe("pheromone graph", {timeout: 300_000}, () => {
  it("draws every decision of a study, the walk of its best marked", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/studies/${good}`);
      await page.evaluate(
        `[...document.querySelectorAll("a")].find((a) => a.textContent === "Pheromone graph").click()`,
      );
      await page.shown(`/studies/${good}/search`);
      const state = await laboratory.get(`/api/v1/studies/${good}/search`);
      const study = await laboratory.get(`/api/v1/studies/${good}`);
      const best = await laboratory.get(`/api/v1/studies/${good}/candidates/${study.best_index}`);
      const keys = new Set(state.edges.map((edge) => edge.key));
      await page.evaluate(
        `[...document.querySelectorAll("button")].find((b) => b.textContent === "all").click()`,
      );
      assert.equal(await page.evaluate("location.search"), "?show=all");
      assert.deepEqual(new Set(await page.evaluate(boxes)), keys);
      const marked = await page.evaluate(
        `[...document.querySelectorAll(".graph [data-node].walk")].map((box) => box.dataset.node)`,
      );
      assert.deepEqual(new Set(marked), new Set(best.configuration.map(({key}) => key)));
      assert.equal(
        await page.evaluate(`document.querySelectorAll(".graph .edge.walk").length`),
        best.configuration.length,
        "an edge for each decision of the walk",
      );
      assert.match(
        await page.text(".walk-legend"),
        new RegExp(`candidate ${study.best_index}, the best so far`),
      );
      await page.waitFor(`!document.querySelector(".walk-legend").textContent.includes("in a moment")`);
      assert.doesNotMatch(await page.text(".walk-legend"), /not known/);
      await openTables(page);
      assert.equal(await page.evaluate(`document.querySelectorAll("details.node").length`), keys.size);
    }));

  it("shows pheromone, visits, masks and what was never taken; tables say the same", () =>
    inPage(async (page) => {
      await show(page, fork, forkWalk, [["left", "32"]]);
      await page.go(address());
      await page.waitFor(`document.querySelector(".graph .masked") !== null`);
      const text = (key) => page.evaluate(`${boxOf(key)}.textContent`);
      assert.match(await text("left"), /3 options · 9 taken/);
      assert.match(await text("left"), /8: pheromone 0\.25.*0\.25 · 5.*✓ 16/);
      assert.equal(
        await page.evaluate(`${boxOf("left")}.querySelector(".masked").textContent.includes("32")`),
        true,
      );
      assert.match(await text("right"), /\+ 3not taken/);
      assert.match(
        await page.evaluate(`${headOf("left")}.getAttribute("aria-label")`),
        /the marked walk takes 16; not allowed on the marked walk: 32/,
      );
      const widths = await page.evaluate(
        `[...document.querySelectorAll(".graph .edge")].map((edge) => [edge.dataset.key, Number(edge.getAttribute("stroke-width")), Number(edge.getAttribute("stroke-opacity"))])`,
      );
      const edge = (key, name, next) =>
        widths.find(([found]) => found === JSON.stringify([key, `option ${name}`, next]));
      assert.ok(edge("first", "left", "left")[1] > edge("first", "right", "right")[1], "pheromone is width");
      assert.ok(edge("left", "8", "last")[2] > edge("first", "right", "right")[2], "visits are opacity");
      assert.equal(widths.length, 6);
      await openTables(page);
      const table = await page.evaluate(`document.querySelector("[aria-label='Options of left']").innerText`);
      assert.match(table, /16.*takes it/s);
      assert.match(table, /32.*not allowed here/s);
    }));

  it("folds and unfolds with keys, and the address keeps it", () =>
    inPage(async (page) => {
      await show(page, fork, forkWalk);
      await page.go(address());
      assert.deepEqual((await page.evaluate(boxes)).sort(), ["first", "last", "left", "right"]);
      await page.evaluate(`document.querySelector("input[name=candidate]").focus()`);
      await page.press("Tab");
      if (await page.evaluate(`document.activeElement.nodeName === "A"`)) await page.press("Tab");
      const focused = () =>
        page.evaluate(
          `document.activeElement.closest("[data-node]")?.dataset.node ?? document.activeElement.outerHTML`,
        );
      assert.equal(await focused(), "first");
      await page.press("ArrowDown");
      assert.equal(await focused(), "left", "where most walks go");
      await page.press("Enter");
      assert.equal(await page.evaluate(`${headOf("left")}.getAttribute("aria-expanded")`), "false");
      assert.equal(await focused(), "left", "the focus stays");
      assert.equal(await page.evaluate(`${boxOf("left")}.querySelectorAll(".chip").length`), 0);
      assert.equal(await page.evaluate("location.search"), "?fold=left");
      await page.press("ArrowUp");
      assert.equal(await focused(), "first");
      await page.press(" ");
      assert.deepEqual(await page.evaluate(boxes), ["first"]);
      assert.match(await page.evaluate(`${boxOf("first")}.textContent`), /3 below/);
      assert.match(await page.text(), /1 of 4 decisions; the others are folded/);
      const sent = await page.evaluate("location.href");
      await page.go(`${laboratory.url}/studies`);
      await page.go(sent);
      assert.deepEqual(await page.evaluate(boxes), ["first"], "an address that is sent shows the same");
      await page.evaluate(`${headOf("first")}.focus()`);
      await page.press("Enter");
      assert.equal(await page.evaluate(`${headOf("left")}.getAttribute("aria-expanded")`), "false");
      assert.equal(await page.evaluate(`${headOf("right")}.getAttribute("aria-expanded")`), "true");
    }));

  it("folds and unfolds with the mouse", () =>
    inPage(async (page) => {
      await show(page, fork, forkWalk);
      await page.go(address());
      const click = async (key) => {
        const {x, y} = await page.evaluate(
          `(() => { const box = ${boxOf(key)}.querySelector(".head").getBoundingClientRect(); return {x: box.x + 20, y: box.y + 10}; })()`,
        );
        for (const type of ["mousePressed", "mouseReleased"])
          await page.send("Input.dispatchMouseEvent", {type, x, y, button: "left", clickCount: 1});
      };
      await page.evaluate(`document.querySelector(".graph").scrollIntoView({behavior: "instant"})`);
      await click("first");
      assert.deepEqual(await page.evaluate(boxes), ["first"]);
      await click("first");
      assert.equal((await page.evaluate(boxes)).length, 4);
    }));

  it("starts with what is visited most where the graph is large", () =>
    inPage(async (page) => {
      const edges = [];
      for (let i = 0; i < 60; ++i) {
        edges.push(option(`main${i}`, "x", {[`main${i + 1}`]: 90}, 0.9, 90));
        edges.push(option(`main${i}`, "y", {[`rare${i}`]: 1}, 0.1, 1));
        edges.push(option(`rare${i}`, "z", {[`below${i}`]: 1}, 0.1, 1));
        edges.push(option(`below${i}`, "z", {"": 1}, 0.1, 1));
      }
      edges.push(option("main60", "x", {"": 90}, 0.9, 90));
      await show(page, edges, []);
      await page.go(address());
      const shown = await page.evaluate(boxes);
      assert.ok(shown.length <= 24, `${shown.length} boxes`);
      assert.ok(shown.includes("main10"));
      assert.equal(await page.evaluate(`${headOf("rare3")}.getAttribute("aria-expanded")`), "false");
      assert.match(await page.evaluate(`${boxOf("rare3")}.textContent`), /1 below/);
      assert.match(await page.text(), /2[34] of 181 decisions; the others are folded/);
    }));

  it("names are text; a walk in circles, an unknown candidate and an empty graph do no harm", () =>
    inPage(async (page) => {
      const bad = "</svg><img src=x onerror=alert(1)>&\u202e\ud800";
      await show(
        page,
        [
          option(bad, bad, {__proto__x: 1, [bad]: 1}),
          option("__proto__", "constructor", {[bad]: 2, gone: 1}),
        ],
        [{key: bad, option: bad}],
      );
      await page.go(address());
      assert.equal(await page.evaluate(`document.querySelectorAll(".graph [data-node]").length > 0`), true);
      assert.ok((await page.evaluate(`document.querySelector(".graph").textContent`)).includes("</svg>"));
      assert.equal(await page.evaluate(`document.querySelector("main img, main script") === null`), true);
    }));

  it("says so when there is nothing to draw, or nothing to draw with", async () => {
    await inPage(async (page) => {
      await show(page, [], []);
      await page.go(address());
      assert.match(await page.text(), /There is no graph/);
    });
    const page = await browser.open();
    await page.send("Network.setBlockedURLs", {urls: ["*/lib/dagre*"]});
    await page.go(address());
    assert.match(await page.text(), /without the library that lays graphs out/);
    await openTables(page);
    await page.close();
  });

  it("a candidate that does not exist is said so", async () => {
    const page = await browser.open();
    await page.send("Page.navigate", {url: `${address()}?candidate=999`});
    await page.waitFor(`document.querySelector(".notice.error")?.textContent.includes("999")`);
    await page.close();
  });
});
