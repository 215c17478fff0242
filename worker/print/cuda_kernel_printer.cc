#include "worker/print/cuda_kernel_printer.h"

#include <optional>
#include <stdexcept>

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "worker/print/atomic_text.h"
#include "worker/print/block_printer.h"
#include "worker/print/block_reduction.h"
#include "worker/print/complex_text.h"
#include "worker/print/fill_text.h"
#include "worker/print/half_product_text.h"
#include "worker/print/kernel_parameters_text.h"
#include "worker/print/loads_ahead_text.h"
#include "worker/print/statement_text.h"
#include "worker/print/texture_text.h"
#include "worker/print/warp_product_text.h"
#include "worker/print/wide_load_text.h"

namespace tune {
namespace {

// "__ldcs(&A[i][j])": CUDA C++ Programming Guide, "Load Functions Using Cache Hints".
CText StreamingLoad(const DeviceArray& array, const std::vector<CText>& subscripts) {
  return CallText("__ldcs", {{absl::StrCat("&", ElementOf(array, subscripts).text), CText::kUnary}});
}

// The block's own tile has no number, nor has its thread.
CText BlockElement(const DeviceArray& array, const std::vector<CText>& subscripts) {
  std::string element = array.name;
  for (size_t i = array.of_block; i + array.of_thread < subscripts.size(); ++i)
    absl::StrAppend(&element, "[", subscripts[i].text, "]");
  return {element, CText::kPostfix};
}

constexpr char kSharedTile[] = "__shared__ __align__(16) ";
static_assert(kTileAlignment == 16);

class CudaKernelPrinter : public BlockPrinter {
 public:
  CudaKernelPrinter(const DeviceKernel& kernel, const std::vector<DeviceArray>& arrays, const v1::Scop& scop,
                    const HelperNames& names)
      : BlockPrinter(names, kernel.index_type),
        kernel_(kernel),
        arrays_(arrays),
        scop_(scop),
        statements_(scop, &indices_) {
    for (const KernelArray& used : kernel.arrays) {
      const DeviceArray& array = arrays[used.array];
      const bool pointer_to_scalar = array.extents.empty() && !array.by_value;
      if (used.loads == ArrayLoads::kTexture) {
        indices_.SetElementPrinter(array.scop_name, [&](const std::vector<CText>& subscripts) {
          return TextureFetch(array, subscripts, names_.texture);
        });
      } else if (used.loads == ArrayLoads::kStreaming && !used.shared && !array.extents.empty()) {
        indices_.SetElementPrinter(array.scop_name, [&](const std::vector<CText>& subscripts) {
          return StreamingLoad(array, subscripts);
        });
      } else if (array.of_block > 0) {
        indices_.SetElementPrinter(array.scop_name, [&](const std::vector<CText>& subscripts) {
          return BlockElement(array, subscripts);
        });
      } else if (!array.extent_names.empty()) {
        indices_.SetElementPrinter(array.scop_name, [&](const std::vector<CText>& subscripts) {
          return ElementOf(array, subscripts);
        });
      } else {
        indices_.SetArrayText(array.scop_name,
                              pointer_to_scalar ? absl::StrCat("(*", array.name, ")") : array.name);
      }
    }
    statements_.PrintForDevice();
  }

  CudaKernelText Print() {
    if (kernel_.is_function) {
      Line("static __device__ __forceinline__ void");
    } else {
      Line("extern \"C\" __global__ void __launch_bounds__(", kernel_.ThreadCount(),
           kernel_.min_blocks > 0 ? absl::StrCat(", ", kernel_.min_blocks) : "", ")");
    }
    Line(kernel_.function, "(", PrintParameters(kernel_, arrays_, names_), ") {");
    PrintInside(kernel_.coordinates);
    ++indent_;
    PrintTiles();
    --indent_;
    PrintInside(kernel_.body);
    Line("}");
    return {text_, indices_.used_macros()};
  }

 private:
  void PrintOther(const Node& node) override {
    if (const auto* instance = node.As<Instance>()) {
      Line(statements_.Print(*instance));
    } else if (const auto* transfer = node.As<Transfer>()) {
      PrintTransfer(*transfer);
    } else if (const auto* fill = node.As<Fill>()) {
      PrintLines(FillLines(*fill, kernel_, arrays_, &indices_));
    } else if (const auto* reduction = node.As<BlockReduction>()) {
      PrintReduction(*reduction);
    } else if (node.As<CommitFills>() != nullptr) {
      Line(names_.fill, "_commit();");
    } else if (const auto* await = node.As<AwaitFills>()) {
      Line(names_.fill, "_await<", await->open, ">();");
    } else if (const auto* barrier = node.As<Barrier>();
               barrier != nullptr && barrier->of == Barrier::Of::kBlock) {
      Line("__syncthreads();");
    } else {
      throw std::logic_error("a kernel has no such node");
    }
  }

  void PrintLines(const std::vector<TextLine>& lines) {
    for (const TextLine& line : lines) {
      indent_ += line.indent;
      line.directive ? Directive(line.text) : Line(line.text);
      indent_ -= line.indent;
    }
  }

