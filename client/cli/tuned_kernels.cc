#include "client/cli/tuned_kernels.h"

#include <functional>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "client/exchange/wisdom.h"
#include "common/evaluation/architecture.h"
#include "common/evaluation/objective.h"
#include "common/kernel_definition/configuration_reader.h"
#include "common/tuned/kernel_devices.h"
#include "common/tuned/kernel_sizes.h"
#include "common/tuned/tuned_file.h"
#include "common/tuned/tuned_kernel.h"

namespace tune {
namespace {

std::string SourceOf(const v1::StudySpec& spec) {
  for (const v1::SourceFile& file : spec.program().files()) {
    if (file.path() == spec.kernel().file()) return file.content();
  }
  return "";
}

// What must be equal: all of the definition but its sizes.
std::string WithoutSizes(v1::KernelDefinition definition) {
  for (v1::ProblemSize& size : *definition.mutable_problem()) size.clear_size();
  return definition.SerializeAsString();
}

absl::Status Differ(const TunedStudy& first, const TunedStudy& other, absl::string_view how) {
  return absl::InvalidArgumentError(absl::StrCat(first.study.id(), " and ", other.study.id(), " ", how));
}

v1::ArchivedStudy AsArchive(const TunedStudy& study) {
  v1::ArchivedStudy archived;
  *archived.mutable_study() = study.study;
  *archived.mutable_spec() = study.spec;
  v1::Candidate* const best = archived.add_candidates()->mutable_candidate();
  best->set_index(study.study.best_index());
  *best->mutable_configuration() = study.configuration;
  return archived;
}

// Studies in order of the first ones of their devices, with what tells them apart.
struct KernelStudies {
  std::vector<KernelDevice> devices;
  std::vector<std::vector<const TunedStudy*>> of_device;  // parallel to `devices`
  std::vector<KernelSize> all_sizes;                      // a single empty one where all are of one size
  std::map<const TunedStudy*, KernelSize> size_of;

