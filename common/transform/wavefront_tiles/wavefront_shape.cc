#include "common/transform/wavefront_tiles/wavefront_shape.h"

#include <algorithm>
#include <set>

#include "common/array/element_type.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/tuple_name.h"
#include "common/program/device_program.h"

namespace tune {
namespace {

// Of a launch: most of them have no work, and take time all the same.
constexpr double kMostTiles = 1 << 20;

// An access of an array that is written: element matrix * h + constants.
struct Movement {
  std::string array;
  std::vector<std::vector<int64_t>> matrix;
  std::vector<int64_t> constants;
};

class ShapeSearch {
 public:
  ShapeSearch(const WavefrontBand& band, const ParsedScop& scop, const isl::set& values)
      : band_(band), scop_(scop), values_(values), loops_(static_cast<int>(band.extents.size())) {}

  std::optional<WavefrontShape> Choose(const WavefrontLimits& limits) {
    if (!FindMovements()) return std::nullopt;
    WavefrontShape shape;
    const auto most = std::max_element(band_.extents.begin(), band_.extents.end());
    shape.along = static_cast<int>(most - band_.extents.begin());
    const std::vector<int64_t>& across = limits.across[loops_ - 2];
    for (int i = 0, next = 0; i < loops_; ++i)
      shape.sizes.push_back(i == shape.along ? limits.along[loops_ - 2] : across[next++]);
    while (true) {
      shape.arrays = Arrays(shape);
      if (Bytes(shape) <= limits.bytes) break;
      int64_t& longest = *std::max_element(shape.sizes.begin(), shape.sizes.end());
      if (longest <= 8) return std::nullopt;
      longest /= 2;
    }
    shape.along =
        static_cast<int>(std::max_element(shape.sizes.begin(), shape.sizes.end()) - shape.sizes.begin());
    for (int i = 0; i < loops_; ++i) {
      shape.counts.push_back((band_.extents[i] - 1) / shape.sizes[i] + 1);
      if (shape.counts.back() < 2) return std::nullopt;
    }
    if (BlocksOf(shape) > kMostTiles) return std::nullopt;
    shape.derived_tile =
        static_cast<int>(std::max_element(shape.counts.begin(), shape.counts.end()) - shape.counts.begin());
    return shape;
  }

 private:
  bool FindMovements() {
    std::set<std::string> written;
    for (const WavefrontStatement& statement : band_.statements) {
      for (const ParsedAccess& access : scop_.statements[statement.index].accesses)
        if (access.writes()) written.insert(access.array);
    }
    for (const WavefrontStatement& statement : band_.statements) {
      for (const ParsedAccess& access : scop_.statements[statement.index].accesses) {
        if (written.count(access.array) > 0 && !Add(statement, access)) return false;
      }
    }
    return true;
  }

  bool Add(const WavefrontStatement& statement, const ParsedAccess& access) {
    if (IsComplex(scop_.array(access.array).element_type())) return false;
    const isl::map relation = access.relation.intersect_domain(scop_.statements[statement.index].domain)
                                  .intersect_params(values_)
                                  .project_out_all_params();  // S -> A
    if (!relation.is_single_valued()) return false;
    const isl::pw_multi_aff element = relation.as_pw_multi_aff();
    if (element.n_piece() != 1) return false;
    Movement movement{access.array, {}, {}};
    bool affine = Dimensions(relation, isl_dim_out) > 0;
    element.foreach_piece([&](const isl::set&, const isl::multi_aff& piece) {
      const isl::multi_aff moved = piece.pullback(statement.origin);  // [h] -> A
      for (int d = 0; affine && d < Dimensions(relation, isl_dim_out); ++d)
        affine = AddDimension(moved.at(d), &movement);
    });
    if (!affine) return false;
    for (const Movement& other : movements_) {
      if (other.array == movement.array && other.matrix != movement.matrix) return false;
    }
    movements_.push_back(std::move(movement));
    return true;
  }

  bool AddDimension(const isl::aff& value, Movement* movement) const {
    if (HasDivs(value)) return false;
    const auto read = [](const isl::val& number, std::vector<int64_t>* to) {
      if (number.is_int()) to->push_back(number.num_si());
      return number.is_int();
    };
    std::vector<int64_t>& row = movement->matrix.emplace_back();
    for (int i = 0; i < loops_; ++i) {
      if (!read(Coefficient(value, isl_dim_in, i), &row)) return false;
    }
    return read(value.constant_val(), &movement->constants);
  }

  std::vector<WavefrontArray> Arrays(const WavefrontShape& shape) const {
    std::vector<WavefrontArray> arrays;
    for (const Movement& movement : movements_) {
      auto array = std::find_if(arrays.begin(), arrays.end(),
                                [&](const WavefrontArray& other) { return other.name == movement.array; });
      const bool is_new = array == arrays.end();
      if (is_new) array = arrays.insert(array, {movement.array, movement.matrix, {}, {}});
      for (size_t d = 0; d < movement.matrix.size(); ++d) {
        int64_t least = movement.constants[d], most = least;
        for (int i = 0; i < loops_; ++i) {
          const int64_t reach = movement.matrix[d][i] * (shape.sizes[i] - 1);
          (reach < 0 ? least : most) += reach;
        }
        if (is_new) {
          array->first.push_back(least);
          array->extents.push_back(most - least + 1);
          continue;
        }
        const int64_t end = std::max(array->first[d] + array->extents[d], most + 1);
        array->first[d] = std::min(array->first[d], least);
        array->extents[d] = end - array->first[d];
      }
    }
    for (WavefrontArray& array : arrays) AvoidConflicts(shape, &array);
    return arrays;
  }

  // Neighbours in a warp are neighbours along the last loop but `along`, and at each step an iteration apart
  // along that one: their elements are to be an odd number of elements apart, in different banks.
  static void AvoidConflicts(const WavefrontShape& shape, WavefrontArray* array) {
    if (ElementsApart(shape, *array) % 2 != 0) return;
    ++array->extents.back();
    if (ElementsApart(shape, *array) % 2 == 0) --array->extents.back();
  }

  static int64_t ElementsApart(const WavefrontShape& shape, const WavefrontArray& array) {
    const int last = static_cast<int>(shape.sizes.size()) - 1;
    const int across = shape.along == last ? last - 1 : last;
    int64_t apart = 0, stride = 1;
    for (size_t d = array.extents.size(); d-- > 0; stride *= array.extents[d])
      apart += stride * (array.matrix[d][across] - array.matrix[d][shape.along]);
    return apart;
  }

  // Of a launch.
  static double BlocksOf(const WavefrontShape& shape) {
    double blocks = 1;
    for (const int64_t count : shape.counts) blocks *= static_cast<double>(count);
    return blocks / static_cast<double>(*std::max_element(shape.counts.begin(), shape.counts.end()));
  }

  int64_t Bytes(const WavefrontShape& shape) const {
    int64_t all = 0;
    for (const WavefrontArray& array : shape.arrays) {
      auto bytes = static_cast<int64_t>(ElementSize(scop_.array(array.name).element_type()));
      for (const int64_t extent : array.extents) bytes *= extent;
      all += AlignedBytes(bytes);
    }
    return all;
  }

  const WavefrontBand& band_;
  const ParsedScop& scop_;
  const isl::set values_;
  const int loops_;
  std::vector<Movement> movements_;
};

}  // namespace

std::optional<WavefrontShape> ChooseWavefrontShape(const WavefrontBand& band, const ParsedScop& scop,
                                                   const isl::set& values, const WavefrontLimits& limits) {
  return ShapeSearch(band, scop, values).Choose(limits);
}

}  // namespace tune
