#include "client/extract/pointers/row_place.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/integers/affine_expression.h"
#include "client/extract/pointers/row_table.h"
#include "common/isl/functions.h"

namespace tune {
namespace {

bool IsZero(const isl::pw_aff& value) {
  const std::optional<isl::val> constant = ConstantOf(value);
  return constant && constant->is_zero();
}

// Whether what has so many subscripts is an array that is a row of another one, which the next ones follow.
bool IsRow(const clang::ASTContext& ast, clang::QualType type, size_t subscripts) {
  if (const auto* pointer = type->getAs<clang::PointerType>(); pointer != nullptr && subscripts > 0) {
    --subscripts;
    type = pointer->getPointeeType();
  }
  const clang::ArrayType* array = ast.getAsArrayType(type);
  for (; array != nullptr && subscripts > 0; --subscripts)
    array = ast.getAsArrayType(array->getElementType());
  return array != nullptr && !IsRowOfTable(*array);
}

}  // namespace

Accepted<std::vector<isl::pw_aff>> PlaceFromRow(Region& region, const LoopNest& nest, const isl::set& reached,
                                                const clang::VarDecl& array,
                                                std::vector<isl::pw_aff> subscripts, FlatOffset offset,
                                                clang::SourceRange use) {
  std::vector<isl::pw_aff> inside;  // innermost first
  while (!subscripts.empty() && IsRow(region.ast, array.getType(), subscripts.size())) {
    const std::optional<isl::pw_aff> affine = offset.Affine();
    if (affine && IsZero(*affine)) break;
    const std::optional<isl::pw_aff> length = KnownExtent(region, array, static_cast<int>(subscripts.size()));
    const std::optional<RowLength> row = length ? RowOfLength(region, nest, *length) : std::nullopt;
    if (!row) {
      return Refusal{use, "a pointer into a row whose length is not known, which it may leave",
                     absl::StrCat("write the subscripts of `", array.getNameAsString(), "`")};
    }
    TUNE_ASSIGN_OR_REFUSE(std::vector<isl::pw_aff> place,
                          FlatSubscripts(region, nest, reached, offset.InRows(*row), {*row}, use));
    inside.push_back(std::move(place[1]));
    offset = FlatOffset(subscripts.back().add(place[0]));
    subscripts.pop_back();
    if (IsZero(place[0])) break;
  }
  const std::optional<isl::pw_aff> last = offset.Affine();
  if (!last) {
    return Refusal{use, "a distance between elements that is no affine expression",
                   absl::StrCat("write the subscripts of `", array.getNameAsString(), "`")};
  }
  subscripts.push_back(*last);
  subscripts.insert(subscripts.end(), inside.rbegin(), inside.rend());
  return subscripts;
}

}  // namespace tune
