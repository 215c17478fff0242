#include "worker/print/cuda_region.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/array/array_object.h"
#include "common/array/element_type.h"
#include "common/tuned/device_interface.h"
#include "worker/print/capture_text.h"
#include "worker/print/cuda_region_text.h"
#include "worker/print/launch_sequence.h"
#include "worker/print/object_copies.h"

namespace tune {
namespace {

// Of what stands in the workspace: as cudaMalloc's, and what texture objects ask for.
constexpr int64_t kAlignment = 512;

using Words = std::vector<std::pair<std::string, std::string>>;

// "a, b", or `empty`.
std::string List(const std::vector<std::string>& items, const std::string& empty = "0") {
  return items.empty() ? empty : absl::StrJoin(items, ", ");
}

// What textures hold an element as.
std::string TexelType(v1::ElementType type) {
  return ElementSize(type) == 8 ? "int2" : std::string(ElementCType(type));
}

class RegionPrinter {
 public:
  RegionPrinter(const CudaProgram& program, const v1::Scop& scop)
      : program_(program),
        scop_(scop),
        copies_(CopiesOf(program, scop)),
        arguments_(DeviceArguments(scop)),
        textures_(std::any_of(program.arrays.begin(), program.arrays.end(),
                              [](const DeviceArray& array) { return array.texture; })) {}

  std::string Print() {
    DescribeArrays();
    DescribeKernels();
    DescribeArguments();
    DescribeTextures();
    const std::string prefix = CIdentifier(scop_.name());
    const std::string host = absl::StrCat(kHostPart, kHandle);
    const std::string text = absl::StrReplaceAll(
        MovesMembers() ? absl::StrReplaceAll(host, {{"Copy(kIn, IN_COUNT, ", "CopyIn("},
                                                    {"Copy(kOut, OUT_COUNT, ", "CopyOut("}})
                       : host,
        {{"TEXTURES", textures_ ? kTextures : ""},
         {"MEMBERS\n", MovesMembers() ? kMembers : ""},
         {"RECORD", program_.graph ? kRecord : ""},
         {"RUN\n",
          absl::StrCat(program_.graph ? kRunGraph : "return LaunchAll(handle->memory, values, stream);",
                       "\n")},
         {"CAPTURING", kIsCapturing},
         {"TIMED", kTimed},
         {"TIME ",
          "#ifdef TUNE_TIME\n  if (error == cudaSuccess) error = Time(handle, arrays);\n#endif\n "}});
    words_.insert(words_.end(), {{"PREFIX", prefix},
                                 {"COUNT", absl::StrCat(program_.arrays.size())},
                                 {"ENTRIES", absl::StrCat(program_.arrays.size() * (textures_ ? 2 : 1))},
                                 {"MOST_LAUNCHES", absl::StrCat(kMostRecordedLaunches)},
                                 {"LAUNCH_SEQUENCE", program_.launches}});
    return absl::StrReplaceAll(text, words_);
  }

 private:
  void DescribeArrays() {
    std::vector<std::string> bytes, values, in, out;
    int64_t value_bytes = 0;
    for (size_t i = 0; i < program_.arrays.size(); ++i) {
      const DeviceArray& array = program_.arrays[i];
      const int64_t passed = array.by_value ? static_cast<int64_t>(ElementSize(array.type)) : 0;
      bytes.push_back(absl::StrCat(DeviceBytes(array)));
      values.push_back(absl::StrCat(passed));
      value_bytes += passed;
    }
    for (const PlacedSlice& copy : copies_.in) in.push_back(SliceText(copy.array, copy.slice));
    for (const PlacedSlice& copy : copies_.out) out.push_back(SliceText(copy.array, copy.slice));
    const std::string none = "{0, 0, 0, 1, 0, 1, 0}";
    words_.insert(words_.end(), {{"BYTES", List(bytes)},
                                 {"VALUES", List(values)},
                                 {"VALUE_BYTES", absl::StrCat(std::max<int64_t>(1, value_bytes))},
                                 {"SLICES_IN", List(in, none)},
                                 {"SLICES_OUT", List(out, none)},
                                 {"IN_COUNT", absl::StrCat(in.size())},
                                 {"OUT_COUNT", absl::StrCat(out.size())},
                                 {"SPREAD_MOVES", MoveTexts(copies_.spread)},
                                 {"SPREAD_COUNT", absl::StrCat(copies_.spread.size())},
                                 {"GATHERED_MOVES", MoveTexts(copies_.gathered)},
                                 {"GATHERED_COUNT", absl::StrCat(copies_.gathered.size())}});
  }

