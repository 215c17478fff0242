#!/usr/bin/env python3
"""Programs that tune themselves while they run (`tunectl online`), against the same programs as they are written.

    tests/bench/online_programs.py --polybench DIR --size LARGE --sources online --generate-only   where libclang is
    tests/bench/online_programs.py --polybench DIR --size LARGE --sources online                    where the GPU and nvcc are

Takes programs of PolyBench/C 4.2 whose main calls the kernel once, calls it --calls times, each time on fresh inputs, and
times each call on the host, copies to and from the GPU included. `settled` is the median of the last quarter of the calls,
`original` that of the program as it is, which runs before and after, and is called as often where --original-seconds are
enough for that, at least three times; `tries` is the calls until none of those that follow takes more than 1.5 times `settled`. A program is slower
when `settled` is more than 2 % longer than `original`, and by more than the spread of its calls (their quartiles). All are
built before any is measured.

Prints a table and writes it to --csv. Exit codes: 0 none is slower, 1 some are, or could not be built or run, 2 the command
line cannot be understood.
"""
import argparse
import concurrent.futures
import csv
import os
import re
import statistics
import subprocess
import sys

import polybench

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = ["gemm", "gemver", "gesummv", "symm", "syrk", "syr2k", "trmm", "2mm", "3mm", "atax", "bicg", "doitgen", "mvt"]
TIMING = """
#include <stdlib.h>
#include <time.h>
static int call_count(void) {
  const char *calls = getenv("CALLS");
  return calls == 0 ? 1 : atoi(calls);
}
static double call_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}
"""


class Failure(Exception):
    """What happened, and what to do next."""


def run(words, **options):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        raise Failure(f"`{' '.join(words)}` ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-1000:]}")
    return done.stdout


def source_of(arguments, name):
    programs = polybench.programs_in(arguments.polybench)
    if name not in programs:
        raise Failure(f"{arguments.polybench} has no program {name}: give the folder of PolyBench/C 4.2")
    return programs[name].source


def utilities(arguments):
    return os.path.join(arguments.polybench, "utilities")


def with_many_calls(text):
    """The program with its kernel in a loop that says how long each call takes, in microseconds."""
    init = re.search(r"\n  init_array\s*\(.*?\);\n", text, re.S)
    kernel = re.search(r"\n  kernel_\w+\s*\(.*?\);\n", text, re.S)
    if init is None or kernel is None:
        raise Failure("main does not call init_array and then the kernel, once each")
    loop = ("\n  for (int call = 0, calls = call_count(); call < calls; ++call) {" + init.group(0) + "  const double begin = call_time();" +
            kernel.group(0) + '  printf("%.3f\\n", 1e6 * (call_time() - begin));\n  }\n')
    text = text[:kernel.start()] + loop + text[kernel.end():]
    first = text.index("#include")
    return text[:first] + TIMING + text[first:]


def flags(arguments, name):
    words = ["-I", utilities(arguments), "-I", os.path.dirname(source_of(arguments, name))]
    for macro in polybench.macros(arguments.size, arguments.type) + ["POLYBENCH_USE_C99_PROTO"]:
        words += ["-D", macro]
    return words


