#include "worker/codegen/cuda_kernel_printer.h"

#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/space/cuda_limits.h"
#include "worker/codegen/ast_printer.h"
#include "worker/codegen/atomic_text.h"
#include "worker/codegen/block_ast.h"
#include "worker/codegen/block_reduction.h"
#include "worker/codegen/point_loops.h"
#include "worker/codegen/shared_layout.h"
#include "worker/codegen/statement_text.h"
#include "worker/codegen/texture_text.h"

namespace tune {
namespace {

constexpr int64_t kUnrollOfRim = 4;
constexpr char kSharedTile[] = "__shared__ __align__(16) ";
static_assert(kTileAlignment == 16);
constexpr char kAxisNames[] = {'x', 'y', 'z'};

class CudaKernelPrinter : public AstPrinter {
 public:
  CudaKernelPrinter(const ParsedScop& scop, const BlockAst& ast, const HelperNames& names,
                    const std::map<std::string, int64_t>& parameter_values, const isl::set& values,
                    const KernelSignature& signature, const MappedKernel& kernel)
      : AstPrinter(names, signature.integer_type, parameter_values),
        ast_(ast),
        scop_(scop),
        values_(values),
        signature_(signature),
        kernel_(kernel),
        block_index_(signature.is_function ? names.block_index : "blockIdx"),
        thread_index_(signature.is_function ? names.thread_index : "threadIdx"),
        statements_(scop, names_, iterator_type_, &expressions_) {
    for (const LocalTile& tile : kernel.memory.tiles) {
      for (const ReferenceName& reference : tile.references) {
        if (!tile.shared) in_registers_.insert(reference.first);
      }
      if (tile.shared && IsDoubled()) expressions_.SetArrayText(tile.name, InUse(tile));
    }
    for (const KernelSignature::Array& used : signature.arrays) {
      const DeviceArray& array = *used.array;
      const std::string& name = scop.proto.arrays(array.index).name();
      const bool pointer_to_scalar = array.extents.empty() && !array.by_value;
      if (used.loads == ArrayLoads::kTexture) {
        expressions_.SetElementPrinter(name, [&](const std::vector<CText>& subscripts) {
          return TextureFetch(array, subscripts, names_.texture);
        });
      } else {
        expressions_.SetArrayText(name, pointer_to_scalar ? absl::StrCat("(*", array.name, ")") : array.name);
      }
    }
    statements_.CallDeviceFunctions();
    if (kernel.plan->atomic_stores) statements_.StoreAtomically();
  }

  CudaKernelText Print() {
    if (signature_.is_function) {
      Line("static __device__ __forceinline__ void");
    } else {
      Line("extern \"C\" __global__ void __launch_bounds__(", kernel_.ThreadCount(),
           kernel_.plan->min_blocks > 0 ? absl::StrCat(", ", kernel_.plan->min_blocks) : "", ")");
    }
    Line(signature_.function, "(", PrintParameters(signature_, names_), ") {");
    ++indent_;
    const std::string head = std::move(text_);
    text_.clear();
    PrintTiles();
    PrintNode(ast_.root);
    const std::string body = std::move(text_);
    text_ = head;
    PrintCoordinates(body);
    text_ += body;
    --indent_;
    Line("}");
    return {text_, expressions_.used_macros()};
  }

 private:
  void PrintUser(const isl::ast_node_user& node) override {
    const StatementInstance& instance = ast_.instance(node);
    if (instance.copy == nullptr) return Line(statements_.Print(instance));
    if (instance.copy->kind == CopyStatement::Kind::kFillShared) return PrintFill(instance);
    if (instance.copy->kind == CopyStatement::Kind::kCombine) return PrintCombine();
    const CText element = expressions_.PrintAccess(instance.accesses[0]);
    const CText local = expressions_.PrintAccess(instance.accesses[1]);
    const v1::ElementType type = FindArray(kernel_.memory.tiles[instance.copy->tile].array).type;
    switch (instance.copy->kind) {
      case CopyStatement::Kind::kLoad:
        return Line(local.text, " = ", element.text, ";");
      case CopyStatement::Kind::kStore:
        return Line(kernel_.plan->atomic_stores ? AtomicStoreText(type, element.text, local.text)
                                                : absl::StrCat(element.text, " = ", local.text, ";"));
      default:
        return PrintAccumulation(*instance.copy, type, element, local);
    }
  }

