#include "worker/print/half_product_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/program/half_terms.h"
#include "common/program/loop_condition.h"
#include "worker/print/point_loop_lines.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

// A loop over points of which an instruction, or a load, takes two: so many iterations apart.
struct PairedPoints {
  const Loop* loop = nullptr;
  int64_t offset = 0;
};

class HalfProductPrinter : PointLoopLines {
 public:
  HalfProductPrinter(const WarpProduct& product, StatementPrinter* statements, IndexPrinter* indices)
      : product_(product),
        statements_(statements),
        indices_(indices),
        names_(indices->names()),
        x_(absl::StrCat(names_.thread, 0)),
        y_(absl::StrCat(names_.thread, 1)),
        matrix_(names_.matrix + "_m"),
        lane_(names_.matrix + "_l"),
        row_terms_(names_.matrix + "_a"),
        column_terms_(names_.matrix + "_b"),
        sums_(names_.matrix + "_s"),
        columns_(FurtherColumns(product)),
        row_half_(HalfOf(product.rows)),
        column_half_(HalfOf(columns_)) {}

  std::vector<TextLine> Print() {
    const Loop& loop = *product_.sum;
    const int64_t first = loop.first.value, end = first + *FixedIterations(loop);
    const int64_t whole_first = (first + kHalfSum - 1) / kHalfSum * kHalfSum;
    const int64_t whole_end = end / kHalfSum * kHalfSum;
    const std::string type = indices_->index_type();
    Line("{");
    ++indent_;
    PrintLane();
    if (first < whole_first) PrintPart(whole_first - kHalfSum, first, end);
    if (whole_first < whole_end) {
      Directive("#pragma unroll");
      Line("for (", type, " ", loop.iterator, " = ", whole_first, "; ", loop.iterator, " < ", whole_end, "; ",
           loop.iterator, " += ", kHalfSum, ") {");
      PrintStep(Kept());
      Line("}");
    }
    if (whole_first <= whole_end && whole_end < end) PrintPart(whole_end, first, end);
    --indent_;
    Line("}");
    return std::move(lines_);
  }

 private:
  // What lanes load: of which of four matrices, and of this which row.
  void PrintLane() {
    const std::string type = absl::StrCat("const ", indices_->index_type(), " ");
    Line(type, matrix_, " = ", Text(Quotient(Remainder(Name(y_), kWarpRows), 2)), ";");
    Line(type, lane_, " = ",
         Text(Number(kWarpColumns) * Remainder(Name(y_), 2) + Remainder(Name(x_), kWarpColumns)), ";");
  }

  // Those iterations of a step of which there are terms.
  struct Kept {
    int64_t first = 0, end = kHalfSum;
    bool All() const { return first == 0 && end == kHalfSum; }
  };

  // The step from `step` on, of the sum's iterations from `first` to before `end`.
  void PrintPart(int64_t step, int64_t first, int64_t end) {
    Line("{");
    Line("  const ", indices_->index_type(), " ", product_.sum->iterator, " = ", step, ";");
    PrintStep({std::max<int64_t>(0, first - step), std::min(end - step, kHalfSum)});
    Line("}");
  }

  void PrintStep(const Kept& kept) {
    ++indent_;
    for (const HalfTerm& term : product_.halves) {
      Line("{");
      ++indent_;
      Line("unsigned ", row_terms_, Extents(product_.rows, row_half_.loop), "[4], ", column_terms_,
           Extents(columns_, column_half_.loop), "[4];");
      PrintLoads(row_terms_, product_.rows, row_half_, RowsOf(term.row), !term.row.along_sum, 2, kept);
      PrintLoads(column_terms_, columns_, column_half_, ColumnsOf(term.column), !term.column.along_sum, 1,
                 kept);
      PrintCalls(term);
      --indent_;
      Line("}");
    }
    --indent_;
  }

  // Of four matrices the first two have neighbouring rows; the other two are of the sum's further iterations.
  // Where they lie along rows a matrix' rows are iterations.
  ElementAccess RowsOf(const HalfOperand& operand) const {
    const IndexExpression first = Number(kWarpRows) * Quotient(Name(y_), kWarpRows);
    ElementAccess access = product_.instance->accesses[operand.access];
    access = Further(access, row_half_, Remainder(Name(matrix_), 2));
    const IndexExpression step = Number(kHalfRow) * Quotient(Name(matrix_), 2);
    return operand.along_sum ? AtSum(Replace(access, y_, first + Name(lane_)), step)
                             : AtSum(Replace(access, y_, first), step + Name(lane_));
  }

