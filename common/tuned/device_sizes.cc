#include "common/tuned/device_sizes.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/base/c_identifier.h"
#include "common/tuned/device_interface.h"

namespace tune {
namespace {

// What begins with @, which no C text has, is replaced.
constexpr char kSizesHeader[] = R"(/* Tuned by tunectl: the region @NAME, for the sizes
     @TEXTS
   @FILE has the entry points below, which take the code of the sizes that they are given; the code of each is in a
   CUDA file of its own. C and C++. Memory is the device's where the comment says so, else the host's; arrays in rows
   one after another, as the region has them. Nothing ends the program: what fails is returned. Code is right for
   exactly its sizes: all others, those between two of these as well, are cudaErrorInvalidValue. */
#ifndef TUNE_@NAME_H
#define TUNE_@NAME_H

#include <stddef.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On memory of the device, as work of `stream`: no allocation, no copy, no synchronisation, and it may be captured
   into a graph. `workspace` has @NAME_workspace_bytes() bytes of the device's memory, enough for each of the sizes, as
   cudaMalloc gives it, and belongs to one call at a time; it may be null where that is 0. The first call of a size on
   a device should not be a captured one: it sets the kernels up. */
size_t @NAME_workspace_bytes(void);
cudaError_t @NAME_device(@ALL, @ADDED, void *workspace, cudaStream_t stream);

/* A handle keeps memory on the current device for all arrays of the region at these sizes, and the graph of its
   launches; used by one thread at a time. */
typedef struct @NAME_handle @NAME_handle;
cudaError_t @NAME_create(@NAME_handle **handle, @SIZES);
/* What the region reads before it writes it, from the host's memory to the handle's. */
cudaError_t @NAME_upload(@NAME_handle *handle, @MEMORY, cudaStream_t stream);
/* The region, on the handle's memory. */
cudaError_t @NAME_run(@NAME_handle *handle, @VALUES, cudaStream_t stream);
/* What the region has written, from the handle's memory to the host's. */
cudaError_t @NAME_download(@NAME_handle *handle, @MEMORY, cudaStream_t stream);
/* The handle's memory of an array, by its place in the call of @NAME_upload, from 0 on; null: there is none. */
void *@NAME_memory(@NAME_handle *handle, int array);
cudaError_t @NAME_destroy(@NAME_handle *handle);

#ifdef __cplusplus
}
#endif

#endif
)";

// Of one size: what its CUDA file defines.
constexpr char kSizeDeclarations[] = R"(struct @SIZED_handle;
size_t @SIZED_workspace_bytes(void);
cudaError_t @SIZED_device(@ALL, void *workspace, cudaStream_t stream);
cudaError_t @SIZED_create(@SIZED_handle **handle);
cudaError_t @SIZED_upload(@SIZED_handle *handle, @MEMORY, cudaStream_t stream);
cudaError_t @SIZED_run(@SIZED_handle *handle, @VALUES, cudaStream_t stream);
cudaError_t @SIZED_download(@SIZED_handle *handle, @MEMORY, cudaStream_t stream);
void *@SIZED_memory(@SIZED_handle *handle, int array);
cudaError_t @SIZED_destroy(@SIZED_handle *handle);
)";

constexpr char kSizesFile[] = R"(#include <new>
#include <cuda_runtime.h>

extern "C" {
@DECLARATIONS}

// One of them is not null: that of the size for which it was created.
struct @NAME_handle {
@HANDLES};

extern "C" size_t @NAME_workspace_bytes(void) {
  size_t most = 0;
@WORKSPACES  return most;
}

extern "C" cudaError_t @NAME_device(@ALL, @ADDED, void *workspace, cudaStream_t stream) {
@DEVICES  return cudaErrorInvalidValue;
}

extern "C" cudaError_t @NAME_create(@NAME_handle **handle, @SIZES) {
  if (handle == 0) return cudaErrorInvalidValue;
  *handle = new (std::nothrow) @NAME_handle();
  if (*handle == 0) return cudaErrorMemoryAllocation;
  cudaError_t error = cudaErrorInvalidValue;
@CREATIONS  if (error != cudaSuccess) {
    delete *handle;
    *handle = 0;
  }
  return error;
}

extern "C" cudaError_t @NAME_upload(@NAME_handle *handle, @MEMORY, cudaStream_t stream) {
@UPLOADS  return cudaErrorInvalidValue;
}

extern "C" cudaError_t @NAME_run(@NAME_handle *handle, @VALUES, cudaStream_t stream) {
@RUNS  return cudaErrorInvalidValue;
}

extern "C" cudaError_t @NAME_download(@NAME_handle *handle, @MEMORY, cudaStream_t stream) {
@DOWNLOADS  return cudaErrorInvalidValue;
}

extern "C" void *@NAME_memory(@NAME_handle *handle, int array) {
@MEMORIES  return 0;
}

extern "C" cudaError_t @NAME_destroy(@NAME_handle *handle) {
  if (handle == 0) return cudaSuccess;
  cudaError_t error = cudaSuccess;
@ENDS  delete handle;
  return error;
}
)";

