#include "common/work/operation_formula.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/value.h"
#include "common/scop/scop.h"
#include "common/work/parametric_count.h"
#include "common/work/statement_operations.h"

namespace tune {
namespace {

constexpr int kLarge = 64;  // sizes for which loops over most constants and offsets have their iterations

// A product of parameters: how often each is in it.
using Monomial = std::map<std::string, int>;

int DegreeOf(const Monomial& monomial) {
  int degree = 0;
  for (const auto& [name, exponent] : monomial) degree += exponent;
  return degree;
}

std::string FormulaText(const std::map<Monomial, double>& terms) {
  std::vector<std::pair<Monomial, double>> sorted;
  for (const auto& term : terms) {
    if (term.second != 0) sorted.push_back(term);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return DegreeOf(a.first) > DegreeOf(b.first); });
  std::string text;
  for (const auto& [monomial, coefficient] : sorted) {
    std::vector<std::string> factors;
    const double size = std::abs(coefficient);
    if (size != 1 || monomial.empty()) factors.push_back(absl::StrFormat("%.10g", size));
    for (const auto& [name, exponent] : monomial)
      factors.push_back(exponent == 1 ? name : absl::StrCat(name, "^", exponent));
    const char* sign = coefficient < 0 ? " - " : " + ";
    if (text.empty()) sign = coefficient < 0 ? "-" : "";
    absl::StrAppend(&text, sign, absl::StrJoin(factors, "*"));
  }
  return text.empty() ? "0" : text;
}

class FormulaFinder {
 public:
  explicit FormulaFinder(const ParsedScop& scop) : scop_(scop) {
    for (const v1::Parameter& parameter : scop.proto.parameters()) {
      if (!parameter.factors().empty())
        factors_[parameter.name()] = {parameter.factors().begin(), parameter.factors().end()};
    }
  }

  std::string Find() {
    for (const ParsedStatement& statement : scop_.statements) {
      const int operations = OperationsAsWritten(scop_, statement);
      if (operations > 0 && !Add(InstancesAtLargeSizes(statement), operations)) return "";
    }
    return FormulaText(terms_);
  }

 private:
  // { S }, restricted to large parameters.
  isl::set InstancesAtLargeSizes(const ParsedStatement& statement) const {
    isl::set instances = statement.domain.intersect_params(scop_.context);
    for (int p = 0; p < Dimensions(instances, isl_dim_param); ++p)
      instances = LowerBound(instances, isl_dim_param, p, kLarge);
    return instances.is_empty() ? statement.domain.intersect_params(scop_.context) : instances;
  }

  // False where the number of instances is no polynomial.
  bool Add(const isl::set& instances, int operations) {
    const std::optional<std::vector<PolynomialPiece>> pieces = CountParametrically(instances);
    if (!pieces || pieces->size() > 1) return false;
    if (pieces->empty()) return true;
    const QuasiPolynomial& polynomial = pieces->front().polynomial;
    for (const QuasiPolynomial::Term& term : polynomial.Terms()) {
      Monomial monomial;
      for (const QuasiPolynomial::Factor& factor : term.factors) {
        if (factor.parameter.empty()) return false;
        for (const std::string& name : NamesOf(factor.parameter)) monomial[name] += factor.exponent;
      }
      terms_[monomial] += operations * ToDouble(term.coefficient);
    }
    return true;
  }

  // The factors of a parameter that stands for a product.
  std::vector<std::string> NamesOf(const std::string& parameter) const {
    const auto product = factors_.find(parameter);
    return product == factors_.end() ? std::vector<std::string>{parameter} : product->second;
  }

  const ParsedScop& scop_;
  std::map<std::string, std::vector<std::string>> factors_;
  std::map<Monomial, double> terms_;
};

}  // namespace

absl::StatusOr<std::string> OperationFormula(const v1::Scop& proto, const IslContext::Limits& limits) {
  IslContext context(limits);
  return context.Run("counting the region's operations", [&]() -> absl::StatusOr<std::string> {
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> scop, ParseScop(context, proto));
    return FormulaFinder(*scop).Find();
  });
}

}  // namespace tune
