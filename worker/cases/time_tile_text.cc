#include "worker/cases/time_tile_text.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/tuned/device_interface.h"
#include "worker/cases/array_memory.h"
#include "worker/cases/case_arguments.h"
#include "worker/cases/case_call.h"
#include "worker/cases/flat_accesses.h"
#include "worker/cases/time_tile_host.h"
#include "worker/cases/time_tile_host_text.h"
#include "worker/cases/time_tile_parts.h"
#include "worker/print/block_printer.h"
#include "worker/print/statement_text.h"

namespace tune {
namespace {

class TimeTilePrinter : public BlockPrinter {
 public:
  TimeTilePrinter(const TimeTiles& tiles, const ParametricRegion& region)
      : BlockPrinter(region.names, kCaseIndexType),
        tiles_(tiles),
        region_(region),
        block_(BlockOf(tiles)),
        case_names_(region.names),
        prefix_(HelperPrefix(region.names)),
        statements_(region.scop, &indices_) {
    statements_.PrintForDevice();
    for (int i = 0; i < region.scop.arrays_size(); ++i) FindInArguments(region, i, &indices_, &memory_);
    for (size_t j = 0; j < tiles.arrays.size(); ++j) SetTile(j);
  }

  CaseKernelText Print() {
    PrintComment();
    Line("static __device__ __forceinline__ int ", FunctionOfTiles(tiles_, region_), "_place(",
         kCaseIndexType, " at, int side) {");
    Line("  return at < 0 ? 0 : at > side ? side : (int)at;");
    Line("}");
    std::vector<std::string> parameters;
    for (const CaseArgument& argument : ArgumentsOfTiles(region_))
      parameters.push_back(argument.type + argument.name);
    for (size_t j = 0; j < tiles_.arrays.size(); ++j) {
      parameters.push_back(absl::StrCat("const ", TypeOf(j), " *", Name("in", j)));
      parameters.push_back(absl::StrCat(TypeOf(j), " *", Name("out", j)));
    }
    for (const char* const name : {"steps", "made", "final", "cut"})
      parameters.push_back(absl::StrCat("int ", prefix_, name));
    for (int d = 0; d < tiles_.dimensions; ++d) {
      parameters.push_back(absl::StrCat("int ", Name("own", d)));
      parameters.push_back(absl::StrCat("int ", Name("margin", d)));
    }
    Line("extern \"C\" __global__ void __launch_bounds__(", block_.Threads(), ") ",
         FunctionOfTiles(tiles_, region_), "(", absl::StrJoin(parameters, ", "), ") {");
    ++indent_;
    PrintPlace();
    PrintLoads();
    for (size_t p = 0; p < tiles_.phases.size(); ++p)
      if (!IsOfStep(tiles_.phases[p])) PrintMask(tiles_.phases[p], p);
    Line("for (int ", prefix_, "step = 0; ", prefix_, "step < ", prefix_, "steps; ++", prefix_, "step, ++",
         names_.host, "0) {");
    ++indent_;
    for (size_t p = 0; p < tiles_.phases.size(); ++p) PrintPhase(tiles_.phases[p], p);
    --indent_;
    Line("}");
    PrintStores();
    --indent_;
    Line("}");
    return {text_, {indices_.used_macros(), {}}};
  }

 private:
  std::string Name(const char* what, size_t number) const { return absl::StrCat(prefix_, what, number); }
  std::string TypeOf(size_t j) const {
    return std::string(ElementCType(region_.scop.arrays(tiles_.arrays[j]).element_type()));
  }

  void SetTile(size_t j) {
    FlatMemory& memory = memory_[region_.scop.arrays(tiles_.arrays[j]).name()];
    memory = {Name("tile", j), {}, {}};
    for (int d = 0; d < tiles_.dimensions; ++d) {
      memory.first.push_back({IndexExpression::Name(Name("base", d)), 0});
      memory.extents.push_back(Name("side", d));
    }
  }

  void PrintComment() {
    Line("// ", FunctionOfTiles(tiles_, region_), ": several steps in a launch, by blocks with tiles of ",
         absl::StrJoin(tiles_.sides, " x "), " elements of each array that is written. Of a tile, ", prefix_,
         "own of its elements are its own; each step spoils ", absl::StrJoin(tiles_.before, ", "),
         " before and ", absl::StrJoin(tiles_.behind, ", "), " behind them, along each dimension.");
  }

