#!/usr/bin/env python3
"""What the levels of the schedule's decisions gain: a table and a bar chart as in figures 12 and 13 of "Coding Ants".

The studies are those that the server has (--studies s1 s2 ...; all with --all), those of archives (--archives
FILE...: a server of their own reads them, nothing else is touched), or new ones: PROGRAM... is submitted at levels
1, 2 and 3 and, unless --no-random, to random search at level 2; what follows `--` goes to `tunectl submit` as it
is. Of several archives each is a table row of its own for a program, named after the file (say, LARGE.tune and
MEDIUM.tune). Studies that ended before their budget, or before --least evaluations, do not count and are listed.
Speed-ups are over the default configuration of level 1, which the paper has, too, or over the times of
--baseline, a CSV file with lines NAME,SECONDS (say, of PPCG). Of several studies of one kind the median counts.
Writes OUTPUT/levels.md and, where matplotlib is installed, OUTPUT/levels.svg.
"""
import argparse
import csv
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

SERIES = ["O1", "O2", "O3", "random"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def program_at(name):
    built = os.path.join(ROOT, "build", "bin", name)
    found = built if os.path.exists(built) else shutil.which(name)
    if found is None:
        sys.exit(f"levels.py: {name} was not found: build the project, or put it on PATH")
    return found


class Client:
    """tunectl against one server."""

    def __init__(self, tunectl, server):
        self.command = [tunectl] + (["--server", server] if server else [])

    def run(self, *arguments, as_json=False):
        command = self.command + (["--json"] if as_json else []) + list(arguments)
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"levels.py: {' '.join(command)} ended with {done.returncode}")
        return json.loads(done.stdout) if as_json else done.stdout

    def show(self, study):
        shown = self.run("show", study, as_json=True)
        return shown.get("study", shown)

    def all_studies(self):
        listed = self.run("ls", "--limit", "1000000", as_json=True)
        return [study["id"] for study in (listed if isinstance(listed, list) else listed["studies"])]


def submit(client, arguments):
    """Ids of new studies, once all have finished."""
    kinds = [["--level", "1"], ["--level", "2"], ["--level", "3"]]
    if not arguments.no_random:
        kinds.append(["--level", "2", "--strategy", "random"])
    ids = []
    for program in arguments.programs:
        for kind in kinds:
            for seed in range(1, arguments.seeds + 1):
                submitted = client.run("submit", program, "--fresh", "--evaluations", str(arguments.evaluations), "--seed",
                                       str(seed), *kind, *arguments.rest, as_json=True)
                ids += [study["id"] for study in submitted]
    for study in ids:
        print(f"waiting for {study}", file=sys.stderr)
        client.run("watch", study)
    return ids


class ArchiveServer:
    """A server with a database of its own, which ends with the script."""

    def __init__(self, tunectl, archives):
        self.folder = tempfile.TemporaryDirectory()
        read_end, write_end = os.pipe()
        address = "unix:" + os.path.join(self.folder.name, "socket")
        self.server = subprocess.Popen([program_at("tuned-server"), "--listen", address, "--http", "none", "--database",
                                        os.path.join(self.folder.name, "db"), "--log-level", "warn", "--ready-fd",
                                        str(write_end)], pass_fds=[write_end])
        os.close(write_end)
        with os.fdopen(read_end) as ready:
            if not ready.readline():
                sys.exit("levels.py: the server for the archives did not start")
        self.client = Client(tunectl, address)
        self.file_of = {}  # id here -> name of the archive
        for archive in archives:
            stem = os.path.splitext(os.path.basename(archive))[0]
            self.file_of.update({study["id"]: stem for study in self.client.run("import", archive, as_json=True)})

    def close(self):
        self.server.terminate()
        self.server.wait()
        self.folder.cleanup()


def series_of(study):
    search = study["search"]
    return "random" if search["strategy"] == "random" else f"O{max(1, search['level'])}"


def median_of(measurement):
    return (measurement or {}).get("median") or 0.0


def collect(studies, baseline, least):
    """name -> series -> seconds of the best; name -> seconds of what they are compared with; notes."""
    best, reference, notes = {}, {}, []
    for study in studies:
        name = study["name"]
        enough = study["evaluated"] >= (least or study["budget"]) or (study["state"] == "done" and study["note"])
        if study["best_index"] is None:
            notes.append(f"{study['id']} ({name}, {series_of(study)}): nothing correct ({study['state']}"
                         f"{': ' + study['failure'] if study['failure'] else ''})")
            continue
        if study["evaluated"] < study["budget"]:
            notes.append(f"{study['id']} ({name}, {series_of(study)}): {study['evaluated']} of {study['budget']} "
                         f"evaluations ({study['state']}{'; ' + study['note'] if study['note'] else ''})"
                         f"{'' if enough else ': not counted'}")
        if not enough:
            continue
        best.setdefault(name, {}).setdefault(series_of(study), []).append(median_of(study["best"]))
        default = median_of(study["default"])
        if series_of(study) == "O1" and default > 0:
            reference.setdefault(name, []).append(default)
    reference = {name: statistics.median(values) for name, values in reference.items()}
    if baseline is not None:
        reference = baseline
    for name in sorted(set(best) - set(reference)):
        notes.append(f"{name}: there is nothing to compare with (no correct default at level 1, or not in --baseline)")
    best = {name: {kind: statistics.median(v) for kind, v in kinds.items()} for name, kinds in best.items()}
    return best, reference, notes


