#include "worker/print/product_printer.h"

#include <algorithm>

#include "absl/strings/str_replace.h"

namespace tune {
std::string ProductPrinter::Prefixed(const std::string& text) const {
  return absl::StrReplaceAll(text, {{"@", p_}});
}

void ProductPrinter::Line(const std::string& text) {
  absl::StrAppend(&text_, std::string(2 * indent_, ' '), Prefixed(text), "\n");
}

void ProductPrinter::Open(const std::string& text) {
  Line(text);
  ++indent_;
}

void ProductPrinter::Close(const std::string& text) {
  --indent_;
  Line(text);
}

void ProductPrinter::OpenMp(const std::string& text) {
  if (product_->parallel) absl::StrAppend(&text_, "#ifdef _OPENMP\n#pragma omp ", text, "\n#endif\n");
}

std::string ProductPrinter::First(const ProductLoop& loop) { return indices_->Print(loop.first).text; }

std::string ProductPrinter::End(const ProductLoop& loop) {
  const CText last = indices_->Print(loop.last);
  return loop.inclusive ? BinaryText("+", last, {"1"}).text : last.text;
}

std::string ProductPrinter::Target(const IndexExpression& row, const IndexExpression& column) {
  const ElementAccess& target = product_->instance.accesses[statement_->target()];
  const ElementAccess in_row = Replace(target, product_->row.iterator, row);
  return indices_->PrintAccess(Replace(in_row, product_->column.iterator, column)).text;
}

CText ProductPrinter::Packed(const v1::Expression& expression, int row, int vector) {
  const auto packed = packed_.find(NameOf(expression));
  if (packed != packed_.end()) {
    const bool is_row = packed->second[1] == 'a';
    return {Prefixed(is_row ? absl::StrCat(packed->second, "[", row, "]")
                            : absl::StrCat(packed->second, "_", vector))};
  }
  const v1::Operation& operation = expression.operation();
  const CText left = Packed(operation.operands(0), row, vector);
  if (operation.operands_size() == 1) return UnaryText(operation.op(), left);
  return BinaryText(operation.op(), left, Packed(operation.operands(1), row, vector));
}

// A row of a tile takes two registers; of the others, columns take two a term, and the row's own terms two.
ProductPrinter::Rows ProductPrinter::FindRows() const {
  const ProductBlocks& blocks = product_->blocks;
  if (blocks.tile_rows > 0) return {blocks.tile_rows, blocks.tile_rows};
  const int vectors = blocks.tile_vectors;
  const auto rows = [&](int registers) {
    return (registers - vectors * static_cast<int>(terms_.columns.size()) - 2) / vectors;
  };
  return {rows(16), rows(32)};
}

// The number of rows, as text for C.
std::string ProductPrinter::TileRows() const {
  return rows_.least == rows_.most ? absl::StrCat(rows_.least) : "@tile";
}

void ProductPrinter::ForRows(const std::function<void(int row)>& print) {
  for (int row = 0; row < rows_.most; ++row) {
    if (row == rows_.least) absl::StrAppend(&text_, "#if ", Prefixed("@tile"), " > ", rows_.least, "\n");
    print(row);
  }
  if (rows_.most > rows_.least) text_ += "#endif\n";
}

// As wide as the machine that is compiled for has them.
void ProductPrinter::PrintVectorType() {
  if (rows_.most > rows_.least) {
    absl::StrAppend(&text_, "#if defined(__AVX512F__) || defined(__aarch64__) || defined(__VSX__)\n",
                    Prefixed("#define @tile "), rows_.most, "\n#else\n", Prefixed("#define @tile "),
                    rows_.least, "\n#endif\n");
  }
  text_ += "#if defined(__AVX512F__)\n";
  Line("enum { @bytes = 64 };");
  text_ += "#elif defined(__AVX__)\n";
  Line("enum { @bytes = 32 };");
  text_ += "#else\n";
  Line("enum { @bytes = 16 };");
  text_ += "#endif\n";
  Line(absl::StrCat("typedef ", element_, " @vector __attribute__((vector_size(@bytes), aligned(sizeof(",
                    element_, ")), may_alias));"));
  Line(absl::StrCat("enum { @lanes = @bytes / (int)sizeof(", element_,
                    "), @width = ", product_->blocks.tile_vectors,
                    " * @lanes, @across = ", product_->blocks.j_block, " > @width ? ",
                    product_->blocks.j_block, " / @width : 1, @down = ", product_->blocks.i_block, " > ",
                    TileRows(), " ? ", product_->blocks.i_block, " / ", TileRows(), " : 1 };"));
}

// Where rows have bounds of their own, those of all that have columns.
void ProductPrinter::PrintBounds() {
  Line(absl::StrCat("const ", type_, " @k_first = ", First(product_->sum), ", @k_end = ", End(product_->sum),
                    ";"));
  const char* constant = product_->triangular ? "" : "const ";
  Line(absl::StrCat(constant, type_, " @i_first = ", First(product_->row), ", @i_end = ", End(product_->row),
                    ";"));
  if (!product_->triangular) {
    return Line(absl::StrCat("const ", type_, " @j_first = ", First(product_->column),
                             ", @j_end = ", End(product_->column), ";"));
  }
  const std::string& i = product_->row.iterator;
  Line(absl::StrCat(type_, " @j_first = 0, @j_end = 0, @i_last = @i_first;"));
  Open(absl::StrCat("for (", type_, " ", i, " = @i_end - 1; ", i, " >= @i_first; --", i, ") {"));
  Line(absl::StrCat("const ", type_, " @low = ", First(product_->column), ", @high = ", End(product_->column),
                    ";"));
  Line("if (@low >= @high) continue;");
  Line(absl::StrCat("if (@j_first == @j_end) { @j_first = @low; @j_end = @high; @i_last = ", i, " + 1; }"));
  Line("if (@low < @j_first) @j_first = @low;");
  Line("if (@high > @j_end) @j_end = @high;");
  Close();
  Line("@i_end = @i_last;");
  Line("while (@i_first < @i_end) {");
  ++indent_;
  Line(absl::StrCat("const ", type_, " ", i, " = @i_first;"));
  Line(absl::StrCat("if (",
                    BinaryText("<", {First(product_->column), CText::kConditional},
                               {End(product_->column), CText::kConditional})
                        .text,
                    ") break;"));
  Line("++@i_first;");
  Close();
}

void ProductPrinter::PrintMemory() {
  const std::string rows = TileRows();
  Line(absl::StrCat("const long @rows = @i_first < @i_end ? ((long)@i_end - @i_first + ", rows, " - 1) / ",
                    rows, " : 0;"));
  Line("const long @columns = @j_first < @j_end ? ((long)@j_end - @j_first + @width - 1) / @width : 0;");
  Line(absl::StrCat("const long @depth = (long)@k_end - @k_first < ", product_->blocks.k_block,
                    " ? (long)@k_end - @k_first : ", product_->blocks.k_block, ";"));
  Line(absl::StrCat("const long @a_size = @depth > 0 ? @rows * ", rows,
                    " * @depth : 0, @b_size = @depth > 0 ? @columns * @width * @depth : 0;"));
  Line(absl::StrCat("void *const @memory = __builtin_malloc((", terms_.rows.size(), " * @a_size + ",
                    terms_.columns.size(), " * @b_size) * sizeof(", element_, ") + 64);"));
}

// One packed panel holds what a tile's rows, or columns, need of a block of the sum, in the order of use.
void ProductPrinter::PrintPacking(bool columns) {
  const std::vector<const v1::Expression*>& terms = columns ? terms_.columns : terms_.rows;
  const ProductLoop& across = columns ? product_->column : product_->row;
  const std::string panel = columns ? "@q" : "@p";
  const std::string width = columns ? "@width" : TileRows();
  const std::string& k = product_->sum.iterator;
  // Reads go along the rows of the memory.
  const bool sum_inside = std::any_of(terms.begin(), terms.end(), [&](const v1::Expression* term) {
    const v1::Expression* leaf = term;
    while (leaf->kind_case() == v1::Expression::kOperation)
      leaf = &leaf->operation().operands(leaf->operation().operands_size() - 1);
    if (leaf->kind_case() != v1::Expression::kAccess) return false;
    const ElementAccess& access = product_->instance.accesses[leaf->access()];
    return !access.subscripts.empty() && Mentions(access.subscripts.back(), k);
  });
  OpenMp(columns ? "for" : "for nowait");
  Open(absl::StrCat("for (long ", panel, " = 0; ", panel, " < ", columns ? "@columns" : "@rows", "; ++",
                    panel, ") {"));
  const std::string sum_loop =
      absl::StrCat("for (", type_, " ", k, " = @k_block; ", k, " < @k_stop; ++", k, ") {");
  const std::string across_loop = absl::StrCat("for (int @x = 0; @x < ", width, "; ++@x) {");
  Open(sum_inside ? across_loop : sum_loop);
  Open(sum_inside ? sum_loop : across_loop);
  const char* start = columns ? "@j_first" : "@i_first";
  const char* end = columns ? "@j_end" : "@i_end";
  Line(absl::StrCat("const ", type_, " ", across.iterator, " = (", type_, ")(", start, " + ", panel, " * ",
                    width, " + @x);"));
  for (size_t t = 0; t < terms.size(); ++t) {
    const CText value = statements_->Value(product_->instance, *terms[t]);
    Line(absl::StrCat(columns ? "@b" : "@a", "[", t, " * ", columns ? "@b_size" : "@a_size", " + (", panel,
                      " * @depth + (", k, " - @k_block)) * ", width, " + @x] = ", across.iterator, " < ", end,
                      " ? ", value.text, " : 0;"));
  }
  Close();
  Close();
  Close();
}

// Elements of a tile that is not full, each row's within its bounds, to and from `@part`.
void ProductPrinter::PrintPartial(bool store) {
  Open(absl::StrCat("if (!@full) for (int @r = 0; @r < ", TileRows(), "; ++@r) {"));
  const std::string element = Target(Own("i") + Own("r"), Own("j") + Own("x"));
  if (store) {
    Line(absl::StrCat("for (long @x = @low[@r]; @x < @high[@r]; ++@x) ", element,
                      " = @part[@r * @width + @x];"));
  } else {
    Line(
        absl::StrCat("for (long @x = 0; @x < @width; ++@x) @part[@r * @width + @x] = @x >= @low[@r] && @x < "
                     "@high[@r] ? ",
                     element, " : 0;"));
  }
  Close();
}

void ProductPrinter::PrintTile() {
  const int vectors = product_->blocks.tile_vectors;
  const std::string rows = TileRows();
  const ProductTerms& terms = terms_;
  Line(absl::StrCat("const ", type_, " @i = (", type_, ")(@i_first + @p * ", rows, "), @j = (", type_,
                    ")(@j_first + @q * @width);"));
  Line(absl::StrCat("long @low[", rows, "], @high[", rows, "];"));
  Line("int @full = 1, @some = 0;");
  Open(absl::StrCat("for (int @r = 0; @r < ", rows, "; ++@r) {"));
  Line(absl::StrCat("const ", type_, " ", product_->row.iterator, " = @i + @r;"));
  Line("@low[@r] = @high[@r] = 0;");
  Open(absl::StrCat("if (", product_->row.iterator, " < @i_end) {"));
  Line(absl::StrCat("@low[@r] = (long)(", First(product_->column), ") - @j;"));
  Line(absl::StrCat("@high[@r] = (long)(", End(product_->column), ") - @j;"));
  Line("if (@low[@r] < 0) @low[@r] = 0;");
  Line("if (@high[@r] > @width) @high[@r] = @width;");
  Close();
  Line("@full = @full && @low[@r] == 0 && @high[@r] == @width;");
  Line("@some = @some || @low[@r] < @high[@r];");
  Close();
  Line("if (!@some) continue;");
  Line(absl::StrCat(element_, " @part[", rows, " * @width];"));
  PrintPartial(/*store=*/false);
  ForRows([&](int r) {
    Line(absl::StrCat(element_, " *const @c", r, " = @full ? &",
                      Target(Own("i") + IndexExpression::Constant(r), Own("j")), " : @part + ", r,
                      " * @width;"));
    for (int v = 0; v < vectors; ++v)
      Line(absl::StrCat("@vector @c", r, "_", v, " = *(const @vector *)(@c", r, " + ", v, " * @lanes);"));
  });
  std::string steps;
  for (size_t t = 0; t < terms.rows.size(); ++t) {
    Line(
        absl::StrCat("const ", element_, " *@a", t, " = @a + ", t, " * @a_size + @p * @depth * ", rows, ";"));
    absl::StrAppend(&steps, ", @a", t, " += ", rows);
  }
  for (size_t t = 0; t < terms.columns.size(); ++t) {
    Line(absl::StrCat("const ", element_, " *@b", t, " = @b + ", t, " * @b_size + @q * @depth * @width;"));
    absl::StrAppend(&steps, ", @b", t, " += @width");
  }
  text_ += "#pragma GCC unroll 1\n";
  Open(absl::StrCat("for (", type_, " @k = @k_block; @k < @k_stop; ++@k", steps, ") {"));
  for (size_t t = 0; t < terms.columns.size(); ++t) {
    for (int v = 0; v < vectors; ++v)
      Line(absl::StrCat("const @vector @b", t, "_", v, " = *(const @vector *)(@b", t, " + ", v,
                        " * @lanes);"));
  }
  ForRows([&](int r) {
    for (int v = 0; v < vectors; ++v) {
      Line(absl::StrCat("@c", r, "_", v, terms.subtracted ? " -= " : " += ", Packed(*terms.value, r, v).text,
                        ";"));
    }
  });
  Close();
  ForRows([&](int r) {
    for (int v = 0; v < vectors; ++v)
      Line(absl::StrCat("*(@vector *)(@c", r, " + ", v, " * @lanes) = @c", r, "_", v, ";"));
  });
  PrintPartial(/*store=*/true);
}

std::string ProductPrinter::Print(const Product& product, const std::string& threads) {
  product_ = &product;
  statement_ = &statements_->statement(product.instance);
  terms_ = FindProductTerms(product, *statement_).value();
  element_ = statement_->value().c_type();
  packed_.clear();
  text_.clear();
  for (size_t t = 0; t < terms_.rows.size(); ++t) packed_[NameOf(*terms_.rows[t])] = absl::StrCat("@a", t);
  for (size_t t = 0; t < terms_.columns.size(); ++t)
    packed_[NameOf(*terms_.columns[t])] = absl::StrCat("@b", t);
  rows_ = FindRows();

  text_ += "#if defined(__GNUC__)\n";
  PrintVectorType();
  PrintBounds();
  PrintMemory();
  Open("if (@memory) {");
  Line(absl::StrCat(element_, " *const @a = (", element_,
                    " *)(((__UINTPTR_TYPE__)@memory + 63) & ~(__UINTPTR_TYPE__)63), *const @b = @a + ",
                    terms_.rows.size(), " * @a_size;"));
  OpenMp(absl::StrCat("parallel", threads));
  Open(absl::StrCat("for (", type_,
                    " @k_block = @k_first; @k_block < @k_end; @k_block += ", product.blocks.k_block, ") {"));
  Line(absl::StrCat("const ", type_, " @k_stop = @k_end - @k_block < ", product.blocks.k_block,
                    " ? @k_end : @k_block + ", product.blocks.k_block, ";"));
  PrintPacking(/*columns=*/false);
  PrintPacking(/*columns=*/true);
  OpenMp("for collapse(2) schedule(dynamic)");
  Open("for (long @i_block = 0; @i_block < @rows; @i_block += @down)");
  Open("for (long @j_block = 0; @j_block < @columns; @j_block += @across)");
  Open("for (long @q = @j_block; @q < @j_block + @across && @q < @columns; ++@q)");
  Open("for (long @p = @i_block; @p < @i_block + @down && @p < @rows; ++@p) {");
  PrintTile();
  Close();
  indent_ -= 3;
  Close();
  Line("__builtin_free(@memory);");
  Close("} else");
  if (rows_.most > rows_.least) text_ += Prefixed("#undef @tile\n");
  text_ += "#endif\n";
  return text_;
}

}  // namespace tune
