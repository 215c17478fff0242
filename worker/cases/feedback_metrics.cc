#include "worker/cases/feedback_metrics.h"

#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/isl/ast.h"
#include "common/isl/dimensions.h"
#include "common/isl/tuple_name.h"
#include "common/program/helper_names.h"
#include "common/scop/scop.h"
#include "common/work/parametric_count.h"
#include "worker/cases/plain_expression.h"
#include "worker/lower/expression_lowering.h"

namespace tune {
namespace {

using Pieces = std::vector<PolynomialPiece>;

// Conditions and polynomials over the parameters as C.
class MetricText {
 public:
  // `value`: the name of what is counted.
  MetricText(const isl::set& context, std::string value)
      : context_(context), build_(MakeBuild(context, {})), value_(std::move(value)) {}

  std::string Sum(const Pieces& pieces) const {
    std::string text;
    for (const PolynomialPiece& piece : pieces)
      absl::StrAppend(&text, "  ", If(piece.where), value_, " += ", Polynomial(piece.polynomial), ";\n");
    return text;
  }

  std::string Largest(const std::vector<PolynomialBound>& bounds) const {
    std::string text;
    for (const PolynomialBound& bound : bounds) {
      for (const QuasiPolynomial& one : bound.largest) {
        const std::string other = Polynomial(one);
        absl::StrAppend(&text, "  ", If(bound.where), value_, " = ", value_, " < ", other, " ? ", other,
                        " : ", value_, ";\n");
      }
    }
    return text;
  }

 private:
  // Empty where it follows from the context.
  std::string If(const isl::set& where) const {
    if (context_.is_subset(where)) return "";
    const isl::set condition = where.gist(context_).coalesce();
    return absl::StrCat("if (", PlainText(expressions_.Lower(build_.expr_from(condition))), ") ");
  }

  std::string Polynomial(const QuasiPolynomial& polynomial) const {
    std::vector<std::string> terms;
    for (const QuasiPolynomial::Term& term : polynomial.Terms()) {
      const isl::val denominator = isl::val(term.coefficient.ctx(), term.coefficient.den_si());
      std::string text = absl::StrCat(IslText(term.coefficient.mul(denominator)), ".0");
      if (!denominator.is_one()) absl::StrAppend(&text, " / ", IslText(denominator));
      for (const QuasiPolynomial::Factor& factor : term.factors) {
        const std::string base =
            factor.quotient
                ? absl::StrCat("(",
                               PlainText(expressions_.Lower(build_.expr_from(isl::pw_aff(*factor.quotient)))),
                               ")")
                : factor.parameter;
        for (int i = 0; i < factor.exponent; ++i) absl::StrAppend(&text, " * ", base);
      }
      terms.push_back(std::move(text));
    }
    return terms.empty() ? "0.0" : absl::StrJoin(terms, " + ");
  }

  const isl::set context_;
  const isl::ast_build build_;
  const ExpressionLowering expressions_{{}};
  const std::string value_;
};

template <typename Visit>
void ForEachStatement(const ParsedScop& scop, const Visit& visit) {
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind != v1::Statement::KILL)
      visit(statement, statement.domain.intersect_params(scop.context));
  }
}

// Adds what is counted; from the first set on that cannot be counted there is nothing.
void AddCount(const isl::set& set, std::optional<Pieces>* sum) {
  if (!*sum || set.is_empty()) return;
  std::optional<Pieces> pieces = CountParametrically(set);
  if (!pieces) return sum->reset();
  (*sum)->insert((*sum)->end(), pieces->begin(), pieces->end());
}

std::string Compute(const ParsedScop& scop, const MetricText& text) {
  std::optional<Pieces> sum = Pieces();
  ForEachStatement(scop, [&](const ParsedStatement&, const isl::set& domain) { AddCount(domain, &sum); });
  return sum ? text.Sum(*sum) : "";
}

std::string Memory(const ParsedScop& scop, const MetricText& text) {
  std::optional<Pieces> sum = Pieces();
  ForEachStatement(scop, [&](const ParsedStatement& statement, const isl::set& domain) {
    for (const ParsedAccess& access : statement.accesses)
      AddCount(access.relation.intersect_domain(domain).range(), &sum);
  });
  return sum ? text.Sum(*sum) : "";
}

// { [o, e..., i...] }: iteration o of the outermost loop accesses the element e in the instance i.
isl::set InstancesByElement(const isl::map& accesses) {
  const int elements = Dimensions(accesses, isl_dim_out), instances = Dimensions(accesses, isl_dim_in);
  isl::set set = InsertDimensions(accesses.reverse().wrap().flatten(), isl_dim_set, 0, 1);
  std::vector<std::string> names = {"o"};
  for (int i = 0; i < elements + instances; ++i) names.push_back(absl::StrCat("d", i));
  const std::string outermost = instances > 0 ? absl::StrCat("d", elements) : "0";
  const isl::set same(accesses.ctx(),
                      absl::StrCat("{ [", absl::StrJoin(names, ", "), "] : o = ", outermost, " }"));
  return WithoutTupleId(set).intersect(same);
}

bool HasQuotients(const Pieces& pieces) {
  for (const PolynomialPiece& piece : pieces) {
    for (const QuasiPolynomial::Term& term : piece.polynomial.Terms()) {
      for (const QuasiPolynomial::Factor& factor : term.factors) {
        if (factor.quotient) return true;
      }
    }
  }
  return false;
}

// Nothing where it cannot be counted.
std::optional<Pieces> ReadsByElement(const ParsedScop& scop, const std::string& array) {
  std::optional<Pieces> sum = Pieces();
  ForEachStatement(scop, [&](const ParsedStatement& statement, const isl::set& domain) {
    for (const ParsedAccess& access : statement.accesses) {
      if (!sum || access.array != array || !access.reads()) continue;
      const isl::map accesses = access.relation.intersect_domain(domain);
      const int kept = 1 + Dimensions(accesses, isl_dim_out);
      const std::optional<Pieces> pieces = CountDimensions(InstancesByElement(accesses), kept);
      if (!pieces || HasQuotients(*pieces)) return sum.reset();
      sum->insert(sum->end(), pieces->begin(), pieces->end());
    }
  });
  return sum;
}

std::string Reuse(const ParsedScop& scop, const MetricText& text) {
  std::string largest;
  for (const v1::Array& array : scop.proto.arrays()) {
    if (array.extents_size() == 0) continue;
    const std::optional<Pieces> reads = ReadsByElement(scop, array.name());
    if (!reads) return "";
    if (!reads->empty()) absl::StrAppend(&largest, text.Largest(UpperBounds(*reads)));
  }
  return largest;
}

}  // namespace

absl::StatusOr<FeedbackMetrics> CountFeedbackMetrics(const v1::Scop& proto,
                                                     const IslContext::Limits& limits) {
  IslContext context(limits);
  return context.Run("counting for feedback rules", [&]() -> absl::StatusOr<FeedbackMetrics> {
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> scop, ParseScop(context, proto));
    const MetricText text(scop->context, ChooseHelperNames(scop->proto).value);
    return FeedbackMetrics{Compute(*scop, text), Memory(*scop, text), Reuse(*scop, text)};
  });
}

}  // namespace tune
