#!/usr/bin/env python3
"""What the cpu target's decisions are worth: sequential time, the default's, and the best's of N evaluations.

    tests/bench/cpu_default.py [--bin build/bin] [--evaluations N] [--runs 5] [PROGRAM...]

For each of the thirty programs of tests/programs and those of tests/bench/cpu_programs, at sizes at which a region
takes some ten milliseconds or more, prints the region's time as gcc makes it of the program alone, its time in the
file that `tunectl generate --target cpu` writes by default decisions, and the ratio; with --evaluations N also the
best time that a study of N evaluations found, by `tunectl tune`. Both programs
are built with the same flags and run in turns, each region in a process of its own, and the fastest of the runs
counts. Programs whose printed sums differ count as wrong, and the exit code is then 1. --csv FILE keeps the
numbers, --against FILE compares with those of an earlier build.
"""
import argparse
import csv
import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZES = {
    "2mm": "NI=400 NJ=420 NK=440 NL=460", "3mm": "NI=400 NJ=420 NK=440 NL=460 NM=480", "adi": "TSTEPS=20 N=300",
    "atax": "M=3800 N=4200", "bicg": "N=4200 M=3800", "cholesky": "N=700", "correlation": "M=500 N=600",
    "covariance": "M=500 N=600", "deriche": "W=2048 H=1080", "doitgen": "NR=100 NQ=90 NP=100", "durbin": "N=8000",
    "fdtd-2d": "TMAX=60 NX=600 NY=700", "floyd-warshall": "N=500", "gemm": "NI=500 NJ=550 NK=600",
    "gemver": "N=3000", "gesummv": "N=3000", "gramschmidt": "M=400 N=400", "heat-3d": "TSTEPS=30",
    "jacobi-1d": "TSTEPS=3000 N=20000", "jacobi-2d": "TSTEPS=80 N=700", "lu": "N=600", "ludcmp": "N=600",
    "mvt": "N=3000", "nussinov": "N=800", "seidel-2d": "TSTEPS=20 N=500", "symm": "M=400 N=500",
    "syr2k": "M=400 N=500", "syrk": "M=500 N=600", "trisolv": "N=6000", "trmm": "M=500 N=600",
}
FLAGS = ["-O3", "-march=native"]
TIMER = """#define _GNU_SOURCE 1
#include <stdio.h>
#include <time.h>
static double bench_start_;
static double bench_now_(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}
"""


def with_timer(text):
    """The program, which tells on its standard error how long each execution of its region took."""
    text = re.sub(r"(?m)^#pragma scop$", "bench_start_ = bench_now_();\n#pragma scop", text)
    return TIMER + re.sub(r"(?m)^#pragma endscop$",
                          '#pragma endscop\nfprintf(stderr, "region %.9f\\\\n", bench_now_() - bench_start_);', text)


