#include "worker/cases/case_kernel_printer.h"

#include <algorithm>
#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/tuned/device_interface.h"
#include "worker/cases/array_memory.h"
#include "worker/cases/case_arguments.h"
#include "worker/cases/flat_accesses.h"
#include "worker/print/asynchronous_fill_text.h"
#include "worker/print/block_printer.h"
#include "worker/print/block_reduction.h"
#include "worker/print/statement_text.h"

namespace tune {
namespace {

constexpr char kTileIndexType[] = "int";  // shared memory is small
constexpr int kUnrolledIterations = 4;    // of a shared sum: their loads are under way at the same time
constexpr int kUnrolledHeld = 2;          // of held sums: more need registers that other blocks could have

// Along which the axis' blocks lie: "x" of the last axis.
std::string Direction(const ParametricKernel& kernel, int axis) {
  return std::string(1, "xyz"[kernel.axes - 1 - axis]);
}

// Along which its threads do: those that share a sum may lie along x.
std::string ThreadDirection(const ParametricKernel& kernel, int axis) {
  return kernel.shares_sums && kernel.neighbours_share ? "y" : Direction(kernel, axis);
}

class CaseKernelPrinter : public BlockPrinter {
 public:
  CaseKernelPrinter(const ParametricKernel& kernel, const ParametricRegion& region,
                    const KernelVariant& variant)
      : BlockPrinter(region.names, kCaseIndexType),
        kernel_(kernel),
        region_(region),
        variant_(variant),
        case_names_(region.names),
        statements_(region.scop, &indices_) {
    statements_.PrintForDevice();
    for (int i = 0; i < region.scop.arrays_size(); ++i) FindInArguments(region, i, &indices_, &memory_);
  }

  CaseKernelText Print() {
    Line("extern \"C\" __global__ void ",
         variant_.bounded ? absl::StrCat("__launch_bounds__(", kBoundedThreads, ") ") : "");
    std::vector<std::string> parameters;
    for (const CaseArgument& argument : CaseArguments(kernel_, region_, variant_))
      parameters.push_back(argument.type + argument.name);
    Line(kernel_.function, variant_.Suffix(), "(", absl::StrJoin(parameters, ", "), ") {");
    ++indent_;
    if (variant_.cached) Line("extern __shared__ __align__(16) unsigned char ", names_.shared, "[];");
    for (int axis = 0; axis < kernel_.axes; ++axis) PrintAxis(axis);
    if (kernel_.shares_sums)
      for (int axis = 0; axis < kernel_.axes; ++axis) PrintValue(axis, "");
    for (size_t i = 0; i < kernel_.phases.size(); ++i) {
      if (i > 0 && variant_.cached && !kernel_.shares_sums) Line("__syncthreads();");
      Line("{");
      ++indent_;
      PrintPhase(kernel_.phases[i]);
      --indent_;
      Line("}");
    }
    --indent_;
    Line("}");
    return {text_, {indices_.used_macros(), copies_}};
  }

 private:
  // (e0 * n1 + e1) * n2 + e2
  static std::string Offset(const std::vector<std::string>& extents, const std::vector<CText>& subscripts) {
    CText offset = subscripts[0];
    for (size_t i = 1; i < subscripts.size(); ++i) {
      offset = BinaryText("+", BinaryText("*", offset, {extents[i], CText::kPostfix}), subscripts[i]);
    }
    return offset.text;
  }

  // How many values a block has along the axis.
  std::string Width(int axis) const {
    const std::string threads = absl::StrCat("blockDim.", ThreadDirection(kernel_, axis));
    return absl::StrCat("(", kCaseIndexType, ")", threads,
                        HasPointsAlong(axis) ? absl::StrCat(" * ", case_names_.points) : "");
  }

  bool HasPointsAlong(int axis) const { return variant_.coarsened && kernel_.HasPointsAlong(axis); }

  void PrintAxis(int axis) {
    const std::string width = absl::StrCat(case_names_.width, axis);
    Line("const ", kCaseIndexType, " ", width, " = ", Width(axis), ";");
    Line("const ", kCaseIndexType, " ", case_names_.begin, axis, " = ", case_names_.first, axis,
         " + blockIdx.", Direction(kernel_, axis), " * ", width, ";");
  }

