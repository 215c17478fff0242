#!/usr/bin/env python3
"""Code for all sizes (`tunectl generate --cases`) at sizes that it never saw, against code that was made for each of them.

    tests/bench/case_sizes.py --scops scops --extract-only                      where libclang is
    tests/bench/case_sizes.py --scops scops                                     where the GPU is: right, and the defaults
    tests/bench/case_sizes.py --scops scops --tuned 2 --learn 3 --server ADDR   also tuned, at two of the sizes

Draws sizes of each program of tests/bench/case_sizes from a seed, between 16 and EXTRALARGE, evenly in their logarithms.
Each has code by the default decisions (`tunectl generate --sizes`), and --tuned of them are studies of --evaluations each
at the server, on this device. --learn further sizes, which are not among those, are studies before all else: the code for
all sizes begins with their formats (`tunectl export --format cases`). Results are compared on the device with those of the
size's own code, and where the host takes seconds at most with the original's. Prints a table and writes FOLDER/NAME.csv.

--simulated: at small sizes on the simulated device, which says nothing of times. --time-limit ends the run in order, with
what is known. Exit codes: 0 all results are right, 1 some are not, or nothing could be done.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import random
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "tests", "bench", "case_sizes")

# Of each program: parameters with their largest value; arrays, as C declares them; iterations, in C.
PROGRAMS = {
    "gemm": {"sizes": {"ni": 2000, "nj": 2300, "nk": 2600},
             "arrays": {"C": ["ni", "nj"], "A": ["ni", "nk"], "B": ["nk", "nj"]}, "work": "ni * nj * nk"},
    "syrk": {"sizes": {"n": 2600, "m": 2000}, "arrays": {"C": ["n", "n"], "A": ["n", "m"]}, "work": "n * n * m / 2"},
    "jacobi_2d": {"sizes": {"steps": 1000, "n": 2800}, "arrays": {"A": ["n", "n"], "B": ["n", "n"]},
                  "work": "2 * steps * n * n"},
    "mvt": {"sizes": {"n": 4000}, "arrays": {"x": ["n"], "y": ["n"], "u": ["n"], "v": ["n"], "A": ["n", "n"]},
            "work": "2 * n * n"},
    "transposition": {"sizes": {"n": 8000, "m": 8000}, "arrays": {"a": ["n", "m"], "c": ["m", "n"]}, "work": "n * m"},
}
SMALLEST = 16


class Failure(Exception):
    """What happened, and what to do next."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def run(words, folder=None):
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Failure(f"`{' '.join(words)}` ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def draw_sizes(name, count, seed, taken=(), largest=None):
    """`count` different sizes, none of them in `taken`: a list of values for each parameter's name, in order."""
    limits = PROGRAMS[name]["sizes"]
    source = random.Random(f"{name} {seed}")
    sizes, seen = [], {tuple(size) for size in taken}
    for _ in range(100 * count):
        if len(sizes) == count:
            break
        size = []
        for limit in limits.values():
            top = min(limit, largest or limit)
            size.append(round(SMALLEST * (top / SMALLEST) ** source.random()))
        if tuple(size) not in seen:
            seen.add(tuple(size))
            sizes.append(size)
    return sizes


def signature_of(header, name):
    """Arrays and parameters of NAME_device, in the order of its arguments."""
    found = re.search(rf"cudaError_t {name}_device\(([^)]*)\)", header)
    if not found:
        raise Failure(f"{name}: the header has no {name}_device")
    arguments = [argument.split() for argument in found.group(1).split(",")]
    words = [(argument[-1], argument) for argument in arguments]
    arrays = [word.lstrip("*") for word, argument in words if "float" in argument]
    parameters = [word for word, argument in words if argument[:-1] == ["int"]]
    return arrays, parameters


def problem_header(name, arrays, parameters):
    """What case_sizes.cc is told of the program. Parameters come in the order of PROGRAMS."""
    program = PROGRAMS[name]
    own = list(program["sizes"])
    values = "\n".join(f"  [[maybe_unused]] const long long {p} = parameters[{i}];" for i, p in enumerate(own))
    extents = ", ".join("{" + ", ".join(program["arrays"][a]) + "}" for a in arrays)
    c_order = list(program["arrays"])
    return f"""#define NAME {name}
extern "C" void {name}({", ".join(["int"] * len(own) + ["void *"] * len(arrays))});
constexpr int kArrays = {len(arrays)}, kParameters = {len(own)};
inline std::vector<std::vector<long long>> Extents(const long long *parameters) {{
{values}
  return {{{extents}}};
}}
inline double Work(const long long *parameters) {{
{values}
  return double({program["work"].replace("* ", "* 1.0 * ", 1)});
}}
inline cudaError_t CallDevice(void *function, void *const *a, const long long *parameters, void *workspace,
                              cudaStream_t stream) {{
{values}
  return reinterpret_cast<cudaError_t (*)({", ".join(["void *"] * len(arrays) + ["int"] * len(parameters))}, void *, cudaStream_t)>(
      function)({", ".join([f"a[{i}]" for i in range(len(arrays))] + [f"int({p})" for p in parameters])}, workspace, stream);
}}
inline void Original(void *const *a, const long long *parameters) {{
  {name}({", ".join([f"int(parameters[{i}])" for i in range(len(own))] + [f"a[{arrays.index(x)}]" for x in c_order])});
}}
"""


class Bench:
    def __init__(self, name, options):
        self.name, self.options = name, options
        self.folder = os.path.join(options.folder, name)
        os.makedirs(self.folder, exist_ok=True)
        self.sizes = draw_sizes(name, options.sizes, options.seed, largest=24 if options.simulated else None)
        self.source = os.path.join(HERE, name + ".c")
        self.scop = os.path.join(options.scops, name + ".scop") if options.scops else self.source

    def tunectl(self, *words, server=False):
        command = [self.options.tunectl]
        if server and self.options.server:
            command += ["--server", self.options.server]
        return run(command + list(words), self.folder)

    def extract(self):
        os.makedirs(self.options.scops, exist_ok=True)
        run([self.options.tunectl, "extract", self.source, "--output", self.scop])

    def size_options(self, sizes):
        names = list(PROGRAMS[self.name]["sizes"])
        return [w for i, n in enumerate(names) for w in ("--sizes", f"{n}=" + ",".join(str(s[i]) for s in sizes))]

    def studies(self, sizes):
        """The ids of studies of these sizes that found something; waits until they have ended."""
        names = list(PROGRAMS[self.name]["sizes"])
        ids = []
        for size in sizes:
            words = ["--json", "submit", self.scop, "--target", "cuda", "--evaluations", str(self.options.evaluations)]
            for name, value in zip(names, size):
                words += ["--param", f"{name}={value}"]
            ids += [study["id"] for study in json.loads(self.tunectl(*words, server=True))]
        best = []
        for study in ids:
            while True:
                shown = json.loads(self.tunectl("--json", "show", study, server=True))
                if shown["state"] in ("done", "failed", "stopped"):
                    break
                if self.options.deadline and time.monotonic() > self.options.deadline:
                    self.tunectl("cancel", study, server=True)
                time.sleep(1)
            if shown["best_index"] is None:
                say(f"{self.name}: {study} found nothing: {shown['failure']}")
            else:
                best.append(study)
        return best

    def generate(self, tuned):
        formats = []
        if self.options.learn:
            learnt = self.studies(draw_sizes(self.name, self.options.learn, self.options.seed + 1, self.sizes))
            if learnt:
                self.tunectl("export", *learnt, "--format", "cases", "-o", "lab.formats", "--force", server=True)
                formats = ["--formats", "lab.formats"]
        arch = ["--arch", self.options.arch]
        self.tunectl("generate", self.scop, "--cases", *arch, *formats, "-o", "cases.c", "--force")
        self.tunectl("generate", self.scop, *arch, *self.size_options(self.sizes), "-o", "default.c", "--force")
        if tuned:
            self.tunectl("fetch", *tuned, "--force", "-o", "tuned.c", server=True)
        with open(os.path.join(self.folder, "default.h"), encoding="utf-8") as header:
            arrays, parameters = signature_of(header.read(), self.name)
        with open(os.path.join(self.folder, "problem.h"), "w", encoding="utf-8") as header:
            header.write(problem_header(self.name, arrays, parameters))

    def device_files(self, stem):
        """Those of single sizes first, then the one that calls them."""
        return sorted(glob.glob(os.path.join(self.folder, f"{stem}.*.cu"))) + glob.glob(os.path.join(self.folder, f"{stem}.cu"))

    def build(self, pool):
        nvcc = self.options.nvcc
        flags = [f"-arch={self.options.arch}", "-O3", "-Xcompiler", "-fPIC"]
        libraries = [stem for stem in ("cases", "default", "tuned") if self.device_files(stem)]
        files = [file for stem in libraries for file in self.device_files(stem)]
        list(pool.map(lambda file: run([nvcc, *flags, "-c", file, "-o", file + ".o"]), files))
        for stem in libraries:
            run([nvcc, "-shared", *(f + ".o" for f in self.device_files(stem)), "-o", os.path.join(self.folder, stem + ".so")])
        cuda = os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
        run(["cc", "-O3", "-march=native", "-c", self.source, "-o", "original.o"], self.folder)
        run(["c++", "-std=c++17", "-O2", "-I", self.folder, "-isystem", f"{cuda}/include", f"{HERE}.cc", "original.o",
             "-o", "bench", f"-L{cuda}/lib64", "-lcudart", "-ldl"], self.folder)

    def measure(self):
        values = [str(value) for size in self.sizes for value in size]
        return run(["./bench", *values], self.folder)

    def simulate(self):
        values = ",".join(str(value) for size in self.sizes for value in size)
        run(["cc", "-O1", "-w", "-fPIC", "-c", self.source, "-o", "original.o"], self.folder)
        run(["c++", "-std=c++17", "-O1", "-fPIC", "-shared", f"-DSIMULATED={values}", "-I", self.folder, "-I",
             f"{ROOT}/tests/simulated_cudart", f"{HERE}.cc", "original.o", "-o", "bench.so"], self.folder)
        files = [file for stem in ("cases", "default") for file in self.device_files(stem)]
        simulator = os.path.join(self.options.build, "tests", "simulated", "run_on_simulated_device")
        run([simulator, *files, "./bench.so"], self.folder)
        with open(os.path.join(self.folder, "bench.so.out"), encoding="utf-8") as output:
            return output.read()


def parse_rows(text, parameters):
    """Of each size: values, right, and times, None where there is none."""
    rows = []
    for line in text.splitlines():
        fields = line.split(",")
        times = [float(field) if field else None for field in fields[parameters + 1:]]
        rows.append((tuple(int(f) for f in fields[:parameters]), fields[parameters], *times))
    return rows


def summary(name, rows):
    """A line: how many are right; against the default and the tuned code, worst and best."""
    right = sum(row[1] == "yes" for row in rows)
    text = f"{name}: {right} of {len(rows)} right"
    ratios = sorted(row[3] / row[2] for row in rows)
    if ratios:
        slower = sum(ratio < 1 / 1.02 for ratio in ratios)
        text += (f"; default / cases from {ratios[0]:.2f} to {ratios[-1]:.2f}, median {ratios[len(ratios) // 2]:.2f}, "
                 f"{slower} slower by more than 2 %")
    tuned = [row[4] / row[2] for row in rows if row[4]]
    if tuned:
        near = sum(ratio > 1 / 1.1 for ratio in tuned)
        text += f"; of {len(tuned)} tuned ones {near} within 10 %"
    return text


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="comma-separated; default: all")
    parser.add_argument("--sizes", type=int, default=50, help="of each program")
    parser.add_argument("--seed", type=int, default=24)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--tuned", type=int, default=0, help="of the sizes, that are tuned at the server")
    parser.add_argument("--learn", type=int, default=0, help="other sizes, whose formats are known before")
    parser.add_argument("--evaluations", type=int, default=30)
    parser.add_argument("--server", default="", help="as of tunectl")
    parser.add_argument("--scops", default="", help="folder of extracted programs")
    parser.add_argument("--extract-only", action="store_true")
    parser.add_argument("--simulated", action="store_true")
    parser.add_argument("--folder", default="case_sizes")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--nvcc", default="/usr/local/cuda/bin/nvcc")
    parser.add_argument("--time-limit", type=float, default=0, help="seconds; 0: none")
    options = parser.parse_args(arguments)
    options.tunectl = os.path.join(options.build, "bin", "tunectl")
    options.folder, options.scops = os.path.abspath(options.folder), options.scops and os.path.abspath(options.scops)
    options.deadline = time.monotonic() + options.time_limit if options.time_limit else 0
    return options


