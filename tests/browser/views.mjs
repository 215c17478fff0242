// What the views show.
import assert from "node:assert/strict";
import {describe, it} from "node:test";

import {
  alter,
  alterAnswer,
  browser,
  drawnValues,
  evil,
  good,
  inPage,
  laboratory,
  late,
  rowCount,
} from "./fixture.mjs";

describe("content", {timeout: 300_000}, () => {
  it("lists the studies, and a filter is in the address", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/studies`);
      const text = await page.text();
      assert.match(text, new RegExp(`${good} small`));
      assert.match(text, /8 of 8/);
      assert.equal(await page.evaluate(rowCount), (await laboratory.get("/api/v1/studies")).total);
      await page.evaluate(`document.querySelector("input[type=search]").focus()`);
      await page.type("late");
      await page.waitFor(`${rowCount} === 1`);
      assert.equal(await page.evaluate("location.search"), "?search=late");
      await page.go(`${laboratory.url}/studies?search=late`);
      assert.equal(await page.evaluate(rowCount), 1);
      assert.equal(await page.evaluate(`document.querySelector("input[type=search]").value`), "late");
      await page.go(`${laboratory.url}/studies?state=failed`);
      assert.match(await page.text(), /No study is like that/);
    }));

  it("shows a study with curve, decisions, times and downloads", () =>
    inPage(async (page) => {
      const study = await laboratory.get(`/api/v1/studies/${good}`);
      await page.go(`${laboratory.url}/studies/${good}`);
      await page.waitFor(`document.querySelector(".chart canvas") !== null`);
      await page.waitFor(`${drawnValues} > 4`, "something drawn");
      const text = await page.text();
      for (const part of [
        "best so far",
        `correct ${study.outcomes.correct}`,
        "Best configuration",
        "Confirmation",
        "Where the time went",
        "Candidates",
        "Region",
        "#pragma scop",
        "seed",
      ]) {
        assert.ok(text.includes(part), `${part} is missing in:\n${text}`);
      }
      assert.equal(await page.evaluate(`document.querySelectorAll("#candidates tbody tr").length`), 8);
      const {candidates} = await laboratory.get(`/api/v1/studies/${good}/candidates?sort=seconds`);
      const fastest = candidates[0].index === 0 ? "0, the default" : String(candidates[0].index);
      assert.equal(await page.evaluate(`document.querySelector("#candidates tbody a").textContent`), fastest);
      await page.evaluate(
        `[...document.querySelectorAll("button")].find((b) => b.textContent === "by time").click()`,
      );
      await page.waitFor(
        `location.search === "?by=time" && document.querySelector(".chart").getAttribute("aria-label").includes("by time")`,
      );
      const file = await page.evaluate(
        `fetch([...document.querySelectorAll("a[download]")].find((a) => a.textContent === "Tuned file").href).then((r) => r.text())`,
      );
      assert.match(file, new RegExp(`Tuned by tunectl, study ${good}`));
    }));

  it("compares the tuned program with the original one", () =>
    inPage(async (page) => {
      const {check} = (await laboratory.get(`/api/v1/studies/${good}`)).confirmation;
      assert.equal(check.outcome, "correct");
      assert.ok(check.fresh.runs >= 3);
      assert.equal(check.warm, null); // the region runs once
      await page.go(`${laboratory.url}/studies/${good}`);
      const text = await page.text();
      assert.ok(text.includes("the tuned program's outputs agree with the original's"), text);
      assert.ok(text.includes(`the region's first execution in ${check.fresh.runs} runs of each`), text);
      const times = {runs: 12, original_seconds: 0.0171, tuned_seconds: 0.0021};
      await alter(page, good, (study) => {
        study.confirmation.check.fresh = {
          ...times,
          ratio: 8.14,
          ratio_low: 7.9,
          ratio_high: 8.4,
          verdict: "faster",
        };
        study.confirmation.check.warm = {
          ...times,
          ratio: 0.998,
          ratio_low: 0.99,
          ratio_high: 1.01,
          verdict: "cannot be told apart",
        };
      });
      await page.go(`${laboratory.url}/studies/${good}`);
      const altered = await page.text();
      for (const part of [
        "faster: 8.14× (7.90× to 8.40×) over the original, 2.10 ms for 17.1 ms; the region's first execution in 12 runs of each",
        "cannot be told apart: 0.998× (0.990× to 1.01×) over the original",
      ]) {
        assert.ok(altered.includes(part), `${part} is missing in:\n${altered}`);
      }
    }));

  it("begins with the gain over the program, red where there is none", () =>
    inPage(async (page) => {
      const first = () => page.evaluate(`document.querySelector(".tile").textContent`);
      const {result} = await laboratory.get(`/api/v1/studies/${good}`);
      await page.go(`${laboratory.url}/studies/${good}`);
      assert.ok((await first()).startsWith("over the original"), await first());
      assert.equal(await page.evaluate(`document.querySelector(".tile").matches(".bad")`), !result.gain);
      await alter(page, good, (study) => {
        study.device.target = "cuda";
        Object.assign(study.result, {
          faster: false,
          gain: false,
          verdict: "slower",
          of: "program",
          ratio: 0.1,
          ratio_low: 0.09,
          ratio_high: 0.11,
          host_seconds: 0.0016,
          device_seconds: 0.00017,
          device_seconds_with_copies: 0.0156,
        });
      });
      await page.go(`${laboratory.url}/studies/${good}`);
      assert.equal(await first(), "over the original, with copies0.100×slower, 0.0900× to 0.110×");
      assert.ok(await page.evaluate(`document.querySelector(".tile").matches(".bad")`));
      const text = await page.text();
      for (const part of [
        "device 170 µs without copies, 15.6 ms with them",
        "1.60 ms",
        "not faster than the original with 95 % confidence",
      ]) {
        assert.ok(text.includes(part), `${part} is missing in:\n${text}`);
      }
    }));

  it("shows a candidate with coloured code and its difference to the default", () =>
    inPage(async (page) => {
      const {candidates} = await laboratory.get(`/api/v1/studies/${good}/candidates`);
      const other = candidates.find((row) => row.index > 0 && row.duplicate_of === null);
      await page.go(`${laboratory.url}/studies/${good}/candidates/${other.index}`);
      await page.waitFor(`document.querySelector(".code .hl-keyword") !== null`);
      const full = await laboratory.get(`/api/v1/studies/${good}/candidates/${other.index}`);
      assert.equal(
        await page.evaluate(`document.querySelector("[aria-label='C code']").textContent`),
        full.evaluation.code,
      );
      await page.evaluate(
        `[...document.querySelectorAll("summary")].find((s) => s.textContent === "C code, difference to the default").click()`,
      );
      await page.waitFor(`document.querySelector(".diff ins, .diff del") !== null`);
      const text = await page.text();
      for (const part of ["Configuration", "Time of its evaluation", "tunectl replay"])
        assert.ok(text.includes(part), part);
      assert.ok(
        await page.evaluate(`document.querySelector("mark code") !== null`),
        "a decision that differs is marked",
      );
    }));

  it("says why the search made a candidate", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/studies/${good}/candidates/2`);
      await page.evaluate(
        `[...document.querySelectorAll("summary")].find((s) => s.textContent === "Why the search made it").click()`,
      );
      await page.waitFor(`document.querySelector("main").innerText.includes("Made in iteration")`);
    }));

  it("draws a regression tree", () =>
    inPage(async (page) => {
      await alter(page, `${good}/search`, (state) => {
        state.tree =
          "all: 0.5 s (9 candidates)\n  k[S0].tile in {8, 16}: 0.1 s (4 candidates)\n    k[S0].unroll in {2}: 0.05 s (1 candidates)\n    k[S0].unroll otherwise: 0.2 s (3 candidates)\n" +
          "  k[S0].tile otherwise: 0.9 s (5 candidates)\ndecisions by importance:\n    80 % k[S0].tile\n    20 % k[S0].unroll\n";
      });
      await page.go(`${laboratory.url}/studies/${good}`);
      await page.evaluate(
        `[...document.querySelectorAll("summary")].find((s) => s.textContent === "Regression tree").click()`,
      );
      await page.waitFor(`document.querySelectorAll(".tree li").length === 5`);
      assert.equal(
        await page.evaluate(`document.querySelectorAll(".tree > li > ul > li > ul > li").length`),
        2,
      );
      assert.match(await page.text(), /80 %/);
    }));

  it("says why a candidate failed", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/studies/${late}`);
      assert.match(await page.text(), /none of \d+ candidates was correct|no candidate has been evaluated/);
      await page.go(`${laboratory.url}/studies/${late}/candidates/0`);
      const {evaluation} = await laboratory.get(`/api/v1/studies/${late}/candidates/0`);
      assert.ok((await page.text("h1")).includes(evaluation.outcome.replace("_", " ")));
      assert.ok((await page.text(".notice.error")).includes(evaluation.message.split("\n")[0]));
    }));

  it("shows workers and results", () =>
    inPage(async (page) => {
      await page.go(`${laboratory.url}/workers`);
      assert.match(await page.text(), /tester/);
      assert.match(await page.text(), /cores/);
      await page.go(`${laboratory.url}/results`);
      assert.equal(await page.evaluate(rowCount), (await laboratory.get("/api/v1/results")).total);
      assert.match(await page.text(), /small/);
    }));

  it("tells which device of a worker is in quarantine, and why", () =>
    inPage(async (page) => {
      await alterAnswer(page, "workers", ({workers: [worker]}) => {
        const [device] = worker.devices;
        const gpu = (ordinal) => ({...device, target: "cuda", cuda: {ordinal, compute_capability: "9.0"}});
        worker.devices = [gpu(0), {...gpu(1), quarantine: "it fell off the bus"}, device];
        worker.note = "cuda:1: it fell off the bus";
      });
      await page.go(`${laboratory.url}/workers`);
      assert.match(await page.text("#workers tbody"), /cuda:1: it fell off the bus/);
      const devices = await page.evaluate(
        `[...document.querySelectorAll("#workers tbody li")].map((item) => item.textContent)`,
      );
      assert.deepEqual(
        devices.map((text) => text.endsWith(" quarantined")),
        [false, true, false],
      );
      assert.match(devices[1], / cuda:1, /);
    }));

  it("pages: a part that is behind the end says so, and leads back", () =>
    inPage(async (page) => {
      const {total} = await laboratory.get("/api/v1/studies");
      await page.go(`${laboratory.url}/studies?offset=1000`);
      assert.match(await page.text(".count"), new RegExp(`none of ${total} studies`));
      await page.evaluate(
        `[...document.querySelectorAll("button")].find((b) => b.textContent === "Previous").click()`,
      );
      await page.waitFor(`${rowCount} === ${total} && location.search === ""`);
      await page.go(`${laboratory.url}/results?offset=100`);
      assert.match(await page.text(".count"), /none of \d+ results?/);
    }));

  it("times have their zone, and a form for machines", () =>
    inPage(async (page) => {
      await page.send("Emulation.setTimezoneOverride", {timezoneId: "Asia/Kolkata"});
      await page.go(`${laboratory.url}/studies?search=${good}`);
      const {studies} = await laboratory.get(`/api/v1/studies?search=${good}`);
      const time = await page.evaluate(
        `(({title, dateTime}) => ({title, dateTime}))(document.querySelector("tbody time"))`,
      );
      assert.equal(time.dateTime, new Date(studies[0].created).toISOString());
      assert.match(time.title, /GMT\+5:30|IST/);
    }));

  it("says what a search does without, and what a device allows", () =>
    inPage(async (page) => {
      await alter(page, good, (study) => {
        Object.assign(study.search, {level: 2, no_metrics: true, no_tree: true});
        study.device.cuda = {
          compute_capability: "9.0",
          max_threads_per_block: 1024,
          max_threads_per_multiprocessor: 2048,
          registers_per_multiprocessor: 65536,
          shared_bytes_per_block: 49152,
          shared_bytes_per_block_optin: 232448,
          shared_bytes_per_multiprocessor: 233472,
          l2_bytes: 62914560,
        };
      });
      await page.go(`${laboratory.url}/studies/${good}`);
      const text = (await page.text()).replaceAll(/\s+/g, " ");
      for (const part of [
        "level 2",
        "without counters, regression tree",
        "1024 threads a block",
        "227.0 KiB on request",
      ])
        assert.ok(text.includes(part), part);
    }));

  it("says when there is nothing", async () => {
    const page = await browser.open();
    await page.send("Page.navigate", {url: `${laboratory.url}/studies/s999`});
    await page.waitFor(`document.querySelector(".notice.error")?.textContent.includes("s999")`);
    await page.send("Page.navigate", {url: `${laboratory.url}/nowhere`});
    await page.waitFor(`document.querySelector("h1")?.textContent === "Not found"`);
    await page.send("Page.navigate", {url: `${laboratory.url}/studies/%E0%A4%A`});
    await page.waitFor(
      `document.querySelector("h1")?.textContent === "Not found" && /%E0/.test(location.href)`,
    );
    await page.close();
  });
});

