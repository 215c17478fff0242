#include "worker/parts/host_part.h"

#include "absl/strings/str_cat.h"
#include "common/array/array_object.h"
#include "common/array/element_type.h"
#include "common/decision/configuration.h"
#include "common/program/helper_names.h"
#include "common/program/rewrite.h"
#include "common/scop/parameter_product.h"
#include "common/space/cpu_space.h"
#include "common/transform/transformations.h"
#include "worker/codegen/openmp_generator.h"
#include "worker/mapping/cpu_mapper.h"
#include "worker/print/openmp_printer.h"

namespace tune {
namespace {

// More than one, so that loops are parallel; how many there are is known when the program runs.
constexpr int kManyThreads = 1024;

// The region's own loops, with what is the default for them.
absl::StatusOr<CpuPlan> PlanOf(ScheduleSpace& space) {
  CpuPlan plan;
  plan.written = true;
  TUNE_ASSIGN_OR_RETURN(plan.scheduled, space.Written());
  DefaultChooser chooser;
  for (const Kernel& kernel : plan.scheduled->kernels) {
    TUNE_ASSIGN_OR_RETURN(plan.kernels.emplace_back(),
                          DecideHostKernel(kernel, kManyThreads, plan.written, chooser));
  }
  return plan;
}

// Sizes under names of their own, of a type in which nothing becomes unsigned.
std::string DefineSizes(const v1::Scop& part, const std::string& first, const std::string& end,
                        OpenMpProgram* program) {
  std::string text;
  const int own = part.parameters_size() - 2;  // the last two are the part's
  for (int i = 0; i < part.parameters_size(); ++i) {
    const std::string name = absl::StrCat("tune_size", i);
    const std::string value = i < own ? ParameterText(part.parameters(i)) : i == own ? first : end;
    ReplaceName(part.parameters(i).name(), IndexExpression::Name(name), &program->body);
    absl::StrAppend(&text, "const long long ", name, " = (long long)", value, ";\n");
    absl::StrAppend(&text, "(void)", name, ";\n");
  }
  return text;
}

// Arrays in one dimension with the rows that the scop has, and structures as elements: what makes them so,
// and what comes before.
struct Rows {
  std::string elements, arrays;
};

Rows RowsOf(const v1::Scop& part) {
  Rows rows;
  for (int i = 0; i < part.arrays_size(); ++i) {
    const v1::Array& array = part.arrays(i);
    if (array.has_structure() && !array.declared_inside()) {
      const StructureView view = ViewOfStructures(array, absl::StrCat("tune_elements", i));
      rows.elements += view.elements;
      rows.arrays += view.array;
      continue;
    }
    if (!array.is_flat()) continue;
    const std::string type = absl::StrCat(array.read_only() ? "const " : "",
                                          array.is_truth() ? "_Bool" : ElementCType(array.element_type()));
    const std::string elements = absl::StrCat("tune_elements", i);
    std::string row;
    for (int d = 1; d < array.extents_size(); ++d)
      absl::StrAppend(&row, "[", array.extents(d).c_expression(), "]");
    absl::StrAppend(&rows.elements, type, " *const ", elements, " = ", array.name(), ";\n");
    absl::StrAppend(&rows.arrays, type, " (*const ", array.name(), ")", row, " = (", type, " (*)", row, ")",
                    elements, ";\n");
  }
  return rows;
}

}  // namespace

absl::StatusOr<std::string> PrintHostPart(const v1::Scop& part, const std::string& first,
                                          const std::string& end) {
  TUNE_ASSIGN_OR_RETURN(const auto space, ScheduleSpace::Make(part, {}, IslContext::Limits()));
  TUNE_ASSIGN_OR_RETURN(const CpuPlan plan, PlanOf(*space));
  TUNE_ASSIGN_OR_RETURN(const isl::schedule mapped, MapCpuPlan(space->context(), plan, {}));
  TUNE_ASSIGN_OR_RETURN(OpenMpProgram program,
                        MakeOpenMpProgram(space->context(), mapped, space->scop(), {}));
  program.index_type = "long long";
  const std::string sizes = DefineSizes(part, first, end, &program);
  const std::string block = PrintOpenMp(program, part, ChooseHelperNames(part));
  const Rows rows = RowsOf(part);
  if (rows.arrays.empty()) return absl::StrCat("{\n", sizes, block, "}\n");
  return absl::StrCat("{\n", sizes, rows.elements, "{\n", rows.arrays, block, "}\n}\n");
}

}  // namespace tune