def prepare(bench, pool):
    """Studies, files and programs; False, which is said: it cannot be measured."""
    options = bench.options
    try:
        if options.scops and (options.extract_only or not os.path.exists(bench.scop)):
            bench.extract()
        if options.extract_only:
            return False
        bench.generate(bench.studies(bench.sizes[:options.tuned]))
        if not options.simulated:
            bench.build(pool)
    except Failure as failure:
        say(f"{bench.name}: {failure}")
        return False
    return True


def report(bench):
    """Measures, writes the table and prints a line; whether all results are right."""
    names = list(PROGRAMS[bench.name]["sizes"])
    try:
        text = bench.simulate() if bench.options.simulated else bench.measure()
    except Failure as failure:
        say(f"{bench.name}: {failure}")
        return False
    with open(os.path.join(bench.options.folder, bench.name + ".csv"), "w", encoding="utf-8") as table:
        table.write(",".join(names + ["right", "cases_us", "default_us", "tuned_us"]) + "\n" + text)
    rows = parse_rows(text, len(names))
    print(summary(bench.name, rows), flush=True)
    return len(rows) == len(bench.sizes) and all(row[1] == "yes" for row in rows)


def main(arguments):
    options = parse_options(arguments)
    names = options.programs.split(",")
    for name in names:
        if name not in PROGRAMS:
            say(f"{name}: no such program; there are {', '.join(PROGRAMS)}")
            return 1
    benches = [Bench(name, options) for name in names]
    # All programs are made at the same time; then nothing else runs while one is measured.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, \
            concurrent.futures.ThreadPoolExecutor(len(benches)) as each:
        ready = list(each.map(lambda bench: prepare(bench, pool), benches))
    if options.extract_only:
        return 0
    all_right = True
    for bench, is_ready in zip(benches, ready):
        if is_ready and options.deadline and time.monotonic() > options.deadline:
            say(f"{bench.name}: left out, the time is over")
            is_ready = False
        all_right = is_ready and report(bench) and all_right
    return 0 if all_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
