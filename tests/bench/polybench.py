"""Where PolyBench/C 4.2 keeps its programs, and how large they are."""
import collections
import os
import re

TYPES = {"float": 4, "double": 8}  # bytes of an element
SIZES = ["MINI", "SMALL", "MEDIUM", "LARGE", "EXTRALARGE"]
# Their results in float depend on the order of the sums by more than the tolerance.
EXACT_IN_FLOAT = {"durbin", "gramschmidt", "ludcmp", "trisolv"}

Program = collections.namedtuple("Program", "name source")


def programs_in(folder):
    """name -> Program of the benchmark list, which PolyBench has in its folder utilities; OSError without it."""
    with open(os.path.join(folder, "utilities", "benchmark_list"), encoding="utf-8") as file:
        paths = [os.path.normpath(os.path.join(folder, line.strip())) for line in file if line.strip().endswith(".c")]
    names = [os.path.splitext(os.path.basename(path))[0] for path in paths]
    return {name: Program(name, path) for name, path in sorted(zip(names, paths))}


def sizes_in(header, size):
    """name -> number, as the text of a program's header defines them for the data set, such as EXTRALARGE."""
    section = re.search(rf"#\s*ifdef\s+{size}_DATASET\b(.*?)#\s*endif", header, re.DOTALL)
    found = re.findall(r"#\s*define\s+(\w+)\s+(\d+)\s*$", section.group(1), re.MULTILINE) if section else []
    if not found:
        raise ValueError(f"the header has no sizes for {size}_DATASET")
    return {name: int(number) for name, number in found}


def sizes_of(program, size):
    """The same of a program, whose header lies beside its text; OSError where there is none."""
    with open(os.path.splitext(program.source)[0] + ".h", encoding="utf-8") as file:
        return sizes_in(file.read(), size)


def macros(size, element_type):
    return [f"{size}_DATASET", f"DATA_TYPE_IS_{element_type.upper()}"]


def needs_exact(name, element_type):
    return element_type == "float" and name in EXACT_IN_FLOAT
