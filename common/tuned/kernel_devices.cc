#include "common/tuned/kernel_devices.h"

#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/tuned/tuned_kernel.h"

namespace tune {
namespace {

// A part of an identifier.
std::string TagOf(const std::string& model) {
  std::string tag;
  for (const char c : model) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c))) {
      tag += c;
    } else if (!tag.empty() && tag.back() != '_') {
      tag += '_';
    }
  }
  while (!tag.empty() && tag.back() == '_') tag.pop_back();
  return tag.empty() ? "device" : tag;
}

// What follows the table of devices. Capabilities come first: a difference of multiprocessors is below 4096.
constexpr char kChoice[] = R"(
// The device of the table whose code suits this one best; -1: it runs none of them.
static int NearestTunedDevice(const cudaDeviceProp &here) {
  const int capability = 100 * here.major + here.minor;
  int nearest = -1, best = 0;
  for (int i = 0; i < (int)(sizeof tuned_devices / sizeof *tuned_devices); i++) {
    if (strcmp(tuned_devices[i].model, here.name) == 0) return i;
    if (tuned_devices[i].capability > capability) continue;
    const int difference = tuned_devices[i].multiprocessors - here.multiProcessorCount;
    const int score = 4096 * tuned_devices[i].capability - (difference < 0 ? -difference : difference);
    if (nearest < 0 || score > best) nearest = i, best = score;
  }
  return nearest;
}

// Asked once of each device, since its properties take long.
static cudaError_t FindTunedDevice(int *chosen) {
  static std::atomic<int> known[64];  // the place in the table + 2; 0: not asked yet
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  const bool kept = device >= 0 && device < 64;
  *chosen = kept ? known[device].load() - 2 : -2;
  if (*chosen > -2) return cudaSuccess;
  cudaDeviceProp here;
  error = cudaGetDeviceProperties(&here, device);
  if (error != cudaSuccess) return error;
  *chosen = NearestTunedDevice(here);
  if (kept) known[device].store(*chosen + 2);
  return cudaSuccess;
}

)";

std::string Table(const std::vector<KernelDevice>& devices) {
  std::string text =
      "static const struct {\n  const char *model;\n  int capability;  // 100 * major + minor\n"
      "  int multiprocessors;\n} tuned_devices[] = {\n";
  for (const KernelDevice& device : devices)
    absl::StrAppend(&text, "  {\"", absl::CEscape(device.model), "\", ", device.capability, ", ",
                    device.multiprocessors, "},\n");
  return text + "};\n";
}

}  // namespace

absl::StatusOr<std::vector<KernelDevice>> FindKernelDevices(const std::vector<v1::Device>& devices) {
  std::vector<KernelDevice> found;
  std::set<std::string> models, tags;
  for (const v1::Device& device : devices) {
    if (!models.insert(device.model()).second)
      return absl::InvalidArgumentError(absl::StrCat("two studies are for ", device.model()));
    KernelDevice& one = found.emplace_back();
    one.model = device.model();
    one.tag = TagOf(device.model());
    while (!tags.insert(one.tag).second) absl::StrAppend(&one.tag, "_", found.size());
    if (device.target() != v1::CUDA) continue;
    one.capability =
        100 * device.cuda().compute_capability_major() + device.cuda().compute_capability_minor();
    one.multiprocessors = device.cores();
  }
  return found;
}

std::string DeviceMacroOf(const KernelDevice& device) { return "-DTUNED_ON_" + device.tag; }

std::string PrintDeviceHeaders(const std::vector<KernelDevice>& devices,
                               const std::vector<std::string>& headers, absl::string_view name) {
  std::string text;
  std::vector<std::string> told;
  for (size_t i = 0; i < devices.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "#if" : "#elif", " defined(TUNED_ON_", devices[i].tag, ")\n", headers[i]);
    told.push_back(DeviceMacroOf(devices[i]));
  }
  return absl::StrCat(text, "#else\n#error ", name, " has macros of some devices alone: say one with ",
                      absl::StrJoin(told, " or "), "\n#endif\n");
}

std::string PrintKernelDeviceDispatch(const v1::KernelDefinition& definition,
                                      const std::vector<KernelDevice>& devices,
                                      const std::vector<KernelSize>& sizes, absl::string_view comment) {
  std::string text =
      absl::StrCat(comment, "#include <atomic>\n#include <cstring>\n#include <cuda_runtime.h>\n\n");
  for (const KernelDevice& device : devices)
    absl::StrAppend(&text, KernelDispatchDeclaration(definition, sizes, device.tag), ";\n");
  absl::StrAppend(&text, "\n", Table(devices), kChoice,
                  "// As it was tuned on the device that is current, or on the most similar one.\n"
                  "// cudaErrorNoKernelImageForDevice where the device is older than all of them.\n",
                  KernelDispatchDeclaration(definition, sizes),
                  " {\n  int device = -1;\n  const cudaError_t error = FindTunedDevice(&device);\n"
                  "  if (error != cudaSuccess) return error;\n  switch (device) {\n");
  for (size_t i = 0; i < devices.size(); ++i)
    absl::StrAppend(&text, "    case ", i, ":\n      return ",
                    TunedKernelFunction(definition, devices[i].tag), "(",
                    absl::StrJoin(KernelDispatchArguments(definition, sizes), ", "), ");\n");
  return absl::StrCat(text, "    default:\n      return cudaErrorNoKernelImageForDevice;\n  }\n}\n");
}

}  // namespace tune
