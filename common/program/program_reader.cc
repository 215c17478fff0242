#include "common/program/program_reader.h"

#include <utility>

#include "common/program/attribute_reader.h"
#include "common/program/block_reader.h"

namespace tune {
namespace {

// `unsigned int A[4][5]`.
absl::Status ReadDeclarator(TextCursor* line, v1::ElementType* type, std::string* name,
                            std::vector<int64_t>* extents) {
  TextCursor begin = *line;
  TUNE_ASSIGN_OR_RETURN(TypedName typed, TakeTypedName(line));
  if (!typed.type.empty()) {
    const std::optional<v1::ElementType> found = FindElementType(typed.type);
    if (!found) return begin.Expected("a type of elements");
    *type = *found;
  }
  *name = std::move(typed.name);
  while (line->Take("[")) {
    TUNE_ASSIGN_OR_RETURN(extents->emplace_back(), line->TakeNumber());
    TUNE_RETURN_IF_ERROR(line->Expect("]"));
  }
  return absl::OkStatus();
}

// A section that may be there once.
class Section {
 public:
  Section(const char* title, int level, Block* block) : title_(title), level_(level), block_(*block) {}

  // Reads it, where `line`, taken from `lines`, is its title; else false.
  absl::StatusOr<bool> Read(TextCursor* line, ProgramLines* lines) {
    TextCursor begin = *line;
    if (!line->TakeWords(title_)) return false;
    TUNE_RETURN_IF_ERROR(line->ExpectEnd());
    if (read_) return begin.Refuse(absl::StrCat("there are two sections \"", title_, "\""));
    read_ = true;
    TUNE_ASSIGN_OR_RETURN(block_, ReadBlockAt(level_ + 1, lines));
    return true;
  }

 private:
  const char* const title_;
  const int level_;
  Block& block_;
  bool read_ = false;
};

absl::Status ReadKernelArray(TextCursor* line, DeviceKernel* kernel) {
  KernelArray& array = kernel->arrays.emplace_back();
  TUNE_ASSIGN_OR_RETURN(array.array, TakeInt(line));
  return ReadAttributes(line, &array);
}

absl::Status ReadAxis(TextCursor* line, DeviceKernel* kernel) {
  GridAxis& axis = kernel->axes.emplace_back();
  TUNE_ASSIGN_OR_RETURN(axis.most_blocks, line->TakeNumber());
  return ReadAttributes(line, &axis);
}

absl::Status ReadTile(TextCursor* line, DeviceKernel* kernel) {
  Tile& tile = kernel->tiles.emplace_back();
  TUNE_RETURN_IF_ERROR(ReadDeclarator(line, &tile.type, &tile.name, &tile.extents));
  return ReadAttributes(line, &tile);
}

absl::StatusOr<DeviceKernel> ReadKernel(TextCursor* line, ProgramLines* lines) {
  DeviceKernel kernel;
  TUNE_ASSIGN_OR_RETURN(kernel.function, line->TakeName());
  if (!line->TakeWords("of")) return line->Expected("\"of\"");
  TUNE_ASSIGN_OR_RETURN(kernel.name, line->TakeLongName());
  TUNE_RETURN_IF_ERROR(ReadAttributes(line, &kernel));
  Section coordinates("coordinates", 1, &kernel.coordinates), body("body", 1, &kernel.body);
  while (lines->Has(1)) {
    TUNE_ASSIGN_OR_RETURN(TextCursor part, lines->Take(1));
    TUNE_ASSIGN_OR_RETURN(const bool is_coordinates, coordinates.Read(&part, lines));
    if (is_coordinates) continue;
    TUNE_ASSIGN_OR_RETURN(const bool is_body, body.Read(&part, lines));
    if (is_body) continue;
    if (part.TakeWords("array")) {
      TUNE_RETURN_IF_ERROR(ReadKernelArray(&part, &kernel));
    } else if (part.TakeWords("axis most")) {
      TUNE_RETURN_IF_ERROR(ReadAxis(&part, &kernel));
    } else if (part.TakeWords("tile")) {
      TUNE_RETURN_IF_ERROR(ReadTile(&part, &kernel));
    } else {
      return part.Expected("array, axis most, tile, coordinates or body");
    }
  }
  return kernel;
}

absl::StatusOr<DeviceArray> ReadArray(TextCursor* line) {
  DeviceArray array;
  TUNE_ASSIGN_OR_RETURN(array.index, TakeInt(line));
  TUNE_RETURN_IF_ERROR(ReadDeclarator(line, &array.type, &array.scop_name, &array.extents));
  TUNE_RETURN_IF_ERROR(ReadAttributes(line, &array));
  return array;
}

absl::StatusOr<LocalVariable> ReadLocal(TextCursor* line) {
  LocalVariable local;
  TUNE_RETURN_IF_ERROR(ReadDeclarator(line, &local.type, &local.name, &local.extents));
  TUNE_RETURN_IF_ERROR(ReadAttributes(line, &local));
  return local;
}

}  // namespace

absl::StatusOr<DeviceProgram> ReadDeviceProgram(absl::string_view text) {
  TUNE_ASSIGN_OR_RETURN(ProgramLines lines, ProgramLines::Split(text));
  TUNE_ASSIGN_OR_RETURN(TextCursor title, lines.ExpectTitle("device program", 0));
  DeviceProgram program;
  TUNE_RETURN_IF_ERROR(ReadAttributes(&title, &program));
  Section host("host", 0, &program.host);
  while (lines.Has(0)) {
    TUNE_ASSIGN_OR_RETURN(TextCursor line, lines.Take(0));
    TUNE_ASSIGN_OR_RETURN(const bool is_host, host.Read(&line, &lines));
    if (is_host) continue;
    if (line.TakeWords("array")) {
      TUNE_ASSIGN_OR_RETURN(program.arrays.emplace_back(), ReadArray(&line));
    } else if (line.TakeWords("kernel")) {
      TUNE_ASSIGN_OR_RETURN(program.kernels.emplace_back(), ReadKernel(&line, &lines));
    } else {
      return line.Expected("array, kernel or host");
    }
  }
  return program;
}

absl::StatusOr<OpenMpProgram> ReadOpenMpProgram(absl::string_view text) {
  TUNE_ASSIGN_OR_RETURN(ProgramLines lines, ProgramLines::Split(text));
  TUNE_ASSIGN_OR_RETURN(TextCursor title, lines.ExpectTitle("host program", 0));
  OpenMpProgram program;
  TUNE_RETURN_IF_ERROR(ReadAttributes(&title, &program));
  Section body("body", 0, &program.body);
  while (lines.Has(0)) {
    TUNE_ASSIGN_OR_RETURN(TextCursor line, lines.Take(0));
    TUNE_ASSIGN_OR_RETURN(const bool is_body, body.Read(&line, &lines));
    if (is_body) continue;
    if (!line.TakeWords("local")) return line.Expected("local or body");
    TUNE_ASSIGN_OR_RETURN(program.locals.emplace_back(), ReadLocal(&line));
  }
  return program;
}

absl::StatusOr<Block> ReadBlock(absl::string_view text) {
  TUNE_ASSIGN_OR_RETURN(ProgramLines lines, ProgramLines::Split(text));
  return ReadBlockAt(0, &lines);
}

}  // namespace tune
