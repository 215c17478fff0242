// How the page behaves: changes, keys, themes, accessibility.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";
import {describe, it} from "node:test";

import {browser, drawnValues, evil, good, inPage, laboratory, late, quick, small} from "./fixture.mjs";

const require = createRequire(join(process.env.TUNE_NPM, "node_modules", "x.js"));
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const views = () => [
  "/studies",
  `/studies/${good}`,
  `/studies/${good}/search`,
  `/studies/${good}/candidates/0`,
  `/studies/${good}/candidates/2`,
  `/studies/${evil}`,
  `/studies/${late}`,
  `/studies/${late}/candidates/0`,
  "/workers",
  "/results",
];

describe("live", {timeout: 300_000}, () => {
  it("a study appears, runs and ends without reloading", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/studies?search=live`);
      await page.evaluate(`window.marker = 1; document.querySelector("select[name=target]").focus()`);
      const id = await laboratory.submit(
        await laboratory.write("live.c", small.replace("N 64", "N 40")),
        ...quick,
      );
      await page.waitFor(`document.querySelector("main tbody")?.innerText.includes(${JSON.stringify(id)})`);
      await laboratory.finished(id);
      await page.waitFor(
        `document.querySelector("main tbody").innerText.includes("8 of 8") && document.querySelector(".state-done") !== null`,
      );
      assert.equal(await page.evaluate("window.marker"), 1);
      assert.equal(
        await page.evaluate("document.activeElement.name"),
        "target",
        "the focus stays where it was",
      );
      assert.equal(await page.text("#live"), "live");
    }));
});

describe("live study", {timeout: 300_000}, () => {
  it("the curve of a study grows while it is looked at", () =>
    inPage(async (page) => {
      const id = await laboratory.submit(
        await laboratory.write("grows.c", small.replace("N 64", "N 56")),
        ...quick,
      );
      await page.go(`${laboratory.url}/studies/${id}`);
      await page.evaluate("window.marker = 1");
      await laboratory.finished(id);
      await page.waitFor(
        `document.querySelector(".chart canvas")?.closest(".chart").getAttribute("aria-label").startsWith("Time of 8 candidates")`,
      );
      await page.waitFor(`document.querySelector("h1 .state-done") !== null`);
      assert.equal(await page.evaluate("window.marker"), 1);
      assert.equal(await page.evaluate(`document.querySelectorAll(".chart canvas").length`), 1);
      const drawn = await page.evaluate(drawnValues);
      assert.ok(drawn > 4, "the chart is drawn");
    }));
});

describe("keyboard", {timeout: 300_000}, () => {
  it("reaches everything, in order, visibly", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/studies`);
      await page.press("Tab");
      assert.equal(await page.evaluate("document.activeElement.textContent"), "Skip to content");
      const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      assert.notEqual(outline, "none");
      await page.press("Enter");
      assert.equal(await page.evaluate("document.activeElement.id"), "main");
      await page.press("Tab");
      assert.equal(await page.evaluate("document.activeElement.name"), "search");
    }));

  it("has keys for views, rows, charts and help", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/studies`);
      await page.type("gr");
      await page.shown("/results");
      await page.type("gw");
      await page.shown("/workers");
      await page.type("gs");
      await page.shown("/studies");
      await page.press("/");
      await page.type("gr small");
      assert.equal(await page.evaluate("location.pathname"), "/studies", "typing in a field is typing");
      await page.go(`${laboratory.url}/studies?search=${good}`);
      await page.press("j");
      await page.press("Enter");
      await page.shown(`/studies/${good}`);
      await page.waitFor(`document.querySelector(".chart .u-over") !== null`);
      await page.evaluate(`document.querySelector(".chart").focus()`);
      await page.press("ArrowRight");
      await page.press("ArrowRight");
      assert.match(await page.text(".tip"), /candidate \d+/);
      await page.press("Enter");
      await page.waitFor(
        `/candidates\\/\\d+$/.test(location.pathname) && document.querySelector("main").dataset.ready === location.pathname`,
      );
      await page.press("u");
      await page.shown(`/studies/${good}`);
      await page.press("?");
      assert.equal(await page.evaluate(`document.getElementById("help").open`), true);
      await page.press("Escape");
      await page.waitFor(`!document.getElementById("help").open`);
      await page.evaluate("history.back()");
      await page.waitFor(`/candidates/.test(location.pathname)`);
    }));

  it("keys of one letter can be switched off, and stay so", () =>
    inPage(async (page) => {
      const toggle = `document.getElementById("keys-on").click()`;
      await page.go(`${laboratory.url}/studies`);
      await page.evaluate(toggle);
      await page.go(`${laboratory.url}/workers`);
      await page.type("gs");
      assert.equal(await page.evaluate("location.pathname"), "/workers");
      await page.evaluate(toggle);
      await page.type("gs");
      await page.shown("/studies");
    }));

  it("a new view has the focus, and going back leads to where one was", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/studies/${good}`);
      await page.evaluate(`document.querySelector("#candidates a").scrollIntoView({behavior: "instant"})`);
      const before = await page.evaluate("Math.round(scrollY)");
      assert.ok(before > 0);
      await page.evaluate(`document.querySelector("#candidates a").click()`);
      await page.waitFor(`/candidates/.test(document.querySelector("main").dataset.ready)`);
      assert.equal(await page.evaluate("document.activeElement.id"), "main");
      assert.equal(await page.evaluate("scrollY"), 0);
      await page.evaluate("history.back()");
      await page.shown(`/studies/${good}`);
      // A chart that is drawn later moves it a little.
      await page.waitFor(`Math.abs(scrollY - ${before}) < 100`);
    }));

  it("an element keeps the focus when those before it go", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/studies`);
      const kept = await page.evaluate(`import("/page/dom.js").then(({h, show}) => {
        const root = document.querySelector("footer");
        const list = (...names) => names.map((name) => h("button", {"data-key": name}, name));
        show(root, list("a", "b", "c", "d"));
        root.children[2].focus();
        show(root, list("c", "new", "d"));
        return document.activeElement.textContent + " of " + root.textContent;
      })`);
      assert.equal(kept, "c of cnewd");
    }));

  it("changes the theme and remembers it", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/studies`);
      const light = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      await page.type("tt");
      assert.equal(await page.text("#theme"), "Theme: dark");
      assert.notEqual(await page.evaluate("getComputedStyle(document.body).backgroundColor"), light);
      await page.go(`${laboratory.url}/workers`);
      assert.equal(await page.text("#theme"), "Theme: dark");
      const dark = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      await page.type("t");
      assert.equal(await page.text("#theme"), "Theme: system");
      await page.send("Emulation.setEmulatedMedia", {
        features: [{name: "prefers-color-scheme", value: "dark"}],
      });
      await page.waitFor(`getComputedStyle(document.body).backgroundColor === ${JSON.stringify(dark)}`);
    }));
});

