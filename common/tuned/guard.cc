#include "common/tuned/guard.h"

#include <map>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/array/array_object.h"
#include "common/array/element_type.h"
#include "common/base/source_language.h"
#include "common/scop/row_distance.h"

namespace tune {
namespace {

constexpr char kTextMacros[] =
    "#define TUNE_TEXT_(...) #__VA_ARGS__\n"
    "#define TUNE_TEXT(...) TUNE_TEXT_(__VA_ARGS__)\n";
constexpr char kEndOfTextMacros[] = "#undef TUNE_TEXT\n#undef TUNE_TEXT_\n";

// A C string literal.
std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' || c == '\r' ? ' ' : c;
  }
  return quoted + "\"";
}

// The types that a scop calls by one name.
std::vector<std::string> CTypesOf(const v1::Array& array, bool cpp) {
  if (array.is_truth()) return {cpp ? "bool" : "_Bool"};
  const v1::ElementType type = array.element_type();
  std::vector<std::string> types = {std::string(ElementCType(type))};
  if (type == v1::ELEMENT_TYPE_LONG) types.push_back("long long");
  if (type == v1::ELEMENT_TYPE_UNSIGNED_LONG) types.push_back("unsigned long long");
  return types;
}

class GuardPrinter {
 public:
  // Of `reference` and `sizes` one is given.
  GuardPrinter(const v1::Scop& scop, const v1::Reference* reference, const SizeArguments* sizes, bool rows,
               int number)
      : scop_(scop),
        reference_(reference),
        sizes_(sizes),
        rows_(rows),
        cpp_(IsCpp(scop.region().file())),
        names_(number == 0 ? "TUNE_NAMES" : absl::StrCat("TUNE_NAMES", number)) {}

  absl::StatusOr<Guard> Print() {
    if (sizes_ != nullptr) {
      if (scop_.parameters_size() > 0) terms_.push_back(absl::StrCat("(", sizes_->requirement, ")"));
    } else {
      for (const v1::Parameter& parameter : scop_.parameters()) TUNE_RETURN_IF_ERROR(AddParameter(parameter));
    }
    for (const v1::Meaning& meaning : scop_.meanings()) AddMeaning(meaning);
    for (const v1::Array& array : scop_.arrays()) TUNE_RETURN_IF_ERROR(AddArray(array));
    for (int i = 0; i < scop_.arrays_size(); ++i) {
      for (int k = 0; k < i; ++k) TUNE_RETURN_IF_ERROR(AddOverlap(scop_.arrays(k), scop_.arrays(i)));
      for (const v1::Parameter& parameter : scop_.parameters())
        TUNE_RETURN_IF_ERROR(AddOverlap(scop_.arrays(i), parameter));
    }
    Guard guard;
    if (text_macros_) guard = {kTextMacros, "", kEndOfTextMacros};
    if (!tested_.empty()) {
      terms_.push_back(names_);
      absl::StrAppend(&guard.definitions, "#if ", absl::StrJoin(tested_, " && "), "\n#define ", names_,
                      " 1\n#else\n#define ", names_, " 0\n#endif\n");
      absl::StrAppend(&guard.end, "#undef ", names_, "\n");
    }
    guard.condition = terms_.empty() ? "1" : absl::StrJoin(terms_, " &&\n    ");
    return guard;
  }

 private:
  absl::Status AddParameter(const v1::Parameter& parameter) {
    if (!parameter.factors().empty()) return absl::OkStatus();  // its factors have their values
    for (const v1::ParameterValue& value : reference_->parameters()) {
      if (value.name() != parameter.name()) continue;
      terms_.push_back(absl::StrCat(parameter.name(), " == ", value.value()));
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        absl::StrCat("scop ", scop_.name(), ": the reference has no value of parameter ", parameter.name()));
  }

  void AddMeaning(const v1::Meaning& meaning) {
    switch (meaning.kind()) {
      case v1::Meaning::EXPANSION:
        text_macros_ = true;
        terms_.push_back(absl::StrCat("!__builtin_strcmp(TUNE_TEXT(", meaning.text(), "), ",
                                      Quoted(meaning.value()), ")"));
        break;
      case v1::Meaning::DEFINED:
        tested_.push_back(absl::StrCat("defined(", meaning.text(), ")"));
        break;
      case v1::Meaning::UNDEFINED:
        tested_.push_back(absl::StrCat("!defined(", meaning.text(), ")"));
        break;
      case v1::Meaning::TYPE:
        terms_.push_back(SameType(meaning.text(), {meaning.value()}));
        break;
      case v1::Meaning::CONSTANT:
        terms_.push_back(absl::StrCat(meaning.text(), " == ", meaning.value()));
        break;
      default:
        break;
    }
  }