// The name before the parenthesis that opens a function's parameters, behind those of what stands before it,
// such as
// __launch_bounds__(256); `text` begins behind __global__.
absl::string_view FunctionName(absl::string_view text) {
  size_t open = text.find('(');
  if (absl::EndsWith(absl::StripTrailingAsciiWhitespace(text.substr(0, open)), "__launch_bounds__"))
    open = text.find('(', text.find(')'));
  const absl::string_view before = absl::StripTrailingAsciiWhitespace(text.substr(0, open));
  size_t begin = before.size();
  while (begin > 0 && IsNameCharacter(before[begin - 1])) --begin;
  return before.substr(begin);
}

std::set<absl::string_view> KernelsIn(absl::string_view text) {
  constexpr absl::string_view kKernel = "__global__";
  std::set<absl::string_view> kernels;
  for (size_t at = text.find(kKernel); at != absl::string_view::npos; at = text.find(kKernel, at + 1))
    kernels.insert(FunctionName(text.substr(at + kKernel.size())));
  return kernels;
}

// Whether `word`, which is no kernel, is the name of something that the CUDA file of `region` shows to a
// linker.
bool IsShown(absl::string_view word, const std::string& region) {
  if (word == "tune_region_" + region) return true;
  if (!absl::StartsWith(word, region + "_")) return false;
  const absl::string_view rest = word.substr(region.size() + 1);
  static const auto* const known = new std::set<absl::string_view>{
      "workspace_bytes", "device", "create", "upload", "run", "download", "memory", "destroy", "handle"};
  if (known->count(rest) > 0) return true;
  // Functions of merged launches are numbered as kernels are.
  const size_t letters = rest.find_last_not_of("0123456789") + 1;
  return rest.substr(0, letters) == "kernel" && letters < rest.size();
}

std::string Rename(absl::string_view text, const std::string& region, const std::string& name) {
  const std::set<absl::string_view> kernels = KernelsIn(text);
  std::string renamed;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && IsNameCharacter(text[end])) ++end;
    const absl::string_view word = text.substr(i, end - i);
    if (word.empty()) {
      renamed += text[i++];
      continue;
    }
    const bool is_kernel = absl::StartsWith(word, region + "_") && kernels.count(word) > 0;
    if (is_kernel || IsShown(word, region)) {
      const bool call = absl::StartsWith(word, "tune_region_") && !absl::StartsWith(word, region + "_");
      absl::StrAppend(&renamed,
                      call ? "tune_region_" + name : name + std::string(word.substr(region.size())));
    } else {
      absl::StrAppend(&renamed, word);
    }
    i = end;
  }
  return renamed;
}

std::string Listed(const std::string& items) { return items.empty() ? "" : items + ", "; }

class DispatchPrinter {
 public:
  explicit DispatchPrinter(const std::vector<DeviceSize>& sizes)
      : sizes_(sizes),
        scop_(*sizes[0].scop),
        region_(CIdentifier(scop_.name())),
        arguments_(DeviceArguments(scop_)) {
    for (const DeviceArgument& argument : arguments_) names_.insert(argument.name);
    for (const SizeValue& value : sizes_[0].size.values) AddSize(value);
  }

  bool possible() const {
    return std::all_of(sizes_.begin(), sizes_.end(), [&](const DeviceSize& size) {
      const auto arguments = DeviceArguments(*size.scop);
      const std::vector<SizeValue>& values = size.size.values;
      return !values.empty() && values.size() == given_.size() &&
             std::all_of(values.begin(), values.end(), IsInteger) &&
             std::equal(values.begin(), values.end(), sizes_[0].size.values.begin(),
                        [](const SizeValue& a, const SizeValue& b) { return a.name == b.name; }) &&
             DeviceParameters(arguments, ArgumentChoice::kAll) ==
                 DeviceParameters(arguments_, ArgumentChoice::kAll);
    });
  }

  DeviceDispatch Print(const std::string& file) const {
    std::vector<std::string> texts;
    for (const DeviceSize& size : sizes_) texts.push_back(size.size.text);
    const auto with = [&](absl::string_view text) { return absl::StrReplaceAll(text, Lists()); };
    DeviceDispatch dispatch;
    dispatch.header = absl::StrReplaceAll(
        with(kSizesHeader),
        {{"@NAME", region_}, {"@TEXTS", absl::StrJoin(texts, "\n     ")}, {"@FILE", file}});
    std::vector<std::pair<std::string, std::string>> words = {{"@NAME", region_}};
    const auto add = [&](const std::string& word, const std::string& line) {
      words.emplace_back(word, ForEach(line));
    };
    add("@DECLARATIONS", with(kSizeDeclarations));
    add("@HANDLES", "  @SIZED_handle *@TAG;\n");
    add("@WORKSPACES", "  if (@SIZED_workspace_bytes() > most) most = @SIZED_workspace_bytes();\n");
    add("@DEVICES", absl::StrCat("  if (@CONDITION) return @SIZED_device(", Names(ArgumentChoice::kAll),
                                 "workspace, stream);\n"));
    add("@CREATIONS", "  if (@CONDITION) error = @SIZED_create(&(*handle)->@TAG);\n");
    const auto forward = [&](const std::string& word, const std::string& call) {
      add(word, absl::StrCat("  if (handle != 0 && handle->@TAG != 0) return @SIZED_", call, ";\n"));
    };
    const std::string memory = Names(ArgumentChoice::kMemory);
    forward("@UPLOADS", absl::StrCat("upload(handle->@TAG, ", memory, "stream)"));
    forward("@RUNS", absl::StrCat("run(handle->@TAG, ", Names(ArgumentChoice::kValues), "stream)"));
    forward("@DOWNLOADS", absl::StrCat("download(handle->@TAG, ", memory, "stream)"));
    forward("@MEMORIES", "memory(handle->@TAG, array)");
    add("@ENDS", "  if (handle->@TAG != 0) error = @SIZED_destroy(handle->@TAG);\n");
    dispatch.file = absl::StrReplaceAll(with(kSizesFile), words);
    return dispatch;
  }