def generate(arguments, name):
    with open(source_of(arguments, name), encoding="utf-8") as file:
        text = with_many_calls(file.read())
    source = os.path.join(arguments.sources, name + ".c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    target = ["--target", "cpu+cuda"] if arguments.target == "cpu+cuda" else ["--cases"]
    run([arguments.tunectl, "generate", source, *target, "--online", "--arch", arguments.arch, "--force",
         "--with", os.path.join(utilities(arguments), "polybench.c"), "-o",
         os.path.join(arguments.sources, name + ".online.c")] + flags(arguments, name))


def build(arguments, name):
    """The program as it is and the one that tunes itself."""
    base = os.path.join(arguments.sources, name)
    timers = os.path.join(utilities(arguments), "polybench.c")
    compiler = ["cc", "-O3", "-march=native", "-fopenmp"] + flags(arguments, name)
    run(compiler + [base + ".c", timers, "-lm", "-o", base + ".original"])
    libtune = arguments.libtune
    include = ["-I", os.path.join(ROOT, "libtune", "include")]
    run(["nvcc", "-O3", "-Xcompiler", "-fopenmp", f"-arch={arguments.arch}", "-c", base + ".online.cu", "-o", base + ".cu.o"] + include)
    run(compiler + include + ["-c", base + ".online.c", "-o", base + ".o"])
    run(compiler + ["-c", timers, "-o", base + ".polybench.o"])
    run(["nvcc", base + ".o", base + ".cu.o", base + ".polybench.o", libtune, "-Xcompiler", "-fopenmp", "-lm",
         "-lpthread", "-o", base + ".online"])


def calls_of(program, calls, **environment):
    """Microseconds of each call."""
    words = run([os.path.abspath(program)], env=dict(os.environ, CALLS=str(calls), **environment)).split()
    return [float(word) for word in words]


def calls_of_original(arguments, program):
    times = calls_of(program, 3)
    fitting = int(1e6 * arguments.original_seconds / max(times))
    return calls_of(program, min(fitting, arguments.calls)) if fitting > 3 else times


def last_quarter(times):
    return times[-max(len(times) // 4, 3):]


def choice_in(wisdom):
    """What the search settled on."""
    if not os.path.exists(wisdom):
        return "not settled"
    with open(wisdom, encoding="utf-8") as file:
        return re.search(r"\b(?:platform|division)=([\w+]+)", file.read()).group(1)


def measure(arguments, name):
    base = os.path.join(arguments.sources, name)
    original = last_quarter(calls_of_original(arguments, base + ".original"))
    wisdom = base + ".wisdom"
    if os.path.exists(wisdom):
        os.remove(wisdom)
    calls = calls_of(base + ".online", arguments.calls, TUNE_WISDOM_FILE=wisdom)
    original += last_quarter(calls_of_original(arguments, base + ".original"))
    last = last_quarter(calls)
    settled, before = statistics.median(last), statistics.median(original)
    slow = [i for i, time in enumerate(calls) if time > 1.5 * settled]
    low, _, high = statistics.quantiles(last, n=4)
    return {"program": name, "original_us": round(before, 1), "settled_us": round(settled, 1),
            "gain": round(before / settled, 2), "tries": slow[-1] + 1 if slow else 0,
            "choice": choice_in(wisdom),
            "slower": settled > 1.02 * before and settled - before > high - low}


def succeeds(step, name):
    try:
        step(name)
        return True
    except (Failure, OSError) as failure:
        print(f"{name}: {failure}", file=sys.stderr, flush=True)
        return False


def write_table(rows, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, fieldnames=list(rows[0]))
        table.writeheader()
        table.writerows(rows)


def work(arguments, names):
    """What is asked for of all programs: the rows of the table, and those that failed."""
    def is_generated(name):
        return os.path.exists(os.path.join(arguments.sources, name + ".online.cu"))

    ready = [name for name in names if not arguments.generate_only and is_generated(name) or
             succeeds(lambda name: generate(arguments, name), name)]
    if arguments.generate_only:
        return [], [name for name in names if name not in ready]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        built = list(pool.map(lambda name: succeeds(lambda name: build(arguments, name), name), ready))
    rows = []

    def add_row(name):
        rows.append(measure(arguments, name))
        print("  ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
        write_table(rows, arguments.csv)

    for name, is_built in zip(ready, built):
        if is_built:
            succeeds(add_row, name)
    measured = [row["program"] for row in rows]
    return rows, [name for name in names if name not in measured]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0], epilog=__doc__.split("\n", 1)[1],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--polybench", required=True, metavar="DIR", help="PolyBench/C 4.2, with its folder utilities")
    parser.add_argument("--size", default="LARGE", choices=polybench.SIZES)
    parser.add_argument("--type", default="float", choices=sorted(polybench.TYPES), help="of the arrays' elements (float)")
    parser.add_argument("--target", default="cuda", choices=["cuda", "cpu+cuda"],
                        help="cpu+cuda: parts of the outermost loop on both")
    parser.add_argument("--programs", metavar="NAME,NAME", help="default: the BLAS and the kernels beside them")
    parser.add_argument("--calls", type=int, default=120, metavar="N", help="of the program that tunes itself (120)")
    parser.add_argument("--original-seconds", type=float, default=3, metavar="S", help="for the program as it is (3)")
    parser.add_argument("--sources", default="online-programs", metavar="DIR", help="where generated files are; another folder for each target, type and size")
    parser.add_argument("--generate-only", action="store_true", help="write the sources and end")
    parser.add_argument("--arch", default="sm_90", metavar="SM", help="(sm_90)")
    parser.add_argument("--tunectl", default=os.path.join(ROOT, "build", "bin", "tunectl"), metavar="PATH")
    parser.add_argument("--libtune", default=os.path.join(ROOT, "build", "libtune", "libtune.a"), metavar="PATH")
    parser.add_argument("--csv", default="online_programs.csv", metavar="FILE", help="replaced")
    arguments = parser.parse_args()
    if arguments.calls < 8:
        parser.error("--calls: at least 8, of whose last quarter quartiles are taken")
    os.makedirs(arguments.sources, exist_ok=True)
    rows, failed = work(arguments, arguments.programs.split(",") if arguments.programs else PROGRAMS)
    return 1 if failed or any(row["slower"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
