"""The default code of programs, without server and search: generated, built, timed, and compared with the original's results."""
import concurrent.futures
import os
import re
import statistics
import subprocess

import polybench
import program_peers

FOLDER = os.path.dirname(os.path.abspath(__file__))
COMPARISON = os.path.join(FOLDER, "compare_numbers.c")
PROGRAMS = os.path.join(os.path.dirname(FOLDER), "programs")
# Whose PolyBench program computes its inputs by a product of matrices, which takes longer than all else: the same region with
# inputs that need none, and whose results do not depend on rounding.
PLAIN_INPUTS = {"lu", "cholesky", "ludcmp"}
TOLERANCE = {"float": 1e-3, "double": 1e-8}  # of the norm of all numbers that a program prints
SECONDS = 900  # of a program
# Lines that tuned code prints where it is compiled with TUNE_TIME: of the region, and of its kernels.
TOLD = re.compile(r"\w+: (?:(?P<seconds>[\d.]+) us|kernel \d+: .*)")


class Failed(Exception):
    """What happened, for the table."""


def checked(command, what):
    """What the command prints. Failed where it does not end, or with an error."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired as expired:
        raise Failed(f"{what} took more than {SECONDS} s") from expired
    if done.returncode != 0:
        raise Failed(f"{what}: {done.stdout.strip()[-300:] or f'exit code {done.returncode}'}")
    return done.stdout


def parameters_of(path):
    """Names of the parameters of a region that `tunectl extract --output` stored."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return re.findall(r'^\s*parameters \{\s*name: "(\w+)"', file.read(), re.MULTILINE)


class Text:
    """A program's source, and what the compiler is told."""

    def __init__(self, program, options, sizes):
        utilities = os.path.join(options.polybench, "utilities")
        if program.name in PLAIN_INPUTS:
            self.source, self.others = os.path.join(PROGRAMS, program.name + ".c"), []
            self.flags = [f"-DN={sizes['N']}", f"-DDATA_TYPE={options.type}"]
        else:
            self.source, self.others = program.source, [os.path.join(utilities, "polybench.c")]
            self.flags = ["-I", utilities, "-I", os.path.dirname(program.source), "-DPOLYBENCH_DUMP_ARRAYS"]
            self.flags += ["-D" + macro for macro in polybench.macros(options.size, options.type)]


class DefaultCode:
    """Of a list of programs, all of whose files lie in a folder."""

    def __init__(self, options, sizes):
        self.options = options
        self.sizes = sizes
        self.nvcc = program_peers.nvcc_program()

    @property
    def comparison(self):
        return self.path("compare_numbers")

    def path(self, name):
        return os.path.join(self.options.folder, name)

    def text(self, program):
        return Text(program, self.options, self.sizes[program.name])

    def exact(self, program):
        return program.name not in PLAIN_INPUTS and polybench.needs_exact(program.name, self.options.type)

    def extract(self, program, path):
        text = self.text(program)
        checked([self.options.tunectl, "extract", text.source, *text.flags, "-o", path, "--force", "--ldflags=-lm",
                 *[word for other in text.others for word in ("--with", other)]], "extract")

    def prepare(self, program):
        """Generates the code and builds both programs."""
        text, name = self.text(program), program.name
        if self.options.scops is None:
            scop = self.path(name + ".scop")
            self.extract(program, scop)
        else:
            scop = os.path.join(self.options.scops, name + ".scop")
        tuned = self.path(name + ".tuned.c")
        values = [f"--parameter={name}={self.sizes[program.name][name.upper()]}" for name in parameters_of(scop)]
        checked([self.options.tunectl, "generate", scop, "--arch", self.options.arch, "-o", tuned, "--force", *values,
                 *(["--exact"] if self.exact(program) else [])], "generate")
        if self.nvcc is None:
            raise Failed("no nvcc")
        own = ["-O3", "-w", *text.flags]
        contraction = ["-fmad=false"] if self.exact(program) else []
        checked([self.nvcc, *own, f"-arch={self.options.arch}", *contraction, "-DTUNE_TIME", tuned, tuned[:-2] + ".cu",
                 *text.others, "-lm", "-o", self.path(name + ".tuned")], "build")
        checked(["cc", *own, "-ffp-contract=off", text.source, *text.others, "-lm", "-o", self.path(name + ".original")],
                "build of the original")

    def run_into(self, kind, program, path):
        """What it prints, on standard error as well, where PolyBench's programs print their arrays."""
        try:
            with open(path, "w", encoding="utf-8") as file:
                done = subprocess.run([self.path(program.name + "." + kind)], stdout=file, stderr=subprocess.STDOUT, timeout=SECONDS)
        except subprocess.TimeoutExpired as expired:
            raise Failed(f"the {kind} program took more than {SECONDS} s") from expired
        if done.returncode != 0:
            raise Failed(f"the {kind} program ended with {done.returncode}")

    def run_original(self, program):
        self.run_into("original", program, self.path(program.name + ".expected"))

    def run_tuned(self, program):
        """Seconds on the device, without copies: the median of five runs of the region."""
        printed = self.path(program.name + ".printed")
        self.run_into("tuned", program, printed)
        times = []
        with open(printed, encoding="utf-8", errors="replace") as lines, \
                open(self.path(program.name + ".found"), "w", encoding="utf-8") as found:
            for line in lines:
                told = TOLD.fullmatch(line.rstrip("\n"))
                if told is None:
                    found.write(line)
                elif told["seconds"]:
                    times.append(1e-6 * float(told["seconds"]))
        os.remove(printed)
        if not times:
            raise Failed("no times: the original ran instead of the tuned code")
        return statistics.median(times[-5:])

    def compare(self, program):
        """The relative error of all that both programs print."""
        return float(checked([self.comparison, self.path(program.name + ".expected"), self.path(program.name + ".found")],
                             "comparison"))

    def measure(self, programs, say):
        """name -> (seconds, relative error) or a Failed; programs are timed one after the other, with the machine at rest."""
        os.makedirs(self.options.folder, exist_ok=True)
        checked(["cc", "-O2", COMPARISON, "-lm", "-o", self.comparison], "build of compare_numbers.c")
        found = {}

        def attempt(step, program):
            if not isinstance(found.get(program.name), Failed):
                try:
                    return step(program)
                except Failed as failed:
                    say(f"{program.name}: {failed}")
                    found[program.name] = failed
            return None

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            say("generates and builds")
            list(pool.map(lambda program: attempt(self.prepare, program), programs))
            say("runs the originals")
            list(pool.map(lambda program: attempt(self.run_original, program), programs))
            times = {}
            for program in programs:
                times[program.name] = attempt(self.run_tuned, program)
                if times[program.name]:
                    say(f"{program.name}: {1e6 * times[program.name]:.1f} us")
            errors = pool.map(lambda program: attempt(self.compare, program), programs)
            for program, error in zip(programs, errors):
                if not isinstance(found.get(program.name), Failed):
                    found[program.name] = (times[program.name], error)
        return found