  // The first and third matrix have the sum's first iterations; the last two are of further columns.
  ElementAccess ColumnsOf(const HalfOperand& operand) const {
    const IndexExpression first = Number(kWarpColumns) * Quotient(Name(x_), kWarpColumns);
    const std::string& neighbour = NeighbourColumns(product_)->iterator;
    ElementAccess access = product_.instance->accesses[operand.access];
    access = Further(access, column_half_, Quotient(Name(matrix_), 2));
    const IndexExpression step = Number(kHalfRow) * Remainder(Name(matrix_), 2);
    if (!operand.along_sum)
      return AtSum(Replace(Replace(access, x_, first), neighbour, Number(0)), step + Name(lane_));
    access = Replace(access, x_, first + Quotient(Name(lane_), kHalfPiece));
    return AtSum(Replace(access, neighbour, Remainder(Name(lane_), kHalfPiece)), step);
  }

  static ElementAccess Further(const ElementAccess& access, const PairedPoints& half,
                               const IndexExpression& which) {
    const IndexExpression at = Name(half.loop->iterator) + Number(half.offset) * which;
    return Replace(access, half.loop->iterator, Folded(at));
  }
  ElementAccess AtSum(const ElementAccess& access, const IndexExpression& further) const {
    return Replace(access, product_.sum->iterator, Name(product_.sum->iterator) + further);
  }

  // `iterations_in`: which bit of a matrix' number says of which iterations of the sum it is.
  void PrintLoads(const std::string& variable, const std::vector<const Loop*>& loops,
                  const PairedPoints& half, const ElementAccess& access, bool across, int iterations_in,
                  const Kept& kept) {
    OpenLoops(loops, half.loop);
    const std::string terms = variable + Points(loops);
    Line(names_.matrix, "_load<", across ? "true" : "false", ">(", terms, ", &",
         indices_->PrintAccess(access).text, ");");
    if (!kept.All()) {
      Line(names_.matrix, "_keep<", iterations_in, ">(", terms, ", ", kept.first, ", ", kept.end, ");");
    }
    CloseLoops(loops.size());
  }

  void PrintCalls(const HalfTerm& term) {
    OpenLoops(product_.rows, row_half_.loop);
    OpenLoops(columns_, column_half_.loop);
    for (const int further : {0, 1}) {
      const std::string terms =
          absl::StrCat(row_terms_, Points(product_.rows), ", ", column_terms_, Points(columns_), "[",
                       2 * further, "], ", column_terms_, Points(columns_), "[", 2 * further + 1, "]");
      const std::vector<std::string> sums = Sums(further);
      if (!term.subtracted && term.same.empty()) {
        Line(names_.matrix, "_halves(", absl::StrJoin(sums, ", "), ", ", terms, ");");
      } else {
        PrintCallOfOwnSums(term, sums, terms);
      }
    }
    CloseLoops(product_.rows.size() + columns_.size());
  }

  // What all terms are multiplied by multiplies their sum.
  void PrintCallOfOwnSums(const HalfTerm& term, const std::vector<std::string>& sums,
                          const std::string& terms) {
    CText same;
    for (const v1::Expression* factor : term.same) {
      CText value = statements_->Value(*product_.instance, *factor);
      if (factor->c_type() != "float") value = CastText("float", value);
      same = same.text.empty() ? value : BinaryText("*", same, value);
    }
    Line("{");
    ++indent_;
    Line("float ", sums_, "[4] = {};");
    std::vector<std::string> own;
    for (int i = 0; i < 4; ++i) own.push_back(absl::StrCat(sums_, "[", i, "]"));
    Line(names_.matrix, "_halves(", absl::StrJoin(own, ", "), ", ", terms, ");");
    for (int i = 0; i < 4; ++i) {
      const std::string added = same.text.empty() ? own[i] : BinaryText("*", same, {own[i]}).text;
      Line(sums[i], term.subtracted ? " -= " : " += ", added, ";");
    }
    --indent_;
    Line("}");
  }

  // Of two rows two neighbouring columns each, in the instruction's order.
  std::vector<std::string> Sums(int further_columns) const {
    std::vector<std::string> sums;
    const std::string& neighbour = NeighbourColumns(product_)->iterator;
    for (const int further_row : {0, 1}) {
      for (const int column : {0, 1}) {
        ElementAccess sum = Further(*product_.target, row_half_, Number(further_row));
        sum = Replace(Further(sum, column_half_, Number(further_columns)), neighbour, Number(column));
        sums.push_back(indices_->PrintAccess(sum).text);
      }
    }
    return sums;
  }