  void PrintPhase(const KernelPhase& phase) {
    if (kernel_.shares_sums) return PrintSharingPhase(phase);
    const bool cached = variant_.cached && !phase.caches.empty();
    if (!cached) return PrintPoints(phase.whole);
    PrintTiles(phase);
    if (!phase.held.empty()) return PrintHeld(phase);
    BeginTiles(phase);
    PrintPoints(phase.strips ? phase.strip : phase.whole);
    EndTiles(phase);
  }

  // Around what reads the tiles: the loop over strips, where there are some, and the fills.
  void BeginTiles(const KernelPhase& phase) {
    if (phase.strips) {
      Line("for (", kCaseIndexType, " ", case_names_.strip, " = ", Text(phase.strip_first), "; ",
           case_names_.strip, " <= ", Bound(phase.strip_last), "; ", case_names_.strip,
           " += ", case_names_.strip_length, ") {");
      ++indent_;
    }
    const bool whole = !phase.held.empty();
    for (size_t i = 0; i < phase.caches.size(); ++i) PrintFill(phase.caches[i], i, whole);
    if (whole) {
      Line(names_.fill, "_commit();");
      Line(names_.fill, "_await<0>();");
    }
    Line("__syncthreads();");
    for (size_t i = 0; i < phase.caches.size(); ++i) ReadTile(phase.caches[i], i);
  }

  void EndTiles(const KernelPhase& phase) {
    for (const CachedArray& cached : phase.caches)
      FindInArguments(region_, NumberOf(cached.array), &indices_, &memory_);
    if (!phase.strips) return;
    Line("__syncthreads();");
    --indent_;
    Line("}");
  }

  // With as many points as the host asks for: for variables they are constants.
  void PrintHeld(const KernelPhase& phase) {
    if (!variant_.coarsened) return PrintHeldAt(1, phase);
    Line("if (", case_names_.points, " == ", kHeldPoints, ") {");
    ++indent_;
    PrintHeldAt(kHeldPoints, phase);
    --indent_;
    Line("} else {");
    ++indent_;
    PrintHeldAt(1, phase);
    --indent_;
    Line("}");
  }

  // `points` along each of two axes.
  void PrintHeldAt(int points, const KernelPhase& phase) {
    for (const PartialSum& sum : phase.held.sums)
      Line(ElementCType(sum.type), " ", sum.name, "[", points * points, "] = {};");
    PrintHeldPoints(points, phase.held.load);
    BeginTiles(phase);
    const std::string& iteration = case_names_.iteration;
    const std::string end = absl::StrCat(case_names_.strip, " + ", case_names_.strip_length);
    const std::string behind = Bound(phase.strip_last + IndexExpression::Constant(1));
    Line("const ", kCaseIndexType, " ", iteration, "n = ", end, " <= ", behind, " ? ", end, " : ", behind,
         ";");
    Directive(absl::StrCat("#pragma unroll ", kUnrolledHeld));
    Line("for (", kCaseIndexType, " ", iteration, " = ", case_names_.strip, "; ", iteration, " < ", iteration,
         "n; ++", iteration, ") {");
    ++indent_;
    PrintHeldPoints(points, phase.held.iteration, kTileIndexType);
    --indent_;
    Line("}");
    EndTiles(phase);
    PrintHeldPoints(points, phase.held.store);
  }

  void PrintHeldPoints(int points, const Block& body, const char* index_type = kCaseIndexType) {
    const int x = kernel_.axes - 1, y = kernel_.axes - 2;
    for (const int axis : {y, x}) {
      Directive("#pragma unroll");
      Line("for (int ", Turn(axis), " = 0; ", Turn(axis), " < ", points, "; ++", Turn(axis), ") {");
      ++indent_;
    }
    Line("const int ", case_names_.point, " = ", Turn(y), " * ", points, " + ", Turn(x), ";");
    for (int axis = 0; axis < kernel_.axes; ++axis) PrintValue(axis, axis >= y ? Step(axis) : "");
    PrintFlat(body, index_type);
    for (int loop = 0; loop < 2; ++loop) {
      --indent_;
      Line("}");
    }
  }

  // The number of a thread's point along the axis, and how far that is from the first one.
  std::string Turn(int axis) const { return axis + 1 == kernel_.axes ? names_.turn : names_.turn + "y"; }
  std::string Step(int axis) const {
    return absl::StrCat(" + ", Turn(axis), " * blockDim.", Direction(kernel_, axis));
  }

