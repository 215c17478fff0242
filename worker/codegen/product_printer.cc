#include "worker/codegen/product_printer.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_replace.h"

namespace tune {
namespace {

void CollectNames(const isl::ast_expr& expression, std::set<std::string>& names) {
  if (expression.isa<isl::ast_expr_id>()) names.insert(expression.as<isl::ast_expr_id>().id().name());
  if (!expression.isa<isl::ast_expr_op>()) return;
  const auto operation = expression.as<isl::ast_expr_op>();
  for (unsigned i = 0; i < operation.n_arg(); ++i) CollectNames(operation.arg(i), names);
}

bool Has(const isl::ast_expr& expression, const std::string& name) {
  std::set<std::string> names;
  CollectNames(expression, names);
  return names.count(name) > 0;
}

// Whether it grows by one with the iterator.
bool HasUnitStep(const isl::ast_expr& expression, const std::string& iterator) {
  if (expression.isa<isl::ast_expr_id>()) return expression.as<isl::ast_expr_id>().id().name() == iterator;
  if (!expression.isa<isl::ast_expr_op>()) return false;
  const auto operation = expression.as<isl::ast_expr_op>();
  const isl_ast_expr_op_type type = isl_ast_expr_op_get_type(operation.get());
  if ((type != isl_ast_expr_op_add && type != isl_ast_expr_op_sub) || operation.n_arg() != 2) return false;
  const isl::ast_expr left = operation.arg(0), right = operation.arg(1);
  if (HasUnitStep(left, iterator)) return !Has(right, iterator);
  return type == isl_ast_expr_op_add && !Has(left, iterator) && HasUnitStep(right, iterator);
}

std::optional<ProductLoop> LoopOf(const isl::ast_node& node) {
  if (!node.isa<isl::ast_node_for>()) return std::nullopt;
  const auto loop = node.as<isl::ast_node_for>();
  if (loop.is_degenerate() || !loop.inc().isa<isl::ast_expr_int>() ||
      !loop.inc().as<isl::ast_expr_int>().val().is_one()) {
    return std::nullopt;
  }
  ProductLoop found;
  found.iterator = loop.iterator().as<isl::ast_expr_id>().id().name();
  found.first = loop.init();
  const auto condition = loop.cond().as<isl::ast_expr_op>();
  const isl_ast_expr_op_type type = isl_ast_expr_op_get_type(condition.get());
  if (type != isl_ast_expr_op_lt && type != isl_ast_expr_op_le) return std::nullopt;
  const isl::ast_expr compared = condition.arg(0);
  if (!compared.isa<isl::ast_expr_id>() || compared.as<isl::ast_expr_id>().id().name() != found.iterator) {
    return std::nullopt;
  }
  found.inclusive = type == isl_ast_expr_op_le;
  found.last = condition.arg(1);
  return found;
}

bool DependsOn(const ProductLoop& loop, const std::string& iterator) {
  return Has(loop.first, iterator) || Has(loop.last, iterator);
}

// The target's elements of a row are neighbours, and the sum's loop stays at one of them.
bool FitsTarget(const ProductLoops& loops) {
  const StatementInstance& instance = *loops.instance;
  const auto target = instance.accesses[instance.statement->proto->target()].as<isl::ast_expr_op>();
  const unsigned last = target.n_arg() - 1;
  if (last < 2) return false;
  for (unsigned i = 1; i < last; ++i) {
    if (Has(target.arg(i), loops.column.iterator)) return false;
  }
  return !Has(target, loops.sum.iterator) && HasUnitStep(target.arg(last), loops.column.iterator);
}

// Equal for equal terms of the instance.
std::string TermName(const StatementInstance& instance, const v1::Expression& term) {
  switch (term.kind_case()) {
    case v1::Expression::kAccess:
      return isl::manage(isl_ast_expr_copy(instance.accesses[term.access()].get())).to_C_str();
    case v1::Expression::kAffine:
      return absl::StrCat(term.c_type(), " ", instance.affine.at(&term).to_C_str());
    case v1::Expression::kOperation: {
      std::string name = absl::StrCat("(", term.operation().op());
      for (const v1::Expression& operand : term.operation().operands())
        absl::StrAppend(&name, " ", TermName(instance, operand));
      return name + ")";
    }
    case v1::Expression::kCall: {
      std::string name = absl::StrCat("(", term.call().function());
      for (const v1::Expression& argument : term.call().arguments())
        absl::StrAppend(&name, " ", TermName(instance, argument));
      return name + ")";
    }
    case v1::Expression::kCast:
      return absl::StrCat("(", term.cast().c_type(), ")", TermName(instance, term.cast().operand()));
    default:
      return term.literal();
  }
}

}  // namespace

std::optional<ProductLoops> FindProductLoops(const isl::ast_node& node, const BlockAst& ast) {
  ProductLoops loops;
  isl::ast_node inside = node;
  for (ProductLoop* loop : {&loops.sum, &loops.row, &loops.column}) {
    const std::optional<ProductLoop> found = LoopOf(inside);
    if (!found) return std::nullopt;
    *loop = *found;
    inside = inside.as<isl::ast_node_for>().body();
  }
  if (!inside.isa<isl::ast_node_user>()) return std::nullopt;
  loops.instance = &ast.instance(inside.as<isl::ast_node_user>());
  if (loops.instance->statement == nullptr || loops.instance->statement->proto->update() != v1::ADD)
    return std::nullopt;
  if (DependsOn(loops.row, loops.sum.iterator) || DependsOn(loops.column, loops.sum.iterator))
    return std::nullopt;
  loops.triangular = DependsOn(loops.column, loops.row.iterator);
  if (!FitsTarget(loops)) return std::nullopt;
  const auto uses = [&](const v1::Expression& leaf) {
    const isl::ast_expr& value = leaf.kind_case() == v1::Expression::kAccess
                                     ? loops.instance->accesses[leaf.access()]
                                     : loops.instance->affine.at(&leaf);
    return (Has(value, loops.row.iterator) ? kUsesRow : 0) |
           (Has(value, loops.column.iterator) ? kUsesColumn : 0) |
           (Has(value, loops.sum.iterator) ? kUsesSum : 0);
  };
  const auto name = [&](const v1::Expression& term) { return TermName(*loops.instance, term); };
  const v1::Expression& value = loops.instance->statement->proto->value();
  const std::optional<ProductTerms> terms = SplitProduct(value, value.c_type(), uses, name);
  if (!terms) return std::nullopt;
  loops.terms = *terms;
  return loops;
}

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
  if (mark_.parallel) absl::StrAppend(&text_, "#ifdef _OPENMP\n#pragma omp ", text, "\n#endif\n");
}

