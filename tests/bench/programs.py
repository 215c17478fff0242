#!/usr/bin/env python3
"""How near the hardware the thirty programs of PolyBench/C 4.2 come: tunes them, builds them, measures them and peers.

    tests/bench/programs.py --polybench DIR --size EXTRALARGE
    tests/bench/programs.py --polybench DIR --size EXTRALARGE --scops scops --extract-only      where libclang is
    tests/bench/programs.py --polybench DIR --size EXTRALARGE --scops scops                     where the GPU is
    tests/bench/programs.py --polybench DIR --size EXTRALARGE --defaults                        without a server

Submits a study of each program to a server that runs (`tuned-server`, and a `tune-worker` on this machine), waits for
them, and then, with the device at rest, fetches and builds the tuned files (nvcc; for --target cpu cc) and measures peers:
cuBLAS and cuSOLVER by tests/bench/library_peers.cu, PyTorch by tests/bench/torch_peers.py under --torch-python, and PPCG
by studies of its own, where a worker has it. With --best-known N each program has a second, long study of N evaluations by
--best-known-by, and the table says which part of the speed of the best of both the first one has reached. What follows `--` goes to `tunectl
submit` as it is, say `-- --reference-time 30m`, which programs with a slow start need.

With --defaults nothing is searched: the code that `tunectl generate` writes is built, timed alone on the device (the median of
five runs of the region without copies), and all that the program prints is compared with the original's. lu, cholesky and ludcmp
are those of tests/programs then, whose inputs need no product of matrices.

The bound of a program is the longest of its operations at the device's peak, its bytes at its bandwidth and its chain of
dependent operations; see tests/bench/program_bounds.py, also for the swept bound. Where data stays in a cache between
launches, more than 100 % is possible. The CSV file is replaced whenever something is known, so that Ctrl-C, which
cancels the studies that go on, leaves what was found. A column that
misses its number says why.

Exit codes: 0 all programs have a best and build (where something builds them), 1 some have not, or nothing could be
done, 2 the command line cannot be understood, 130 interrupted.
"""
import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import polybench
import program_bounds
import program_defaults
import program_peers
import program_report

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PEAK_TFLOPS = {"float": 50.8, "double": 25.4}  # H200: cuBLAS' product of 4096 x 4096 floats; doubles at half of it
PEAK_GBS = 3984  # H200: a copy within the device's memory, bytes read and written
LATENCY_NS = 2  # of one dependent operation: 4 cycles at 2 GHz
POLL_SECONDS = 2
PROGRESS_SECONDS = 60
ENDED = {"done", "failed", "stopped"}
GENERATED_BY = {"builtin": "", "ppcg": " by PPCG", "long": " in a long study"}


class Failure(Exception):
    """What happened, and what to do next."""