  // Of the only device: none is needed.
  std::string TagOf(size_t device) const { return devices.size() > 1 ? devices[device].tag : ""; }
  std::vector<KernelSize> SizesOf(size_t device) const {
    std::vector<KernelSize> sizes;
    for (const TunedStudy* study : of_device[device]) sizes.push_back(size_of.at(study));
    return sizes;
  }
  bool has_sizes() const { return all_sizes.size() > 1; }
};

absl::Status SetSizesOf(const std::vector<TunedStudy>& studies, KernelStudies* found) {
  std::vector<const v1::KernelDefinition*> distinct;
  std::vector<size_t> place;
  for (const TunedStudy& study : studies) {
    size_t at = 0;
    while (at < distinct.size() && FindKernelSizes({distinct[at], &study.spec.kernel()}).ok()) ++at;
    if (at == distinct.size()) distinct.push_back(&study.spec.kernel());
    place.push_back(at);
  }
  found->all_sizes.resize(1);
  if (distinct.size() > 1) {
    TUNE_ASSIGN_OR_RETURN(found->all_sizes, FindKernelSizes(distinct));
  }
  for (size_t i = 0; i < studies.size(); ++i) found->size_of[&studies[i]] = found->all_sizes[place[i]];
  return absl::OkStatus();
}

absl::StatusOr<KernelStudies> Arrange(const std::vector<TunedStudy>& studies) {
  KernelStudies arranged;
  std::vector<v1::Device> devices;
  for (const TunedStudy& study : studies) {
    const std::string& model = study.study.device().model();
    size_t at = 0;
    while (at < devices.size() && devices[at].model() != model) ++at;
    if (at == devices.size()) {
      devices.push_back(study.study.device());
      arranged.of_device.emplace_back();
    }
    arranged.of_device[at].push_back(&study);
  }
  TUNE_ASSIGN_OR_RETURN(arranged.devices, FindKernelDevices(devices));
  TUNE_RETURN_IF_ERROR(SetSizesOf(studies, &arranged));
  return arranged;
}

std::string PrintHeader(const TunedStudy& study) {
  TunedFileHeader header = HeaderOf(study);
  if (TargetOf(study.spec.kernel()) == v1::CPU) header.compile_flags = MeasuredFlags(study.spec.program());
  for (const std::string& option : study.spec.kernel().compiler_options())
    absl::StrAppend(&header.compile_flags, " ", option);
  return PrintTunedHeader(study.spec.kernel().file(), study.code, header);
}

std::string CommentOf(const TunedStudy& study, const std::string& command) {
  const std::string file = study.spec.kernel().file();
  return absl::StrCat("// Kernels of ", file.substr(file.rfind('/') + 1), ", tuned by tunectl, study ",
                      study.study.id(), ", for ", study.study.device().model(), ".\n// ", command, "\n");
}

// A file with the kernels and what launches them, at one size.
absl::Status AddKernelFile(const TunedStudy& study, const std::string& path, const std::string& tag,
                           TunedOutput* tuned) {
  const v1::KernelDefinition& definition = study.spec.kernel();
  TUNE_ASSIGN_OR_RETURN(const ConfigurationReader reader, ConfigurationReader::Make(definition));
  TUNE_ASSIGN_OR_RETURN(const EvaluatedConfiguration configuration, reader.Read(study.configuration));
  DeviceFile& file = tuned->device_files.emplace_back();
  file.architecture = ArchitectureOf(study.study.device());
  file.path = path;
  file.flags = TunedKernelFlags(definition, study.spec.program());
  TUNE_ASSIGN_OR_RETURN(const std::string text,
                        PrintTunedKernelFile(definition, configuration, SourceOf(study.spec),
                                             CommentOf(study, DeviceBuildCommands(*tuned).back()), tag));
  file.text = WithMark(text);
  return absl::OkStatus();
}

// A file that has no kernels, and calls what others have.
void AddDispatchFile(const TunedStudy& study, const std::string& path, const std::string& what,
                     const std::function<std::string(const std::string& comment)>& print,
                     TunedOutput* tuned) {
  DeviceFile& file = tuned->device_files.emplace_back();
  file.architecture = ArchitectureOf(study.study.device());
  file.path = path;
  file.text = WithMark(print(absl::StrCat("// Written by tunectl: kernels ", what, ".\n// ",
                                          DeviceBuildCommands(*tuned).back(), "\n")));
}

// `path`: of the file with the function that a caller on this device calls.
absl::Status AddDeviceFiles(const KernelStudies& studies, size_t device, const std::string& path,
                            TunedOutput* tuned) {
  const std::vector<const TunedStudy*>& own = studies.of_device[device];
  const std::string tag = studies.TagOf(device);
  if (!studies.has_sizes()) return AddKernelFile(*own[0], path, tag, tuned);
  for (const TunedStudy* study : own) {
    const KernelSize& size = studies.size_of.at(study);
    const std::string sized = absl::StrCat(absl::StripSuffix(path, ".cu"), ".", size.tag, ".cu");
    TUNE_RETURN_IF_ERROR(AddKernelFile(*study, sized, JoinedTags(tag, size.tag), tuned));
  }
  const std::vector<KernelSize> sizes = studies.SizesOf(device);
  AddDispatchFile(
      *own[0], path,
      absl::StrCat("at ", sizes.size(), " sizes", tag.empty() ? "" : ", for ",
                   tag.empty() ? "" : own[0]->study.device().model()),
      [&](const std::string& comment) {
        return PrintKernelDispatch(own[0]->spec.kernel(), sizes, comment, tag);
      },
      tuned);
  return absl::OkStatus();
}

absl::Status AddKernelFiles(const KernelStudies& studies, const std::string& output, TunedOutput* tuned) {
  const TunedStudy& first = *studies.of_device[0][0];
  const v1::KernelDefinition& definition = first.spec.kernel();
  const std::string path =
      DeviceFilePath(output.empty() ? DefaultOutput(definition.file(), first.spec) : output, 0);
  tuned->launch_function = KernelDispatchDeclaration(definition, studies.all_sizes);
  if (studies.devices.size() == 1) return AddDeviceFiles(studies, 0, path, tuned);
  for (size_t i = 0; i < studies.devices.size(); ++i) {
    const std::string of_device =
        absl::StrCat(absl::StripSuffix(path, ".cu"), ".", studies.devices[i].tag, ".cu");
    TUNE_RETURN_IF_ERROR(AddDeviceFiles(studies, i, of_device, tuned));
  }
  AddDispatchFile(
      first, path, absl::StrCat("tuned on ", studies.devices.size(), " devices"),
      [&](const std::string& comment) {
        return PrintKernelDeviceDispatch(definition, studies.devices, studies.all_sizes, comment);
      },
      tuned);
  return absl::OkStatus();
}

// The header of one device, and what the compiler is told of its sizes.
std::string HeaderOfDevice(const KernelStudies& studies, size_t device, absl::string_view name,
                           std::vector<std::string>* macros) {
  const std::vector<const TunedStudy*>& own = studies.of_device[device];
  const std::string of_device = studies.devices.size() > 1 ? DeviceMacroOf(studies.devices[device]) : "";
  if (!studies.has_sizes()) {
    if (!of_device.empty()) macros->push_back(of_device);
    return PrintHeader(*own[0]);
  }
  const v1::KernelDefinition& definition = own[0]->spec.kernel();
  std::vector<std::string> headers;
  for (const TunedStudy* study : own) {
    headers.push_back(PrintHeader(*study));
    const std::string of_size = absl::StrJoin(SizeMacrosOf(definition, studies.size_of.at(study)), " ");
    macros->push_back(absl::StrCat(of_device, of_device.empty() ? "" : " ", of_size));
  }
  return PrintSizedHeaders(definition, studies.SizesOf(device), headers, name);
}

}  // namespace

absl::Status CheckSameKernels(const TunedStudy& first, const TunedStudy& other) {
  if (!first.spec.has_kernel() || !other.spec.has_kernel())
    return Differ(first, other,
                  "are not both of hand-written kernels, whose result is a header of its own; fetch each by "
                  "itself");
  if (WithoutSizes(first.spec.kernel()) != WithoutSizes(other.spec.kernel()) ||
      SourceOf(first.spec) != SourceOf(other.spec))
    return Differ(first, other, "are not of the same kernels in the same version; fetch them one by one");
  return CheckSameObjective(first.study, other.study);
}

absl::StatusOr<std::vector<TunedStudy>> BestOfEach(std::vector<TunedStudy> studies,
                                                   std::vector<std::string>* left_out) {
  std::vector<TunedStudy> taken;
  for (TunedStudy& study : studies) {
    bool is_new = true;
    for (TunedStudy& other : taken) {
      if (study.study.device().model() != other.study.device().model() ||
          FindKernelSizes({&study.spec.kernel(), &other.spec.kernel()}).ok())
        continue;
      is_new = false;
      const auto cost = [](const TunedStudy& one) { return BestCost(one.study.search(), one.study); };
      if (IsLessCost(cost(study), cost(other))) std::swap(study, other);
      left_out->push_back(
          absl::StrCat(study.study.id(), ": ", other.study.id(), " is better at the same size"));
      break;
    }
    if (is_new) taken.push_back(std::move(study));
  }
  return taken;
}

absl::StatusOr<TunedOutput> PrintTunedKernels(const std::vector<TunedStudy>& studies,
                                              const std::string& output) {
  const v1::KernelDefinition& definition = studies[0].spec.kernel();
  TunedOutput tuned;
  tuned.program = studies[0].spec.program();
  tuned.kernel_file = definition.file();
  TUNE_ASSIGN_OR_RETURN(const KernelStudies arranged, Arrange(studies));
  std::string name = output.empty() ? DefaultOutput(definition.file(), studies[0].spec) : output;
  name = name.substr(name.rfind('/') + 1);
  std::vector<std::string> headers;
  for (size_t i = 0; i < arranged.devices.size(); ++i)
    headers.push_back(HeaderOfDevice(arranged, i, name, &tuned.size_macros));
  tuned.text =
      WithMark(headers.size() > 1 ? PrintDeviceHeaders(arranged.devices, headers, name) : headers[0]);
  std::vector<v1::ArchivedStudy> archived;
  for (const TunedStudy& study : studies) archived.push_back(AsArchive(study));
  TUNE_ASSIGN_OR_RETURN(tuned.wisdom, WriteWisdom(archived));
  if (TargetOf(definition) == v1::CUDA) TUNE_RETURN_IF_ERROR(AddKernelFiles(arranged, output, &tuned));
  return tuned;
}

std::string WisdomPath(const std::string& output) {
  return absl::StrCat(absl::StripSuffix(output, ".h"), ".wisdom");
}

}  // namespace tune
