#include "tests/client/extract/extract_fixture.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/extract/source/diagnostic.h"
#include "common/isl/functions.h"

namespace tune::testing {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

// "A[i, j + 1]" from "[n] -> { S0[i, j] -> A[i, j + 1] }".
std::string ElementText(const std::string& relation) {
  size_t begin = relation.rfind("-> ");
  size_t end = relation.rfind(']');
  return begin == std::string::npos ? relation : relation.substr(begin + 3, end - begin - 2);
}

std::string AffineText(const std::string& affine) {  // [n] -> { S0[i] -> [(i + n)] }
  size_t begin = affine.rfind("[(");
  size_t end = affine.rfind(")]");
  return begin == std::string::npos ? affine
                                    : absl::StrCat("<", affine.substr(begin + 2, end - begin - 2), ">");
}

std::string Text(const v1::Statement& statement, const v1::Expression& value) {
  switch (value.kind_case()) {
    case v1::Expression::kLiteral:
      return value.literal();
    case v1::Expression::kAccess:
      return ElementText(statement.accesses(value.access()).relation());
    case v1::Expression::kAffine:
      return AffineText(value.affine());
    case v1::Expression::kCast:
      return absl::StrCat("(", value.cast().c_type(), ")", Text(statement, value.cast().operand()));
    case v1::Expression::kCall:
    case v1::Expression::kOperation:
      break;
    default:
      return "?";
  }
  std::vector<std::string> parts;
  if (value.has_call()) {
    for (const v1::Expression& argument : value.call().arguments())
      parts.push_back(Text(statement, argument));
    return absl::StrCat(value.call().function(), "(", absl::StrJoin(parts, ", "), ")");
  }
  for (const v1::Expression& operand : value.operation().operands())
    parts.push_back(Text(statement, operand));
  const std::string& op = value.operation().op();
  if (parts.size() == 1) return absl::StrCat(op, "(", parts[0], ")");
  if (op == "?:") return absl::StrCat("(", parts[0], " ? ", parts[1], " : ", parts[2], ")");
  return absl::StrCat("(", absl::StrJoin(parts, absl::StrCat(" ", op, " ")), ")");
}

template <typename T>
AssertionResult Same(const std::string& a, const std::string& b) {
  IslContext context;
  absl::StatusOr<bool> same = context.Run("comparing", [&]() -> absl::StatusOr<bool> {
    return T(context.ctx(), a).is_equal(T(context.ctx(), b));
  });
  if (!same.ok()) return AssertionFailure() << same.status() << "\n  " << a << "\n  " << b;
  if (*same) return AssertionSuccess();
  return AssertionFailure() << "differ:\n  " << a << "\n  " << b;
}

}  // namespace

SourceFolder::SourceFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "extract-XXXXXX").string();
  path_ = mkdtemp(name.data());
}

SourceFolder::~SourceFolder() { std::filesystem::remove_all(path_); }

std::string SourceFolder::Write(const std::string& path, const std::string& text) const {
  std::filesystem::path full = std::filesystem::path(path_) / path;
  std::filesystem::create_directories(full.parent_path());
  std::ofstream(full, std::ios::binary) << text;
  return full.string();
}

v1::Extraction Extract(const std::string& text, ExtractionRequest request) {
  SourceFolder folder;
  request.file = folder.Write("input.c", text);
  return ExtractScops(request);
}

v1::Extraction ExtractCpp(const std::string& text, ExtractionRequest request) {
  SourceFolder folder;
  request.file = folder.Write("input.cpp", text);
  return ExtractScops(request);
}

std::string Function(const std::string& head, const std::string& body) {
  return absl::StrCat(head, " {\n#pragma scop\n", body, "\n#pragma endscop\n}\n");
}

std::string Problems(const v1::Extraction& extraction) {
  std::string text;
  for (const v1::Diagnostic& diagnostic : extraction.diagnostics()) {
    absl::StrAppend(&text, diagnostic.line(), ":", diagnostic.column(), ": ", diagnostic.reason(), " [",
                    diagnostic.expression(), "]\n");
  }
  return text;
}

namespace {

v1::Scop OnlyScop(const v1::Extraction& extraction, const std::string& body) {
  EXPECT_EQ(Problems(extraction), "") << body;
  EXPECT_EQ(extraction.scops_size(), 1) << body;
  return extraction.scops_size() == 1 ? extraction.scops(0) : v1::Scop();
}

}  // namespace

v1::Scop ScopOf(const std::string& head, const std::string& body) {
  return OnlyScop(Extract(Function(head, body)), body);
}

v1::Scop CppScopOf(const std::string& head, const std::string& body) {
  return OnlyScop(ExtractCpp(Function(head, body)), body);
}

AssertionResult SameSet(const std::string& a, const std::string& b) { return Same<isl::set>(a, b); }
AssertionResult SameMap(const std::string& a, const std::string& b) { return Same<isl::map>(a, b); }

AssertionResult SamePwAff(const std::string& a, const std::string& b) {
  IslContext context;
  isl::set first = SetFromPwAff(isl::pw_aff(context.ctx(), a));
  isl::set second = SetFromPwAff(isl::pw_aff(context.ctx(), b));
  if (first.is_equal(second)) return AssertionSuccess();
  return AssertionFailure() << "differ:\n  " << a << "\n  " << b;
}

AssertionResult SameValue(const std::string& a, const std::string& b) {
  IslContext context;
  isl::map first = isl::pw_aff(context.ctx(), a).as_map();
  isl::map second = isl::pw_aff(context.ctx(), b).as_map();
  if (first.is_equal(second)) return AssertionSuccess();
  return AssertionFailure() << "differ:\n  " << a << "\n  " << b;
}

AssertionResult SameSchedule(const std::string& a, const std::string& b) {
  IslContext context;
  isl::schedule first = isl::schedule(context.ctx(), a);
  isl::schedule second = isl::schedule(context.ctx(), b);
  if (first.domain().is_equal(second.domain()) && first.map().is_equal(second.map())) {
    return AssertionSuccess();
  }
  return AssertionFailure() << "differ:\n" << a << "\n" << b;
}

std::string ValueText(const v1::Statement& statement) { return Text(statement, statement.value()); }

std::string StatementText(const v1::Statement& statement) {
  static const char* const kUpdates[] = {" = ", " += ", " *= ", " min= ", " max= "};
  return absl::StrCat(ElementText(statement.accesses(statement.target()).relation()),
                      kUpdates[statement.update()], ValueText(statement));
}

}  // namespace tune::testing