  void PrintAccumulation(const CopyStatement& copy, v1::ElementType type, const CText& element,
                         const CText& local) {
    const v1::UpdateOperator update = kernel_.memory.tiles[copy.tile].combined_by;
    const bool atomic = copy.atomic || (kernel_.plan->atomic_stores && kernel_.kernel->reduction->atomic);
    Line(atomic ? AtomicUpdateText(update, type, element.text, local.text)
                : CombineText(update, element.text, local.text));
  }

  void PrintCombine() {
    for (const LocalTile& tile : kernel_.memory.tiles) {
      if (tile.combined_by == v1::NONE) continue;
      BlockReduction reduction;
      reduction.tile = tile.name;
      reduction.extents = tile.extents;
      reduction.type = FindArray(tile.array).type;
      reduction.update = tile.combined_by;
      reduction.axis = static_cast<size_t>(kernel_.reduction_axis);
      reduction.threads = kernel_.threads;
      reduction.helper = names_.reduction;
      reduction.thread_index = thread_index_;
      for (const std::string& line : BlockReductionLines(reduction))
        line[0] == '#' ? Directive(line) : Line(line);
    }
  }

  // There are two copies of each shared tile.
  bool IsDoubled() const { return kernel_.plan->shared && kernel_.plan->buffers > 1; }
  // The tile, or its copy in use.
  std::string InUse(const LocalTile& tile) const {
    return IsDoubled() ? absl::StrCat(tile.name, "[", names_.buffer, "]") : tile.name;
  }

  // Threads of the first warps that only run instances, while those that are there to fill do so.
  int64_t RunningThreads() const {
    const int64_t running = kernel_.ThreadCount() / kernel_.plan->fill_threads;
    return IsDoubled() && running <= kWarp && kernel_.ThreadCount() > kWarp ? kWarp : 0;
  }

  // The threads of the block take turns over the elements of each tile: neighbours in a warp copy neighbours
  // in memory. What lies outside of the array is left out. A thread may begin with one copy of a tile while
  // others still read the other, but not before all have done with the one before: the barrier between the
  // two fills tells.
  void PrintFill(const StatementInstance& fill) {
    IsDoubled() ? Line(names_.buffer, " ^= 1;") : Line("__syncthreads();");
    const bool some = RunningThreads() > 0;
    if (some) {
      Line("if (", names_.lane, " >= 0) {");
      ++indent_;
    }
    size_t next = 0;
    for (const LocalTile& tile : kernel_.memory.tiles) {
      if (!tile.shared) continue;
      PrintFillOf(tile, fill.accesses[next].as<isl::ast_expr_op>(), fill.copy->places[next]);
      ++next;
    }
    if (some) {
      --indent_;
      Line("}");
    }
    Line("__syncthreads();");
  }

  // `first` and `place`: where the tile begins in the array.
  void PrintFillOf(const LocalTile& tile, const isl::ast_expr_op& first, const isl::pw_multi_aff& place) {
    const isl::set starts =
        isl::manage(isl_map_range(isl_map_from_pw_multi_aff(place.copy()))).intersect_params(values_);
    const DeviceArray& array = FindArray(tile.array);
    int64_t elements = 1;
    for (const int64_t extent : tile.extents) elements *= extent;
    const int64_t threads = kernel_.ThreadCount() - RunningThreads();
    const std::string q = names_.element;
    if (elements <= 16 * threads) Directive("#pragma unroll");
    Line("for (int ", q, " = ", names_.lane, "; ", q, " < ", elements, "; ", q, " += ", threads, ") {");
    ++indent_;
    std::string local = InUse(tile);
    std::vector<CText> subscripts;
    std::vector<std::string> inside;
    int64_t below = elements;
    for (size_t i = 0; i < tile.extents.size(); ++i) {
      below /= tile.extents[i];
      std::string digit = below == 1 ? q : absl::StrCat(q, " / ", below);
      if (i > 0) absl::StrAppend(&digit, " % ", tile.extents[i]);
      if (tile.extents[i] == 1) digit = "0";
      const std::string index = absl::StrCat(q, i);
      const CText offset = expressions_.Print(first.arg(static_cast<int>(i) + 1));
      const CText place = digit == "0" ? offset : BinaryText("+", offset, {digit, CText::kMultiplicative});
      Line("const ", iterator_type_, " ", index, " = ", place.text, ";");
      absl::StrAppend(&local, "[", digit, "]");
      subscripts.push_back({index});
      const isl::val least = isl::manage(isl_set_dim_min_val(starts.copy(), static_cast<int>(i)));
      const isl::val most = isl::manage(isl_set_dim_max_val(starts.copy(), static_cast<int>(i)));
      const isl::val end(least.ctx(), static_cast<long>(array.extents[i] - tile.extents[i]));
      if (!least.is_int() || least.is_neg()) inside.push_back(index + " >= 0");
      if (!most.is_int() || most.gt(end)) inside.push_back(absl::StrCat(index, " < ", array.extents[i]));
    }
    const std::string condition = absl::StrJoin(inside, " && ");
    const std::string element = expressions_.PrintElement(tile.array, subscripts).text;
    if (condition.empty()) {
      Line(local, " = ", element, ";");
    } else if (kernel_.memory.padded) {
      Line(local, " = ", condition, " ? ", element, " : 0;");
    } else {
      Line("if (", condition, ") ", local, " = ", element, ";");
    }
    --indent_;
    Line("}");
  }

