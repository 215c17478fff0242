// Private members of classes, which text before a function opens to what generated code reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
}  // namespace clang

namespace tune {

// A private member of a class: a field, a constant, or the name of a type.
struct OpenedMember {
  enum class Kind {
    kField,
    kFieldInTemplate,  // in instances in which the object is of another class an object that is none stands
                       // for it
    kConstant,
    kType
  };
  Kind kind;
  std::string name;        // of the type that is its name: "tune_Matrix_data__12"
  std::string member;      // C++: "&::Matrix::data_", "::Matrix::kColumns"
  std::string class_name;  // C++: "::Matrix"
};

// What of a field stands behind an object, C++: "a" or "this".
std::string OpenedField(const OpenedMember& member, const std::string& object);
// Whether a constant has this value and promoted type in a build, or a type is this one: C++.
std::string OpenedIs(const OpenedMember& member, const std::string& type, const std::string& value);

// The same where the text names it.
std::string NamedIs(OpenedMember::Kind kind, const std::string& name, const std::string& type,
                    const std::string& value);

// Declarations outside of functions that let those behind them name private members; or nothing. `number`: of
// the region, from 1, among those of a file that get such text.
std::string OpeningOf(const std::vector<OpenedMember>& members, int number);

// The byte of the line before which text outside of functions can stand, before the function or the template
// that has it; nothing where there is no such.
std::optional<int64_t> PlaceBefore(const clang::ASTContext& ast, const clang::FunctionDecl& function);

}  // namespace tune
