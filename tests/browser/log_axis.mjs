// Ticks of logarithmic axes: they end for every range, are few and round.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, it} from "node:test";

import {alter, drawnValues, good, inPage, laboratory} from "./fixture.mjs";
import {sourceFolder} from "./laboratory.mjs";

// As a module by its text: node would take the file's ending for a script's.
const text = readFileSync(join(sourceFolder, "server/dashboard/page/log_axis.js"), "utf8");
const {logTicks} = await import(`data:text/javascript,${encodeURIComponent(text)}`);

describe("ticks of a logarithmic axis", () => {
  it("are decades, or their first digits", () => {
    assert.deepEqual(logTicks(0.5, 2000), [1, 10, 100, 1000]);
    assert.deepEqual(logTicks(5, 50), [5, 10, 20, 50]);
    assert.deepEqual(logTicks(9.6e-6, 2e-4), [1e-5, 2e-5, 5e-5, 1e-4, 2e-4]);
    assert.deepEqual(logTicks(1, 1.25), [1, 1.1, 1.2]);
  });

  it("lie within the axis, in order, at most about a dozen, for every range", () => {
    for (let power = -12; power <= 15; power += 0.37) {
      for (let span = 0.2; span < 20; span += 0.71) {
        const low = 10 ** power,
          high = 10 ** (power + span);
        const ticks = logTicks(low, high);
        assert.ok(ticks.length >= 1 && ticks.length <= 14, `${low} to ${high}: ${ticks}`);
        assert.ok(ticks.every((tick, i) => tick >= low && tick <= high && (i === 0 || tick > ticks[i - 1])));
      }
    }
  });
});

describe("the axis of times", {timeout: 300_000}, () => {
  it("is drawn for times that do not begin at a decade", () =>
    inPage(async (page) => {
      // From 9.6 microseconds on: uPlot's own ticks do not end.
      await alter(page, `${good}/candidates?*`, ({candidates}) => {
        for (const candidate of candidates) {
          if (candidate.seconds)
            candidate.objective = candidate.best_so_far = 1.2e-5 * (1 + candidate.index / 4);
        }
      });
      await page.go(`${laboratory.url}/studies/${good}`);
      await page.waitFor(`document.querySelector(".chart canvas") !== null`);
      assert.ok((await page.evaluate(drawnValues)) > 4);
    }));
});
