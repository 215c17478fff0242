#include "worker/print/bit_function_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tune {
namespace {

// CUDA Math API, "Integer Intrinsics": byte k of the result is the byte that digit k of the last argument
// says, from the right.
constexpr char kReversedBytes[] = "0x0123";
constexpr char kReversedLowerHalf[] = "0x4401";  // below zeros, of the second argument

CText Reversed(const CText& number) { return CallText("__byte_perm", {number, {"0"}, {kReversedBytes}}); }

// Of the type that C has, which becomes an int in operations.
CText ReversedShort(const CText& number) {
  return CastText("unsigned short", CallText("__byte_perm", {number, {"0"}, {kReversedLowerHalf}}));
}

// The argument is computed once.
CText ReversedHalves(const CText& argument) {
  const CText upper = CastText("unsigned long", Reversed(CastText("unsigned int", {"x"})));
  const CText lower = Reversed(CastText("unsigned int", BinaryText(">>", {"x"}, {"32"})));
  const CText halves = BinaryText("|", BinaryText("<<", upper, {"32"}), lower);
  return CallText(absl::StrCat("[](unsigned long x) { return ", halves.text, "; }"), {argument});
}

}  // namespace

std::optional<CText> BitFunctionText(absl::string_view function, const CText& argument) {
  if (!absl::ConsumePrefix(&function, "__builtin_")) return std::nullopt;
  if (function == "bswap16") return ReversedShort(argument);
  if (function == "bswap32") return Reversed(argument);
  if (function == "bswap64") return ReversedHalves(argument);
  const bool is_long = absl::ConsumeSuffix(&function, "l");
  absl::ConsumeSuffix(&function, "l");
  const char* const suffix = is_long ? "ll" : "";
  const CText count = CallText(absl::StrCat("__popc", suffix), {argument});
  if (function == "popcount") return count;
  if (function == "parity") return BinaryText("&", count, {"1"});
  if (function == "clz") return CallText(absl::StrCat("__clz", suffix), {argument});
  if (function == "ctz") return BinaryText("-", CallText(absl::StrCat("__ffs", suffix), {argument}), {"1"});
  return std::nullopt;
}

}  // namespace tune