class Program:
    def __init__(self, source, folder, options):
        self.name = os.path.splitext(os.path.basename(source))[0]
        self.macros = SIZES.get(self.name, "").split()
        self.folder = folder
        self.options = options
        self.source = os.path.join(folder, self.name + ".c")
        with open(source) as original, open(self.source, "w") as timed:
            timed.write(with_timer(original.read()))

    def tunectl(self, verb, *arguments):
        command = [os.path.join(self.options.bin, "tunectl")] + verb + [self.source, "--ldflags=-lm", "--force"]
        command += ["-D" + macro for macro in self.macros] + list(arguments)
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def build(self, source, name, *flags):
        program = os.path.join(self.folder, name)
        subprocess.run([os.environ.get("CC", "cc"), *FLAGS, *flags, *["-D" + macro for macro in self.macros], source,
                        "-o", program, "-lm"], check=True)
        return program

    def build_both(self):
        """Programs, original and by default decisions."""
        tuned = os.path.join(self.folder, self.name + ".tuned.c")
        parameters = ["--parameter=" + macro.lower() for macro in self.macros]
        verb = ["generate"]
        made = self.tunectl(verb, "--target=cpu", "-o", tuned, *self.options.set)
        if "--parameter" in made.stderr:
            made = self.tunectl(verb, "--target=cpu", "-o", tuned, *parameters, *self.options.set)
        if made.returncode != 0:
            raise RuntimeError(made.stderr)
        return self.build(self.source, self.name), self.build(tuned, self.name + ".tuned", "-fopenmp")

    def best(self):
        """Seconds of the best candidate: the median of its samples."""
        made = self.tunectl(["--json", "tune"], "--target=cpu", "--fresh", "--evaluations",
                            str(self.options.evaluations), "-o", os.path.join(self.folder, self.name + ".best.c"))
        try:
            result = json.loads(made.stdout)
        except json.JSONDecodeError:
            raise RuntimeError(made.stderr)
        samples = sorted(result["studies"][-1]["best"]["samples"])
        return samples[len(samples) // 2]


def run(program):
    """(what it prints, seconds in its regions)"""
    done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{program} ended with {done.returncode}")
    return done.stdout, sum(float(line.split()[1]) for line in done.stderr.splitlines() if line.startswith("region "))


def agree(a, b):
    first, second = a.split(), b.split()
    if len(first) != len(second):
        return False
    for left, right in zip(first, second):
        try:
            if abs(float(left) - float(right)) > 1e-4 * max(abs(float(left)), abs(float(right)), 1e-30):
                return False
        except ValueError:
            if left != right:
                return False
    return True


def measure(programs, runs):
    """Fastest seconds of each program, run in turns, and whether all print the same."""
    fastest, same, printed = [math.inf] * len(programs), True, None
    for _ in range(runs):
        for i, program in enumerate(programs):
            text, seconds = run(program)
            printed = printed or text
            same = same and agree(printed, text)
            fastest[i] = min(fastest[i], seconds)
    return fastest, same


def mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios)) if ratios else math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", help="names; default: all")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--evaluations", type=int, default=0)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--set", nargs="*", default=[], help="further words for tunectl generate")
    parser.add_argument("--csv")
    parser.add_argument("--against")
    parser.add_argument("--keep", help="folder for the programs")
    options = parser.parse_args()
    options.set = [word for pair in options.set for word in ("--set", pair)]
    earlier = {}
    if options.against:
        with open(options.against) as file:
            earlier = {row["program"]: row for row in csv.DictReader(file)}
    sources = sorted(glob.glob(os.path.join(ROOT, "tests", "programs", "*.c")))
    sources += sorted(glob.glob(os.path.join(ROOT, "tests", "bench", "cpu_programs", "*.c")))
    names = [os.path.splitext(os.path.basename(source))[0] for source in sources]
    unknown = set(options.programs) - set(names)
    if unknown:
        sys.exit(f"cpu_default.py: there is no program {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    folder = options.keep or tempfile.mkdtemp(prefix="cpu_default.")
    os.makedirs(folder, exist_ok=True)
    rows, wrong = [], []
    print(f"{'program':16}{'sequential':>12}{'default':>12}{'ratio':>8}{'best':>12}{'ratio':>8}{'earlier':>10}")
    for source, name in zip(sources, names):
        if options.programs and name not in options.programs:
            continue
        row = {"program": name}
        try:
            program = Program(source, folder, options)
            (row["sequential"], row["default"]), same = measure(program.build_both(), options.runs)
            if not same:
                wrong.append(name)
            if options.evaluations:
                row["best"] = program.best()
        except (RuntimeError, subprocess.CalledProcessError) as error:
            print(f"{name:16}{str(error).strip()[:200]}", flush=True)
            wrong.append(name)
            continue
        rows.append(row)
        ms = lambda key: f"{1e3 * row[key]:9.2f} ms" if key in row else f"{'-':>12}"
        over = lambda key: f"{row[key] / row['sequential']:8.2f}" if key in row else f"{'-':>8}"
        key = "best" if "best" in row else "default"
        before = earlier.get(name, {}).get(key)
        gain = f"{float(before) / row[key]:10.2f}" if before else f"{'-':>10}"
        print(f"{name:16}{ms('sequential')}{ms('default')}{over('default')}{ms('best')}{over('best')}{gain}"
              f"{' WRONG' if name in wrong else ''}", flush=True)
    for key in ("default", "best"):
        ratios = [row["sequential"] / row[key] for row in rows if key in row]
        gains = [float(earlier[row["program"]][key]) / row[key] for row in rows
                 if key in row and earlier.get(row["program"], {}).get(key)]
        if ratios:
            print(f"{key}: {mean(ratios):.2f} times as fast as sequential in the geometric mean, slowest "
                  f"{min(ratios):.2f}" + (f"; {mean(gains):.2f} times as fast as before" if gains else ""))
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, ["program", "sequential", "default", "best"])
            writer.writeheader()
            writer.writerows(rows)
    if wrong:
        sys.exit(f"cpu_default.py: wrong, or not made: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
