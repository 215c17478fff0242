#include "worker/kernels/kernel_library.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "common/base/file.h"
#include "common/evaluation/compile_flags.h"
#include "worker/build/bundle.h"
#include "worker/kernels/host_adapter.h"

namespace tune {
namespace {

constexpr char kAdapter[] = "tune_adapter.c";
constexpr char kKernelLibrary[] = "tune_kernels.so";

constexpr char kHostFunctionFlag[] = "-O2";
// -w: warnings are about the kernels' own file, which people compile themselves.
constexpr const char* kKernelFlags[] = {"-w", "-fopenmp", "-fPIC"};
// What is not defined is said by the linker, not when it is called.
constexpr const char* kKernelLinkFlags[] = {"-shared", "-Wl,-z,defs"};

std::set<std::string> ValueFiles(const v1::KernelDefinition& definition) {
  std::set<std::string> paths;
  for (const v1::KernelArgument& argument : definition.arguments()) {
    if (argument.fill().has_file()) paths.insert(argument.fill().file().path());
  }
  for (const v1::OutputCheck& check : definition.reference().checks()) {
    if (check.expected().has_file()) paths.insert(check.expected().file().path());
  }
  return paths;
}

v1::Program ProgramOf(const v1::StudySetup& setup, const KernelText& text) {
  const v1::KernelDefinition& definition = setup.kernel();
  v1::Program program = WithoutValues(setup.program(), definition);
  for (const std::string& macro : text.macros) program.add_defines(macro);
  // A function beside kernels in CUDA knows nothing of their compiler.
  if (definition.language() == v1::KERNEL_LANGUAGE_CUDA) {
    program.clear_compile_flags();
    program.clear_link_flags();
    AddCompileFlags({kHostFunctionFlag}, &program);
  } else {
    AddCompileFlags({definition.compiler_options().begin(), definition.compiler_options().end()}, &program);
  }
  AddCompileFlags({std::begin(kKernelFlags), std::end(kKernelFlags)}, &program);
  return program;
}

}  // namespace

v1::Program WithoutValues(const v1::Program& program, const v1::KernelDefinition& definition) {
  const std::set<std::string> values = ValueFiles(definition);
  v1::Program compiled = program;
  compiled.clear_files();
  for (const v1::SourceFile& file : program.files()) {
    if (values.count(file.path()) == 0) *compiled.add_files() = file;
  }
  return compiled;
}

absl::StatusOr<KernelText> TextOfConfiguration(const v1::KernelDefinition& definition,
                                               const EvaluatedConfiguration& configuration) {
  KernelText text;
  text.file = definition.file();
  text.macros = configuration.macros;
  TUNE_ASSIGN_OR_RETURN(
      text.adapter,
      PrintHostAdapter(definition, text.file, HostCalls(definition, configuration), configuration.scalars));
  return text;
}

absl::StatusOr<KernelText> TextOfReference(const v1::KernelDefinition& definition,
                                           const EvaluatedConfiguration& default_configuration) {
  if (!definition.reference().has_host_function())
    return TextOfConfiguration(definition, default_configuration);
  const v1::HostFunction& host = definition.reference().host_function();
  HostCall call;
  call.function.set_name(host.name());
  if (host.has_arguments()) {
    *call.function.mutable_arguments() = host.arguments();
  } else if (definition.kernels(0).has_arguments()) {
    *call.function.mutable_arguments() = definition.kernels(0).arguments();
  }
  KernelText text;
  text.file = host.file();
  if (text.file == definition.file()) text.macros = default_configuration.macros;
  TUNE_ASSIGN_OR_RETURN(text.adapter,
                        PrintHostAdapter(definition, text.file, {call}, default_configuration.scalars));
  return text;
}

absl::StatusOr<CompileResult> CompileKernels(const v1::StudySetup& setup, const KernelText& text,
                                             const std::string& folder, Compiler* compiler,
                                             const CompileLimits& limits) {
  const v1::Program program = ProgramOf(setup, text);
  TUNE_RETURN_IF_ERROR(MakeFolder(folder));
  TUNE_RETURN_IF_ERROR(WriteBundle(program, folder));
  TUNE_RETURN_IF_ERROR(WriteFile(absl::StrCat(folder, "/", kAdapter), text.adapter));
  std::vector<std::string> sources = {kAdapter};
  for (const std::string& source : program.sources()) {
    if (source == text.file || source == setup.kernel().file()) continue;
    if (setup.kernel().language() == v1::KERNEL_LANGUAGE_C || absl::EndsWith(source, ".c"))
      sources.push_back(source);
  }
  return compiler->CompileProgram(folder, sources, program, kKernelLibrary,
                                  {std::begin(kKernelLinkFlags), std::end(kKernelLinkFlags)}, limits);
}

}  // namespace tune
