// Prints products in register tiles of packed terms (Goto and van de Geijn, TOMS 2008; Low et al., TOMS 2016;
// Gareev, Grosser and Kruse, TACO 2018).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "common/kernel/product.h"
#include "worker/codegen/statement_text.h"
#include "worker/mapping/product_mark.h"

namespace tune {

// One of the three loops, of step 1, in an AST.
struct ProductLoop {
  std::string iterator;
  isl::ast_expr first, last;
  bool inclusive = false;  // `last` is an iteration
};

// A product as it stands in an AST.
struct ProductLoops {
  ProductLoop sum, row, column;
  bool triangular = false;  // the columns' bounds depend on the row
  const StatementInstance* instance = nullptr;
  ProductTerms terms;
};

// The product that `node` is: loops of sum, row and column around one statement, and nothing else; nothing
// where the AST has another form. Throws isl::exception.
std::optional<ProductLoops> FindProductLoops(const isl::ast_node& node, const BlockAst& ast);

class ProductPrinter {
 public:
  // All pointers must outlive the printer. `indent`: levels of two spaces.
  ProductPrinter(const HelperNames& names, const std::string& iterator_type, StatementPrinter* statements,
                 AstExpressionPrinter* expressions, int indent)
      : p_(names.product),
        type_(iterator_type),
        statements_(statements),
        expressions_(expressions),
        indent_(indent) {}

  // Declarations and statements that compute the product, ending in an `else` for a statement that does so
  // where there is no memory or the compiler has no vectors. For all tiles and blocks each element gets its
  // addends in the order of the sum. `threads`: OpenMP's clause, "" or " num_threads(4)".
  std::string Print(const ProductLoops& loops, const ProductMark& mark, const std::string& threads);

 private:
  // Rows of a tile where there are 16 vector registers, and where there are 32; equal when the plan says it.
  struct Rows {
    int least = 0, most = 0;
  };
  static Rows RowsOf(const ProductMark& mark, const ProductTerms& terms);
  std::string TileRows() const;
  void ForRows(const std::function<void(int row)>& print);  // those past the least where they are

  // A line in which @ stands for the prefix of names.
  void Line(const std::string& text);
  void Open(const std::string& text);  // and what comes after is inside
  void Close(const std::string& text = "}");
  void OpenMp(const std::string& text);
  void PrintVectorType();
  void PrintBounds();
  void PrintMemory();
  void PrintPacking(bool columns);
  void PrintTile();
  void PrintPartial(bool store);
  std::string First(const ProductLoop& loop);
  std::string End(const ProductLoop& loop);  // one past the last iteration
  // The target's element in that row and column, both texts with @.
  std::string Target(const std::string& row, const std::string& column);
  // The value of which the terms are packed: of one row of the tile and one vector of columns.
  CText Packed(const v1::Expression& expression, int row, int vector);
  std::string Prefixed(const std::string& text) const;

  const std::string p_, type_;
  StatementPrinter* statements_;
  AstExpressionPrinter* expressions_;
  int indent_;
  const ProductLoops* loops_ = nullptr;
  ProductMark mark_;
  Rows rows_;
  std::string element_;                        // C type
  std::map<std::string, std::string> packed_;  // by the text of a term: "@a0", "@b1"
  std::string text_;
};

}  // namespace tune