describe("hostile texts", {timeout: 300_000}, () => {
  it("a name is text everywhere", () =>
    inPage(async (page) => {
      for (const path of ["/studies", `/studies/${evil}`, `/studies/${evil}/candidates/0`, "/results"]) {
        await page.go(laboratory.url + path);
        assert.match(await page.text(), /<img src=x onerror=alert\(1\)>/);
        assert.equal(await page.evaluate(`document.querySelector("main img, main script") === null`), true);
      }
    }));

  it("a log of megabytes, control characters and markup in everything", () =>
    inPage(async (page) => {
      const bad = "</pre><script>alert(1)</script>\u0000\u001b[31m\u202e\ud800";
      await alter(page, `*/candidates/0`, (candidate) => {
        candidate.evaluation.log = (bad + "x".repeat(200) + "\n").repeat(20_000);
        candidate.evaluation.log_bytes = 1 << 30;
        candidate.evaluation.code = `${bad}\nint x = 1; // ${bad}\n`;
        candidate.evaluation.message = bad;
        candidate.evaluation.worker = bad;
        candidate.evaluation.errors = [
          {
            array: bad,
            relative_l2: 1,
            largest: 2,
            exceeded: true,
            first_differing_index: [1, 2],
            expected: 3,
            found: 4,
          },
        ];
        candidate.configuration[0] = {key: bad, option: bad};
      });
      await page.go(`${laboratory.url}/studies/${good}/candidates/0`);
      await page.waitFor(`document.querySelector(".code .hl-keyword, .code .hl-type") !== null`);
      assert.equal(await page.evaluate(`document.querySelector("main script") === null`), true);
      assert.ok(await page.evaluate(`document.querySelector("[aria-label=Log]").textContent.length > 4e6`));
      assert.match(await page.text(), /The end of 1\.0 GiB/);
    }));
});