  static std::string SliceText(int array, const ArraySlice& slice) {
    return absl::StrCat("{", array, ", ", slice.offset, ", ", slice.width, ", ", slice.rows, ", ",
                        slice.pitch, ", ", slice.planes, ", ", slice.plane, "}");
  }

  bool MovesMembers() const { return !copies_.spread.empty() || !copies_.gathered.empty(); }

  static std::string MoveTexts(const std::vector<MemberMove>& moves) {
    std::vector<std::string> texts;
    for (const MemberMove& move : moves)
      texts.push_back(absl::StrCat("{", move.to, ", ", SliceText(move.from, move.slice), "}"));
    return List(texts, "{0, {0, 0, 0, 1, 0, 1, 0}}");
  }

  void DescribeKernels() {
    std::vector<std::string> kernels, shared;
    std::string attributes;
    const auto set = [&](const CudaKernelFacts& kernel, const char* attribute, int64_t value) {
      absl::StrAppend(&attributes,
                      "  if (error == cudaSuccess)\n    error = cudaFuncSetAttribute((const void *)",
                      kernel.function, ", cudaFuncAttribute", attribute, ", ", value, ");\n");
    };
    for (const CudaKernelFacts& kernel : program_.facts) {
      kernels.push_back(absl::StrCat("(const void *)", kernel.function));
      shared.push_back(absl::StrCat(kernel.dynamic_shared_bytes));
      if (kernel.carveout >= 0) set(kernel, "PreferredSharedMemoryCarveout", kernel.carveout);
      if (kernel.dynamic_shared_bytes > 0)
        set(kernel, "MaxDynamicSharedMemorySize", kernel.dynamic_shared_bytes);
    }
    // A program with a kernel whose blocks wait for each other has no other kernel.
    const bool cooperative = !program_.facts.empty() && program_.facts[0].cooperative;
    words_.insert(words_.end(),
                  {{"KERNELS", List(kernels)},
                   {"SHARED", List(shared)},
                   {"NUMBER", absl::StrCat(std::max<size_t>(1, kernels.size()))},
                   {"LAUNCH(", cooperative ? "cudaLaunchCooperativeKernel(" : "cudaLaunchKernel("},
                   {"ATTRIBUTES", attributes}});
  }

  const DeviceArgument* ArgumentOf(const std::string& name) const {
    for (const DeviceArgument& argument : arguments_) {
      if (argument.array != nullptr ? argument.array->name() == name : argument.name == name)
        return &argument;
    }
    return nullptr;
  }

  // The scop's condition on the values of its parameters.
  std::string Sizes() const {
    std::vector<std::string> terms;
    for (const v1::Parameter& parameter : scop_.parameters()) {
      const DeviceArgument* argument = ArgumentOf(parameter.name());
      const auto value = program_.values.find(parameter.name());
      if (argument != nullptr && !argument->is_memory() && value != program_.values.end())
        terms.push_back(absl::StrCat(argument->name, " == ", value->second));
    }
    return terms.empty() ? "true" : absl::StrJoin(terms, " && ");
  }

