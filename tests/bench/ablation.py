#!/usr/bin/env python3
"""What each extension of the ant colony gains, on recorded spaces.

Runs `tunectl replay-space` for random search, the colony without extensions, with each extension alone, and with
all of them; writes OUTPUT/ablation.md and, where matplotlib is installed, OUTPUT/ablation-SPACE.svg: the best
so far after each evaluation, median and quartiles of the seeds. A space is a Kernel Tuner cache, a T4 file or an
archive of own studies. Only archives hold times of kernels and counters: elsewhere the two extensions that
learn from them are left out, since without these they change nothing.
"""
import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys

SWITCHES = {"kernel updates": "--no-kernel-updates", "metrics": "--no-metrics", "tree": "--no-tree"}
RECORDED = {"kernel updates": "with_kernel_times", "metrics": "with_metrics"}  # what an extension learns from
BASE = "base"
VARIANTS = ["random", BASE, "+kernel updates", "+metrics", "+tree", "full"]
RESAMPLES = 2000


def extensions_of(variant):
    if variant == "full":
        return list(SWITCHES)
    return [variant[1:]] if variant.startswith("+") else []


def replay(tunectl, space, variant, arguments):
    """The JSON that replay-space prints."""
    command = [tunectl, "--json", "replay-space", space, "--budget", str(arguments.budget), "--seeds", arguments.seeds]
    command += ["--strategy", "random" if variant == "random" else "ants"]
    command += [switch for name, switch in SWITCHES.items() if name not in extensions_of(variant)]
    for study in arguments.study:
        command += ["--study", study]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def shares_of(replayed):
    """For each seed and evaluation: the space's best time over the best so far; 0 while nothing is correct."""
    curves = []
    for run in replayed["strategies"][0]["runs"]:
        curves.append([replayed["best"] / best if best else 0.0 for best in run["best_so_far"]])
    return curves


def at(curve, evaluations):
    """A space that ended before has its last value for ever."""
    return curve[min(evaluations, len(curve)) - 1]


def quartiles(values):
    if len(values) < 2:
        return [values[0]] * 3
    return statistics.quantiles(values, n=4, method="inclusive")


