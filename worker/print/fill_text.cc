#include "worker/print/fill_text.h"

#include "absl/strings/str_join.h"

namespace tune {
namespace {

class FillPrinter {
 public:
  FillPrinter(const Fill& fill, IndexPrinter* indices)
      : fill_(fill), indices_(indices), q_(indices->names().element) {}

  void Print(const TileFill& part, const Tile& tile, const DeviceArray& array) {
    const int64_t pieces = tile.Elements() / part.width;
    if (part.unroll) lines_.push_back({0, true, "#pragma unroll"});
    Line(0, "for (int ", q_, " = ", fill_.lane, "; ", q_, " < ", pieces, "; ", q_, " += ", fill_.threads,
         ") {");
    std::vector<std::string> digits(tile.extents.size());  // of the tile's dimensions
    std::vector<CText> subscripts;
    std::vector<std::string> inside;
    int64_t below = pieces;
    for (size_t i = 0; i < tile.extents.size(); ++i) {
      const bool last = i + 1 == tile.extents.size();
      const size_t of_tile = tile.OtherDimension(i);
      const int64_t extent = last ? tile.extents[of_tile] / part.width : tile.extents[of_tile];
      below /= extent;
      const std::string& digit = digits[of_tile] = Digit(extent, i, below, last ? part.width : 1);
      const std::string index = absl::StrCat(q_, i);
      const CText offset = indices_->Print(part.first[i]);
      const CText place = digit == "0" ? offset : BinaryText("+", offset, {digit, CText::kMultiplicative});
      Line(1, "const ", indices_->index_type(), " ", index, " = ", place.text, ";");
      subscripts.push_back({index});
      if (part.before[i]) inside.push_back(index + " >= 0");
      if (part.behind[i]) inside.push_back(absl::StrCat(index, " < ", array.extents[i]));
    }
    std::string local = indices_->PrintAccess(part.to).text;
    for (const std::string& digit : digits) absl::StrAppend(&local, "[", digit, "]");
    const Words words = WordsOf(part, tile);
    PrintCopy(part, words, local, indices_->PrintElement(tile.array, subscripts).text,
              absl::StrJoin(inside, " && "));
    Line(0, "}");
  }

  std::vector<FillLine> lines() { return std::move(lines_); }

 private:
  // What is copied at once: elements, or words of so many bytes that hold several.
  struct Words {
    int64_t bytes = 0;
    std::string type;  // empty: elements
    std::string zero;
  };
  static Words WordsOf(const TileFill& part, const Tile& tile) {
    const int64_t bytes = BytesAtOnce(part, tile);
    if (part.width == 1) return {bytes, "", "0"};
    if (bytes == 16) return {bytes, "int4", "make_int4(0, 0, 0, 0)"};
    if (bytes == 8) return {bytes, "int2", "make_int2(0, 0)"};
    return {bytes, bytes == 4 ? "int" : "short", "0"};
  }

  // From `element` to `local`, if it is `inside`, which is empty where it always is.
  void PrintCopy(const TileFill& part, const Words& words, const std::string& local,
                 const std::string& element, const std::string& inside) {
    const auto word = [&](const std::string& of, const char* qualifier) {
      return words.type.empty() ? of : absl::StrCat("*(", qualifier, words.type, " *)&", of);
    };
    const std::string to = word(local, "");
    if (part.asynchronous) {
      const std::string copy =
          absl::StrCat(indices_->names().fill, "_", words.bytes, "(&", local, ", &", element, ");");
      if (inside.empty()) return Line(1, copy);
      Line(1, "if (", inside, ") {");
      Line(2, copy);
      if (fill_.zero_outside) {
        Line(1, "} else {");
        Line(2, to, " = ", words.zero, ";");
      }
      return Line(1, "}");
    }
    const std::string from = word(element, "const ");
    if (inside.empty()) {
      Line(1, to, " = ", from, ";");
    } else if (fill_.zero_outside) {
      Line(1, to, " = ", inside, " ? ", from, " : ", words.zero, ";");
    } else {
      Line(1, "if (", inside, ") ", to, " = ", from, ";");
    }
  }

  // The index of a piece of `width` elements along a dimension of so many pieces, of which one step is
  // `below` pieces.
  std::string Digit(int64_t extent, size_t dimension, int64_t below, int64_t width) const {
    if (extent == 1) return "0";
    std::string digit = below == 1 ? q_ : absl::StrCat(q_, " / ", below);
    if (dimension > 0) absl::StrAppend(&digit, " % ", extent);
    if (width > 1) absl::StrAppend(&digit, " * ", width);
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
