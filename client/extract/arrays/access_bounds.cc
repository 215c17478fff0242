#include "client/extract/arrays/access_bounds.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/base/c_identifier.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/isl.h"
#include "common/isl/spaces.h"
#include "common/isl/tuple_name.h"
#include "common/scop/parameter_product.h"

namespace tune {

const char kBoundMacros[] =
    "#define TUNE_FLOORD(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))\n"
    "#define TUNE_MAX(x, y) ((x) > (y) ? (x) : (y))\n"
    "#define TUNE_MIN(x, y) ((x) < (y) ? (x) : (y))\n";
const char kEndOfBoundMacros[] = "#undef TUNE_FLOORD\n#undef TUNE_MAX\n#undef TUNE_MIN\n";

namespace {

class BoundsFinder {
 public:
  BoundsFinder(isl::ctx ctx, const v1::Scop& scop, const std::map<std::string, std::string>& reached,
               const std::vector<std::string>& unknown)
      : ctx_(ctx),
        scop_(scop),
        reached_(reached),
        unknown_(unknown),
        context_(Known(isl::set(ctx, scop.context()))) {}

  std::string Execution() const {
    isl::set executed = context_;
    for (const v1::Statement& statement : scop_.statements())
      executed = executed.intersect(Known(isl::set(ctx_, statement.domain()).params()));
    const isl::ast_build anywhere = isl::ast_build::from_context(isl::set::universe(executed.space()));
    return anywhere.expr_from(executed.coalesce()).to_C_str();
  }

  absl::StatusOr<AccessBounds> Find(const std::vector<std::string>& arrays) {
    std::vector<isl::set> accessed;
    isl::set sound = context_;
    for (const std::string& array : arrays) {
      accessed.push_back(Accessed(array, 2));
      for (int d = 0; d < Dimensions(accessed.back(), isl_dim_set); ++d)
        sound = sound.subtract(Negative(accessed.back(), d).params());
      sound = sound.subtract(accessed.back().params().subtract(BeginsEarly(accessed.back()).params()));
    }
    for (const v1::Array& array : scop_.arrays()) {
      if (array.extents_size() == 0 || array.read_only()) continue;
      sound = sound.subtract(Negative(Accessed(array.name(), array.extents_size()), 0).params());
    }
    sound = sound.coalesce();
    AccessBounds bounds;
    const isl::ast_build anywhere = isl::ast_build::from_context(isl::set::universe(sound.space()));
    bounds.condition = anywhere.expr_from(sound).to_C_str();
    const isl::ast_build build = isl::ast_build::from_context(sound);
    for (size_t i = 0; i < arrays.size(); ++i) {
      std::vector<std::string>& ends = bounds.ends[arrays[i]];
      for (int d = 0; d < Dimensions(accessed[i], isl_dim_set); ++d) {
        if (!HasUpperBound(accessed[i], isl_dim_set, d))
          return absl::FailedPreconditionError(absl::StrCat("subscripts of `", arrays[i], "` have no bound"));
        ends.push_back(build.expr_from(End(accessed[i], d, sound)).to_C_str());
      }
    }
    for (const v1::Array& array : scop_.arrays()) {
      if (array.extents_size() == 0 || array.extents(0).accessed().empty()) continue;
      const isl::pw_aff extent = DropUnusedParameters(isl::pw_aff(ctx_, array.extents(0).accessed()));
      if (IsUnknown(extent))
        return absl::FailedPreconditionError(
            absl::StrCat("subscripts of `", array.name(), "` have no bound"));
      bounds.first_extents[array.name()] = build.expr_from(extent).to_C_str();
    }
    return bounds;
  }

 private:
  bool IsUnknown(const isl::pw_aff& value) const {
    return std::any_of(unknown_.begin(), unknown_.end(), [&](const std::string& name) {
      return FindDimension(value, isl_dim_param, name) >= 0;
    });
  }

  // Without the parameters that are not to be there: for whatever value they may have.
  isl::set Known(isl::set set) const {
    for (const std::string& name : unknown_) {
      if (FindDimension(set, isl_dim_param, name) >= 0) set = set.project_out_param(isl::id(ctx_, name));
    }
    return set;
  }

