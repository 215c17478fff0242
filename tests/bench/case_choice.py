#!/usr/bin/env python3
"""What it costs a file with cases (`tunectl generate --cases`) to choose what runs while the program runs.

    tests/bench/case_choice.py                       formats, of all programs of tests/bench/case_sizes
    tests/bench/case_choice.py --arch sm_90          all that is chosen in files with programs for that architecture
    tests/bench/case_choice.py --count FILE.cu...    the operations alone, of files that tunectl wrote

For each kernel: operations with numbers (comparisons, products, quotients, sums) of the choice that needs most of them, how
often it then asks how many threads a kernel leaves, and nanoseconds of a choice, on average and on the machine on which it
takes longest. Sizes and machines are drawn from a seed: 2000 sizes on each of six machines, such that have hardly any
registers or shared memory among them. With --arch: nanoseconds of a call on memory of the device for each of its launches,
without CUDA's own, of 100 sizes on an H200. Needs a C++ compiler, and no GPU.

Exit codes: 0 no kernel needs more than --most operations or --most-questions, 1 some kernel does, 2 something failed.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

import case_sizes

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "tests", "bench")


class Failure(Exception):
    """What happened, and what to do next."""


def run(words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Failure(f"`{' '.join(words)}` ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def piece(text, begin, end):
    """From one text to the other, which stays behind."""
    first = text.find(begin)
    last = text.find(end, first)
    if first < 0 or last < 0:
        raise Failure(f"the file has no piece from `{begin}` to `{end}`: is it one of `tunectl generate --cases`?")
    return text[first:last]


def choice_of(device_file, counted):
    """The C++ that chooses, and the functions whose cases it chooses among."""
    functions = re.findall(r"^// The case of (\w+) that holds, or -1\.$", device_file, re.MULTILINE)
    if not functions:
        raise Failure("the file has no kernel with cases")
    limits = "// With how many threads in a block kernels can run, each asked"
    most_threads = piece(device_file, "// With how many threads in a block the kernel", limits)
    if counted:
        most_threads = ("int questions_asked = 0;\n"
                        "int MostThreads(const Machine &, const void *) { ++questions_asked; return kernel_threads; }\n")
    text = (piece(device_file, "struct Machine {", "cudaError_t FindMachine(") + most_threads +
            piece(device_file, limits, "// Of a launch along y and z."))
    names = set()
    for function in functions:
        own = piece(device_file, f"// The case of {function} that holds", f"cudaError_t {function}_launch(")
        names.update(re.findall(r"\(const void \*\)(\w+)", own))
        text += own
    kernels = "".join(f'const char {name}[] = "";\n' for name in sorted(names))
    text = re.sub(r"\blong long\b", "Number", text)
    if not counted:
        text += "int questions_asked = 0;\n"
    return kernels + text, functions


def measure(device_file, counted, folder):
    """(kernel, number, number) of each kernel."""
    with open(device_file, encoding="utf-8") as file:
        text, functions = choice_of(file.read(), counted)
    choice, program = os.path.join(folder, "choice.inc"), os.path.join(folder, "choice")
    with open(choice, "w", encoding="utf-8") as file:
        file.write(text)
    run(["c++", "-std=c++17", "-O2", "-w", os.path.join(HERE, "case_choice.cc"), "-o", program, f'-DCHOICE_FILE="{choice}"',
         "-DCHOICES=" + "".join(f"CHOICE({function})" for function in functions)] + (["-DCOUNTED"] if counted else []))
    return [(words[0], float(words[1]), float(words[2])) for words in map(str.split, run([program]).splitlines())]


def call_sizes(name, text):
    """Rows of sizes as calls are told them: extents of arrays, then parameters."""
    program = case_sizes.PROGRAMS[name]
    arrays = re.findall(r"\(void \*\)(\w+)", piece(text, "tune_arrays[] = {", "};"))
    told = re.findall(r"\(long long\)(\w+)(?=[,}])", piece(text, "tune_sizes[] = {", ";"))
    rows = []
    for size in case_sizes.draw_sizes(name, 100, 24):
        values = dict(zip(program["sizes"], size))
        extents = [values[extent] for array in arrays for extent in program["arrays"][array]]
        rows.append(extents + [values[parameter] for parameter in told if parameter in values][-len(values):])
    return rows


def time_calls(name, file, folder):
    """Prints nanoseconds on average and at most."""
    with open(file, encoding="utf-8") as opened:
        device_file = opened.read()
    with open(os.path.splitext(file)[0] + ".c", encoding="utf-8") as opened:
        rows = call_sizes(name, opened.read())
    kernels = re.findall(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\(", device_file)
    host, program = os.path.join(folder, "host.inc"), os.path.join(folder, "launch")
    with open(host, "w", encoding="utf-8") as opened:
        opened.write("".join(f'static const char {kernel}[] = "";\n' for kernel in kernels) +
                     device_file[device_file.index("// ---- host ----"):])
    run(["c++", "-std=c++17", "-O2", "-w", "-I", os.path.join(ROOT, "tests", "simulated_cudart"),
         os.path.join(HERE, "case_launch.cc"), "-o", program, f'-DHOST_FILE="{host}"', f"-DNAME={name}",
         f"-DCOUNT={len(rows[0])}", "-DSIZES=" + ",".join("{" + ",".join(map(str, row)) + "}" for row in rows)])
    same, other = (tuple(map(float, line.split())) for line in run([program]).splitlines())
    print(f"{name}: %.0f ns on average and %.0f at most with the sizes of the call before, %.0f and %.0f with others" %
          (*same, *other), flush=True)


def generate(tunectl, folder, options=()):
    files = []
    for source in sorted(glob.glob(os.path.join(HERE, "case_sizes", "*.c"))):
        name = os.path.splitext(os.path.basename(source))[0]
        run([tunectl, "generate", source, "--cases", "-o", os.path.join(folder, name + ".c"), *options])
        files.append(os.path.join(folder, name + ".cu"))
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0], epilog=__doc__.split("\n", 1)[1],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE.cu", help="default: of the programs of tests/bench/case_sizes")
    parser.add_argument("--arch", metavar="SM", help="such as sm_90")
    parser.add_argument("--count", action="store_true", help="no times")
    parser.add_argument("--most", type=int, metavar="N", help="operations of a choice")
    parser.add_argument("--most-questions", type=int, metavar="N", help="questions for a kernel's threads")
    parser.add_argument("--tunectl", default=os.path.join(ROOT, "build", "bin", "tunectl"), metavar="PATH")
    arguments = parser.parse_args()
    too_many = False
    try:
        with tempfile.TemporaryDirectory() as folder:
            if arguments.arch:
                for file in arguments.files or generate(arguments.tunectl, folder, ["--arch", arguments.arch]):
                    time_calls(os.path.splitext(os.path.basename(file))[0], file, folder)
                return 0
            for file in arguments.files or generate(arguments.tunectl, folder):
                times = {} if arguments.count else {row[0]: row[1:] for row in measure(file, False, folder)}
                for function, operations, questions in measure(file, True, folder):
                    time = "  %.0f ns on average, %.0f at most" % times[function] if times else ""
                    print(f"{function}: at most {operations:.0f} operations and {questions:.0f} questions{time}", flush=True)
                    too_many |= arguments.most is not None and operations > arguments.most
                    too_many |= arguments.most_questions is not None and questions > arguments.most_questions
    except (Failure, OSError) as failure:
        print(f"case_choice.py: {failure}", file=sys.stderr)
        return 2
    return 1 if too_many else 0


if __name__ == "__main__":
    sys.exit(main())
