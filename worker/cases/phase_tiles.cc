#include "worker/cases/phase_tiles.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "common/isl/dimensions.h"

namespace tune {
namespace {

using Expression = IndexExpression;

Expression Times(int64_t factor, Expression value) {
  return factor == 1 ? value : Expression::Constant(factor) * std::move(value);
}

// The least value, over a block's points, of coefficient * variable, where that runs from `begin` over
// `width` values.
Expression Least(int64_t coefficient, const std::string& begin, const std::string& width) {
  Expression end = Expression::Name(begin);
  if (coefficient < 0) end = end + Expression::Name(width) - Expression::Constant(1);
  return Times(coefficient, std::move(end));
}

class TileFinder {
 public:
  TileFinder(const PhaseLoops& loops, const CaseNames& names, bool strips)
      : loops_(loops), names_(names), strips_(strips) {}

  // Whether subscripts have nothing but host loops, axes and, with strips, that loop.
  bool Fits(const AccessForm& form) const {
    for (const isl::aff& subscript : form.subscripts) {
      for (int i = loops_.host_depth; i < Dimensions(subscript, isl_dim_in); ++i) {
        const bool axis = std::find(loops_.axes.begin(), loops_.axes.end(), i) != loops_.axes.end();
        if (!axis && !(strips_ && i == loops_.strip) && CoefficientOf(subscript, isl_dim_in, i) != 0)
          return false;
      }
    }
    return !form.subscripts.empty();
  }

  // Of references that are the same up to constants.
  bool Pays(const std::vector<AccessForm>& forms) const {
    const std::vector<isl::aff>& subscripts = forms[0].subscripts;
    for (const int axis : loops_.axes) {
      if (std::all_of(subscripts.begin(), subscripts.end(), [&](const isl::aff& subscript) {
            return CoefficientOf(subscript, isl_dim_in, axis) == 0;
          }))
        return true;
    }
    for (size_t i = 0; i + 1 < subscripts.size(); ++i) {
      if (CoefficientOf(subscripts[i], isl_dim_in, loops_.axes.back()) != 0) return true;
    }
    return std::any_of(forms.begin(), forms.end(), [&](const AccessForm& form) {
      for (size_t i = 0; i < subscripts.size(); ++i) {
        if (ConstantOf(form.subscripts[i]) != ConstantOf(subscripts[i])) return true;
      }
      return false;
    });
  }

  CachedArray Tile(const std::vector<AccessForm>& forms) const {
    CachedArray tile = {forms[0].array, {}};
    for (size_t i = 0; i < forms[0].subscripts.size(); ++i) tile.dimensions.push_back(Dimension(forms, i));
    return tile;
  }

 private:
  TileDimension Dimension(const std::vector<AccessForm>& forms, size_t place) const {
    const isl::aff& form = forms[0].subscripts[place];
    int64_t least = ConstantOf(form), most = least;
    for (const AccessForm& other : forms) {
      least = std::min(least, ConstantOf(other.subscripts[place]));
      most = std::max(most, ConstantOf(other.subscripts[place]));
    }
    TileDimension dimension;
    dimension.spread = most - least;
    std::vector<Expression> terms;
    for (int i = 0; i < Dimensions(form, isl_dim_param); ++i) {
      const int64_t coefficient = CoefficientOf(form, isl_dim_param, i);
      const std::string name = DimensionName(form.domain(), isl_dim_param, i);
      if (coefficient != 0) terms.push_back(Times(coefficient, Expression::Name(name)));
    }
    for (int i = 0; i < loops_.host_depth; ++i) {
      const int64_t coefficient = CoefficientOf(form, isl_dim_in, i);
      if (coefficient != 0)
        terms.push_back(Times(coefficient, Expression::Name(absl::StrCat(names_.host, i))));
    }
    for (size_t a = 0; a < loops_.axes.size(); ++a) {
      const int64_t coefficient = CoefficientOf(form, isl_dim_in, loops_.axes[a]);
      dimension.coefficients.push_back(std::abs(coefficient));
      if (coefficient != 0)
        terms.push_back(Least(coefficient, absl::StrCat(names_.begin, a), absl::StrCat(names_.width, a)));
    }
    const int64_t strip = strips_ ? CoefficientOf(form, isl_dim_in, loops_.strip) : 0;
    dimension.strip_coefficient = std::abs(strip);
    if (strip != 0) terms.push_back(Least(strip, names_.strip, names_.strip_length));
    dimension.first = Sum(std::move(terms), least);
    return dimension;
  }

  static Expression Sum(std::vector<Expression> terms, int64_t constant) {
    if (terms.empty()) return Expression::Constant(constant);
    Expression sum = terms[0];
    for (size_t i = 1; i < terms.size(); ++i) sum = sum + terms[i];
    if (constant > 0) return sum + Expression::Constant(constant);
    return constant < 0 ? sum - Expression::Constant(-constant) : sum;
  }

  const PhaseLoops& loops_;
  const CaseNames& names_;
  const bool strips_;
};

}  // namespace

std::vector<CachedArray> FindCachedArrays(
    const std::vector<std::pair<std::string, std::optional<AccessForm>>>& references,
    const std::set<std::string>& written, const PhaseLoops& loops, const CaseNames& names, bool strips) {
  std::vector<CachedArray> found;
  if (loops.axes.empty()) return found;
  const TileFinder finder(loops, names, strips);
  std::map<std::string, std::vector<AccessForm>> forms;
  std::set<std::string> excluded = written;
  for (const auto& [array, form] : references) {
    if (!form || !finder.Fits(*form)) {
      excluded.insert(array);
      continue;
    }
    std::vector<AccessForm>& same = forms[array];
    if (!same.empty() && !SameUpToConstants(same[0], *form)) excluded.insert(array);
    same.push_back(*form);
  }
  for (const auto& [array, same] : forms) {
    if (excluded.count(array) == 0 && finder.Pays(same)) found.push_back(finder.Tile(same));
  }
  return found;
}

}  // namespace tune