  // The number of a thread among those that share a sum, and how many these are.
  std::string Sharer() const { return kernel_.neighbours_share ? "threadIdx.x" : "threadIdx.y"; }
  std::string Sharers() const { return kernel_.neighbours_share ? "blockDim.x" : "blockDim.y"; }

  void PrintFlat(const Block& block, const char* index_type = kCaseIndexType) {
    PrintBlock(FlattenAccesses(block, memory_, variant_, index_type, absl::StrCat(names_.count, "a")));
  }

  void PrintByOne(const Block& block) {
    Line("if (", Sharer(), " == 0) {");
    ++indent_;
    PrintFlat(block);
    --indent_;
    Line("}");
  }

  void PrintSharingPhase(const KernelPhase& phase) {
    if (phase.sums.empty()) return PrintByOne(phase.whole);
    for (const PartialSum& sum : phase.sums)
      Line(ElementCType(sum.type), " ", sum.name, " = ", IdentityText(sum.update, sum.type), ";");
    PrintSharedIterations(phase);
    for (const PartialSum& sum : phase.sums) {
      if (variant_.cached) PrintExchange(sum);
    }
    PrintByOne(phase.whole);
  }

  // Every so many of them, beginning with the thread's number; all by one thread where there is no exchange.
  void PrintSharedIterations(const KernelPhase& phase) {
    const std::string iteration = case_names_.strip,
                      number = absl::StrCat("(", kCaseIndexType, ")", Sharer());
    Line("if (", variant_.cached ? "" : absl::StrCat(Sharer(), " == 0 && "), Bound(phase.strip_where), ") {");
    ++indent_;
    Directive(absl::StrCat("#pragma unroll ", kUnrolledIterations));
    Line("for (", kCaseIndexType, " ", iteration, " = ", Bound(phase.strip_first), " + ", number, "; ",
         iteration, " <= ", Bound(phase.strip_last), "; ", iteration,
         " += ", variant_.cached ? Sharers() : "1", ") {");
    ++indent_;
    PrintFlat(phase.strip);
    --indent_;
    Line("}");
    --indent_;
    Line("}");
  }

  // Thread 0 of those that share it gets the whole sum: each round adds the upper half to the lower one.
  void PrintExchange(const PartialSum& sum) {
    const std::string type(ElementCType(sum.type)), place = sum.name + "s", left = sum.name + "n";
    const std::string upper = sum.name + "u", step = kernel_.neighbours_share ? "" : " * blockDim.x";
    Line("{");
    ++indent_;
    Line(type, " *const ", place, " = (", type, " *)", names_.shared,
         " + (threadIdx.y * blockDim.x + threadIdx.x);");
    Line("__syncthreads();");
    Line("*", place, " = ", sum.name, ";");
    Line("for (unsigned ", left, " = ", Sharers(), "; ", left, " > 1;) {");
    Line("  const unsigned ", upper, " = (", left, " + 1) / 2;");
    Line("  __syncthreads();");
    Line("  if (", Sharer(), " < ", left, " - ", upper, ") ",
         CombineText(sum.update, absl::StrCat("*", place), absl::StrCat(place, "[", upper, step, "]")));
    Line("  ", left, " = ", upper, ";");
    Line("}");
    Line(sum.name, " = *", place, ";");
    --indent_;
    Line("}");
  }

  int NumberOf(const std::string& name) const {
    for (int i = 0; i < region_.scop.arrays_size(); ++i) {
      if (region_.scop.arrays(i).name() == name) return i;
    }
    throw std::logic_error("there is no array " + name);
  }

  std::string TileName(size_t tile) const { return absl::StrCat(names_.element, tile); }

  // Larger elements first, so that all are aligned.
  void PrintTiles(const KernelPhase& phase) {
    std::vector<size_t> order(phase.caches.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return ElementSize(TypeOf(phase.caches[a])) > ElementSize(TypeOf(phase.caches[b]));
    });
    std::string place = names_.shared;
    for (const size_t i : order) {
      const CachedArray& cached = phase.caches[i];
      for (size_t d = 0; d < cached.dimensions.size(); ++d)
        Line("const ", kCaseIndexType, " ", TileName(i), "n", d, " = ", ExtentText(cached.dimensions[d]),
             ";");
      const std::string type(ElementCType(TypeOf(cached)));
      Line(type, " *const ", TileName(i), " = (", type, " *)(", place, ");");
      std::string elements = absl::StrCat(TileName(i), "n0");
      for (size_t d = 1; d < cached.dimensions.size(); ++d)
        absl::StrAppend(&elements, " * ", TileName(i), "n", d);
      place = absl::StrCat(TileName(i), " + ", elements);
    }
  }

