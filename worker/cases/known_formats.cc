#include "worker/cases/known_formats.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace tune {
namespace {

constexpr char kTable[] = R"(
// Formats that were the fastest of FUNCTION in studies.
const Known FUNCTION_known[] = {
ROWS};
const long long FUNCTION_known_sizes[][SIZES] = {
VALUES};

)";

// After the declaration of `format`.
constexpr char kChoice[] = R"(  constexpr int knowns = sizeof(FUNCTION_known) / sizeof(FUNCTION_known[0]);
  bool tried[knowns] = {};
  for (int turn = 0; turn < knowns; ++turn) {
    const int nearest = Nearest(FUNCTION_known, FUNCTION_known_sizes[0], knowns, COUNT, machine.name, parameters, tried);
    if (nearest < 0) break;
    tried[nearest] = true;
    const Known &known = FUNCTION_known[nearest];
    format = {known.B[0], known.B[1], known.B[2], known.s, known.K, -1};
    format.leaf = FUNCTION_case(machine, format);
    if (format.leaf >= 0 && limits.Allow(machine, FUNCTION_kernels, format.leaf, THREADS)) return format;
  }
)";

std::optional<int64_t> ValueOf(const v1::CaseFormat& format, const std::string& parameter) {
  for (const v1::ParameterValue& value : format.parameters()) {
    if (value.name() == parameter) return value.value();
  }
  return std::nullopt;
}

// Names of the program's parameters.
std::vector<std::string> SizesOf(const ParametricRegion& region) {
  std::vector<std::string> names;
  for (int i = 0; i < region.own_parameters; ++i) names.push_back(region.scop.parameters(i).name());
  return names;
}

// As a C string.
std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    const auto code = static_cast<unsigned char>(letter);
    if (code >= 0x20 && code < 0x7f) {
      quoted += letter;
    } else {
      absl::StrAppend(&quoted, "\\", code >> 6, (code >> 3) & 7, code & 7);
    }
  }
  return quoted + "\"";
}

// What may stand in a comment of a line.
std::string CommentWord(const std::string& text) {
  std::string word;
  for (const char letter : text)
    word += absl::ascii_isgraph(static_cast<unsigned char>(letter)) && letter != '\\' ? letter : '_';
  return word;
}

}  // namespace

const char kNearSizes[] = R"(// A format that was the fastest on a device.
struct Known {
  const char *device;
  long long B[3], s, K;
};

// The format of this device whose sizes are nearest: none more than twice or less than half as large, those below 1
// equal; among them the least product of quotients, of the larger one by the smaller one. -1: there is none that was not
// tried.
inline int Nearest(const Known *known, const long long *sizes, int knowns, int count, const char *device,
                   const long long *wanted, const bool *tried) {
  int nearest = -1;
  double least = 0;
  for (int i = 0; i < knowns; ++i) {
    if (tried[i] || std::strcmp(known[i].device, device) != 0) continue;
    double distance = 1;
    bool near = true;
    for (int j = 0; j < count && near; ++j) {
      const long long size = sizes[i * (count > 0 ? count : 1) + j];
      if (size == wanted[j]) continue;
      near = size >= 1 && wanted[j] >= 1 && size <= 2 * wanted[j] && wanted[j] <= 2 * size;
      if (near) distance *= size < wanted[j] ? (double)wanted[j] / (double)size : (double)size / (double)wanted[j];
    }
    if (near && (nearest < 0 || distance < least)) {
      nearest = i;
      least = distance;
    }
  }
  return nearest;
}

)";

v1::CaseFormats FormatsOf(const ParametricKernel& kernel, const ParametricRegion& region,
                          const v1::CaseFormats& all) {
  v1::CaseFormats formats;
  for (const v1::CaseFormat& format : all.formats()) {
    const std::vector<std::string> sizes = SizesOf(region);
    const bool has_all = std::all_of(sizes.begin(), sizes.end(), [&](const std::string& size) {
      return ValueOf(format, size).has_value();
    });
    const bool valid = std::all_of(format.block().begin(), format.block().end(),
                                   [](int64_t threads) { return threads >= 1 && threads <= 1024; });
    if (format.kernel() == kernel.name && has_all && valid && kernel.axes > 0 &&
        format.block_size() == kernel.FormatDimensions())
      *formats.add_formats() = format;
  }
  return formats;
}

KnownFormatsText PrintKnownFormats(const ParametricKernel& kernel, const ParametricRegion& region,
                                   const v1::CaseFormats& formats, const std::string& threads) {
  if (formats.formats().empty()) return {};
  std::string rows, values;
  for (const v1::CaseFormat& format : formats.formats()) {
    std::vector<int64_t> block(format.block().begin(), format.block().end()), sizes;
    block.resize(3, 1);
    for (const std::string& size : SizesOf(region)) sizes.push_back(ValueOf(format, size).value_or(0));
    if (sizes.empty()) sizes.push_back(0);
    absl::StrAppend(&rows, "    {", Quoted(format.device()), ", {", absl::StrJoin(block, ", "), "}, ",
                    std::max<int64_t>(1, format.points()), ", ", std::max<int64_t>(1, format.strip()),
                    "},  // ", CommentWord(format.source()), "\n");
    absl::StrAppend(&values, "    {", absl::StrJoin(sizes, ", "), "},\n");
  }
  const int count = region.own_parameters;
  const auto replaced = [&](const char* text) {
    return absl::StrReplaceAll(text, {{"FUNCTION", kernel.function},
                                      {"ROWS", rows},
                                      {"VALUES", values},
                                      {"SIZES", absl::StrCat(std::max(1, count))},
                                      {"COUNT", absl::StrCat(count)},
                                      {"THREADS", threads}});
  };
  return {replaced(kTable), replaced(kChoice)};
}

}  // namespace tune