def say(text):
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def no_interrupt():
    """Ctrl-C waits, so that no study is submitted whose id nobody knows."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})


class Client:
    """tunectl against one server."""

    def __init__(self, tunectl, server):
        self.command = [tunectl] + (["--server", server] if server else [])

    def run(self, *arguments):
        """The data that the command prints."""
        command = self.command + ["--json", *arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise Failure(f"`{' '.join(command)}` ended with {done.returncode}: {done.stderr.strip()}")
        return json.loads(done.stdout) if done.stdout.strip() else None

    def devices(self):
        return [device for worker in self.run("workers") for device in worker["devices"]]


class Tuning:
    """The programs, their studies, and the rows of the table."""

    def __init__(self, options, client):
        self.options = options
        self.client = client
        self.rows = {}  # program's name -> row
        self.sizes = {}
        self.study_of = {}  # id -> (name, generator), in the order of submission
        self.ended = {}  # id -> study

    def extract(self, program, path):
        self.client.run("extract", *self.source_words(program), "-o", path, "--force")

    def source_words(self, program):
        utilities = os.path.join(self.options.polybench, "utilities")
        words = [program.source, "-I", utilities, "--with", os.path.join(utilities, "polybench.c"), "--ldflags=-lm"]
        for macro in polybench.macros(self.options.size, self.options.type):
            words += ["-D", macro]
        return words

    def submission(self, program):
        """What `tunectl submit` is given for the program: its text, or what was stored of it."""
        if self.options.scops is None:
            return self.source_words(program)
        path = os.path.join(self.options.scops, program.name + ".scop")
        check_scop(path, polybench.macros(self.options.size, self.options.type))
        return [path]

    def submit(self, programs, ppcg):
        sources = [self.submission(program) for program in programs]  # what is wrong with one is known before the first
        for program, source in zip(programs, sources):
            row = self.rows[program.name] = self.row_before(program)
            exact = row["exact"] == "yes"
            words = [*source, "--fresh", "--target", self.options.target, *(["--exact"] if exact else []), *self.options.rest]
            budget = ["--evaluations", str(self.options.evaluations), "--strategy", self.options.strategy]
            self.submit_one(program.name, "builtin", words + budget)
            if ppcg:
                self.submit_one(program.name, "ppcg", words + budget[:2] + ["--generator", "ppcg", "--name", f"{program.name} (ppcg)"])
            if self.options.best_known:
                budget = ["--evaluations", str(self.options.best_known), "--strategy", self.options.best_known_by]
                self.submit_one(program.name, "long", words + budget + ["--name", f"{program.name} (long)"])

    def row_before(self, program):
        """What is known of a program before it is tuned."""
        self.sizes[program.name] = polybench.sizes_of(program, self.options.size)
        bound = self.bound(program.name)
        exact = polybench.needs_exact(program.name, self.options.type)
        return {"program": program.name, "size": self.options.size, "type": self.options.type,
                "exact": "yes" if exact else "no", "peak_tflops": self.options.peak_tflops,
                "peak_gbs": self.options.peak_gbs, "bound_s": bound.seconds, "bound_by": bound.limit,
                "swept_bound_s": bound.swept_seconds}

    def submit_one(self, name, generator, words):
        with no_interrupt():
            studies = self.client.run("submit", *words)
            self.study_of.update({study["id"]: (name, generator) for study in studies})
        if len(studies) != 1:
            raise Failure(f"{name} has {len(studies)} regions, where programs of PolyBench have one: see its text")

    def bound(self, name):
        return program_bounds.bound_of(name, self.sizes[name], polybench.TYPES[self.options.type],
                                       self.options.peak_tflops * 1e12, self.options.peak_gbs * 1e9,
                                       self.options.latency_ns * 1e-9)

    def wait(self):
        """Until all studies have ended."""
        say(f"{len(self.study_of)} studies submitted: {', '.join(self.study_of)}")
        told = time.monotonic()
        while len(self.ended) < len(self.study_of):
            evaluated = 0
            for study_id in self.going():
                study = self.show(study_id)
                evaluated += study["evaluated"]
                if study["state"] in ENDED:
                    self.take(study)
                    told = time.monotonic()
            if time.monotonic() - told >= PROGRESS_SECONDS:
                say(f"{len(self.going())} studies go on, with {evaluated} evaluations")
                told = time.monotonic()
            if self.going():
                time.sleep(POLL_SECONDS)

    def show(self, study_id):
        shown = self.client.run("show", study_id)
        return shown.get("study", shown)

    def going(self):
        return [study_id for study_id in self.study_of if study_id not in self.ended]

    def take(self, study):
        """What a study that has ended, or was cancelled, says goes into its program's row."""
        name, generator = self.study_of[study["id"]]
        self.ended[study["id"]] = study
        with open(os.path.join(self.options.folder, f"{name}.{generator}.json"), "w", encoding="utf-8") as file:
            json.dump(study, file, indent=1)
        best = program_report.median_of(study["best"])
        if generator == "ppcg":
            self.rows[name]["ppcg"] = best or f"nothing correct ({study['state']})"
        elif generator == "long":
            self.rows[name].update({"long_s": best, "long_evaluations": study["evaluated"]})
        else:
            self.rows[name].update(program_report.row_of(study, self.bound(name)))
        program_report.add_best_known(self.rows[name])
        self.write()
        what = (f"best {program_report.seconds_text(best)} after {study['best_index'] + 1} of {study['evaluated']} "
                f"evaluations" if best else f"nothing correct: {study['failure'] or study['note'] or study['state']}")
        say(f"[{len(self.ended)}/{len(self.study_of)}] {study['id']} {name}"
            f"{GENERATED_BY[generator]}: {what}")

    def cancel(self):
        going = self.going()
        if not going:
            return
        say(f"cancelling {', '.join(going)}")
        try:
            self.client.run("cancel", *going)
            for study_id in going:
                self.take(self.show(study_id))
        except Failure as failure:
            say(f"they may go on: {failure}")

    def take_defaults(self, programs, found):
        """What DefaultCode.measure found goes into the programs' rows."""
        for program in programs:
            what = found[program.name]
            row = self.rows[program.name] = self.row_before(program)
            exact = program.name not in program_defaults.PLAIN_INPUTS and row["exact"] == "yes"
            row.update({"state": "done", "exact": "yes" if exact else "no", "evaluations": 1, "device": device_name(), "builds": "yes"})
            if isinstance(what, program_defaults.Failed):
                row.update({"state": "failed", "builds": "no", "failure": str(what), "correct": 0})
                continue
            seconds, error = what
            right = error <= program_defaults.TOLERANCE[self.options.type]
            row.update({"correct": int(right), "other_outcomes": "" if right else "correctness=1", "default_s": seconds,
                        "failure": "" if right else f"relative error {error:g}"})
            if right:
                row.update({"best_s": seconds, "gain": 1.0, "evaluations_to_best": 1,
                            "percent_of_bound": 100 * row["bound_s"] / seconds,
                            "percent_of_swept_bound": 100 * row["swept_bound_s"] / seconds})
        self.write()

    def build(self, programs):
        for program in programs:
            row = self.rows[program.name]
            if row.get("best_s"):
                say(f"building {program.name}")
                row["builds"] = self.build_one(program, row["study"])
                self.write()

    def build_one(self, program, study):
        """yes, no, or why nothing was tried. The files and the compiler's words lie in the folder."""
        path = os.path.join(self.options.folder, program.name + ".tuned.c")
        try:
            fetched = self.client.run("fetch", study, "-o", path, "--force")
        except Failure as failure:
            say(str(failure))
            return "no file"
        utilities = os.path.join(self.options.polybench, "utilities")
        exact = polybench.needs_exact(program.name, self.options.type)
        command = compiler_for(fetched["device_files"], self.options.arch, exact)
        if command is None:
            return "no nvcc"
        command += ["-I", utilities, "-I", os.path.dirname(program.source)]
        command += ["-D" + macro for macro in polybench.macros(self.options.size, self.options.type)]
        command += [path, *fetched["device_files"], os.path.join(utilities, "polybench.c"), "-lm", "-o",
                    os.path.join(self.options.folder, program.name + ".tuned")]
        built = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        with open(path + ".log", "w", encoding="utf-8") as log:
            log.write(" ".join(command) + "\n" + built.stdout)
        if built.returncode != 0:
            say(f"{program.name} does not build: {built.stdout.strip()[:400]}")
        return "yes" if built.returncode == 0 else "no"

    def measure_libraries(self, programs):
        wanted = [library for library in ("cublas", "cusolver") if library in self.options.peers]
        if not wanted:
            return
        peers = program_peers.LibraryPeers(self.options.folder, self.options.arch)
        if peers.missing:
            say(f"no times of {' and '.join(wanted)}: {peers.missing} (see {peers.program}.log, where there is one)")
        for program in programs:
            cells, how = peers.measure(program.name, self.options.type, self.sizes[program.name])
            row = self.rows[program.name]
            row.update({library: cells[library] for library in wanted})
            if how:
                row["library_call"] = how
                say(f"{program.name} by {how}: {program_report.seconds_text(cells[program_peers.LIBRARY_OF[program.name]])}")
            self.write()

    def measure_torch(self, programs):
        peers = program_peers.TorchPeers(self.options.torch_python, self.options.peers)
        if not peers.wanted:
            return
        if peers.missing:
            say(f"no times of PyTorch: {peers.missing} (--torch-python {self.options.torch_python})")
        for program in programs:
            cells, how = peers.measure(program.source, self.options.type, self.options.size)
            self.rows[program.name].update(cells)
            if how:
                times = ", compiled ".join(program_report.seconds_text(cells[column]) for column in peers.wanted)
                say(f"{program.name} by {how}: {times}")
            self.write()

    def write(self):
        program_report.write_csv(self.options.csv, list(self.rows.values()))