  v1::ElementType TypeOf(const CachedArray& cached) const {
    return region_.scop.arrays(NumberOf(cached.array)).element_type();
  }

  std::string ExtentText(const TileDimension& dimension) const {
    std::string text = absl::StrCat(1 + dimension.spread);
    const auto add = [&text](int64_t coefficient, const std::string& width) {
      const std::string factor = coefficient == 1 ? "" : absl::StrCat(coefficient, " * ");
      if (coefficient != 0) absl::StrAppend(&text, " + ", factor, "(", width, " - 1)");
    };
    for (size_t a = 0; a < dimension.coefficients.size(); ++a)
      add(dimension.coefficients[a], absl::StrCat(case_names_.width, a));
    add(dimension.strip_coefficient, case_names_.strip_length);
    return text;
  }

  // "threadIdx.y * blockDim.x + threadIdx.x" of the axes before `end`, the last one fastest; how many there
  // are.
  std::pair<std::string, std::string> Lanes(int begin, int end) const {
    std::string lane = "0", count = "1";
    for (int axis = begin; axis < end; ++axis) {
      const std::string direction = Direction(kernel_, axis);
      lane = axis == begin ? absl::StrCat("threadIdx.", direction)
                           : absl::StrCat("(", lane, ") * blockDim.", direction, " + threadIdx.", direction);
      count = axis == begin ? absl::StrCat("blockDim.", direction)
                            : absl::StrCat(count, " * blockDim.", direction);
    }
    return {lane, count};
  }

  // Elements that are there and that the region uses, along the dimension. References that never run may have
  // bounds outside of the array; what the region does not use of it may not be there.
  IndexExpression FirstThere(const std::string& array, int dimension) const {
    const auto used = region_.used.find(array);
    IndexExpression zero = IndexExpression::Constant(0);
    if (used == region_.used.end() || used->second.first[dimension] == zero) return zero;
    return IndexExpression::Of(IndexExpression::Op::kMaximum, {zero, used->second.first[dimension]});
  }
  IndexExpression LastThere(const std::string& array, int dimension) const {
    const auto used = region_.used.find(array);
    IndexExpression last =
        IndexExpression::Name(ExtentName(names_, NumberOf(array), dimension)) - IndexExpression::Constant(1);
    if (used == region_.used.end()) return last;
    return IndexExpression::Of(IndexExpression::Op::kMinimum, {last, used->second.last[dimension]});
  }

  std::string Bound(const IndexExpression& expression) {
    const std::string text = Text(expression);
    return expression.operands.empty() ? text : absl::StrCat("(", text, ")");
  }

  // Neighbours in a warp copy neighbours in memory: the last dimension along x, the one before along the
  // other axes, further ones by each thread. `whole`: copies only begin here, and the rest of the tile is
  // zero.
  void PrintFill(const CachedArray& cached, size_t tile, bool whole = false) {
    const int dimensions = static_cast<int>(cached.dimensions.size());
    const std::string name = TileName(tile);
    std::vector<CText> inside, subscripts;
    std::vector<std::string> conditions;
    const int indent = indent_;
    for (int d = 0; d < dimensions; ++d) {
      const std::string first = absl::StrCat(name, "f", d), index = absl::StrCat(name, "i", d);
      Line("const ", kCaseIndexType, " ", first, " = ", Text(cached.dimensions[d].first), ";");
      inside.push_back({index, CText::kPostfix});
      subscripts.push_back({absl::StrCat("(", first, " + ", index, ")"), CText::kPostfix});
      const IndexExpression from = IndexExpression::Name(first);
      const std::string lowest = absl::StrCat(name, "l", d), highest = absl::StrCat(name, "h", d);
      Line("const ", kCaseIndexType, " ", lowest, " = ", Text(FirstThere(cached.array, d) - from), ", ",
           highest, " = ", Text(LastThere(cached.array, d) - from), ";");
      conditions.push_back(absl::StrCat(index, " >= ", lowest, " && ", index, " <= ", highest));
    }
    for (int d = 0; d < dimensions; ++d) {
      std::pair<std::string, std::string> lanes = {"0", "1"};
      if (d + 1 == dimensions) lanes = Lanes(dimensions == 1 ? 0 : kernel_.axes - 1, kernel_.axes);
      if (d + 2 == dimensions) lanes = Lanes(0, kernel_.axes - 1);
      Line("for (", kCaseIndexType, " ", name, "i", d, " = ", lanes.first, "; ", name, "i", d, " < ", name,
           "n", d, "; ", name, "i", d, " += ", lanes.second, ")");
      ++indent_;
    }
    const FlatMemory& memory = memory_.at(cached.array);
    const std::string inside_text = absl::StrJoin(conditions, " && ");
    const std::string to = absl::StrCat(name, "[", Offset(TileExtents(cached, tile), inside), "]");
    const std::string from = absl::StrCat(memory.name, "[", Offset(memory.extents, subscripts), "]");
    const auto bytes = static_cast<int64_t>(ElementSize(TypeOf(cached)));
    if (whole) copies_.insert(bytes);
    Line("if (", inside_text, ")");
    Line("  ", whole ? absl::StrCat(names_.fill, "_", bytes, "(&", to, ", &", from, ");")
                     : absl::StrCat(to, " = ", from, ";"));
    if (whole) Line("else");
    if (whole) Line("  ", to, " = 0;");
    indent_ = indent;
  }