describe("a study on a GPU", {timeout: 300_000}, () => {
  const kernel = (metrics) => ({
    name: "k[S0,S1]",
    function: "kernel0",
    launches: 3,
    seconds: 0.002,
    threads_per_block: 256,
    registers: 40,
    shared_bytes: 16384,
    local_bytes: 0,
    blocks_per_multiprocessor: 4,
    metrics,
  });
  const device = {
    target: "cuda",
    model: "NVIDIA H200",
    cores: 132,
    memory_bytes: 1e11,
    compiler: "NVRTC",
    operating_system: "Linux",
    slots: 1,
    cuda: {
      ordinal: 0,
      uuid: "",
      compute_capability: "9.0",
      l2_bytes: 1,
      clock_khz: 1980000,
      memory_clock_khz: 3201000,
      memory_bus_bits: 6144,
      driver_version: 13000,
    },
  };

  it("shows kernels, and what is missing for a roofline", () =>
    inPage(async (page) => {
      await alter(page, `${good}/best`, (best) => {
        best.kernels = [kernel([{name: "achieved_occupancy", value: 71, normalised: 0.71}])];
      });
      await page.go(`${laboratory.url}/studies/${good}`);
      const text = await page.text();
      for (const part of [
        "k[S0,S1]",
        "16.0 KiB",
        "71 %",
        "There is no roofline: no kernel has both arithmetic_intensity",
      ])
        assert.ok(text.includes(part), part);
    }));

  it("draws what carving made of configurations, and says which one is under the keys", () =>
    inPage(async (page) => {
      const point = (index, efficiency, utilization, removed, time) => ({
        index,
        known: true,
        efficiency,
        utilization,
        removed,
        on_front: !removed,
        by: removed ? 0 : null,
        reason: "",
        candidate: index,
        outcome: time ? "correct" : null,
        seconds: time,
        configuration: index === 0 ? [] : [`k.tile = ${index}`],
      });
      await alter(page, `${good}*`, (document) => {
        if (document.search)
          document.inspections = {planned: 3, whole_space: true, inspected: 3, failed: 0, removed: 1};
        if (document.inspections?.length === 0) {
          document.margin = 0.1;
          document.inspections = [
            point(0, 4e-9, 100, false, 0.002),
            point(1, 2e-9, 200, false, null),
            point(2, 1e-9, 50, true, null),
          ];
        }
      });
      await page.go(`${laboratory.url}/studies/${good}`);
      await page.waitFor(
        `[...document.querySelectorAll(".chart")].some((c) => c.getAttribute("aria-label").startsWith("Efficiency and utilisation of 3 configurations, of which carving keeps 2"))`,
      );
      const text = await page.text();
      for (const part of ["Carving", "2 of 3 kept, of the whole space", "removed 1", "measured 1", "margin of 0.1"])
        assert.ok(text.includes(part), `${part} is missing in:\n${text}`);
      const chart = `[...document.querySelectorAll(".chart")].find((c) => c.getAttribute("aria-label").startsWith("Efficiency"))`;
      await page.waitFor(`${chart}.querySelector("canvas") !== null`);
      const press = `${chart}.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}))`;
      await page.evaluate(press);
      await page.evaluate(press);
      await page.waitFor(`${chart}.querySelector(".tip")?.textContent.includes("k.tile = 1")`);
    }));

  it("draws the tree of a case discussion, and texts as texts", () =>
    inPage(async (page) => {
      await alter(page, `${good}*`, (document) => {
        if (!document.search) return;
        document.cases = {
          name: "gemm",
          requirement: "n >= 4",
          kernels: [
            {
              name: "k[S0]",
              function: "gemm_kernel0",
              symbols: [{name: "T", machine: true, meaning: "threads of a block"}],
              cases: [
                {
                  conditions: ["B0 <= T"],
                  decisions: ["<b>one point</b> a thread"],
                  values: [{counter: "threads of a block", limit: "T", value: "B0"}],
                  function: "gemm_kernel0_v2",
                  unknown: false,
                },
              ],
              tree: {condition: "B0 <= T", holds: {case: 1}, fails: null},
            },
          ],
        };
      });
      await page.go(`${laboratory.url}/studies/${good}`);
      const tree = `document.querySelector('ul[aria-label="Cases of k[S0]"]')`;
      await page.waitFor(`${tree} !== null`);
      assert.equal(await page.evaluate(`${tree}.textContent`), "B0 <= Tyes: case 1no: none");
      const text = await page.text();
      for (const part of ["n >= 4", "threads of a block that the machine has", "<b>one point</b> a thread", "gemm_kernel0_v2"])
        assert.ok(text.includes(part), `${part} is missing in:\n${text}`);
    }));

  it("draws a roofline from operations a byte and a second", () =>
    inPage(async (page) => {
      await alter(page, `${good}*`, (document) => {
        if (document.kernels)
          document.kernels = [
            kernel([
              {name: "arithmetic_intensity", value: 8, normalised: 0},
              {name: "flop_throughput", value: 9e12, normalised: 0.1},
            ]),
          ];
        if (document.search) document.device = device;
      });
      await page.go(`${laboratory.url}/studies/${good}`);
      await page.waitFor(
        `[...document.querySelectorAll(".chart")].some((c) => c.getAttribute("aria-label").startsWith("Roofline. k[S0,S1]: 9.00 T"))`,
      );
    }));
});