  // Whatever the types' qualifiers.
  std::string SameType(const std::string& type, const std::vector<std::string>& others) const {
    std::vector<std::string> terms;
    for (const std::string& other : others) {
      terms.push_back(cpp_ ? absl::StrCat("__is_same(const ", type, ", const ", other, ")")
                           : absl::StrCat("__builtin_types_compatible_p(", type, ", ", other, ")"));
    }
    return terms.size() == 1 ? terms[0] : absl::StrCat("(", absl::StrJoin(terms, " || "), ")");
  }

  absl::StatusOr<std::vector<int64_t>> Extents(const v1::Array& array) const {
    if (array.extents_size() == 0) return std::vector<int64_t>();
    for (const v1::ArrayExtents& extents : reference_->arrays()) {
      if (extents.name() == array.name() && extents.extents_size() == array.extents_size())
        return std::vector<int64_t>(extents.extents().begin(), extents.extents().end());
    }
    return absl::InvalidArgumentError(absl::StrCat("scop ", scop_.name(),
                                                   ": the reference has no extents of array ", array.name(),
                                                   "; run the reference again"));
  }

  // Copies have what is between rows as well, which may be another's.
  void AddRowDistance(const v1::Array& array) {
    const bool copies = rows_ || sizes_ != nullptr;
    for (const v1::Extent& extent : array.extents()) {
      if (copies && IsRowDistance(extent.c_expression()))
        terms_.push_back(absl::StrCat(extent.c_expression(), " == ", UsedOfRow(extent.c_expression())));
    }
  }

