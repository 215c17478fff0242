#include "worker/print/block_reduction.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"
#include "common/mapping/cuda_limits.h"

namespace tune {
namespace {

constexpr const char* kAxes[] = {".x", ".y", ".z"};

class BlockReductionPrinter {
 public:
  explicit BlockReductionPrinter(const BlockReductionText& reduction)
      : reduction_(reduction),
        type_(ElementCType(reduction.type)),
        lanes_(reduction.threads[reduction.axis]),
        scratch_(reduction.helper + "_scratch"),
        other_(reduction.helper + "_other") {}

  std::vector<std::string> Print() {
    if (lanes_ == 1) return {};  // blocks alone share it
    std::string value = reduction_.tile;
    Line("{");
    const bool shared = Slots() > 1;
    if (shared) Line("  __shared__ ", type_, " ", scratch_, "[", Places() * Slots(), "];");
    for (size_t i = 0; i < reduction_.extents.size(); ++i) {
      const std::string index = absl::StrCat(reduction_.helper, "_p", i);
      Line("#pragma unroll");
      Line("for (int ", index, " = 0; ", index, " < ", reduction_.extents[i], "; ++", index, ") {");
      absl::StrAppend(&value, "[", index, "]");
    }
    if (InWarp() > 1) PrintShuffles(value);
    if (shared) PrintScratch(value);
    for (size_t i = 0; i < reduction_.extents.size(); ++i) Line("}");
    Line("}");
    return std::move(lines_);
  }

 private:
  template <typename... Parts>
  void Line(const Parts&... parts) {
    lines_.push_back(absl::StrCat(parts...));
  }

  std::string ThreadIndex(size_t axis) const { return reduction_.thread_index + kAxes[axis]; }

  // Threads along the other axes.
  int64_t Places() const {
    return reduction_.threads[0] * reduction_.threads[1] * reduction_.threads[2] / lanes_;
  }
  // Numbers of threads between neighbours along the axis.
  int64_t Stride() const {
    int64_t stride = 1;
    for (size_t axis = 0; axis < reduction_.axis; ++axis) stride *= reduction_.threads[axis];
    return stride;
  }
  // Lanes of a place that stand in one warp.
  int64_t InWarp() const { return std::clamp<int64_t>(kWarp / Stride(), 1, lanes_); }
  // Values of a place that meet in shared memory: one of each warp.
  int64_t Slots() const { return lanes_ / InWarp(); }

  // Number of the thread's place; nothing when there is one.
  std::string PlaceText() const {
    std::string text;
    int64_t stride = 1;
    for (size_t axis = 0; axis < 3; ++axis) {
      if (axis == reduction_.axis || reduction_.threads[axis] == 1) continue;
      absl::StrAppend(&text, text.empty() ? "" : " + ",
                      stride > 1 ? absl::StrCat(stride, " * ") : std::string(), ThreadIndex(axis));
      stride *= reduction_.threads[axis];
    }
    return text;
  }

  // Lanes of a place stand `Stride()` apart in a warp: after the last step each has all of its warp's share.
  void PrintShuffles(const std::string& value) {
    const int64_t all = reduction_.threads[0] * reduction_.threads[1] * reduction_.threads[2];
    const std::string mask = all < kWarp ? absl::StrCat((int64_t{1} << all) - 1, "u") : "0xffffffffu";
    const std::string distance = reduction_.helper + "_distance";
    Line("#pragma unroll");
    Line("  for (int ", distance, " = ", Stride() * InWarp() / 2, "; ", distance, " > ", Stride() / 2, "; ",
         distance, " /= 2) {");
    Line("    const ", type_, " ", other_, " = ", reduction_.exchange, "(", mask, ", ", value, ", ", distance,
         ");");
    Line("    ", CombineText(reduction_.update, value, other_));
    Line("  }");
  }

  // One value of each warp into shared memory; the first thread of the place reads them.
  void PrintScratch(const std::string& value) {
    const std::string place = PlaceText();
    const std::string lane = ThreadIndex(reduction_.axis);
    const bool warps = InWarp() > 1;
    const auto element = [&](const std::string& number) {
      return place.empty() ? absl::StrCat(scratch_, "[", number, "]")
                           : absl::StrCat(scratch_, "[", place, " + ", Places(), " * ", number, "]");
    };
    const std::string own = !warps          ? lane
                            : place.empty() ? absl::StrCat(lane, " / ", InWarp())
                                            : absl::StrCat("(", lane, " / ", InWarp(), ")");
    Line("  __syncthreads();");
    Line("  ", warps ? absl::StrCat("if (", lane, " % ", InWarp(), " == 0) ") : std::string(), element(own),
         " = ", value, ";");
    Line("  __syncthreads();");
    Line("  if (", lane, " == 0) {");
    const std::string number = reduction_.helper + "_n";
    Line("#pragma unroll");
    Line("    for (int ", number, " = 1; ", number, " < ", Slots(), "; ++", number, ") {");
    Line("      const ", type_, " ", other_, " = ", element(number), ";");
    Line("      ", CombineText(reduction_.update, value, other_));
    Line("    }");
    Line("  }");
  }

  const BlockReductionText& reduction_;
  const std::string type_;
  const int64_t lanes_;  // that share a reduction
  const std::string scratch_, other_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string CombineText(v1::UpdateOperator update, const std::string& a, const std::string& b) {
  switch (update) {
    case v1::ADD:
      return absl::StrCat(a, " += ", b, ";");
    case v1::MULTIPLY:
      return absl::StrCat(a, " *= ", b, ";");
    default:
      return absl::StrCat(a, " = ", b, update == v1::MIN ? " < " : " > ", a, " ? ", b, " : ", a, ";");
  }
}

std::string IdentityText(v1::UpdateOperator update, v1::ElementType type) {
  const char* const number = update == v1::ADD ? "0" : "1";
  if (IsComplex(type)) return absl::StrCat("{", number, "}");
  if (update == v1::ADD || update == v1::MULTIPLY) return number;
  const bool least = update == v1::MAX;
  switch (type) {
    case v1::ELEMENT_TYPE_FLOAT:
      return absl::StrCat(least ? "-" : "", "__int_as_float(0x7f800000)");
    case v1::ELEMENT_TYPE_DOUBLE:
      return absl::StrCat(least ? "-" : "", "__longlong_as_double(0x7ff0000000000000LL)");
    case v1::ELEMENT_TYPE_INT:
      return least ? "-2147483647 - 1" : "2147483647";
    case v1::ELEMENT_TYPE_LONG:
      return least ? "-9223372036854775807L - 1" : "9223372036854775807L";
    case v1::ELEMENT_TYPE_UNSIGNED_INT:
      return least ? "0" : "4294967295u";
    default:
      return least ? "0" : "18446744073709551615UL";
  }
}

std::vector<std::string> BlockReductionLines(const BlockReductionText& reduction) {
  return BlockReductionPrinter(reduction).Print();
}

}  // namespace tune