def read_baseline(path):
    if path is None:
        return None
    with open(path, newline="", encoding="utf-8") as file:
        return {row[0]: float(row[1]) for row in csv.reader(file) if len(row) > 1 and row[0] != "name"}


def speedups(best, reference):
    return {name: {kind: reference[name] / seconds for kind, seconds in kinds.items()}
            for name, kinds in sorted(best.items()) if name in reference}


def means(gains, kind):
    values = [kinds[kind] for kinds in gains.values() if kind in kinds]
    if not values:
        return None
    return statistics.fmean(values), math.exp(statistics.fmean(math.log(value) for value in values)), len(values)


def write_table(path, gains, best, reference, notes, over):
    lines = ["# Levels of the schedule's decisions", "", f"Speed-up over {over}; in brackets the best time.", ""]
    lines += ["| program | " + over + " | " + " | ".join(SERIES) + " |", "|" + "---|" * (len(SERIES) + 2)]
    for name, kinds in gains.items():
        cells = [f"{kinds[k]:.2f} ({best[name][k] * 1e6:.4g} us)" if k in kinds else "-" for k in SERIES]
        lines.append(f"| {name} | {reference[name] * 1e6:.4g} us | " + " | ".join(cells) + " |")
    for title, which in [("mean", 0), ("geometric mean", 1), ("programs", 2)]:
        found = [means(gains, kind) for kind in SERIES]
        cells = ["-" if m is None else str(m[2]) if which == 2 else f"{m[which]:.2f}" for m in found]
        lines.append(f"| {title} | | " + " | ".join(cells) + " |")
    lines += [""] + [f"- {note}" for note in notes] + [""]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    print(path)


def plot(path, gains, over):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as pyplot
    names = list(gains)
    figure, axes = pyplot.subplots(figsize=(max(6.0, 0.9 * len(names) + 2), 4.5))
    width = 0.8 / len(SERIES)
    for i, kind in enumerate(SERIES):
        places = [place - 0.4 + (i + 0.5) * width for place in range(len(names))]
        axes.bar(places, [gains[name].get(kind, 0) for name in names], width, label=kind)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks(range(len(names)))
    axes.set_xticklabels(names, rotation=45, ha="right")
    axes.set_ylabel(f"speed-up over {over}")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)
    print(path)


def main():
    own, rest = sys.argv[1:], []
    if "--" in own:
        own, rest = own[:own.index("--")], own[own.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="C files to submit")
    parser.add_argument("--server", help="as tunectl takes it")
    parser.add_argument("--studies", nargs="+", default=[], metavar="ID")
    parser.add_argument("--all", action="store_true", help="all studies of the server")
    parser.add_argument("--archives", nargs="+", default=[], metavar="FILE")
    parser.add_argument("--evaluations", type=int, default=50, help="of each new study (50)")
    parser.add_argument("--seeds", type=int, default=1, help="new studies of a kind (1)")
    parser.add_argument("--least", type=int, help="evaluations of a study that counts (its budget)")
    parser.add_argument("--no-random", action="store_true")
    parser.add_argument("--baseline", help="CSV file: NAME,SECONDS")
    parser.add_argument("--output", default=".", help="folder for table and chart (.)")
    arguments = parser.parse_args(own)
    arguments.rest = rest
    if bool(arguments.programs) + bool(arguments.studies) + arguments.all + bool(arguments.archives) != 1:
        parser.error("give programs, --studies, --all or --archives: one of them")
    os.makedirs(arguments.output, exist_ok=True)
    tunectl = program_at("tunectl")
    archives = ArchiveServer(tunectl, arguments.archives) if arguments.archives else None
    try:
        client = archives.client if archives else Client(tunectl, arguments.server)
        ids = submit(client, arguments) if arguments.programs else arguments.studies or client.all_studies()
        studies = [client.show(study) for study in ids]
        if len(arguments.archives) > 1:
            for study in studies:
                study["name"] = f"{study['name']} ({archives.file_of[study['id']]})"
    finally:
        if archives:
            archives.close()
    best, reference, notes = collect(studies, read_baseline(arguments.baseline), arguments.least)
    gains = speedups(best, reference)
    over = "the default" if arguments.baseline is None else "the baseline"
    write_table(os.path.join(arguments.output, "levels.md"), gains, best, reference, notes, over)
    try:
        plot(os.path.join(arguments.output, "levels.svg"), gains, over)
    except ImportError as error:
        print(f"no chart: {error} (Debian: apt install python3-matplotlib)", file=sys.stderr)


if __name__ == "__main__":
    main()
