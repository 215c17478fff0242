#include "worker/cases/case_file.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"
#include "common/tuned/device_interface.h"
#include "worker/cases/borrowed_memory_text.h"
#include "worker/cases/case_arguments.h"
#include "worker/cases/case_call.h"
#include "worker/cases/case_file_text.h"
#include "worker/cases/case_kernel_printer.h"
#include "worker/cases/known_formats.h"
#include "worker/cases/online_file.h"
#include "worker/cases/plain_expression.h"
#include "worker/cases/split_part.h"
#include "worker/cases/symbolic_part.h"
#include "worker/cases/time_tile_text.h"
#include "worker/print/block_printer.h"
#include "worker/print/capture_text.h"
#include "worker/print/complex_text.h"
#include "worker/print/cuda_region_text.h"
#include "worker/print/half_text.h"

namespace tune {
namespace {

// Formats that are tried, the outermost axis first. One that is passed over for another with more blocks or
// threads meets this condition.
struct TriedFormats {
  const char* formats;
  std::string too_few;
};

// Of a sum: the more threads share it, the fewer points a block has. Those from number `fallbacks` on need
// less and less.
TriedFormats TriedOfSums(const ParametricKernel& kernel, const std::string& threads) {
  if (kernel.axes == 0) return {"{512, 1, 1}, {256, 1, 1}, {32, 1, 1}, {1, 1, 1}", "false"};
  const int fallbacks = kernel.neighbours_share ? 3 : 4;
  return {
      kernel.neighbours_share ? "{8, 32, 1}, {4, 64, 1}, {2, 128, 1}, {1, 512, 1}, {1, 256, 1}, "
                                "{1, 32, 1}, {1, 1, 1}"
                              : "{256, 1, 1}, {128, 2, 1}, {64, 4, 1}, {32, 8, 1}, {32, 32, 1}, "
                                "{32, 16, 1}, {32, 4, 1}, {8, 4, 1}, {1, 1, 1}",
      absl::StrCat("B < formats[", fallbacks, "] && blocks * (", threads, ") < 1024 * machine.processors")};
}

// Whole warps along x.
TriedFormats TriedOf(const ParametricKernel& kernel, const std::string& threads) {
  if (kernel.shares_sums) return TriedOfSums(kernel, threads);
  static const char* const formats[] = {"{1, 1, 1}",
                                        "{256, 1, 1}, {128, 1, 1}, {64, 1, 1}, {32, 1, 1}, {1, 1, 1}",
                                        "{8, 32, 1}, {4, 32, 1}, {2, 32, 1}, {1, 32, 1}, {1, 1, 1}",
                                        "{2, 4, 32}, {1, 4, 32}, {1, 2, 32}, {1, 1, 32}, {1, 1, 1}"};
  return {formats[kernel.axes], "s > 1 && blocks < 2 * machine.processors"};
}

std::string Definitions(const ParametricRegion& region) { return SizeDefinitions(region, SizeChoice::kAll); }

// Loops and conditions around launches.
class HostPrinter : public BlockPrinter {
 public:
  explicit HostPrinter(const ParametricRegion& region)
      : BlockPrinter(region.names, "long long"), region_(region) {}

  std::string Print() {
    ++indent_;
    PrintBlock(region_.host);
    return absl::StrCat(indices_.Definitions(), text_, indices_.Undefinitions());
  }

 private:
  void PrintOther(const Node& node) override {
    const auto* const launch = node.As<Launch>();
    if (launch == nullptr) throw std::logic_error("a host has no such node");
    std::string arguments;
    for (const IndexExpression& value : launch->host) absl::StrAppend(&arguments, ", ", Text(value));
    const size_t axes = launch->first.size();
    for (size_t a = axes; a > 0; --a) absl::StrAppend(&arguments, ", ", Text(launch->first[a - 1]));
    for (size_t a = axes; a > 0; --a) absl::StrAppend(&arguments, ", ", Text(launch->count[a - 1]));
    const std::string prefix = HelperPrefix(names_);
    Line("if (", prefix, "error == cudaSuccess)");
    Line("  ", prefix, "error = ", region_.kernels[launch->kernel].function, "_launch(", prefix, "memory, ",
         prefix, "sizes, ", prefix, "machine, ", prefix, "stream", arguments, ");");
  }