  // What the block's tile is, and its thread's first point.
  void PrintPlace() {
    for (size_t j = 0; j < tiles_.arrays.size(); ++j)
      Line("__shared__ ", TypeOf(j), " ", Name("tile", j), "[", ElementsOfTile(tiles_), "];");
    for (int d = 0; d < tiles_.dimensions; ++d) {
      const char* const direction = d + 1 == tiles_.dimensions ? "x" : "y";
      Line("constexpr int ", Name("side", d), " = ", tiles_.sides[d], ";");
      Line("const ", kCaseIndexType, " ", Name("low", d), " = ", Text(tiles_.written.first[d]), ", ",
           Name("high", d), " = ", Text(tiles_.written.last[d]), ";");
      Line("const ", kCaseIndexType, " ", Name("base", d), " = ", Name("low", d), " + (", kCaseIndexType,
           ")blockIdx.", direction, " * ", Name("own", d), " - ", Name("margin", d), ";");
      Line("int ", Name("before", d), " = 0, ", Name("behind", d), " = 0;");
      PrintPart(Name("from", d), Name("end", d), d, Name("low", d), Name("high", d));
      for (size_t j = 0; j < tiles_.arrays.size(); ++j)
        PrintPart(Used("first", j, d), Used("last", j, d), d, Text(FirstUsed(region_, tiles_.arrays[j], d)),
                  Text(LastUsed(region_, tiles_.arrays[j], d)));
    }
    Line("const int ", prefix_, "x = threadIdx.x;");
    if (tiles_.dimensions == 2) Line("const int ", prefix_, "y = threadIdx.y * ", block_.points, ";");
  }

  // Of the thread's points, whose places in the tile it names "at" and the dimension.
  void BeginPoints() {
    Directive("#pragma unroll");
    const std::string turn = names_.turn;
    Line("for (int ", turn, " = 0; ", turn, " < ", block_.points, "; ++", turn, ") {");
    ++indent_;
    if (tiles_.dimensions == 1) {
      Line("const int ", Name("at", 0), " = ", prefix_, "x + ", turn, " * ", block_.x, ";");
    } else {
      Line("const int ", Name("at", 0), " = ", prefix_, "y + ", turn, ";");
      Line("[[maybe_unused]] const int ", Name("at", 1), " = ", prefix_, "x;");
    }
  }
  void End() {
    --indent_;
    Line("}");
  }

  std::string PlaceInTile() const {
    return tiles_.dimensions == 1 ? Name("at", 0)
                                  : absl::StrCat(Name("at", 0), " * ", Name("side", 1), " + ", Name("at", 1));
  }

  // Where in the tile elements of the array from `low` to `high` begin and end, which may be none.
  void PrintPart(const std::string& from, const std::string& end, int d, const std::string& low,
                 const std::string& high) {
    const std::string place = FunctionOfTiles(tiles_, region_) + "_place(",
                      rest = absl::StrCat(", ", Name("side", d), ")");
    Line("const int ", from, " = ", place, low, " - ", Name("base", d), rest, ", ", end, " = ", place, high,
         " + 1 - ", Name("base", d), rest, ";");
  }
  std::string Used(const char* what, size_t j, int d) const { return absl::StrCat(Name(what, j), "_", d); }

  // What stands before the thread's points: where its column is in each array.
  void PrintColumns() {
    for (size_t j = 0; j < tiles_.arrays.size() && tiles_.dimensions == 2; ++j)
      Line("const ", kCaseIndexType, " ", Name("place", j), " = (", Name("base", 0), " + ", prefix_, "y) * ",
           ExtentName(names_, tiles_.arrays[j], 1), " + ", Name("base", 1), " + ", prefix_, "x;");
  }
  std::string PlaceInArray(size_t j) const {
    return tiles_.dimensions == 1 ? absl::StrCat(Name("base", 0), " + ", Name("at", 0))
                                  : absl::StrCat(Name("place", j), " + ", names_.turn, " * ",
                                                 ExtentName(names_, tiles_.arrays[j], 1));
  }
  static std::string Within(const std::string& value, const std::string& from, const std::string& end) {
    return absl::StrCat(value, " >= ", from, " && ", value, " < ", end);
  }
  std::string IsWritten() const {
    std::vector<std::string> inside;
    for (int d = 0; d < tiles_.dimensions; ++d)
      inside.push_back(Within(Name("at", d), Name("from", d), Name("end", d)));
    return absl::StrJoin(inside, " && ");
  }
  std::string IsUsed(size_t j) const {
    std::vector<std::string> inside;
    for (int d = 0; d < tiles_.dimensions; ++d)
      inside.push_back(Within(Name("at", d), Used("first", j, d), Used("last", j, d)));
    return absl::StrJoin(inside, " && ");
  }

