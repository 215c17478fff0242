"""The table of tests/bench/programs.py: a row for each program, as CSV, as text and as a plot."""
import csv
import math
import os

# Peers hold seconds, or words where there is no time: "-" where the peer has nothing for the program.
PEERS = ["cublas", "cusolver", "ppcg", "torch", "torch_compile"]
COLUMNS = ["program", "size", "type", "exact", "study", "state", "device", "default_s", "best_s", "gain",
           "evaluations_to_best", "evaluations", "correct", "other_outcomes", "long_s", "long_evaluations",
           "percent_of_best_known", "bound_s", "bound_by", "percent_of_bound",
           "swept_bound_s", "percent_of_swept_bound", "builds", *PEERS, "library_call", "peak_tflops", "peak_gbs",
           "failure"]


def median_of(measurement):
    return (measurement or {}).get("median") or None


def device_of(study):
    return (study.get("device") or {}).get("model", "")


def row_of(study, bound):
    """The columns that a study, as `tunectl show --json` prints it, and the program's bound give."""
    best, default = median_of(study["best"]), median_of(study["default"])
    outcomes = dict(study["outcomes"])
    found = best is not None and study["best_index"] is not None
    row = {"study": study["id"], "state": study["state"], "device": device_of(study), "default_s": default,
           "best_s": best, "gain": default / best if best and default else None,
           "evaluations_to_best": study["best_index"] + 1 if found else None, "evaluations": study["evaluated"],
           "correct": outcomes.pop("correct", 0),
           "other_outcomes": " ".join(f"{name}={count}" for name, count in sorted(outcomes.items()) if count),
           "bound_s": bound.seconds, "bound_by": bound.limit, "swept_bound_s": bound.swept_seconds,
           "failure": study["failure"]}
    if best:
        row["percent_of_bound"] = 100 * bound.seconds / best
        row["percent_of_swept_bound"] = 100 * bound.swept_seconds / best
    return row


def add_best_known(row):
    """Which part of the speed of the best that any study of the program knows its own search has reached."""
    if is_number(row.get("best_s")) and is_number(row.get("long_s")):
        row["percent_of_best_known"] = 100 * min(row["best_s"], row["long_s"]) / row["best_s"]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def geometric_mean(values):
    """None of nothing; numbers that are not above 0 have no geometric mean."""
    values = [value for value in values if is_number(value)]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def means_of(rows):
    """Lines that tell the geometric means, each over the rows that have the numbers."""
    lines = []
    for title, column in [("percent of the bound", "percent_of_bound"),
                          ("percent of the swept bound", "percent_of_swept_bound"), ("gain over the default", "gain")]:
        values = [row[column] for row in rows if is_number(row.get(column))]
        if values:
            lines.append(f"{title}: {geometric_mean(values):.3g} ({len(values)} programs)")
    known = [row["percent_of_best_known"] for row in rows if is_number(row.get("percent_of_best_known"))]
    if known:
        lines.append(f"percent of the best known: {geometric_mean(known):.3g}; {sum(value >= 95 for value in known)} of "
                     f"{len(known)} programs reach 95")
    for peer in PEERS:
        ratios = [row[peer] / row["best_s"] for row in rows if is_number(row.get(peer)) and is_number(row.get("best_s"))]
        if ratios:
            lines.append(f"{peer}'s time over the best: {geometric_mean(ratios):.3g} ({len(ratios)} programs)")
    return lines


def write_csv(path, rows):
    """Replaces the file at once, so that one that was interrupted is whole."""
    beside = path + ".new"
    with open(beside, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        writer.writerows({name: f"{value:.6g}" if isinstance(value, float) else value for name, value in row.items()}
                         for row in rows)
    os.replace(beside, path)


def seconds_text(value):
    if not is_number(value):
        return value or "-"
    for unit, factor in [("s", 1), ("ms", 1e3), ("us", 1e6)]:
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def long_text(row):
    if "long_evaluations" not in row:
        return "-"
    return f"{seconds_text(row.get('long_s'))} of {row['long_evaluations']}"


def table_of(rows, heading):
    """Markdown, with the means below."""
    lines = [heading, "", "| program | default | best | evaluations to the best | best of a long study | bound | % of bound | "
             + "% of swept bound | " + " | ".join(PEERS) + " | builds |", "|" + "---|" * (9 + len(PEERS))]
    percent = lambda value: f"{value:.3g}" if is_number(value) else "-"
    for row in rows:
        cells = [row["program"], seconds_text(row.get("default_s")), seconds_text(row.get("best_s")),
                 f"{row.get('evaluations_to_best') or '-'} of {row.get('evaluations', 0)}", long_text(row),
                 f"{seconds_text(row.get('bound_s'))} ({row.get('bound_by')})", percent(row.get("percent_of_bound")),
                 percent(row.get("percent_of_swept_bound")), *[seconds_text(row.get(peer)) for peer in PEERS],
                 row.get("builds") or "-"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines + ["", "Geometric means:"] + [f"- {line}" for line in means_of(rows) or ["of nothing"]])


def series_of(rows):
    """Title -> milliseconds of each row, 0 where there is none; only those with a time."""
    columns = [("bound", "bound_s"), ("default", "default_s"), ("best", "best_s")] + [(peer, peer) for peer in PEERS]
    series = {title: [1e3 * row[column] if is_number(row.get(column)) else 0 for row in rows]
              for title, column in columns}
    return {title: values for title, values in series.items() if any(values)}


def plot(path, rows, heading):
    """Bars on a logarithmic scale; ImportError without matplotlib."""
    import matplotlib
    matplotlib.use("agg")
    import matplotlib.pyplot as pyplot
    series = series_of(rows)
    figure, axes = pyplot.subplots(figsize=(max(6.0, 0.7 * len(rows) + 2), 5))
    width = 0.85 / max(1, len(series))
    for i, (title, values) in enumerate(series.items()):
        axes.bar([place - 0.425 + (i + 0.5) * width for place in range(len(rows))], values, width, label=title)
    axes.set_yscale("log")
    axes.set_xticks(range(len(rows)))
    axes.set_xticklabels([row["program"] for row in rows], rotation=45, ha="right")
    axes.set_ylabel("milliseconds")
    axes.set_title(heading, fontsize=9)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)