  const ParametricRegion& region_;
};

// The polynomial with the fields of `format` for the symbols.
std::string OfFormat(Polynomial polynomial, const std::string& format) {
  std::set<std::string> names;
  polynomial.CollectNames(&names);
  for (const std::string& name : names)
    polynomial = polynomial.Replace(name, Polynomial::Name(absl::StrCat(format, ".", name)));
  return polynomial.Text();
}

std::string TreeCode(const CaseTree& tree, int indent) {
  const std::string blanks(2 * indent, ' ');
  if (!tree.condition) return absl::StrCat(blanks, "return ", tree.leaf, ";\n");
  const auto part = [&](const std::vector<CaseTree>& of) {
    return of.empty() ? absl::StrCat(blanks, "  return -1;\n") : TreeCode(of[0], indent + 1);
  };
  return absl::StrCat(blanks, "if (", tree.condition->Text(), ") {\n", part(tree.holds), blanks, "} else {\n",
                      part(tree.fails), blanks, "}\n");
}

// The host's functions of one kernel.
class KernelHostPart {
 public:
  KernelHostPart(const ParametricKernel& kernel, const ParametricRegion& region,
                 const DiscussedKernel& discussed, const v1::CaseFormats& formats, bool online)
      : kernel_(kernel),
        region_(region),
        discussed_(discussed),
        formats_(FormatsOf(kernel, region, formats)),
        online_(online),
        problem_(kernel, region.scop),
        names_(region.names),
        prefix_(HelperPrefix(region.names)) {}

  bool HasKnownFormats() const { return !formats_.formats().empty(); }

  std::string Print() const {
    std::vector<std::string> coarsened, functions, counts, blocks = {"1"}, grid, block;
    std::string parameters;
    for (const ProgramCase& one : discussed_.cases) {
      const KernelVariant variant = problem_.Variant(one.applied);
      coarsened.push_back(variant.coarsened ? "true" : "false");
      functions.push_back(absl::StrCat("(const void *)", kernel_.function, variant.Suffix()));
    }
    for (int depth = 0; depth < kernel_.host_depth; ++depth)
      absl::StrAppend(&parameters, ", long long ", names_.host, depth);
    for (int axis = 0; axis < kernel_.axes; ++axis)
      absl::StrAppend(&parameters, ", long long ", names_.first, axis);
    for (int axis = 0; axis < kernel_.axes; ++axis) {
      absl::StrAppend(&parameters, ", long long ", names_.count, axis);
      counts.push_back(absl::StrCat(names_.count, axis));
      const bool points = kernel_.HasPointsAlong(axis);
      blocks.push_back(absl::StrCat("Blocks(count[", axis, "], B[", axis, "]", points ? " * s" : "", ")"));
      grid.insert(grid.begin(), absl::StrCat("Blocks(", names_.count, axis, ", ", prefix_, "format.B", axis,
                                             points ? absl::StrCat(" * ", prefix_, "points") : "", ")"));
    }
    for (int i = 0; i < kernel_.FormatDimensions(); ++i) {
      const bool last = kernel_.shares_sums && !kernel_.neighbours_share;  // all other formats have x last
      block.insert(last ? block.end() : block.begin(), absl::StrCat(prefix_, "format.B", i));
    }
    std::string leaves;
    for (size_t i = 0; i < discussed_.cases.size(); ++i) leaves += Leaf(i);
    const auto list = [](const std::vector<std::string>& items) {
      return items.empty() ? std::string("1") : absl::StrJoin(items, ", ");
    };
    const std::string threads = OfFormat(problem_.Threads(), "format");
    const TriedFormats tried = TriedOf(kernel_, threads);
    const KnownFormatsText known = PrintKnownFormats(kernel_, region_, formats_, threads);
    return absl::StrReplaceAll(WithHelperPrefix(kCaseKernelPart, region_.names),
                               {{"FUNCTION", kernel_.function},
                                {"KNOWN", known.table},
                                {"NEAR", known.choice},
                                {"EXTENTS", absl::StrCat(SizeCount(region_) - region_.own_parameters)},
                                {"CHOICE", absl::StrCat(kernel_.function, online_ ? "_pick" : "_choose")},
                                {"PICK", online_ ? PickFunction(kernel_, threads) : ""},
                                {"TREE", TreeCode(discussed_.tree, 1)},
                                {"COARSENED", list(coarsened)},
                                {"FUNCTIONS", list(functions)},
                                {"THREADS", threads},
                                {"FORMATS", tried.formats},
                                {"FEW", tried.too_few},
                                {"STEP", kernel_.HoldsSums() ? absl::StrCat(kHeldPoints) : "2"},
                                {"POINTS", PointsText()},
                                {"BLOCKS", absl::StrJoin(blocks, " * ")},
                                {"PARAMETERS", parameters},
                                {"DEFINITIONS", Definitions(region_)},
                                {"SPLITS", Splits()},
                                {"COUNTS", list(counts)},
                                {"GRID", list(grid)},
                                {"BLOCK", list(block)},
                                {"LEAVES", leaves}});
  }