def compiler_for(device_files, arch, exact):
    """The command that builds a tuned file: nvcc where CUDA files belong to it, else cc; None where it is not there."""
    if not device_files:
        host = [os.environ.get("CC", "cc"), "-O3", "-march=native", "-fopenmp", "-w"]
        return host + (["-ffp-contract=off"] if exact else [])
    nvcc = program_peers.nvcc_program()
    return nvcc and [nvcc, "-O3", f"-arch={arch}", "-w"] + (["-fmad=false"] if exact else [])


def check_scop(path, macros):
    """A stored program is of one size and type: Failure where these are others."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}; make it with --extract-only where libclang is") from error
    missing = [macro for macro in macros if f'defines: "{macro}"' not in text]
    if missing:
        raise Failure(f"{path} was stored without {' and '.join(missing)}: give the --size and --type that it has, or store "
                      f"it again with --extract-only")


def refuse_peers(tuning, ppcg_missing):
    """Columns of peers that are not measured say so."""
    for row in tuning.rows.values():
        for peer in program_report.PEERS:
            if peer not in tuning.options.peers:
                row[peer] = "not asked for"
        if ppcg_missing and "ppcg" in tuning.options.peers:
            row["ppcg"] = ppcg_missing


def why_no_ppcg(options, client):
    """Why PPCG is no peer, or ""."""
    if options.target != "cuda":
        return "only for cuda"
    return "" if any(device["ppcg"] for device in client.devices()) else "no ppcg"


def device_name():
    """Of the first GPU, as nvidia-smi has it, or ""."""
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return ""
    return done.stdout.split("\n")[0].strip()


def names_in(text, known, what):
    names = [name for name in text.split(",") if name]
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise Failure(f"there is no {what} '{', '.join(unknown) or text}'; there are {', '.join(known)}")
    return names


def parse(arguments):
    own, rest = arguments, []
    if "--" in own:
        own, rest = own[:own.index("--")], own[own.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    built = os.path.join(ROOT, "build", "bin", "tunectl")
    parser.add_argument("--polybench", required=True, metavar="DIR", help="PolyBench/C 4.2, with its folder utilities")
    parser.add_argument("--size", required=True, choices=polybench.SIZES, help="data set")
    parser.add_argument("--type", choices=polybench.TYPES, default="float", help="of the arrays' elements (float)")
    parser.add_argument("--programs", metavar="NAME,NAME", help="default: all thirty")
    parser.add_argument("--evaluations", type=int, default=50, metavar="N", help="of each study (50)")
    parser.add_argument("--strategy", default="ants", help="as tunectl submit takes it (ants)")
    parser.add_argument("--best-known", type=int, default=0, metavar="N",
                        help="also a study of N evaluations of each program, to compare the best with (0: none)")
    parser.add_argument("--best-known-by", default="ants", metavar="STRATEGY", help="of that study (ants)")
    parser.add_argument("--target", choices=["cuda", "cpu"], default="cuda", help="what is tuned for (cuda)")
    parser.add_argument("--server", metavar="ADDRESS", help="as tunectl takes it (TUNE_SERVER)")
    parser.add_argument("--tunectl", metavar="PATH", help="program to call (build/bin/tunectl, or that in PATH)",
                        default=built if os.path.exists(built) else shutil.which("tunectl"))
    parser.add_argument("--scops", metavar="DIR", help="submit what is stored here as NAME.scop in place of C files")
    parser.add_argument("--extract-only", action="store_true", help="store the programs in --scops and end")
    parser.add_argument("--defaults", action="store_true", help="measure the code of `tunectl generate`, without a server")
    parser.add_argument("--peers", default="all", metavar="NAME,NAME",
                        help=f"all, none, or of {', '.join(program_report.PEERS)} (all)")
    parser.add_argument("--arch", default="native", metavar="SM", help="nvcc's -arch, such as sm_90 (native)")
    parser.add_argument("--torch-python", default="python3", metavar="PATH",
                        help="Python that has PyTorch, for the peers torch and torch_compile (python3)")
    parser.add_argument("--peak-tflops", type=float, metavar="X",
                        help="device's peak for the bound (50.8 for float, 25.4 for double: an H200)")
    parser.add_argument("--peak-gbs", type=float, default=PEAK_GBS, metavar="X", help=f"its bandwidth ({PEAK_GBS}: an H200)")
    parser.add_argument("--latency-ns", type=float, default=LATENCY_NS, metavar="X",
                        help=f"of one dependent operation ({LATENCY_NS})")
    parser.add_argument("--keep", metavar="DIR",
                        help="keep studies, tuned files and logs here; default: a folder that is removed")
    parser.add_argument("--csv", default="programs.csv", metavar="FILE", help="table (programs.csv), replaced")
    parser.add_argument("--plot", default="programs.svg", metavar="FILE",
                        help="chart, .svg, .png or .pdf (programs.svg), replaced")
    options = parser.parse_args(own)
    options.rest = rest
    if options.peak_tflops is None:
        options.peak_tflops = PEAK_TFLOPS[options.type]
    if options.extract_only and options.scops is None:
        parser.error("--extract-only needs --scops DIR, where the programs are stored")
    if options.defaults and options.target != "cuda":
        parser.error("--defaults is for --target cuda")
    if options.defaults and options.arch == "native" and not options.extract_only:
        parser.error("--defaults needs --arch, such as sm_90, for which code is generated")
    if options.evaluations < 1 or options.best_known < 0:
        parser.error("--evaluations takes a number above 0, --best-known 0 or more")
    if options.best_known and options.defaults:
        parser.error("--best-known compares studies, and --defaults has none")
    if min(options.peak_tflops, options.peak_gbs, options.latency_ns) <= 0:
        parser.error("--peak-tflops, --peak-gbs and --latency-ns take numbers above 0")
    if os.path.splitext(options.plot)[1] not in (".svg", ".png", ".pdf"):
        parser.error("--plot takes a name that ends in .svg, .png or .pdf")
    if options.tunectl is None:
        parser.error("tunectl was not found: build the project, or give --tunectl PATH")
    return options


def programs_of(options):
    try:
        known = polybench.programs_in(options.polybench)
    except OSError as error:
        raise Failure(f"{error.filename}: {error.strerror}; --polybench takes the folder of PolyBench/C 4.2") from error
    names = names_in(options.programs, known, "program") if options.programs else list(known)
    without = [name for name in names if name not in program_bounds.WORK]
    if without:
        raise Failure(f"tests/bench/program_bounds.py has no bound of {', '.join(without)}: add it there")
    return [known[name] for name in names]


def peers_of(options):
    if options.peers in ("all", "none"):
        return program_report.PEERS if options.peers == "all" else []
    return names_in(options.peers, program_report.PEERS, "peer")


def measure(options, client, programs):
    """The table, and whether all is there."""
    tuning = Tuning(options, client)
    tuning.write()  # a file that cannot be written is known before the studies
    ppcg_missing = why_no_ppcg(options, client)
    try:
        tuning.submit(programs, "ppcg" in options.peers and not ppcg_missing)
        refuse_peers(tuning, ppcg_missing)
        tuning.wait()
        tuning.build(programs)
        tuning.measure_libraries(programs)
        tuning.measure_torch(programs)
    except (KeyboardInterrupt, Failure):
        tuning.cancel()
        raise
    finally:
        if tuning.study_of:
            report(tuning)
    bad = [row["program"] for row in tuning.rows.values() if not row.get("best_s") or row.get("builds") in ("no", "no file")]
    if bad:
        say(f"programs.py: nothing correct, or nothing that builds: {', '.join(bad)}")
    return not bad


def measure_defaults(options, programs):
    """As measure, of the code that `tunectl generate` writes."""
    tuning = Tuning(options, None)
    tuning.write()
    code = program_defaults.DefaultCode(options, {program.name: polybench.sizes_of(program, options.size) for program in programs})
    tuning.take_defaults(programs, code.measure(programs, say))
    refuse_peers(tuning, "only with studies")
    tuning.measure_libraries(programs)
    tuning.measure_torch(programs)
    report(tuning)
    bad = [row["program"] for row in tuning.rows.values() if not row.get("best_s")]
    if bad:
        say(f"programs.py: nothing correct, or nothing that builds: {', '.join(bad)}")
    return not bad


def report(tuning):
    options, rows = tuning.options, list(tuning.rows.values())
    tuning.write()
    devices = sorted({row["device"] for row in rows if row.get("device")})
    search = "default code" if options.defaults else f"{options.evaluations} evaluations by {options.strategy}"
    heading = (f"PolyBench/C 4.2, {options.size}, {options.type}, {search}, "
               f"on {', '.join(devices) or 'no device'}; bound: {options.peak_tflops:g} TFLOP/s, {options.peak_gbs:g} GB/s")
    print(program_report.table_of(rows, heading), flush=True)
    say(options.csv)
    try:
        program_report.plot(options.plot, rows, heading)
        say(options.plot)
    except ImportError as error:
        say(f"no plot: {error} (Debian: apt install python3-matplotlib)")


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options = parse(sys.argv[1:])
    client = Client(options.tunectl, options.server)
    try:
        programs = programs_of(options)
        options.peers = peers_of(options)
        if options.extract_only:
            os.makedirs(options.scops, exist_ok=True)
            options.folder = None
            defaults = program_defaults.DefaultCode(
                options, {program.name: polybench.sizes_of(program, options.size) for program in programs})
            for program in programs:
                path = os.path.join(options.scops, program.name + ".scop")
                (defaults if options.defaults else Tuning(options, client)).extract(program, path)
                say(path)
            return 0
        with contextlib.ExitStack() as stack:
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
            options.folder = options.keep or stack.enter_context(tempfile.TemporaryDirectory(prefix="programs."))
            right = measure_defaults(options, programs) if options.defaults else measure(options, client, programs)
            return 0 if right else 1
    except OSError as error:
        say(f"programs.py: {error.filename}: {error.strerror}")
        return 1
    except (Failure, ValueError, program_defaults.Failed) as error:
        say(f"programs.py: {error}")
        return 1
    except KeyboardInterrupt:
        say("programs.py: interrupted")
        return 130


if __name__ == "__main__":
    sys.exit(main())