std::string ProductPrinter::First(const ProductLoop& loop) { return expressions_->Print(loop.first).text; }

std::string ProductPrinter::End(const ProductLoop& loop) {
  const CText last = expressions_->Print(loop.last);
  return loop.inclusive ? BinaryText("+", last, {"1"}).text : last.text;
}

std::string ProductPrinter::Target(const std::string& row, const std::string& column) {
  expressions_->SetIterator(loops_->row.iterator, {Prefixed(row), CText::kAdditive});
  expressions_->SetIterator(loops_->column.iterator, {Prefixed(column), CText::kAdditive});
  const StatementInstance& instance = *loops_->instance;
  const std::string text =
      expressions_->PrintAccess(instance.accesses[instance.statement->proto->target()]).text;
  expressions_->ReleaseIterator(loops_->row.iterator);
  expressions_->ReleaseIterator(loops_->column.iterator);
  return text;
}

CText ProductPrinter::Packed(const v1::Expression& expression, int row, int vector) {
  const auto packed = packed_.find(TermName(*loops_->instance, expression));
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
ProductPrinter::Rows ProductPrinter::RowsOf(const ProductMark& mark, const ProductTerms& terms) {
  if (mark.plan.tile_rows > 0) return {mark.plan.tile_rows, mark.plan.tile_rows};
  const int vectors = mark.plan.tile_vectors;
  const auto rows = [&](int registers) {
    return (registers - vectors * static_cast<int>(terms.columns.size()) - 2) / vectors;
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
                    "), @width = ", mark_.plan.tile_vectors, " * @lanes, @across = ", mark_.plan.j_block,
                    " > @width ? ", mark_.plan.j_block, " / @width : 1, @down = ", mark_.plan.i_block, " > ",
                    TileRows(), " ? ", mark_.plan.i_block, " / ", TileRows(), " : 1 };"));
}