  std::vector<std::string> TileExtents(const CachedArray& cached, size_t tile) const {
    std::vector<std::string> extents;
    for (size_t d = 0; d < cached.dimensions.size(); ++d)
      extents.push_back(absl::StrCat(TileName(tile), "n", d));
    return extents;
  }

  // From now on references go to the tile.
  void ReadTile(const CachedArray& cached, size_t tile) {
    FlatMemory& memory = memory_[cached.array];
    memory = {TileName(tile), {}, TileExtents(cached, tile)};
    for (size_t d = 0; d < cached.dimensions.size(); ++d)
      memory.first.push_back({IndexExpression::Name(absl::StrCat(TileName(tile), "f", d)),
                              SplitConstant(cached.dimensions[d].first).second});
  }

  // `body` at each point of the thread.
  void PrintPoints(const Block& body) {
    const int indent = indent_;
    for (int axis = 0; axis < kernel_.axes; ++axis) {
      if (!HasPointsAlong(axis)) continue;
      Line("for (int ", Turn(axis), " = 0; ", Turn(axis), " < ", case_names_.points, "; ++", Turn(axis),
           ") {");
      ++indent_;
    }
    for (int axis = 0; axis < kernel_.axes; ++axis) PrintValue(axis, HasPointsAlong(axis) ? Step(axis) : "");
    PrintFlat(body);
    while (indent_ > indent) {
      --indent_;
      Line("}");
    }
  }

  // Of the thread's point, `more` behind its first one.
  void PrintValue(int axis, const std::string& more) {
    Line("const ", kCaseIndexType, " ", case_names_.value, axis, " = ", case_names_.begin, axis,
         " + threadIdx.", ThreadDirection(kernel_, axis), more, ";");
  }

  void PrintOther(const Node& node) override {
    if (const auto* const transfer = node.As<Transfer>()) {
      const std::string to = indices_.PrintAccess(transfer->to).text;
      const std::string from = indices_.PrintAccess(transfer->from).text;
      return Line(transfer->update == v1::NONE ? absl::StrCat(to, " = ", from, ";")
                                               : CombineText(transfer->update, to, from));
    }
    const auto* const instance = node.As<Instance>();
    if (instance == nullptr) throw std::logic_error("a kernel with symbols has no such node");
    Line(statements_.Print(*instance));
  }

  const ParametricKernel& kernel_;
  const ParametricRegion& region_;
  const KernelVariant& variant_;
  const CaseNames case_names_;
  StatementPrinter statements_;
  std::set<int64_t> copies_;
  std::map<std::string, FlatMemory> memory_;  // of the scop's arrays, where their elements are now
};

}  // namespace

void CaseHelpers::Add(const CaseHelpers& others) {
  macros.insert(others.macros.begin(), others.macros.end());
  copies.insert(others.copies.begin(), others.copies.end());
}

std::string CaseHelpers::Definitions(const HelperNames& names) const {
  return MacroDefinitions(names, macros) + FillFunctions(copies, names.fill);
}

CaseKernelText PrintCaseKernel(const ParametricKernel& kernel, const ParametricRegion& region,
                               const KernelVariant& variant) {
  return CaseKernelPrinter(kernel, region, variant).Print();
}

}  // namespace tune