def marks_of(budget):
    return sorted({max(1, budget // 8), max(1, budget // 4), max(1, budget // 2), budget})


class Space:
    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path).split(".")[0]
        self.facts = {}
        self.shares = {}  # variant -> curves

    def lacks(self, variant):
        """The extension that has nothing to learn from here, if the variant is that one alone."""
        only = extensions_of(variant)
        return len(only) == 1 and only[0] in RECORDED and self.facts.get(RECORDED[only[0]], 0) == 0

    def run(self, tunectl, arguments):
        for variant in VARIANTS:
            if self.lacks(variant):
                continue
            print(f"{self.name}: {variant}", file=sys.stderr)
            replayed = replay(tunectl, self.path, variant, arguments)
            self.facts = replayed
            self.shares[variant] = shares_of(replayed)


def gain(spaces, variant, other, evaluations):
    """Mean over spaces and seeds of the variant's share less the other's, with a 95 % bootstrap interval."""
    pairs = [(s.shares[variant], s.shares[other]) for s in spaces if variant in s.shares]
    if not pairs:
        return None
    samples = [([at(c, evaluations) for c in a], [at(c, evaluations) for c in b]) for a, b in pairs]
    draw = random.Random(1)
    mean = statistics.fmean(statistics.fmean(a) - statistics.fmean(b) for a, b in samples)
    means = []
    for _ in range(RESAMPLES):
        means.append(statistics.fmean(
            statistics.fmean(draw.choices(a, k=len(a))) - statistics.fmean(draw.choices(b, k=len(b)))
            for a, b in samples))
    means.sort()
    return mean, means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1], len(pairs)


def verdict(low, high):
    return "pays" if low > 0 else "costs" if high < 0 else "cannot be told apart"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def space_section(space, marks):
    rows = []
    for variant in VARIANTS:
        if variant not in space.shares:
            rows.append([variant] + ["as base: nothing recorded"] * len(marks))
            continue
        cells = []
        for mark in marks:
            low, middle, high = quartiles([at(curve, mark) for curve in space.shares[variant]])
            cells.append(f"{middle:.3f} ({low:.3f} .. {high:.3f})")
        rows.append([variant] + cells)
    facts = space.facts
    text = [f"## {space.name}", "",
            f"{facts['candidates']} candidates, {facts['correct']} correct, {facts.get('with_kernel_times', 0)} with "
            f"times of kernels, {facts.get('with_metrics', 0)} with counters. Median (quartiles) of the seeds.", ""]
    return text + table(["search"] + [f"{mark} evaluations" for mark in marks], rows) + [""]


def summary_section(spaces, marks):
    rows = []
    for variant in VARIANTS:
        of = [s for s in spaces if variant in s.shares]
        if not of:
            continue
        medians = [[statistics.median(at(c, mark) for c in s.shares[variant]) for s in of] for mark in marks]
        rows.append([variant, str(len(of))] + [f"{statistics.fmean(values):.3f}" for values in medians])
    text = ["## All spaces", "", "Mean over the spaces of the seeds' median.", ""]
    text += table(["search", "spaces"] + [f"{mark} evaluations" for mark in marks], rows) + [""]
    text += ["## What pays", "", "Difference of the mean shares, with a 95 % interval from resampled seeds (the spaces "
             "are taken as given: others may answer otherwise).", ""]
    rows = []
    for variant, other in [("base", "random")] + [(v, BASE) for v in VARIANTS[2:]] + [("full", "+tree")]:
        for mark in marks:
            found = gain(spaces, variant, other, mark)
            if found is None:
                rows.append([variant, other, str(mark), "nothing recorded", ""])
                continue
            mean, low, high, count = found
            rows.append([variant, other, str(mark), f"{mean:+.3f} ({low:+.3f} .. {high:+.3f})",
                         f"{verdict(low, high)}, {count} of {len(spaces)} spaces"])
    return text + table(["search", "against", "evaluations", "difference", "verdict"], rows) + [""]


def plot(space, folder):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as pyplot
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for variant, curves in space.shares.items():
        length = max(len(curve) for curve in curves)
        evaluations = range(1, length + 1)
        bands = [quartiles([at(curve, e) for curve in curves]) for e in evaluations]
        line, = axes.plot(evaluations, [band[1] for band in bands], label=variant, linewidth=1.4)
        axes.fill_between(evaluations, [b[0] for b in bands], [b[2] for b in bands], alpha=0.12, color=line.get_color())
    axes.set_xlabel("evaluations")
    axes.set_ylabel("best time of the space / best so far")
    axes.set_title(f"{space.name}: median and quartiles of the seeds")
    axes.legend(loc="lower right")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    path = os.path.join(folder, f"ablation-{space.name}.svg")
    figure.savefig(path)
    pyplot.close(figure)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    built = os.path.join(root, "build", "bin", "tunectl")
    parser.add_argument("spaces", nargs="+", metavar="SPACE")
    parser.add_argument("--budget", type=int, default=200, help="evaluations of each run (200)")
    parser.add_argument("--seeds", default="1..20", help="A..B (1..20)")
    parser.add_argument("--study", action="append", default=[], help="of archives: this study alone; may be repeated")
    parser.add_argument("--output", default=".", help="folder for table and plots (.)")
    parser.add_argument("--tunectl", default=built if os.path.exists(built) else shutil.which("tunectl"))
    arguments = parser.parse_args()
    if arguments.tunectl is None:
        sys.exit("ablation.py: tunectl was not found: build the project, or give --tunectl FILE")
    os.makedirs(arguments.output, exist_ok=True)
    spaces = [Space(path) for path in arguments.spaces]
    for space in spaces:
        space.run(arguments.tunectl, arguments)
    marks = marks_of(arguments.budget)
    lines = ["# Ablation of the ant colony", "", f"Seeds {arguments.seeds}, {arguments.budget} evaluations. Shares: best "
             "time of the space over the best found, 1 is the optimum.", ""]
    for space in spaces:
        lines += space_section(space, marks)
    lines += summary_section(spaces, marks)
    path = os.path.join(arguments.output, "ablation.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    print(path)
    try:
        for space in spaces:
            print(plot(space, arguments.output))
    except ImportError as error:
        print(f"no plots: {error} (Debian: apt install python3-matplotlib)", file=sys.stderr)


if __name__ == "__main__":
    main()