// Where rows have bounds of their own, those of all that have columns.
void ProductPrinter::PrintBounds() {
  Line(absl::StrCat("const ", type_, " @k_first = ", First(loops_->sum), ", @k_end = ", End(loops_->sum),
                    ";"));
  const char* constant = loops_->triangular ? "" : "const ";
  Line(absl::StrCat(constant, type_, " @i_first = ", First(loops_->row), ", @i_end = ", End(loops_->row),
                    ";"));
  if (!loops_->triangular) {
    return Line(absl::StrCat("const ", type_, " @j_first = ", First(loops_->column),
                             ", @j_end = ", End(loops_->column), ";"));
  }
  const std::string& i = loops_->row.iterator;
  Line(absl::StrCat(type_, " @j_first = 0, @j_end = 0, @i_last = @i_first;"));
  Open(absl::StrCat("for (", type_, " ", i, " = @i_end - 1; ", i, " >= @i_first; --", i, ") {"));
  Line(absl::StrCat("const ", type_, " @low = ", First(loops_->column), ", @high = ", End(loops_->column),
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
                    BinaryText("<", {First(loops_->column), CText::kConditional},
                               {End(loops_->column), CText::kConditional})
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
  Line(absl::StrCat("const long @depth = (long)@k_end - @k_first < ", mark_.plan.k_block,
                    " ? (long)@k_end - @k_first : ", mark_.plan.k_block, ";"));
  Line(absl::StrCat("const long @a_size = @depth > 0 ? @rows * ", rows,
                    " * @depth : 0, @b_size = @depth > 0 ? @columns * @width * @depth : 0;"));
  Line(absl::StrCat("void *const @memory = __builtin_malloc((", loops_->terms.rows.size(), " * @a_size + ",
                    loops_->terms.columns.size(), " * @b_size) * sizeof(", element_, ") + 64);"));
}

// One packed panel holds what a tile's rows, or columns, need of a block of the sum, in the order of use.
void ProductPrinter::PrintPacking(bool columns) {
  const std::vector<const v1::Expression*>& terms = columns ? loops_->terms.columns : loops_->terms.rows;
  const ProductLoop& across = columns ? loops_->column : loops_->row;
  const std::string panel = columns ? "@q" : "@p";
  const std::string width = columns ? "@width" : TileRows();
  const std::string& k = loops_->sum.iterator;
  // Reads go along the rows of the memory.
  const bool sum_inside = std::any_of(terms.begin(), terms.end(), [&](const v1::Expression* term) {
    const v1::Expression* leaf = term;
    while (leaf->kind_case() == v1::Expression::kOperation)
      leaf = &leaf->operation().operands(leaf->operation().operands_size() - 1);
    if (leaf->kind_case() != v1::Expression::kAccess) return false;
    const auto access = loops_->instance->accesses[leaf->access()].as<isl::ast_expr_op>();
    return access.n_arg() > 1 && Has(access.arg(access.n_arg() - 1), k);
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
    const CText value = statements_->Value(*loops_->instance, *terms[t]);
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
  const std::string element = Target("@i + @r", "@j + @x");
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
  const int vectors = mark_.plan.tile_vectors;
  const std::string rows = TileRows();
  const ProductTerms& terms = loops_->terms;
  Line(absl::StrCat("const ", type_, " @i = (", type_, ")(@i_first + @p * ", rows, "), @j = (", type_,
                    ")(@j_first + @q * @width);"));
  Line(absl::StrCat("long @low[", rows, "], @high[", rows, "];"));
  Line("int @full = 1, @some = 0;");
  Open(absl::StrCat("for (int @r = 0; @r < ", rows, "; ++@r) {"));
  Line(absl::StrCat("const ", type_, " ", loops_->row.iterator, " = @i + @r;"));
  Line("@low[@r] = @high[@r] = 0;");
  Open(absl::StrCat("if (", loops_->row.iterator, " < @i_end) {"));
  Line(absl::StrCat("@low[@r] = (long)(", First(loops_->column), ") - @j;"));
  Line(absl::StrCat("@high[@r] = (long)(", End(loops_->column), ") - @j;"));
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
    Line(absl::StrCat(element_, " *const @c", r, " = @full ? &", Target(absl::StrCat("@i + ", r), "@j"),
                      " : @part + ", r, " * @width;"));
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

std::string ProductPrinter::Print(const ProductLoops& loops, const ProductMark& mark,
                                  const std::string& threads) {
  loops_ = &loops;
  mark_ = mark;
  element_ = loops.instance->statement->proto->value().c_type();
  packed_.clear();
  text_.clear();
  for (size_t t = 0; t < loops.terms.rows.size(); ++t)
    packed_[TermName(*loops.instance, *loops.terms.rows[t])] = absl::StrCat("@a", t);
  for (size_t t = 0; t < loops.terms.columns.size(); ++t)
    packed_[TermName(*loops.instance, *loops.terms.columns[t])] = absl::StrCat("@b", t);
  for (const ProductLoop* loop : {&loops.sum, &loops.row, &loops.column})
    expressions_->ReleaseIterator(loop->iterator);
  rows_ = RowsOf(mark, loops.terms);

  text_ += "#if defined(__GNUC__)\n";
  PrintVectorType();
  PrintBounds();
  PrintMemory();
  Open("if (@memory) {");
  Line(absl::StrCat(element_, " *const @a = (", element_,
                    " *)(((__UINTPTR_TYPE__)@memory + 63) & ~(__UINTPTR_TYPE__)63), *const @b = @a + ",
                    loops.terms.rows.size(), " * @a_size;"));
  OpenMp(absl::StrCat("parallel", threads));
  Open(absl::StrCat("for (", type_,
                    " @k_block = @k_first; @k_block < @k_end; @k_block += ", mark.plan.k_block, ") {"));
  Line(absl::StrCat("const ", type_, " @k_stop = @k_end - @k_block < ", mark.plan.k_block,
                    " ? @k_end : @k_block + ", mark.plan.k_block, ";"));
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