 private:
  // A size that callers give.
  struct Given {
    std::string name, type;
    bool added = false;  // no argument of the entry points of one size
  };

  // A parameter is an argument under its own name; a macro's name cannot be one in its own header.
  void AddSize(const SizeValue& value) {
    for (const DeviceArgument& argument : arguments_) {
      const bool same = argument.array != nullptr ? argument.array->name() == value.name
                                                  : argument.name == CudaIdentifier(value.name);
      if (value.is_parameter && same && !argument.is_memory()) {
        given_.push_back({argument.name, argument.type, false});
        return;
      }
    }
    std::string name = "size_" + CIdentifier(value.name);
    while (!names_.insert(name).second) name += "_";
    given_.push_back({name, "long ", true});
  }

  // Lists of parameters.
  std::vector<std::pair<std::string, std::string>> Lists() const {
    std::vector<std::string> given, added;
    for (const Given& size : given_) {
      given.push_back(size.type + size.name);
      if (size.added) added.push_back(given.back());
    }
    return {{"@ALL, ", Listed(DeviceParameters(arguments_, ArgumentChoice::kAll))},
            {"@MEMORY, ", Listed(DeviceParameters(arguments_, ArgumentChoice::kMemory))},
            {"@VALUES, ", Listed(DeviceParameters(arguments_, ArgumentChoice::kValues))},
            {"@ADDED, ", Listed(absl::StrJoin(added, ", "))},
            {"@SIZES", absl::StrJoin(given, ", ")}};
  }

  // "A, n, ".
  std::string Names(ArgumentChoice choice) const {
    std::vector<std::string> names;
    for (const DeviceArgument& argument : arguments_) {
      if (choice == ArgumentChoice::kAll || argument.is_memory() == (choice == ArgumentChoice::kMemory))
        names.push_back(argument.name);
    }
    return Listed(absl::StrJoin(names, ", "));
  }

  // `line` for each size: @SIZED, @TAG and @CONDITION are its own.
  std::string ForEach(const std::string& line) const {
    std::string text;
    for (const DeviceSize& size : sizes_) {
      std::vector<std::string> terms;
      for (size_t i = 0; i < given_.size(); ++i)
        terms.push_back(absl::StrCat(given_[i].name, " == ", size.size.values[i].value));
      absl::StrAppend(&text, absl::StrReplaceAll(line, {{"@SIZED", SizedName(scop_.name(), size.size.tag)},
                                                        {"@TAG", "of_" + size.size.tag},
                                                        {"@CONDITION", absl::StrJoin(terms, " && ")}}));
    }
    return text;
  }

  const std::vector<DeviceSize>& sizes_;
  const v1::Scop& scop_;
  const std::string region_;
  const std::vector<DeviceArgument> arguments_;
  std::set<std::string> names_ = {"workspace", "stream", "handle", "array", "most", "error"};
  std::vector<Given> given_;  // parallel to the values of each size
};

}  // namespace

std::string SizedName(absl::string_view region, const std::string& tag) {
  return absl::StrCat(CIdentifier(region), "_", tag);
}

absl::StatusOr<std::string> RenameDeviceFile(absl::string_view text, const std::string& region,
                                             const std::string& name) {
  if (HasEntryPoints(text, region)) return Rename(text, CIdentifier(region), name);
  return absl::FailedPreconditionError(
      absl::StrCat("the CUDA code of ", region,
                   " was made by an earlier version and cannot stand beside that of other sizes; submit it "
                   "again, or fetch the sizes one by one"));
}

std::string RenameCall(absl::string_view code, const std::string& region, const std::string& name) {
  const std::string identifier = CIdentifier(region);
  return absl::StrReplaceAll(
      code, {{absl::StrCat("tune_region_", identifier, "("), absl::StrCat("tune_region_", name, "(")}});
}

DeviceDispatch PrintDeviceDispatch(const std::vector<DeviceSize>& sizes, const std::string& file) {
  const DispatchPrinter printer(sizes);
  return printer.possible() ? printer.Print(file) : DeviceDispatch();
}

}  // namespace tune
