#include "client/kernels/t1_reader.h"

#include "absl/strings/str_join.h"
#include "client/kernels/t1_space.h"
#include "client/submit/shell_words.h"
#include "common/base/plain_text.h"
#include "common/expression/value_text.h"
#include "common/kernel_definition/definition_check.h"
#include "common/kernel_definition/definition_space.h"

namespace tune {
namespace {

constexpr char kKernelPath[] = "KernelSpecification";

void ReadLanguage(T1Object* kernel, v1::KernelDefinition* definition) {
  kernel->Require("Language");
  const std::optional<std::string> language =
      kernel->Word("Language", {"CUDA", "C", "OpenCL", "Vulkan", "Hypertuner"});
  if (language == "CUDA") {
    definition->set_language(v1::KERNEL_LANGUAGE_CUDA);
  } else if (language == "C") {
    definition->set_language(v1::KERNEL_LANGUAGE_C);
  } else if (language.has_value()) {
    kernel->Fault("Language", absl::StrCat(*language, " is not built here; there are: CUDA, C"));
  }
}

void ReadOptions(T1Object* kernel, v1::KernelDefinition* definition) {
  for (const std::string& text : kernel->Texts("CompilerOptions")) {
    const auto words = SplitShellWords(text);
    if (!words.ok()) return kernel->Fault("CompilerOptions", words.status().message());
    for (const std::string& word : *words) definition->add_compiler_options(word);
  }
  if (kernel->Boolean("Profiling").value_or(false)) definition->mutable_search()->set_count_all(true);
  const std::optional<int64_t> bytes = kernel->Integer("SharedMemory");
  if (bytes.value_or(0) != 0) definition->mutable_kernels(0)->set_dynamic_shared_bytes(absl::StrCat(*bytes));
}

void NoteWhatIsNotTaken(T1Object* kernel, T1Report* report) {
  if (const Json* const device = kernel->Find("Device"); device != nullptr) {
    T1Object object(*device, kernel->PathOf("Device"), report);
    for (const char* field : {"PlatformId", "DeviceId"}) {
      if (object.Integer(field).has_value())
        object.Note(field, "is not taken: devices are those of the workers");
    }
    if (object.Text("Name").has_value())
      object.Note("Name", "is not taken: devices are those of the workers");
    object.NoteOthers();
  }
  if (kernel->Text("SimulationInput").has_value())
    kernel->Note("SimulationInput",
                 "is not taken: kernels are run; `tunectl replay-space` searches recorded spaces");
  for (const char* field : {"BenchmarkName", "Misc", "Stream"}) {
    if (kernel->Find(field) != nullptr && std::string(field) != "BenchmarkName")
      kernel->Note(field, "is not taken");
  }
}

// Of KTT: types in the angle brackets behind the name.
void ReadTypeNames(T1Object* kernel, v1::KernelFunction* function) {
  for (const std::string& type : kernel->Texts("KernelTypeNames"))
    function->add_template_arguments(PrintValue(Value::String(type)));
}

void ReadKernel(const Json& json, v1::KernelDefinition* definition, T1Report* report) {
  T1Object kernel(json, kKernelPath, report);
  ReadLanguage(&kernel, definition);
  for (const char* field : {"KernelName", "KernelFile"}) kernel.Require(field);
  v1::KernelFunction* const function = definition->add_kernels();
  function->set_name(kernel.Text("KernelName").value_or(""));
  definition->set_file(kernel.Text("KernelFile").value_or(""));
  ReadTypeNames(&kernel, function);
  ReadOptions(&kernel, definition);
  const bool is_number = HasPlainProblemSize(&kernel);
  for (std::string& constraint : *definition->mutable_constraints())
    constraint = RenameProblemSize(constraint, is_number);
  ReadT1Sizes(&kernel, definition, report);
  if (definition->language() == v1::KERNEL_LANGUAGE_C) {
    function->clear_block();
    function->clear_grid();
    function->clear_grid_unit();
  }
  ReadT1Arguments(&kernel, definition);
  NoteWhatIsNotTaken(&kernel, report);
  kernel.NoteOthers();
}

// Defaults that exclude each other are moved to the valid configuration next to them.
void MendDefaults(const ParameterSpaceLimits& limits, v1::KernelDefinition* definition, T1Report* report) {
  const absl::StatusOr<ParameterChoice> given = DefaultConfiguration(*definition, limits);
  if (!absl::IsFailedPrecondition(given.status())) return;
  const absl::StatusOr<ParameterChoice> nearest = NearestToDefaults(*definition, limits);
  if (!nearest.ok()) return;
  for (int i = 0; i < definition->parameters_size(); ++i) {
    v1::TuningParameterValues& parameter = *definition->mutable_parameters(i);
    if (parameter.values_size() > 1) *parameter.mutable_default_value() = parameter.values((*nearest)[i]);
  }
  report->notes.push_back(absl::StrCat("ConfigurationSpace: ", given.status().message(), "; ",
                                       PrintValues(*definition, ValuesOf(*definition, *nearest)),
                                       " is taken in its place"));
}

}  // namespace

absl::StatusOr<T1Reading> ReadT1(const Json& json, const ParameterSpaceLimits& limits) {
  T1Reading reading;
  T1Report report;
  T1Object file(json, "", &report);
  for (const char* field : {"ConfigurationSpace", kKernelPath}) file.Require(field);
  if (const Json* const space = file.Find("ConfigurationSpace"); space != nullptr)
    ReadT1Space(T1Object(*space, "ConfigurationSpace", &report), &reading.definition);
  if (const Json* const kernel = file.Find(kKernelPath); kernel != nullptr)
    ReadKernel(*kernel, &reading.definition, &report);
  ReadT1Search(&file, &reading.definition, &report);
  if (file.Find("BenchmarkConfig") != nullptr) file.Note("BenchmarkConfig", "is not taken");
  file.NoteOthers();
  if (reading.definition.search().ByteSizeLong() == 0) reading.definition.clear_search();
  if (report.faults.empty()) MendDefaults(limits, &reading.definition, &report);
  if (report.faults.empty()) {
    for (const std::string& fault : FaultsOf(reading.definition, limits)) report.faults.Add(fault);
  }
  if (!report.faults.empty()) return absl::InvalidArgumentError(absl::StrJoin(report.faults.lines(), "\n"));
  reading.notes = std::move(report.notes);
  return reading;
}

}  // namespace tune