  void DescribeArguments() {
    std::vector<std::string> memory, targets, values, device, indices, misaligned;
    int64_t workspace = 0;
    for (size_t i = 0; i < program_.arrays.size(); ++i) {
      const DeviceArray& array = program_.arrays[i];
      const DeviceArgument* argument = array.local ? nullptr : ArgumentOf(array.scop_name);
      const bool held = argument != nullptr && argument->is_memory();
      memory.push_back(held ? argument->name : "0");
      targets.push_back(held ? absl::StrCat("(void *)", argument->name) : "0");
      values.push_back(argument != nullptr && array.by_value ? "&" + argument->name : "0");
      device.push_back(array.local ? absl::StrCat("(char *)workspace + ", workspace) : targets.back());
      if (held) indices.push_back(absl::StrCat(i));
      const int64_t alignment = program_.alignments.empty() ? 1 : program_.alignments[i];
      if (held && alignment > CAlignment(array.type))
        misaligned.push_back(absl::StrCat("(size_t)", argument->name, " % ", alignment, " != 0"));
      if (array.local) workspace += (DeviceBytes(array) + kAlignment - 1) / kAlignment * kAlignment;
    }
    const auto parameters = [&](ArgumentChoice choice) {
      const std::string text = DeviceParameters(arguments_, choice);
      return text.empty() ? "" : text + ", ";
    };
    words_.insert(
        words_.end(),
        {{"MEMORY_PARAMETERS", parameters(ArgumentChoice::kMemory)},
         {"VALUE_PARAMETERS", parameters(ArgumentChoice::kValues)},
         {"ALL_PARAMETERS", parameters(ArgumentChoice::kAll)},
         {"MEMORY_ARRAYS", List(memory)},
         {"MEMORY_TARGETS", List(targets)},
         {"VALUE_ARRAYS", List(values)},
         {"DEVICE_ARRAYS", List(device)},
         {"MEMORY_INDICES", List(indices)},
         {"MEMORY_COUNT", absl::StrCat(indices.size())},
         {"WORKSPACE", absl::StrCat(workspace)},
         {"CHECK_ADDRESSES", misaligned.empty() ? ""
                                                : absl::StrCat("  if (", absl::StrJoin(misaligned, " || "),
                                                               ") return cudaErrorMisalignedAddress;\n")},
         {"SIZES", Sizes()}});
  }

  void DescribeTextures() {
    std::string create, destroy, find;
    const size_t count = program_.arrays.size();
    for (size_t i = 0; i < count; ++i) {
      const DeviceArray& array = program_.arrays[i];
      if (!array.texture) continue;
      const std::string format = absl::StrCat("cudaCreateChannelDesc<", TexelType(array.type), ">()");
      absl::StrAppend(&create, "  if (error == cudaSuccess)\n    error = MakeTexture((*handle)->memory[", i,
                      "], kBytes[", i, "], ", format, ", (cudaTextureObject_t *)&(*handle)->memory[",
                      count + i, "]);\n");
      absl::StrAppend(&destroy, "  if (handle->memory[", count + i,
                      "] != 0) cudaDestroyTextureObject((cudaTextureObject_t)handle->memory[", count + i,
                      "]);\n");
      absl::StrAppend(&find, "  error = FindTexture(memory[", i, "], kBytes[", i, "], ", format, ", &memory[",
                      count + i, "]);\n  if (error != cudaSuccess) return error;\n");
    }
    words_.insert(words_.end(),
                  {{"CREATE_OBJECTS", create}, {"DESTROY_OBJECTS", destroy}, {"FIND_OBJECTS", find}});
  }

  const CudaProgram& program_;
  const v1::Scop& scop_;
  const ObjectCopies copies_;
  const std::vector<DeviceArgument> arguments_;
  const bool textures_;
  Words words_;
};

std::string PrintCall(const v1::Scop& scop, const std::string& prefix) {
  std::vector<std::string> arrays;
  std::string before, after;
  for (const v1::Array& array : scop.arrays()) {
    if (array.declared_inside()) {
      arrays.push_back("0");
    } else if (array.extents_size() > 0) {
      arrays.push_back(absl::StrCat("(void *)", IndexedObject(array)));
    } else {
      const std::string copy = absl::StrCat("tune_scalar", arrays.size());
      const std::string object = absl::StrCat(array.is_pointer() ? "*" : "", array.name());
      absl::StrAppend(&before, "  ", ElementCType(array.element_type()), " ", copy, " = ", object, ";\n");
      if (!array.read_only()) absl::StrAppend(&after, "    ", object, " = ", copy, ";\n");
      arrays.push_back(absl::StrCat("(void *)&", copy));
    }
  }
  return absl::StrCat("{\n  extern int tune_region_", prefix, "(void *const *arrays);\n", before,
                      "  void *const tune_arrays[] = {", absl::StrJoin(arrays, ", "),
                      "};\n  if (tune_region_", prefix, "(tune_arrays) == 0) {\n", after,
                      "    tune_done = 1;\n  }\n}\n");
}

}  // namespace

CudaRegion PrintCudaRegion(const CudaProgram& program, const v1::Scop& scop) {
  return {absl::StrCat(program.kernels, "\n", kHostBegins, RegionPrinter(program, scop).Print()),
          PrintCall(scop, CIdentifier(scop.name()))};
}

}  // namespace tune
