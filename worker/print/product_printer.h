// Prints products in register tiles of packed terms (Goto and van de Geijn, TOMS 2008; Low et al., TOMS 2016;
// Gareev, Grosser and Kruse, TACO 2018).
#pragma once

#include <functional>
#include <map>
#include <string>

#include "common/program/product_terms.h"
#include "worker/print/statement_text.h"

namespace tune {

class ProductPrinter {
 public:
  // Both must outlive the printer. `indent`: levels of two spaces.
  ProductPrinter(StatementPrinter* statements, IndexPrinter* indices, int indent)
      : p_(indices->names().product),
        type_(indices->index_type()),
        statements_(statements),
        indices_(indices),
        indent_(indent) {}

  // Declarations and statements that compute the product, ending in an `else` for a statement that does so
  // where there is no memory or the compiler has no vectors. For all tiles and blocks each element gets its
  // addends in the order of the sum. `threads`: OpenMP's clause, "" or " num_threads(4)".
  std::string Print(const Product& product, const std::string& threads);

 private:
  // Rows of a tile where there are 16 vector registers, and where there are 32; equal when the plan says it.
  struct Rows {
    int least = 0, most = 0;
  };
  Rows FindRows() const;
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
  // The target's element in that row and column.
  std::string Target(const IndexExpression& row, const IndexExpression& column);
  // A name with the prefix.
  IndexExpression Own(const std::string& name) const { return IndexExpression::Name(p_ + name); }
  // The value of which the terms are packed: of one row of the tile and one vector of columns.
  CText Packed(const v1::Expression& expression, int row, int vector);
  std::string NameOf(const v1::Expression& term) const {
    return TermName(product_->instance, *statement_, term);
  }
  std::string Prefixed(const std::string& text) const;

  const std::string p_, type_;
  StatementPrinter* statements_;
  IndexPrinter* indices_;
  int indent_;
  const Product* product_ = nullptr;
  const v1::Statement* statement_ = nullptr;  // of the product
  ProductTerms terms_;
  Rows rows_;
  std::string element_;                        // C type
  std::map<std::string, std::string> packed_;  // by the text of a term: "@a0", "@b1"
  std::string text_;
};

}  // namespace tune
