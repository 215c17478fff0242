#include "common/program/program_text.h"

#include "absl/strings/str_cat.h"
#include "common/program/attribute_printer.h"
#include "common/program/block_text.h"

namespace tune {
namespace {

// `unsigned int A[4][5]`.
std::string PrintDeclarator(v1::ElementType type, const std::string& name,
                            const std::vector<int64_t>& extents) {
  std::string text;
  if (type != v1::ELEMENT_TYPE_UNSPECIFIED) absl::StrAppend(&text, ElementCType(type), " ");
  text += PrintName(name);
  for (const int64_t extent : extents) absl::StrAppend(&text, "[", extent, "]");
  return text;
}

// The section of a block, which is left out where nothing is said of it.
std::string PrintSection(const char* title, const Block& block, int level) {
  if (block.empty()) return "";
  return absl::StrCat(Indentation(level), title, "\n", PrintBlockAt(block, level + 1));
}

std::string PrintKernel(const DeviceKernel& kernel) {
  std::string text = absl::StrCat("kernel ", PrintName(kernel.function), " of ", PrintLongName(kernel.name),
                                  PrintAttributes(kernel), "\n");
  const auto line = [&](const auto&... parts) { absl::StrAppend(&text, Indentation(1), parts..., "\n"); };
  for (const KernelArray& array : kernel.arrays) line("array ", array.array, PrintAttributes(array));
  for (const GridAxis& axis : kernel.axes) line("axis most ", axis.most_blocks, PrintAttributes(axis));
  for (const Tile& tile : kernel.tiles)
    line("tile ", PrintDeclarator(tile.type, tile.name, tile.extents), PrintAttributes(tile));
  return absl::StrCat(text, PrintSection("coordinates", kernel.coordinates, 1),
                      PrintSection("body", kernel.body, 1));
}

}  // namespace

std::string PrintProgramText(const DeviceProgram& program) {
  std::string text = absl::StrCat("device program", PrintAttributes(program), "\n");
  for (const DeviceArray& array : program.arrays) {
    absl::StrAppend(&text, "array ", array.index, " ",
                    PrintDeclarator(array.type, array.scop_name, array.extents), PrintAttributes(array),
                    "\n");
  }
  for (const DeviceKernel& kernel : program.kernels) text += PrintKernel(kernel);
  return text + PrintSection("host", program.host, 0);
}

std::string PrintProgramText(const OpenMpProgram& program) {
  std::string text = absl::StrCat("host program", PrintAttributes(program), "\n");
  for (const LocalVariable& local : program.locals) {
    absl::StrAppend(&text, "local ", PrintDeclarator(local.type, local.name, local.extents),
                    PrintAttributes(local), "\n");
  }
  return text + PrintSection("body", program.body, 0);
}

std::string PrintBlockText(const Block& block) { return PrintBlockAt(block, 0); }

}  // namespace tune
