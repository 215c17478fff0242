#include "worker/print/fill_text.h"

#include "absl/strings/str_join.h"

namespace tune {
namespace {

class FillPrinter {
 public:
  FillPrinter(const Fill& fill, IndexPrinter* indices)
      : fill_(fill), indices_(indices), q_(indices->names().element) {}

  void Print(const TileFill& part, const Tile& tile, const DeviceArray& array) {
    const int64_t elements = tile.Elements();
    if (part.unroll) lines_.push_back({0, true, "#pragma unroll"});
    Line(0, "for (int ", q_, " = ", fill_.lane, "; ", q_, " < ", elements, "; ", q_, " += ", fill_.threads,
         ") {");
    std::string local = indices_->PrintAccess(part.to).text;
    std::vector<CText> subscripts;
    std::vector<std::string> inside;
    int64_t below = elements;
    for (size_t i = 0; i < tile.extents.size(); ++i) {
      below /= tile.extents[i];
      const std::string digit = Digit(tile, i, below);
      const std::string index = absl::StrCat(q_, i);
      const CText offset = indices_->Print(part.first[i]);
      const CText place = digit == "0" ? offset : BinaryText("+", offset, {digit, CText::kMultiplicative});
      Line(1, "const ", indices_->index_type(), " ", index, " = ", place.text, ";");
      absl::StrAppend(&local, "[", digit, "]");
      subscripts.push_back({index});
      if (part.before[i]) inside.push_back(index + " >= 0");
      if (part.behind[i]) inside.push_back(absl::StrCat(index, " < ", array.extents[i]));
    }
    const std::string condition = absl::StrJoin(inside, " && ");
    const std::string element = indices_->PrintElement(tile.array, subscripts).text;
    if (condition.empty()) {
      Line(1, local, " = ", element, ";");
    } else if (fill_.zero_outside) {
      Line(1, local, " = ", condition, " ? ", element, " : 0;");
    } else {
      Line(1, "if (", condition, ") ", local, " = ", element, ";");
    }
    Line(0, "}");
  }

  std::vector<FillLine> lines() { return std::move(lines_); }

 private:
  // The element's index along a dimension, of which one step is `below` elements.
  std::string Digit(const Tile& tile, size_t dimension, int64_t below) const {
    if (tile.extents[dimension] == 1) return "0";
    std::string digit = below == 1 ? q_ : absl::StrCat(q_, " / ", below);
    if (dimension > 0) absl::StrAppend(&digit, " % ", tile.extents[dimension]);
    return digit;
  }

  template <typename... Parts>
  void Line(int indent, const Parts&... parts) {
    lines_.push_back({indent, false, absl::StrCat(parts...)});
  }

  const Fill& fill_;
  IndexPrinter* indices_;
  const std::string q_;
  std::vector<FillLine> lines_;
};

}  // namespace

std::vector<FillLine> FillLines(const Fill& fill, const DeviceKernel& kernel,
                                const std::vector<DeviceArray>& arrays, IndexPrinter* indices) {
  FillPrinter printer(fill, indices);
  for (const TileFill& part : fill.tiles) {
    const Tile& tile = *kernel.FindTile(part.to.array);
    for (const DeviceArray& array : arrays) {
      if (array.scop_name == tile.array) printer.Print(part, tile, array);
    }
  }
  return printer.lines();
}

}  // namespace tune