  static PairedPoints HalfOf(const std::vector<const Loop*>& loops) {
    const Loop* const paired = PairedLoop(loops);
    return {paired, *FixedIterations(*paired) / 2};
  }

  static std::string Points(const std::vector<const Loop*>& loops) {
    std::string text;
    for (const Loop* loop : loops) absl::StrAppend(&text, "[", loop->iterator, "]");
    return text;
  }

  static IndexExpression Name(const std::string& name) { return IndexExpression::Name(name); }
  static IndexExpression Number(int64_t value) { return IndexExpression::Constant(value); }
  static IndexExpression Quotient(IndexExpression of, int64_t by) {
    return IndexExpression::Of(Op::kQuotient, {std::move(of), Number(by)});
  }
  static IndexExpression Remainder(IndexExpression of, int64_t by) {
    return IndexExpression::Of(Op::kRemainder, {std::move(of), Number(by)});
  }
  std::string Text(const IndexExpression& expression) { return indices_->Print(expression).text; }

  const WarpProduct& product_;
  StatementPrinter* statements_;
  IndexPrinter* indices_;
  const HelperNames& names_;
  const std::string x_, y_;  // the thread's coordinates
  // Variables: which of four matrices, and which row of it, a lane tells; what was loaded; sums of their own.
  const std::string matrix_, lane_, row_terms_, column_terms_, sums_;
  const std::vector<const Loop*> columns_;
  const PairedPoints row_half_, column_half_;
};

// Each lane of a warp tells where a row of a matrix of 8 x 8 is, 8 of each of four, and gets of each matrix
// two neighbours of the row that is a quarter of its number, or, with `across`, of that column (PTX ISA,
// "ldmatrix").
constexpr char kHalfFunctions[] = R"(static __device__ __forceinline__ unsigned @_lane() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}

template <bool across> static __device__ __forceinline__ void @_load(unsigned (&to)[4], const void *row) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
  const unsigned from = (unsigned)__cvta_generic_to_shared(row);
  if (across)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from) : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from) : "memory");
#else
  const int outer = @_lane() / 4, inner = @_lane() % 4 * 2;
  for (int i = 0; i < 4; ++i) {
    const unsigned short *const first =
        (const unsigned short *)__shfl_sync(0xffffffff, (unsigned long long)row, 8 * i + (across ? inner : outer));
    const unsigned short *const second =
        (const unsigned short *)__shfl_sync(0xffffffff, (unsigned long long)row, 8 * i + (across ? inner + 1 : outer));
    to[i] = first[across ? outer : inner] | (unsigned)second[across ? outer : inner + 1] << 16;
  }
#endif
}

template <int further> static __device__ __forceinline__ void @_keep(unsigned (&terms)[4], int first, int end) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int k = 8 * (i / further % 2) + (int)(@_lane() % 4 * 2);
    terms[i] &= (first <= k && k < end ? 0xffffu : 0u) | (first <= k + 1 && k + 1 < end ? 0xffff0000u : 0u);
  }
}

static __device__ __forceinline__ void @_halves(float &d0, float &d1, float &d2, float &d3, const unsigned (&a)[4],
                                               unsigned b0, unsigned b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a[0]), "r"(a[1]), "r"(b0));
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a[2]), "r"(a[3]), "r"(b1));
#else
  const auto number = [](unsigned bits) -> float {
    $ half;
    half.bits = (unsigned short)bits;
    return half;
  };
  for (int k = 0; k < 16; ++k) {
    const int row = @_lane() / 4 * 4 + k % 8 / 2, column = @_lane() % 4 * 8 + k % 8 / 2;
    const float upper = number(__shfl_sync(0xffffffff, k < 8 ? a[0] : a[2], row) >> k % 2 * 16);
    const float lower = number(__shfl_sync(0xffffffff, k < 8 ? a[1] : a[3], row) >> k % 2 * 16);
    const float left = number(__shfl_sync(0xffffffff, k < 8 ? b0 : b1, column) >> k % 2 * 16);
    const float right = number(__shfl_sync(0xffffffff, k < 8 ? b0 : b1, column + 4) >> k % 2 * 16);
    d0 += upper * left;
    d1 += upper * right;
    d2 += lower * left;
    d3 += lower * right;
  }
#endif
}

)";

}  // namespace

std::vector<TextLine> HalfProductLines(const WarpProduct& product, StatementPrinter* statements,
                                       IndexPrinter* indices) {
  return HalfProductPrinter(product, statements, indices).Print();
}

std::string HalfFunctions(const HelperNames& names) {
  return absl::StrReplaceAll(kHalfFunctions, {{"@", names.matrix}, {"$", names.half}});
}

}  // namespace tune