  const DeviceArray& FindArray(const std::string& name) const {
    for (const KernelSignature::Array& used : signature_.arrays) {
      if (scop_.proto.arrays(used.array->index).name() == name) return *used.array;
    }
    throw isl::exception("code generation: a tile of an array that the kernel does not use");
  }

  // All but the first are in the brackets behind the tile's name.
  void PrintGivenTile(const std::string& type, const LocalTile& tile, const std::string& extents,
                      int64_t offset) {
    const std::string row = extents.substr(extents.find(']') + 1);
    const std::string place = absl::StrCat(names_.shared, " + ", offset);
    if (row.empty()) return Line(type, " *const ", tile.name, " = (", type, " *)(", place, ");");
    Line(type, " (*const ", tile.name, ")", row, " = (", type, " (*)", row, ")(", place, ");");
  }

  void PrintTiles() {
    const SharedLayout layout = LayOutShared(kernel_, scop_);
    const bool given = kernel_.plan->opt_in && layout.bytes > 0;
    if (given) Line("extern ", kSharedTile, "unsigned char ", names_.shared, "[];");
    bool shared = false;
    for (size_t t = 0; t < kernel_.memory.tiles.size(); ++t) {
      const LocalTile& tile = kernel_.memory.tiles[t];
      shared = shared || tile.shared;
      std::string extents = tile.shared && IsDoubled() ? absl::StrCat("[", kernel_.plan->buffers, "]") : "";
      for (size_t i = 0; i < tile.extents.size(); ++i) {
        const bool last = i + 1 == tile.extents.size();
        absl::StrAppend(&extents, "[", last ? tile.row_length : tile.extents[i], "]");
      }
      const bool partial = tile.combined_by != v1::NONE;
      std::string begin = kernel_.memory.padded && !tile.shared ? " = {};" : ";";
      if (partial && extents.empty()) begin = absl::StrCat(" = ", Identity(tile), ";");
      const std::string type(ElementCType(FindArray(tile.array).type));
      if (given && tile.shared) {
        PrintGivenTile(type, tile, extents, layout.offsets[t]);
        continue;
      }
      Line(tile.shared ? kSharedTile : "", type, " ", tile.name, extents, begin);
      if (partial && !extents.empty()) PrintIdentities(tile);
    }
    if (!shared) return;
    std::string lane = thread_index_ + ".x";
    int64_t stride = 1;
    for (size_t axis = 1; axis < signature_.axes.size(); ++axis) {
      stride *= kernel_.threads[axis - 1];
      absl::StrAppend(&lane, " + ", stride, " * ", thread_index_, ".", std::string(1, kAxisNames[axis]));
    }
    if (RunningThreads() > 0) absl::StrAppend(&lane, " - ", RunningThreads());
    Line("const int ", names_.lane, " = ", lane, ";");
    if (!IsDoubled()) return;
    Line("int ", names_.buffer, " = 0;");
    if (signature_.is_function) Line("__syncthreads();");  // another call may still read the tiles
  }

  std::string Identity(const LocalTile& tile) const {
    return IdentityText(tile.combined_by, FindArray(tile.array).type);
  }

  void PrintIdentities(const LocalTile& tile) {
    std::string element = tile.name;
    for (size_t i = 0; i < tile.extents.size(); ++i) {
      const std::string index = absl::StrCat(names_.element, i);
      Directive("#pragma unroll");
      Line("for (int ", index, " = 0; ", index, " < ", tile.extents[i], "; ++", index, ")");
      ++indent_;
      absl::StrAppend(&element, "[", index, "]");
    }
    Line(element, " = ", Identity(tile), ";");
    indent_ -= static_cast<int>(tile.extents.size());
  }