 private:
  // Of a thread, as the format's case has it.
  std::string PointsText() const {
    const std::string s = absl::StrCat(prefix_, "format.s");
    return kernel_.HoldsSums() ? absl::StrCat(s, " >= ", kHeldPoints, " ? ", kHeldPoints, " : 1") : s;
  }

  // A launch that has too many blocks along y or z is two: points of axes depend on none of each other.
  std::string Splits() const {
    std::string text;
    for (int axis = 0; axis + 1 < kernel_.axes; ++axis) {
      const std::string first = absl::StrCat(names_.first, axis), count = absl::StrCat(names_.count, axis);
      const std::string part = prefix_ + "part", width = absl::StrCat(prefix_, "format.B", axis);
      absl::StrAppend(
          &text, "  if (Blocks(", count, ", ", width, ") > kMostBlocks) {\n    const long long ", part,
          " = kMostBlocks * ", width, ";\n    const cudaError_t ", prefix_,
          "error = ", LaunchWith({{count, part}}), ";\n    return ", prefix_, "error != cudaSuccess ? ",
          prefix_, "error : ",
          LaunchWith({{first, absl::StrCat(first, " + ", part)}, {count, absl::StrCat(count, " - ", part)}}),
          ";\n  }\n");
    }
    return text;
  }

  // A call of the kernel's launch with other values of some of its parameters.
  std::string LaunchWith(const std::map<std::string, std::string>& changed) const {
    std::string text = absl::StrCat(kernel_.function, "_launch(", prefix_, "memory, ", prefix_, "sizes, ",
                                    prefix_, "machine, ", prefix_, "stream");
    const auto add = [&](const std::string& begin, int number) {
      for (int i = 0; i < number; ++i) {
        const std::string name = absl::StrCat(begin, i);
        const auto other = changed.find(name);
        absl::StrAppend(&text, ", ", other == changed.end() ? name : other->second);
      }
    };
    add(names_.host, kernel_.host_depth);
    add(names_.first, kernel_.axes);
    add(names_.count, kernel_.axes);
    return text + ")";
  }

  std::string Leaf(size_t number) const {
    const KernelVariant variant = problem_.Variant(discussed_.cases[number].applied);
    std::vector<std::string> addresses;
    std::string text = absl::StrCat("    case ", number, ": {\n");
    for (const CaseArgument& argument : CaseArguments(kernel_, region_, variant)) {
      const std::string name = absl::StrCat(prefix_, "argument", addresses.size());
      const std::string type = absl::StrReplaceAll(argument.type, {{"__restrict__ ", ""}});
      absl::StrAppend(&text, "      ", type, name, " = ", argument.value, ";\n");
      addresses.push_back(absl::StrCat("(void *)&", name));
    }
    const std::string function = absl::StrCat(kernel_.function, variant.Suffix());
    absl::StrAppend(&text, "      void *", prefix_, "arguments[] = {",
                    addresses.empty() ? "0" : absl::StrJoin(addresses, ", "),
                    "};\n      return cudaLaunchKernel((const void *)", function, ", ", prefix_, "grid, ",
                    prefix_, "block, ", prefix_, "arguments, ",
                    OfFormat(problem_.SharedBytes(variant), prefix_ + "format"), ", ", prefix_,
                    "stream);\n    }\n");
    return text;
  }