describe("accessibility", {timeout: 300_000}, () => {
  for (const [name, options] of [
    ["light", {}],
    ["dark", {dark: true}],
    ["phone", {width: 390, height: 844, phone: true}],
  ]) {
    it(`${name}: no rule of axe is broken in any view, nothing is wider than the window`, () =>
      inPage(async (page) => {
        for (const path of views()) {
          await page.go(laboratory.url + path);
          await page.evaluate(axe);
          const {violations} = await page.evaluate(
            `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]})`,
          );
          assert.deepEqual(
            violations.map(
              (found) =>
                `${path}: ${found.id}: ${found.nodes
                  .slice(0, 3)
                  .map((node) => node.html)
                  .join(" | ")}`,
            ),
            [],
          );
          const wide = await page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth",
          );
          assert.ok(wide <= 0, `${path} is ${wide} pixels wider than the window`);
        }
      }, options));
  }
});

describe("without what is optional", {timeout: 300_000}, () => {
  it("the libraries: says so, and the rest works", async () => {
    const page = await browser.open();
    await page.send("Network.setBlockedURLs", {urls: ["*/lib/*"]});
    await page.go(`${laboratory.url}/studies/${good}`);
    await page.waitFor(`document.querySelector(".chart")?.innerText.includes("without the chart library")`);
    await page.go(`${laboratory.url}/studies/${good}/candidates/1`);
    assert.match(await page.text(), /Configuration/);
    await page.close();
  });
});