  absl::Status AddArray(const v1::Array& array) {
    if (array.declared_inside()) return absl::OkStatus();
    AddRowDistance(array);
    if (array.has_structure()) {
      AddStructure(array);
    } else {
      terms_.push_back(
          SameType(absl::StrCat("__typeof__(", FirstElement(array), ")"), CTypesOf(array, cpp_)));
    }
    if (!rows_ || array.extents_size() < 2 || array.is_flat()) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const std::vector<int64_t> extents, Extents(array));
    std::string row = IndexedObject(array);
    for (size_t i = 1; i < extents.size(); ++i) {
      row += "[0]";
      terms_.push_back(absl::StrCat("sizeof(", row, ") == ", extents[i], " * sizeof(", row, "[0])"));
    }
    return absl::OkStatus();
  }

  // Structures are as large as they were, and have these members at these places.
  void AddStructure(const v1::Array& array) {
    const std::string element = FirstElement(array), structure = absl::StrCat("__typeof__(", element, ")");
    const std::string type = MemberType(array, cpp_);
    terms_.push_back(
        absl::StrCat("sizeof(", element, ") == ", array.extents(array.extents_size() - 1).c_expression(),
                     " * sizeof(", type, ") && __alignof__(", structure, ") >= __alignof__(", type, ")"));
    std::string row = ObjectName(array);
    for (int d = 1; d < ObjectDimensions(array); ++d) {
      row += "[0]";
      terms_.push_back(absl::StrCat("sizeof(", row, ") == (", array.extents(d).c_expression(), ") * sizeof(",
                                    row, "[0])"));
    }
    for (const v1::Member& member : array.structure().members()) {
      terms_.push_back(absl::StrCat(
          "__builtin_offsetof(", structure, ", ", member.path(), ") == ", member.place(), " * sizeof(", type,
          ") && ", SameType(absl::StrCat("__typeof__((", element, ").", member.path(), ")"), {type})));
    }
  }

  // How many elements of the C object's only or outermost dimension the scop's array has.
  absl::StatusOr<std::string> FirstExtent(const v1::Array& array) const {
    const bool is_flat = array.is_flat() && !array.has_structure();
    const int dimensions = is_flat ? array.extents_size() : 1;
    std::vector<std::string> factors;
    if (sizes_ != nullptr) {
      factors = {absl::StrCat("(", sizes_->FirstExtent(array), ")")};
      for (int i = 1; i < dimensions; ++i)
        factors.push_back(absl::StrCat("(", array.extents(i).c_expression(), ")"));
    } else {
      TUNE_ASSIGN_OR_RETURN(const std::vector<int64_t> extents, Extents(array));
      for (int i = 0; i < dimensions; ++i) factors.push_back(absl::StrCat(extents[i]));
    }
    // In elements, of which there may be more than an int counts.
    return absl::StrCat(factors.size() > 1 || sizes_ != nullptr ? "(long)" : "",
                        absl::StrJoin(factors, " * "));
  }

  // First and one past the last byte, as integers.
  struct ByteRange {
    std::string begin, end;
  };
  static ByteRange BytesAt(const std::string& pointer, const std::string& elements) {
    const std::string number = "(__UINTPTR_TYPE__)";
    return {absl::StrCat(number, pointer), absl::StrCat(number, "(", pointer, " + ", elements, ")")};
  }

  absl::StatusOr<ByteRange> Bytes(const v1::Array& array) const {
    if (array.extents_size() == 0)
      return BytesAt(absl::StrCat(array.is_pointer() ? "" : "&", array.name()), "1");
    TUNE_ASSIGN_OR_RETURN(const std::string extent, FirstExtent(array));
    return BytesAt(IndexedObject(array), extent);
  }

  absl::Status AddOverlap(const v1::Array& a, const v1::Array& b) {
    const bool possible = (a.overlap() == v1::Array::POINTER && b.overlap() != v1::Array::NONE) ||
                          (b.overlap() == v1::Array::POINTER && a.overlap() != v1::Array::NONE);
    if (!possible || HaveOneObject(a, b) || (a.read_only() && b.read_only())) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const ByteRange of_a, Bytes(a));
    TUNE_ASSIGN_OR_RETURN(const ByteRange of_b, Bytes(b));
    AddApart(of_a, of_b);
    return absl::OkStatus();
  }

  // C lets pointers to integers alone change a parameter.
  absl::Status AddOverlap(const v1::Array& array, const v1::Parameter& parameter) {
    if (!parameter.is_target() || array.overlap() != v1::Array::POINTER || array.read_only() ||
        IsFloating(array.element_type()))
      return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const ByteRange bytes, Bytes(array));
    AddApart(bytes, BytesAt(absl::StrCat("&", parameter.name()), "1"));
    return absl::OkStatus();
  }

  void AddApart(const ByteRange& a, const ByteRange& b) {
    terms_.push_back(absl::StrCat("(", a.end, " <= ", b.begin, " || ", b.end, " <= ", a.begin, ")"));
  }

  const v1::Scop& scop_;
  const v1::Reference* const reference_;
  const SizeArguments* const sizes_;
  const bool rows_;
  const bool cpp_;                   // the file is in C++
  const std::string names_;          // the macro for what directives test
  std::vector<std::string> terms_;   // joined by &&
  std::vector<std::string> tested_;  // of an #if
  bool text_macros_ = false;
};

}  // namespace

absl::StatusOr<Guard> MakeGuard(const v1::Scop& scop, const v1::Reference& reference, bool rows, int number) {
  return GuardPrinter(scop, &reference, nullptr, rows, number).Print();
}

std::string SizeArguments::FirstExtent(const v1::Array& array) const {
  const auto known = first_extents.find(array.name());
  return known != first_extents.end() ? known->second : array.extents(0).c_expression();
}

Guard MakeGuard(const v1::Scop& scop, const SizeArguments& sizes, int number) {
  return *GuardPrinter(scop, nullptr, &sizes, /*rows=*/false, number).Print();
}

bool SamePlace(const v1::Scop& scop, const v1::Scop& other) {
  const v1::SourceRegion &a = scop.region(), &b = other.region();
  return a.begin_offset() == b.begin_offset() && a.end_offset() == b.end_offset();
}

absl::StatusOr<bool> SameRegionAndSize(const v1::Scop& scop, const v1::Reference& reference,
                                       const v1::Scop& other_scop, const v1::Reference& other_reference) {
  if (!SamePlace(scop, other_scop)) return false;
  TUNE_ASSIGN_OR_RETURN(const Guard one, MakeGuard(scop, reference, /*rows=*/true));
  TUNE_ASSIGN_OR_RETURN(const Guard other, MakeGuard(other_scop, other_reference, /*rows=*/true));
  return one.definitions == other.definitions && one.condition == other.condition;
}

}  // namespace tune