  const ParametricKernel& kernel_;
  const ParametricRegion& region_;
  const DiscussedKernel& discussed_;
  const v1::CaseFormats formats_;
  const bool online_;
  const KernelProblem problem_;
  const CaseNames names_;
  const std::string prefix_;
};

std::string List(const std::vector<std::string>& items) {
  return absl::StrCat("{", absl::StrJoin(items, ", "), "}");
}

// Of the boxes by array; one that is in none is whole.
std::string BoxesText(const ParametricRegion& region, const std::map<std::string, ArrayBox>& boxes) {
  std::string text;
  for (int i = 0; i < region.scop.arrays_size(); ++i) {
    const v1::Array& array = region.scop.arrays(i);
    if (array.extents_size() == 0) continue;
    const auto box = boxes.find(array.name());
    std::vector<std::string> first, last, extents;
    for (int d = 0; d < array.extents_size(); ++d) {
      first.push_back(box == boxes.end() ? "0" : PlainText(box->second.first[d]));
      extents.push_back(ExtentName(region.names, i, d));
      last.push_back(box == boxes.end() ? extents.back() + " - 1" : PlainText(box->second.last[d]));
    }
    // One without elements ends before it begins.
    if (box != boxes.end() && !box->second.any.IsConstant())
      last[0] = absl::StrCat("(", PlainText(box->second.any), ") ? ", last[0], " : -1");
    absl::StrAppend(&text, "    case ", i, ":\n      return {", array.extents_size(), ", ", List(first), ", ",
                    List(last), ", ", List(extents), "};\n");
  }
  return text;
}

bool DeclaresAnything(const v1::Scop& scop) {
  return std::any_of(scop.arrays().begin(), scop.arrays().end(),
                     [](const v1::Array& array) { return array.declared_inside(); });
}

std::string HostPart(const ParametricRegion& region, const std::vector<DiscussedKernel>& kernels,
                     const v1::CaseFormats& formats, const CaseEntry& entry, const SymbolicPrograms& programs,
                     const TimeTileText& tiles, const SplitPrograms* split) {
  std::string parts = entry.declarations;
  bool known = false;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const KernelHostPart kernel(region.kernels[i], region, kernels[i], formats, entry.picks);
    if (kernel.HasKnownFormats() && !std::exchange(known, true)) parts += kNearSizes;
    parts += kernel.Print();
  }
  const std::string includes =
      absl::StrCat(!programs.programs.empty() || split != nullptr ? "#include <cmath>\n" : "",
                   known && !entry.picks ? "#include <cstring>\n" : "", entry.includes);
  std::vector<std::string> read, written, own, elements;
  int dimensions = 1;
  for (const v1::Array& array : region.scop.arrays()) {
    dimensions = std::max(dimensions, array.extents_size());
    elements.push_back(IsMemory(array) ? absl::StrCat(ElementSize(array.element_type())) : "0");
    const bool outside = IsMemory(array) && !array.declared_inside();
    own.push_back(array.declared_inside() ? "true" : "false");
    read.push_back(outside ? "true" : "false");
    written.push_back(outside && !array.read_only() ? "true" : "false");
  }
  const std::string definitions = Definitions(region), host = HostPrinter(region).Print();
  const bool borrows = !tiles.call.empty() || split != nullptr || absl::StrContains(entry.text, "Borrow(");
  const std::string borrowed = borrows ? kBorrowedMemory : "",
                    in_parts = split != nullptr ? SplitFunctions(*split, region) : "",
                    split_call = split != nullptr ? SplitCall(region) : "";
  const std::string text = absl::StrReplaceAll(
      WithHelperPrefix(kCaseHostPart, region.names),
      {{"INCLUDES", includes},
       {"MACHINE", known ? "  char name[sizeof(cudaDeviceProp::name)];\n" : ""},
       {"NAMED", known ? kNameOfMachine : ""},
       {"CAPTURING", kIsCapturing},
       {"KERNELS", parts},
       {"SYMBOLIC", absl::StrCat(borrowed, tiles.function, in_parts, SymbolicFunctions(programs, region))},
       {"CALLS", absl::StrCat(tiles.call, split_call, SymbolicCalls(programs, region))},
       {"DEFINITIONS", definitions},
       {"HOST", host},
       {"COUNT", absl::StrCat(std::max(1, region.scop.arrays_size()))},
       {"DIMENSIONS", absl::StrCat(dimensions)},
       {"USED", BoxesText(region, region.used)},
       {"WRITE", BoxesText(region, region.written)},
       {"ELEMENTS", elements.empty() ? "0" : absl::StrJoin(elements, ", ")},
       {"READ", read.empty() ? "false" : absl::StrJoin(read, ", ")},
       {"OWN", own.empty() ? "false" : absl::StrJoin(own, ", ")},
       {"WRITTEN", written.empty() ? "false" : absl::StrJoin(written, ", ")}});
  return text + entry.text;
}

// What each kernel is, as comments.
std::string Discussion(const ParametricKernel& kernel, const ParametricRegion& region,
                       const DiscussedKernel& discussed) {
  const KernelProblem problem(kernel, region.scop);
  std::string text = absl::StrCat("// ", kernel.function, ", the kernel ", kernel.name, ", where\n");
  for (const CaseSymbol& symbol : problem.Symbols())
    absl::StrAppend(&text, "//   ", symbol.name, ": ", symbol.what,
                    symbol.machine ? " that the machine has" : "", "\n");
  return absl::StrCat(text, CaseTreeText(discussed.tree, discussed.cases, problem, "// "));
}

}  // namespace

