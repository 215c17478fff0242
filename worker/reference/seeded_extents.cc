#include <map>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/base/source_language.h"
#include "common/scop/accessed_extent.h"
#include "common/scop/parameter_product.h"
#include "common/scop/parameter_values.h"
#include "worker/build/bundle.h"
#include "worker/reference/seeded_inputs.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

constexpr char kProbe[] = "tune_reference_probe";

std::map<std::string, int64_t> Values(const v1::StudySetup& setup) {
  const auto& values = setup.program().parameter_values();
  return {values.begin(), values.end()};
}

absl::Status SetParameters(const v1::StudySetup& setup, v1::Reference* reference) {
  std::map<std::string, int64_t> values = Values(setup);
  TUNE_RETURN_IF_ERROR(AddProducts(setup.scop(), &values));
  std::vector<std::string> missing;
  for (const v1::Parameter& parameter : setup.scop().parameters()) {
    const auto value = values.find(parameter.name());
    if (value == values.end()) {
      if (parameter.factors().empty()) missing.push_back(parameter.name());
      continue;
    }
    v1::ParameterValue* entry = reference->add_parameters();
    entry->set_name(parameter.name());
    entry->set_value(value->second);
  }
  if (missing.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the file has no main, so the value of ", absl::StrJoin(missing, ", "),
      " is not known; give it with --param ", absl::StrJoin(missing, "=1000 --param "), "=1000"));
}

// A program that prints the value of every extent that C tells, one a line, evaluated behind the
// user's own file, so that its types and enumerators mean the same.
std::string PrintProbe(const v1::StudySetup& setup) {
  std::string text = absl::StrCat("#include \"", setup.scop().region().file(), "\"\n",
                                  IsCpp(setup.scop().region().file()) ? "extern \"C\" " : "extern ",
                                  "int printf(const char *, ...);\nint main(void) {\n");
  for (const auto& [name, value] : Values(setup)) {
    absl::StrAppend(&text, "  const long long ", name, " = ", value, "LL;\n");
  }
  for (const v1::Array& array : setup.scop().arrays()) {
    if (array.declared_inside()) continue;
    for (const v1::Extent& extent : array.extents()) {
      if (extent.c_expression().empty()) continue;
      absl::StrAppend(&text, "  printf(\"%lld\\n\", (long long)(", extent.c_expression(), "));\n");
    }
  }
  return text + "  return 0;\n}\n";
}

absl::StatusOr<std::vector<int64_t>> RunProbe(const v1::StudySetup& setup, const ReferenceTools& tools,
                                              std::string* log) {
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  TUNE_RETURN_IF_ERROR(WriteBundle(setup.program(), folder.path()));
  const bool cpp = IsCpp(setup.scop().region().file());
  const std::string source = absl::StrCat(kProbe, cpp ? ".cpp" : ".c");
  TUNE_RETURN_IF_ERROR(WriteFile(absl::StrCat(folder.path(), "/", source), PrintProbe(setup)));
  v1::Program program = setup.program();
  program.clear_compile_flags();
  for (const std::string& flag : setup.program().compile_flags()) {
    if (cpp && absl::StartsWith(flag, "-std=")) program.add_compile_flags(flag);
  }
  program.add_compile_flags("-w");
  program.add_compile_flags("-I.");
  CompileLimits limits;
  limits.wall = absl::Seconds(setup.limits().compile_seconds());
  limits.cancellation = tools.cancellation;
  // The file may call functions of other files; the probe does not run them.
  TUNE_ASSIGN_OR_RETURN(
      const CompileResult compiled,
      tools.compiler->CompileProgram(folder.path(), {source}, program, "probe",
                                     {"-no-pie", "-fno-pie", "-Wl,--unresolved-symbols=ignore-all"}, limits));
  *log = compiled.log;
  if (compiled.cancelled) return absl::CancelledError("cancelled");
  if (!compiled.ok) {
    return absl::InvalidArgumentError(
        absl::StrCat("the file does not compile, or an array's size is not known: ", compiled.message,
                     "; check that it compiles by hand; give names without a value with --param NAME=VALUE"));
  }
  SubprocessOptions options;
  options.wall_limit = absl::Seconds(10);
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult process,
                        RunSandboxed({compiled.binary}, SandboxSettings(), options));
  if (!process.ok()) {
    return absl::InternalError(
        absl::StrCat("the program that evaluates the arrays' sizes ", process.Describe()));
  }
  std::vector<int64_t> values;
  for (absl::string_view line : absl::StrSplit(process.standard_output, '\n', absl::SkipEmpty())) {
    int64_t value = 0;
    if (!absl::SimpleAtoi(line, &value))
      return absl::InternalError(absl::StrCat("an array's size: `", line, "`"));
    values.push_back(value);
  }
  return values;
}

}  // namespace

absl::Status EvaluateExtents(const v1::StudySetup& setup, const ReferenceTools& tools, ReferenceData* data,
                             std::string* log) {
  TUNE_RETURN_IF_ERROR(SetParameters(setup, &data->reference));
  TUNE_ASSIGN_OR_RETURN(const std::vector<int64_t> known, RunProbe(setup, tools, log));
  const std::map<std::string, int64_t> parameters = ParameterValueMap(data->reference);
  IslContext context;
  size_t next = 0;
  for (const v1::Array& array : setup.scop().arrays()) {
    if (array.declared_inside()) continue;
    v1::ArrayExtents* entry = data->reference.add_arrays();
    entry->set_name(array.name());
    for (const v1::Extent& extent : array.extents()) {
      if (!extent.c_expression().empty()) {
        if (next >= known.size()) return absl::InternalError("too few sizes of arrays");
        entry->add_extents(known[next++]);
        continue;
      }
      TUNE_ASSIGN_OR_RETURN(const int64_t value, EvaluateAccessed(context, extent.accessed(), parameters));
      entry->add_extents(value);
    }
  }
  return absl::OkStatus();
}

}  // namespace tune