  // What is not written stands in the user's array alone. All loads of a thread are under way before the
  // first of them is stored.
  void PrintLoads() {
    PrintColumns();
    for (size_t j = 0; j < tiles_.arrays.size(); ++j)
      Line(TypeOf(j), " ", Name("loaded", j), "[", block_.points, "] = {};");
    BeginPoints();
    Line("const bool ", prefix_, "written = ", IsWritten(), ";");
    for (size_t j = 0; j < tiles_.arrays.size(); ++j) {
      Line("if (", IsUsed(j), " && !(", prefix_, "written && (", prefix_, "made >> ", j, " & 1)))");
      Line("  ", Name("loaded", j), "[", names_.turn, "] = (", prefix_, "written ? ", Name("in", j), " : ",
           CudaIdentifier(region_.scop.arrays(tiles_.arrays[j]).name()), ")[", PlaceInArray(j), "];");
    }
    End();
    BeginPoints();
    for (size_t j = 0; j < tiles_.arrays.size(); ++j)
      Line(Name("tile", j), "[", PlaceInTile(), "] = ", Name("loaded", j), "[", names_.turn, "];");
    End();
  }

  void PrintStores() {
    Line("__syncthreads();");
    std::vector<std::string> own = {IsWritten()};
    for (int d = 0; d < tiles_.dimensions; ++d)
      own.push_back(
          Within(Name("at", d), Name("margin", d), absl::StrCat(Name("margin", d), " + ", Name("own", d))));
    for (size_t j = 0; j < tiles_.arrays.size(); ++j) {
      Line("if (", prefix_, "final || !(", prefix_, "made >> ", j, " & 1)) {");
      ++indent_;
      BeginPoints();
      Line("if (", absl::StrJoin(own, " && "), ")");
      Line("  ", Name("out", j), "[", PlaceInArray(j), "] = ", Name("tile", j), "[", PlaceInTile(), "];");
      End();
      End();
    }
  }

  // Points in the part of the tile that is not spoilt, of which the phase has spoilt its own before it runs.
  // Where the tile is cut nowhere, it holds all that points read: one whose element lies at an end may have
  // others in its access relations, which a condition within its value keeps it from.
  std::string IsInside(int d, const std::string& place) const {
    return Within(place, Name("before", d), absl::StrCat(Name("side", d), " - ", Name("behind", d)));
  }
  void PrintSpoilt(const TilePhase& phase) {
    for (int d = 0; d < tiles_.dimensions; ++d) {
      if (phase.before[d] > 0) Line(Name("before", d), " += ", prefix_, "cut * ", phase.before[d], ";");
      if (phase.behind[d] > 0) Line(Name("behind", d), " += ", prefix_, "cut * ", phase.behind[d], ";");
    }
  }

  void PrintValueOf(int d, const std::string& place) {
    Line("const ", kCaseIndexType, " ", case_names_.value, d, " = ", Name("base", d), " + ", place, ";");
  }

  bool IsOfStep(const TilePhase& phase) const {
    return phase.points.empty() || Mentions(phase.where, absl::StrCat(names_.host, 0));
  }

  // A bit for each point of the thread at which the phase computes. Of a column all do where the first and
  // the last do.
  void PrintMask(const TilePhase& phase, size_t number) {
    const std::string mask = Name("mask", number), all = std::to_string((1u << block_.points) - 1);
    Line("unsigned ", mask, " = 0;");
    Line("{");
    ++indent_;
    if (tiles_.dimensions == 2) {
      PrintValueOf(1, prefix_ + "x");
      Line("bool ", prefix_, "all = true;");
      for (const std::string& more : {std::string(), absl::StrCat(" + ", block_.points - 1)}) {
        Line("{");
        ++indent_;
        PrintValueOf(0, absl::StrCat(prefix_, "y", more));
        Line(prefix_, "all = ", prefix_, "all && (", Text(phase.where), ");");
        End();
      }
      Line("if (", prefix_, "all) ", mask, " = ", all, ";");
    }
    if (tiles_.dimensions == 2) Line("else {");
    indent_ += tiles_.dimensions == 2 ? 1 : 0;
    BeginPoints();
    PrintValueOf(0, Name("at", 0));
    Line("if (", Text(phase.where), ") ", mask, " |= 1u << ", names_.turn, ";");
    End();
    if (tiles_.dimensions == 2) End();
    End();
  }