std::string DecisionsText(const ProgramCase& one, const KernelProblem& problem) {
  std::vector<std::string> names;
  for (const CaseDecision& decision : one.decisions) {
    if (decision.kind != CaseDecision::Kind::kAccept)
      names.push_back(problem.strategies()[decision.strategy].name);
  }
  return names.empty() ? "as written" : absl::StrJoin(names, ", ");
}

std::string CaseTreeText(const CaseTree& tree, const std::vector<ProgramCase>& cases,
                         const KernelProblem& problem, const std::string& indentation) {
  if (!tree.condition) {
    const ProgramCase& one = cases[tree.leaf];
    return absl::StrCat(indentation, "case ", tree.leaf + 1, ": ", DecisionsText(one, problem),
                        one.unknown ? " (whether it occurs is not known)" : "", "\n");
  }
  const auto part = [&](const std::vector<CaseTree>& of) {
    return of.empty() ? absl::StrCat(indentation, "  none\n")
                      : CaseTreeText(of[0], cases, problem, indentation + "  ");
  };
  return absl::StrCat(indentation, "if ", tree.condition->Text(), "\n", part(tree.holds), indentation,
                      "else\n", part(tree.fails));
}

std::string RunText(const v1::Scop& scop) {
  const std::string on_device = DeclaresAnything(scop) ? kOnDeviceWithOwn : kOnDevice;
  const std::string text = absl::StrReplaceAll(kCaseRun, {{"ON_DEVICE", on_device}});
  return absl::StrReplaceAll(text, {{"PREFIX", CIdentifier(scop.name())}});
}

CaseEntry WholeRegionEntry(const v1::Scop& scop) {
  return {
      "", "",
      absl::StrCat(RunText(scop), absl::StrReplaceAll(kCaseEntry, {{"PREFIX", CIdentifier(scop.name())}}))};
}

std::string PrintCaseFile(const ParametricRegion& region, const std::vector<DiscussedKernel>& kernels,
                          const CaseEntry& entry, const v1::CaseFormats& formats,
                          const SymbolicPrograms& programs, const TimeTiles* tiles,
                          const SplitPrograms* split) {
  std::string bodies;
  CaseHelpers helpers;
  TimeTileText tile_text;
  if (tiles != nullptr) tile_text = PrintTimeTiles(*tiles, region);
  helpers.Add(tile_text.kernel.helpers);
  for (size_t i = 0; i < kernels.size(); ++i) {
    const ParametricKernel& kernel = region.kernels[i];
    const KernelProblem problem(kernel, region.scop);
    absl::StrAppend(&bodies, i == 0 ? "" : "\n", Discussion(kernel, region, kernels[i]));
    std::set<std::string> printed;
    for (const ProgramCase& one : kernels[i].cases) {
      const KernelVariant variant = problem.Variant(one.applied);
      if (!printed.insert(variant.Suffix()).second) continue;
      const CaseKernelText kernel_text = PrintCaseKernel(kernel, region, variant);
      helpers.Add(kernel_text.helpers);
      absl::StrAppend(&bodies, "\n", kernel_text.text);
    }
  }
  if (tiles != nullptr) absl::StrAppend(&bodies, "\n", tile_text.kernel.text);
  const HalfText halves = TextOfHalves(region.scop, region.names);
  const std::string device =
      absl::StrCat(helpers.Definitions(region.names), split != nullptr ? SplitKernels(*split) : "",
                   SymbolicKernels(programs), halves.before, bodies, halves.behind);
  return absl::StrCat(WithComplexNumbers(region.scop, region.names, device), "\n", kHostBegins,
                      HostPart(region, kernels, formats, entry, programs, tile_text, split));
}

}  // namespace tune
