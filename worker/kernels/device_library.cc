#include "worker/kernels/device_library.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "common/base/untrusted_file.h"
#include "common/evaluation/architecture.h"
#include "common/kernel_definition/argument_form.h"
#include "worker/build/compiler_process.h"
#include "worker/build/cuda_flags.h"
#include "worker/build/launch_sequence_flags.h"
#include "worker/kernels/kernel_library.h"
#include "worker/kernels/kernel_names.h"

namespace tune {
namespace {

constexpr int64_t kMostCubinBytes = 256 << 20;
constexpr char kLineInfo[] = "-lineinfo";

absl::StatusOr<std::vector<std::string>> FlagsOf(const v1::StudySetup& setup, const DeviceText& text) {
  const v1::Program& program = setup.program();
  if (!program.link_flags().empty())
    return absl::InvalidArgumentError("--ldflags: kernels in CUDA are not linked; leave it out");
  std::vector<std::string> given(program.compile_flags().begin(), program.compile_flags().end());
  given.insert(given.end(), setup.kernel().compiler_options().begin(),
               setup.kernel().compiler_options().end());
  for (const std::string& macro : program.defines()) given.push_back("-D" + macro);
  for (const std::string& macro : text.macros) given.push_back("-D" + macro);
  return CudaFlags(given, kBundleFolder);
}

// nvcc makes instances of templates for those that the host's part of a text names.
std::string WithInstances(const DeviceText& text) {
  std::string unit = absl::StrCat(text.unit, "static void* const tune_instances[] = {");
  for (const std::string& kernel : text.kernels) absl::StrAppend(&unit, "(void*)&::", kernel, ", ");
  return absl::StrCat(unit, "};\n");
}

absl::StatusOr<NamedCubin> CompileText(const v1::StudySetup& setup, const DeviceText& text,
                                       const std::string& architecture, const CudaTools& tools,
                                       const CompileLimits& limits) {
  const v1::Program files = WithoutValues(setup.program(), setup.kernel());
  KernelSource source;
  source.text = tools.cubin->tells_names() ? text.unit : WithInstances(text);
  source.files = &files;
  source.kernels = text.kernels;
  TUNE_ASSIGN_OR_RETURN(source.flags, FlagsOf(setup, text));
  return tools.cubin->CompileKernels(source, architecture, limits);
}

// Of files whose text does not name the variable nothing is copied to it.
void KeepSymbolsOf(const v1::Program& program, const std::string& file, v1::CudaCandidate* candidate) {
  const auto source = std::find_if(program.files().begin(), program.files().end(),
                                   [&](const v1::SourceFile& each) { return each.path() == file; });
  for (v1::CudaArray& array : *candidate->mutable_arrays()) {
    if (source == program.files().end() || !absl::StrContains(source->content(), array.symbol()))
      array.clear_symbol();
  }
}

}  // namespace

absl::StatusOr<DeviceText> DeviceTextOfReference(const v1::StudySetup& setup,
                                                 const EvaluatedConfiguration& default_configuration) {
  const v1::KernelDefinition& definition = setup.kernel();
  if (!definition.reference().has_plain_kernel())
    return PrintDeviceText(definition, definition.file(), default_configuration);
  const v1::PlainKernel& plain = definition.reference().plain_kernel();
  TUNE_ASSIGN_OR_RETURN(const NamedValues problem, ProblemNames(definition));
  v1::KernelDefinition only = definition;
  only.clear_kernels();
  *only.add_kernels() = plain.kernel();
  const bool has_own_file = !plain.file().empty() && plain.file() != definition.file();
  EvaluatedConfiguration configuration;
  if (!has_own_file) configuration.macros = default_configuration.macros;
  configuration.scalars = default_configuration.scalars;
  TUNE_ASSIGN_OR_RETURN(std::string expression, KernelExpression(plain.kernel(), problem));
  configuration.kernels.push_back({plain.kernel().name(), std::move(expression)});
  TUNE_ASSIGN_OR_RETURN(EvaluatedLaunch launch, EvaluateKernel(definition, plain.kernel(), problem));
  configuration.launches.push_back(std::move(launch));
  const std::string& file = has_own_file ? plain.file() : definition.file();
  TUNE_ASSIGN_OR_RETURN(DeviceText text, PrintDeviceText(only, file, configuration));
  if (has_own_file) KeepSymbolsOf(setup.program(), file, &text.candidate);
  return text;
}

absl::StatusOr<CompileResult> CompileDeviceTextToPtx(const v1::StudySetup& setup, const DeviceText& text,
                                                     const CudaTools& tools, const CompileLimits& limits) {
  const std::string architecture = absl::StrReplaceAll(ArchitectureOf(setup.device()), {{"sm_", "compute_"}});
  v1::StudySetup with_lines = setup;
  if (const auto& flags = setup.kernel().compiler_options();
      std::find(flags.begin(), flags.end(), kLineInfo) == flags.end())
    with_lines.mutable_kernel()->add_compiler_options(kLineInfo);
  TUNE_ASSIGN_OR_RETURN(NamedCubin kernels, CompileText(with_lines, text, architecture, tools, limits));
  return std::move(kernels.compiled);
}

absl::StatusOr<DeviceBuild> BuildDeviceText(const v1::StudySetup& setup, const DeviceText& text,
                                            const std::string& architecture, const CudaTools& tools,
                                            const CompileLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(NamedCubin kernels, CompileText(setup, text, architecture, tools, limits));
  DeviceBuild build;
  build.compiled = std::move(kernels.compiled);
  if (!build.compiled.ok) return build;
  if (!tools.cubin->tells_names()) {
    TUNE_ASSIGN_OR_RETURN(const std::string cubin, ReadUntrustedFile(build.compiled.binary, kMostCubinBytes));
    absl::StatusOr<std::vector<std::string>> names = FindKernels(cubin, text.kernels);
    if (!names.ok()) {
      build.compiled.ok = false;
      build.compiled.message = std::string(names.status().message());
      return build;
    }
    kernels.names = *std::move(names);
  }
  TUNE_ASSIGN_OR_RETURN(CompileResult sequence,
                        tools.host->CompileCandidate(text.launches, LaunchSequenceFlags(), limits));
  build.candidate = text.candidate;
  build.candidate.set_cubin(build.compiled.binary);
  build.candidate.set_launch_sequence(sequence.binary);
  for (int i = 0; i < build.candidate.kernels_size(); ++i)
    build.candidate.mutable_kernels(i)->set_function(kernels.names[i]);
  if (!sequence.ok) build.compiled = std::move(sequence);
  return build;
}

}  // namespace tune