  void PrintPhase(const TilePhase& phase, size_t number) {
    Line("__syncthreads();");
    PrintSpoilt(phase);
    if (!phase.points.empty() && IsOfStep(phase)) PrintMask(phase, number);
    if (phase.points.empty()) {
      PrintEach(phase);
    } else if (tiles_.dimensions == 1) {
      PrintPoints(phase, number);
    } else {
      PrintColumn(phase, number);
    }
  }

  void PrintValues() {
    for (int d = 0; d < tiles_.dimensions; ++d) PrintValueOf(d, Name("at", d));
  }

  // Each point asks for itself.
  void PrintEach(const TilePhase& phase) {
    BeginPoints();
    std::vector<std::string> inside;
    for (int d = 0; d < tiles_.dimensions; ++d) inside.push_back(IsInside(d, Name("at", d)));
    Line("if (", absl::StrJoin(inside, " && "), ") {");
    ++indent_;
    PrintValues();
    PrintFlat(phase.body);
    End();
    End();
  }

  void PrintPoints(const TilePhase& phase, size_t number) {
    BeginPoints();
    Line("if ((", Name("mask", number), " >> ", names_.turn, " & 1) && ", IsInside(0, Name("at", 0)), ") {");
    ++indent_;
    PrintValues();
    PrintFlat(phase.points);
    End();
    End();
  }

  // Where all points of the thread compute, they do without asking, so that values of neighbours are read
  // once.
  void PrintColumn(const TilePhase& phase, size_t number) {
    const std::string mask = Name("mask", number), begin = prefix_ + "begin", end = prefix_ + "stop";
    Line("if (", mask, " != 0 && ", IsInside(1, prefix_ + "x"), ") {");
    ++indent_;
    Line("const int ", begin, " = ", Name("before", 0), " - ", prefix_, "y, ", end, " = ", Name("side", 0),
         " - ", Name("behind", 0), " - ", prefix_, "y;");
    Line("if (", mask, " == ", (1u << block_.points) - 1, " && ", begin, " <= 0 && ", end,
         " >= ", block_.points, ") {");
    ++indent_;
    BeginPoints();
    PrintValues();
    PrintFlat(phase.points);
    End();
    --indent_;
    Line("} else {");
    ++indent_;
    BeginPoints();
    Line("if ((", mask, " >> ", names_.turn, " & 1) && ", Within(names_.turn, begin, end), ") {");
    ++indent_;
    PrintValues();
    PrintFlat(phase.points);
    End();
    End();
    End();
    End();
  }

  void PrintFlat(const Block& block) {
    KernelVariant plain;
    PrintBlock(FlattenAccesses(block, memory_, plain, kCaseIndexType, absl::StrCat(names_.count, "a")));
  }

  void PrintOther(const Node& node) override { Line(statements_.Print(*node.As<Instance>())); }

  const TimeTiles& tiles_;
  const ParametricRegion& region_;
  const TileBlock block_;
  const CaseNames case_names_;
  const std::string prefix_;
  StatementPrinter statements_;
  std::map<std::string, FlatMemory> memory_;  // of the scop's arrays, where their elements are now
};

}  // namespace

TimeTileText PrintTimeTiles(const TimeTiles& tiles, const ParametricRegion& region) {
  CaseKernelText kernels = TimeTilePrinter(tiles, region).Print();
  if (const std::optional<TimeTiles> small = SmallTiles(tiles)) {
    const CaseKernelText kernel = TimeTilePrinter(*small, region).Print();
    kernels.text += "\n" + kernel.text;
    kernels.helpers.Add(kernel.helpers);
  }
  return {std::move(kernels), TimeTilesHostFunction(tiles, region),
          WithHelperPrefix(kTimeTilesCall, region.names)};
}

}  // namespace tune