  void PrintLoop(const Loop& loop) override {
    if (loop.warp_product) {
      const std::optional<WarpProduct> product = FindWarpProduct(loop, kernel_, arrays_, scop_, names_);
      return PrintLines(product.value().halves.empty() ? WarpProductLines(*product, &statements_, &indices_)
                                                       : HalfProductLines(*product, &statements_, &indices_));
    }
    if (loop.wide) return PrintWide(loop);
    if (loop.ahead == 0) return BlockPrinter::PrintLoop(loop);
    const LoopInChunks chunks = InChunks(loop, indices_.index_type(), names_);
    Line("{");
    ++indent_;
    for (const std::string& line : chunks.declarations) Line(line);
    PrintBlock(chunks.before);
    Line("for (; ", Text(chunks.condition), "; ", chunks.first, " += ", loop.ahead, ") {");
    PrintInside(chunks.body);
    Line("}");
    HideValue(chunks.first);
    PrintBlock(chunks.rest);
    --indent_;
    Line("}");
  }

  // Where nvcc 13.0 knows which iteration is the first behind the chunks it computes addresses of another one
  // (its loops of constant length, walked back along columns): it does not know what passes through this.
  void HideValue(const std::string& variable) {
    Line("asm volatile(\"\" : \"+", indices_.index_type() == "int" ? "r" : "l", "\"(", variable, "));");
  }

  void PrintWide(const Loop& loop) {
    const WideLoop wide = LoadedAtOnce(loop, &indices_);
    Line("{");
    ++indent_;
    for (const std::string& line : wide.loads) Line(line);
    BlockPrinter::PrintLoop(wide.loop);
    for (const std::string& line : wide.stores) Line(line);
    --indent_;
    Line("}");
  }

  void PrintPragmas(const Loop& loop) override { PrintUnrollPragma(loop); }

  void PrintTransfer(const Transfer& transfer) {
    const std::string to = indices_.PrintAccess(transfer.to).text;
    const std::string from = indices_.PrintAccess(transfer.from).text;
    if (transfer.width > 1) {
      const std::string type = absl::StrCat(ElementCType(transfer.type), transfer.width);
      Line("*(", type, " *)&", to, " = *(const ", type, " *)&", from, ";");
    } else if (transfer.update == v1::NONE) {
      Line(transfer.atomic ? AtomicStoreText(transfer.type, to, from) : absl::StrCat(to, " = ", from, ";"));
    } else {
      Line(transfer.atomic ? AtomicUpdateText(transfer.update, transfer.type, to, from)
                           : CombineText(transfer.update, to, from));
    }
  }

  void PrintReduction(const BlockReduction& node) {
    const Tile& tile = *kernel_.FindTile(node.tile);
    BlockReductionText reduction;
    reduction.tile = tile.name;
    reduction.extents = tile.extents;
    reduction.type = tile.type;
    reduction.update = tile.combined_by;
    reduction.axis = static_cast<size_t>(node.axis);
    reduction.threads = kernel_.threads;
    reduction.helper = names_.reduction;
    if (IsComplex(tile.type)) reduction.exchange = OtherLaneFunction(names_);
    reduction.thread_index = kernel_.is_function ? names_.thread_index : "threadIdx";
    for (const std::string& line : BlockReductionLines(reduction))
      line[0] == '#' ? Directive(line) : Line(line);
  }

  // All but the first are in the brackets behind the tile's name.
  void PrintGivenTile(const std::string& type, const Tile& tile, const std::string& extents) {
    const std::string row = extents.substr(extents.find(']') + 1);
    const std::string place = absl::StrCat(names_.shared, " + ", tile.offset);
    if (row.empty()) return Line(type, " *const ", tile.name, " = (", type, " *)(", place, ");");
    Line(type, " (*const ", tile.name, ")", row, " = (", type, " (*)", row, ")(", place, ");");
  }

  void PrintTiles() {
    const bool given = kernel_.given_shared_bytes > 0;
    if (given) Line("extern ", kSharedTile, "unsigned char ", names_.shared, "[];");
    for (const Tile& tile : kernel_.tiles) {
      std::string extents = tile.copies > 1 ? absl::StrCat("[", tile.copies, "]") : "";
      for (size_t i = 0; i < tile.extents.size(); ++i) {
        const bool last = i + 1 == tile.extents.size();
        absl::StrAppend(&extents, "[", last ? tile.row_length : tile.extents[i], "]");
      }
      const bool partial = tile.combined_by != v1::NONE;
      std::string begin = tile.zeroed ? " = {};" : ";";
      if (partial && extents.empty()) begin = absl::StrCat(" = ", Identity(tile), ";");
      const std::string type(ElementCType(tile.type));
      if (given && tile.shared) {
        PrintGivenTile(type, tile, extents);
        continue;
      }
      Line(tile.shared ? kSharedTile : "", type, " ", tile.name, extents, begin);
      if (partial && !extents.empty()) PrintIdentities(tile);
    }
  }

  static std::string Identity(const Tile& tile) { return IdentityText(tile.combined_by, tile.type); }

  void PrintIdentities(const Tile& tile) {
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

  const DeviceKernel& kernel_;
  const std::vector<DeviceArray>& arrays_;
  const v1::Scop& scop_;
  StatementPrinter statements_;
};

}  // namespace

CudaKernelText PrintCudaKernel(const DeviceKernel& kernel, const std::vector<DeviceArray>& arrays,
                               const v1::Scop& scop, const HelperNames& names) {
  return CudaKernelPrinter(kernel, arrays, scop, names).Print();
}

}  // namespace tune