  // Around points that are not all there a loop is unrolled less: that is the rim of the arrays, where much
  // code would be made for little work.
  bool PrintBeforeFor(const isl::ast_node_for& loop, const std::string&, std::string&) override {
    if (!mark_ || mark_->unroll <= 1) return false;
    const bool rim = Examine(loop.body()).partial;
    Directive(absl::StrCat("#pragma unroll ", rim ? std::min(mark_->unroll, kUnrollOfRim) : mark_->unroll));
    return false;
  }
  bool NeedsConstants(const isl::ast_node& body) const override { return Examine(body).registers; }

  isl::ast_expr Exclusion(const std::string& mark) const override {
    const auto found = ast_.exclusions.find(mark);
    return found == ast_.exclusions.end() ? isl::ast_expr() : found->second;
  }

  PointLoops Examine(const isl::ast_node& node) const {
    return ExaminePointLoops(node, mark_, [this](const isl::ast_node_user& user) {
      const StatementInstance& instance = ast_.instance(user);
      if (instance.copy != nullptr) return instance.copy->kind != CopyStatement::Kind::kFillShared;
      return in_registers_.count(instance.statement->name) > 0;
    });
  }

  // Those that `body` uses.
  void PrintCoordinates(const std::string& body) {
    for (size_t axis = 0; axis < signature_.axes.size(); ++axis) {
      const std::string block = absl::StrCat(names_.block, axis), thread = absl::StrCat(names_.thread, axis);
      if (absl::StrContains(body, block))
        Line("const ", iterator_type_, " ", block, " = ", BlockText(axis), ";");
      if (absl::StrContains(body, thread))
        Line("const ", iterator_type_, " ", thread, " = ", thread_index_, ".",
             std::string(1, kAxisNames[axis]), ";");
    }
  }

  // The block's number along the grid's axis, in the order in which blocks start.
  std::string NumberText(char axis) const {
    const std::string number = absl::StrCat(block_index_, ".", std::string(1, axis));
    const BlockOrder order = signature_.is_function ? BlockOrder::kForward : kernel_.plan->block_order;
    if (order == BlockOrder::kForward) return number;
    const std::string back = absl::StrCat("gridDim.", std::string(1, axis), " - 1 - ", number);
    if (order == BlockOrder::kBackward) return absl::StrCat("(", back, ")");
    const std::string sweep = absl::StrCat(names_.host, kernel_.kernel->host_depth - 1, " % 2 == 0");
    return order == BlockOrder::kAlternating ? absl::StrCat("(", sweep, " ? ", number, " : ", back, ")")
                                             : absl::StrCat("(", sweep, " ? ", back, " : ", number, ")");
  }

  // The block's coordinate along the axis, counted from the kernel's first block.
  std::string BlockText(size_t axis) const {
    std::string text = NumberText(kAxisNames[axis]);
    if (signature_.linear_grid) {
      text = absl::StrCat("(", iterator_type_, ")", NumberText('x'));
      for (size_t lower = 0; lower < axis; ++lower) absl::StrAppend(&text, " / ", names_.count, lower);
      if (axis + 1 < signature_.axes.size()) absl::StrAppend(&text, " % ", names_.count, axis);
    }
    const GridAxis& grid = signature_.axes[axis];
    if (!grid.first_is_constant) return absl::StrCat(text, " + ", names_.first, axis);
    if (grid.first == 0) return text;
    return absl::StrCat("(", iterator_type_, ")", text, " + ", grid.first);
  }

  const BlockAst& ast_;
  const ParsedScop& scop_;
  const isl::set values_;  // what is known of the parameters
  const KernelSignature& signature_;
  const MappedKernel& kernel_;
  const std::string block_index_, thread_index_;
  StatementPrinter statements_;
  std::set<std::string> in_registers_;  // statements that use arrays there
};

}  // namespace

CudaKernelText PrintCudaKernel(IslContext& context, const MappedKernel& kernel, const ParsedScop& scop,
                               const std::map<std::string, int64_t>& parameter_values,
                               const HelperNames& names, KernelSignature* signature) {
  const isl::set values = ParameterValues(context, parameter_values).intersect(kernel.context);
  const BlockAst ast = BuildBlockAst(context, kernel.thread, scop, values, kernel.memory, names.iterator);
  signature->integer_type = ast.needs_long ? "long long" : "int";
  return CudaKernelPrinter(scop, ast, names, parameter_values, values, *signature, kernel).Print();
}

}  // namespace tune
