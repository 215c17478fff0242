// Pictures of the page for deploy/docs: `run.sh screenshots.mjs`, after a change of the page. Tunes gemm and two others.
import {statSync} from "node:fs";
import {join} from "node:path";

import {Browser} from "./browser.mjs";
import {Laboratory, sourceFolder} from "./laboratory.mjs";

const folder = join(sourceFolder, "deploy/docs");
const example = (name) => join(sourceFolder, "client/examples", name);

async function openTree(page) {
  const find = `[...document.querySelectorAll("summary")].find((s) => s.textContent === "Regression tree")`;
  await page.evaluate(`${find}.click()`);
  await page.waitFor(`document.querySelector(".tree li") !== null`);
  await page.evaluate(
    `document.documentElement.style.scrollBehavior = "auto"; ${find}.closest("section").scrollIntoView()`,
  );
}

async function showGraph(page) {
  await page.evaluate(`document.querySelector(".graph").scrollIntoView({behavior: "instant"})`);
}

const laboratory = await Laboratory.start();
const browser = await Browser.start();
try {
  const size = ["-D", "NI=200", "-D", "NJ=220", "-D", "NK=240"];
  const gemm = await laboratory.submit(example("gemm.c"), ...size, "--evaluations", "60");
  const others = [
    await laboratory.submit(example("jacobi-2d.c"), "--evaluations", "10"),
    await laboratory.submit(join(sourceFolder, "tests/programs/atax.c"), "--evaluations", "12"),
  ];
  await laboratory.finished(gemm);
  for (const id of others) await laboratory.finished(id);
  const running = await laboratory.submit(example("gemm.c"), "-D", "NI=300", "--evaluations", "200");
  const {best_index: best} = await laboratory.get(`/api/v1/studies/${gemm}`);
  const wide = {width: 1200, height: 1000},
    phone = {width: 390, height: 844, phone: true, scale: 2};
  const pictures = [
    ["study-light", `/studies/${gemm}`, wide],
    ["candidate-dark", `/studies/${gemm}/candidates/${best}`, {...wide, dark: true}],
    ["studies-dark", "/studies", {...wide, height: 560, dark: true}],
    ["search-light", `/studies/${gemm}`, wide, openTree],
    ["graph-light", `/studies/${gemm}/search`, wide],
    ["graph-dark", `/studies/${gemm}/search`, {...wide, dark: true}, showGraph],
    ["graph-phone", `/studies/${gemm}/search`, phone, showGraph],
    ["study-phone", `/studies/${gemm}`, phone],
    ["studies-phone", "/studies", phone],
    ["results-light", "/results", {...wide, height: 560}],
  ];
  for (const [name, path, options, then] of pictures) {
    const page = await browser.open(options);
    await page.go(laboratory.url + path);
    await page.waitFor(`[...document.querySelectorAll(".chart")].every((c) => c.querySelector("canvas"))`);
    await then?.(page);
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    const file = join(folder, `${name}.png`);
    await page.screenshot(file);
    console.log(`${file}: ${statSync(file).size >> 10} KiB`);
    await page.close();
  }
  await laboratory.tunectl("cancel", running);
} finally {
  await browser.stop();
  await laboratory.stop();
}