  isl::set Accessed(const std::string& array, int rank) const {
    const auto elements = reached_.find(array);
    const isl::set all = elements != reached_.end()
                             ? isl::set(ctx_, elements->second)
                             : isl::set::empty(WithTupleName(SetSpace(ctx_, 0, rank), isl_dim_set, array));
    return Known(all).intersect_params(context_);
  }

  isl::set Negative(const isl::set& elements, int dimension) const {
    const isl::pw_aff subscript = isl::pw_aff(VariableOn(elements.space(), dimension));
    const isl::pw_aff zero = isl::pw_aff(isl::aff::zero_on_domain(elements.space()));
    return elements.intersect(subscript.lt_set(zero));
  }

  // The elements of first rows: of row 1, or of the least that there are for any parameters. Where the first
  // row depends on parameters, those before it need not be there, as in matrices whose subscripts begin at 1.
  isl::set BeginsEarly(const isl::set& elements) const {
    const isl::set all = elements.project_out_all_params();
    long least = 1;
    if (!all.is_empty() && all.dim_min_val(0).is_int()) least = std::max(least, all.dim_min_val(0).num_si());
    const isl::pw_aff subscript = isl::pw_aff(VariableOn(elements.space(), 0));
    const isl::pw_aff last =
        isl::pw_aff(isl::aff::zero_on_domain(elements.space()).add_constant(isl::val(ctx_, least)));
    return elements.intersect(subscript.le_set(last));
  }

  isl::pw_aff Number(const isl::set& parameters, long value) const {
    return isl::pw_aff(isl::aff::zero_on_domain(parameters.space()).add_constant(value));
  }

  isl::pw_aff End(const isl::set& elements, int dimension, const isl::set& sound) const {
    isl::pw_aff end = DimensionMax(elements, dimension).add(Number(context_, 1));
    const isl::set unused = sound.subtract(elements.params());
    if (!unused.is_empty()) end = end.union_add(Number(context_, 0).intersect_domain(unused));
    return end.gist(sound).coalesce();
  }

  const isl::ctx ctx_;
  const v1::Scop& scop_;
  const std::map<std::string, std::string>& reached_;
  const std::vector<std::string>& unknown_;
  const isl::set context_;
};

}  // namespace

absl::StatusOr<AccessBounds> FindAccessBounds(const v1::Scop& scop,
                                              const std::map<std::string, std::string>& reached,
                                              const std::vector<std::string>& arrays,
                                              const std::vector<std::string>& unknown) {
  IslContext context;
  return context.Run("the reach of accesses", [&]() -> absl::StatusOr<AccessBounds> {
    return BoundsFinder(context.ctx(), scop, reached, unknown).Find(arrays);
  });
}

absl::StatusOr<std::string> FindExecution(const v1::Scop& scop, const std::vector<std::string>& unknown) {
  IslContext context;
  return context.Run("what is executed", [&]() -> absl::StatusOr<std::string> {
    return BoundsFinder(context.ctx(), scop, {}, unknown).Execution();
  });
}

std::string InLongs(absl::string_view text, const v1::Scop& scop,
                    const std::map<std::string, std::string>& names) {
  std::map<std::string, std::string> words = {
      {"floord", "TUNE_FLOORD"}, {"max", "TUNE_MAX"}, {"min", "TUNE_MIN"}};
  std::map<std::string, std::string> values;
  for (const v1::Parameter& parameter : scop.parameters()) {
    const auto renamed = names.find(parameter.name());
    const std::string name = renamed == names.end() ? ParameterText(parameter) : renamed->second;
    values[parameter.name()] = absl::StrCat("(long)", name);
  }
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && IsNameCharacter(text[end])) ++end;
    if (end == i) {
      result += text[i++];
      continue;
    }
    const std::string word(text.substr(i, end - i));
    const std::map<std::string, std::string>& meanings =
        end < text.size() && text[end] == '(' ? words : values;
    const auto meaning = meanings.find(word);
    result += meaning == meanings.end() ? word : meaning->second;
    i = end;
  }
  return result;
}

bool NeedsBoundMacros(absl::string_view text) { return absl::StrContains(text, "TUNE_"); }

}  // namespace tune
