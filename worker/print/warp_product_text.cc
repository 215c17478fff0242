#include "worker/print/warp_product_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/program/loop_condition.h"
#include "worker/print/point_loop_lines.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

// How an iterator over points is seen: one of so many, plus what says which half.
struct Half {
  const Loop* loop = nullptr;
  IndexExpression offset;
};

class WarpProductPrinter : PointLoopLines {
 public:
  WarpProductPrinter(const WarpProduct& product, StatementPrinter* statements, IndexPrinter* indices)
      : product_(product),
        statements_(statements),
        indices_(indices),
        names_(indices->names()),
        x_(absl::StrCat(names_.thread, 0)),
        y_(absl::StrCat(names_.thread, 1)),
        sum_(names_.matrix + "_s"),
        column_(names_.matrix + "_x"),
        odd_(names_.matrix + "_odd"),
        part_(names_.matrix + "_k"),
        left_(names_.matrix + "_a"),
        right_(names_.matrix + "_b"),
        left_parts_(left_ + "s"),
        right_parts_(right_ + "s") {}

  std::vector<TextLine> Print() {
    const Loop& loop = *product_.sum;
    PrintUnroll(loop);
    Line("for (", indices_->index_type(), " ", loop.iterator, " = ", Text(loop.first), "; ",
         Text(loop.condition), "; ", loop.iterator, " += ", kWarpSum, ") {");
    ++indent_;
    PrintCoordinates();
    for (const WarpTerm& term : product_.terms) PrintTerm(term);
    --indent_;
    Line("}");
    return std::move(lines_);
  }

 private:
  // The first of a thread's two iterations, the thread for whose column it loads, and for which of each two.
  void PrintCoordinates() {
    const std::string type = absl::StrCat("const ", indices_->index_type(), " ");
    const auto digit = [&](const std::string& name, int64_t count) {
      return IndexExpression::Of(Op::kRemainder,
                                 {IndexExpression::Name(name), IndexExpression::Constant(count)});
    };
    const auto quotient = [&](IndexExpression of, int64_t by) {
      return IndexExpression::Of(Op::kQuotient, {std::move(of), IndexExpression::Constant(by)});
    };
    Line(type, sum_, " = ",
         Text(IndexExpression::Name(product_.sum->iterator) +
              IndexExpression::Constant(2) * digit(x_, kWarpColumns)),
         ";");
    Line(type, column_, " = ",
         Text(IndexExpression::Constant(kWarpColumns) * quotient(IndexExpression::Name(x_), kWarpColumns) +
              quotient(digit(y_, kWarpRows), 2)),
         ";");
    Line(type, odd_, " = ", Text(digit(y_, 2)), ";");
  }

  // Loads stand together: between calls of instructions the compiler does not load neighbours at once.
  void PrintTerm(const WarpTerm& term) {
    const Half columns = HalfOf(product_.columns);
    const std::string left_extents = Extents(product_.rows, nullptr) + "[2]";
    const std::string right_extents = Extents(product_.columns, columns.loop) + "[2]";
    Line("{");
    ++indent_;
    Line("float ", left_, left_extents, ", ", right_, right_extents, ";");
    Instance instance = *product_.instance;
    PrintLoads(left_, product_.rows, nullptr, Factors(AtSum(instance), term.rows, term.subtracted));
    PutIn(x_, IndexExpression::Name(column_), &instance);
    PutIn(columns.loop->iterator,
          IndexExpression::Name(columns.loop->iterator) + columns.offset * IndexExpression::Name(odd_),
          &instance);
    PrintLoads(right_, product_.columns, columns.loop, Factors(AtSum(instance), term.columns, false));
    Line(names_.matrix, "_parts ", left_parts_, left_extents, ", ", right_parts_, right_extents, ";");
    PrintSplit(left_, left_parts_, product_.rows, nullptr);
    PrintSplit(right_, right_parts_, product_.columns, columns.loop);
    PrintCalls();
    --indent_;
    Line("}");
  }

  // The terms of all points of the loops, of `half` of half of them.
  void PrintLoads(const std::string& variable, const std::vector<const Loop*>& loops, const Loop* half,
                  const std::string& value) {
    OpenLoop(part_, 2);
    OpenLoops(loops, half);
    Line(variable, Points(loops, {}), "[", part_, "] = ", value, ";");
    CloseLoops(loops.size() + 1);
  }

  void PrintSplit(const std::string& variable, const std::string& parts,
                  const std::vector<const Loop*>& loops, const Loop* half) {
    OpenLoop(part_, 2);
    OpenLoops(loops, half);
    const std::string element = absl::StrCat(Points(loops, {}), "[", part_, "]");
    Line(parts, element, " = ", names_.matrix, "_split(", variable, element, ");");
    CloseLoops(loops.size() + 1);
  }

  // For each two rows and two columns.
  void PrintCalls() {
    const Half rows = HalfOf(product_.rows), columns = HalfOf(product_.columns);
    OpenLoops(product_.rows, rows.loop);
    OpenLoops(product_.columns, columns.loop);
    std::string sums;
    for (const bool low : {false, true}) {
      for (const bool right : {false, true}) {
        ElementAccess sum = *product_.target;
        if (low) sum = Replace(sum, rows.loop->iterator, Further(rows));
        if (right) sum = Replace(sum, columns.loop->iterator, Further(columns));
        absl::StrAppend(&sums, indices_->PrintAccess(sum).text, ", ");
      }
    }
    Line(names_.matrix, "(", sums, left_parts_, Points(product_.rows, {}), ", ", left_parts_,
         Points(product_.rows, rows), ", ", right_parts_, Points(product_.columns, {}), ");");
    CloseLoops(product_.rows.size() + product_.columns.size());
  }

  static Half HalfOf(const std::vector<const Loop*>& loops) {
    const Loop* const paired = PairedLoop(loops);
    return {paired, IndexExpression::Constant(*FixedIterations(*paired) / 2)};
  }
  static IndexExpression Further(const Half& half) {
    return IndexExpression::Name(half.loop->iterator) + half.offset;
  }

  // "[tune_c2][tune_c3 + 4]", of `further` in its further half.
  std::string Points(const std::vector<const Loop*>& loops, const Half& further) {
    std::string text;
    for (const Loop* loop : loops) {
      absl::StrAppend(
          &text, "[",
          loop == further.loop ? Text(Further(further)) : Text(IndexExpression::Name(loop->iterator)), "]");
    }
    return text;
  }

  Instance AtSum(const Instance& instance) const {
    Instance at = instance;
    PutIn(product_.sum->iterator, IndexExpression::Name(sum_) + IndexExpression::Name(part_), &at);
    return at;
  }

  static void PutIn(const std::string& name, const IndexExpression& value, Instance* instance) {
    for (ElementAccess& access : instance->accesses) access = Replace(access, name, value);
    for (IndexExpression& affine : instance->affine) affine = Replace(affine, name, value);
  }

  std::string Factors(const Instance& instance, const std::vector<const v1::Expression*>& factors,
                      bool negated) {
    CText text = statements_->Value(instance, *factors[0]);
    if (negated) text = UnaryText("-", text);
    for (size_t i = 1; i < factors.size(); ++i)
      text = BinaryText("*", text, statements_->Value(instance, *factors[i]));
    return text.text;
  }

  void PrintUnroll(const Loop& loop) {
    if (loop.unroll == Loop::kCompilerDecides) return;
    Directive(loop.unroll == Loop::kWhole
                  ? "#pragma unroll"
                  : absl::StrCat("#pragma unroll ", std::max<int64_t>(1, loop.unroll / kWarpSum)));
  }

  std::string Text(const IndexExpression& expression) { return indices_->Print(expression).text; }

  const WarpProduct& product_;
  StatementPrinter* statements_;
  IndexPrinter* indices_;
  const HelperNames& names_;
  const std::string x_, y_;  // the thread's coordinates
  // Variables: the first of two iterations; the coordinate along x of the thread for which it loads, and
  // whether that is the second of its two columns; which of the iterations; what was loaded, and split.
  const std::string sum_, column_, odd_, part_, left_, right_, left_parts_, right_parts_;
};

// Of two rows and a column, with two of the sum's iterations each, in the order of the instruction's
// operands. It cuts off where additions round, so the sums of all terms are added by additions.
constexpr char kFunctions[] = R"(struct @_parts {
  float big, small;
};

static __device__ __forceinline__ float @_round(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
#else
  return __uint_as_float((__float_as_uint(value) + 0x1000u) & 0xffffe000u);
#endif
}

static __device__ __forceinline__ @_parts @_split(float value) {
  @_parts parts;
  parts.big = @_round(value);
  parts.small = @_round(value - parts.big);
  return parts;
}

static __device__ __forceinline__ void @_add(float &d0, float &d1, float &d2, float &d3, float a0, float a1, float a2,
                                            float a3, float b0, float b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
      : "r"(__float_as_uint(a0)), "r"(__float_as_uint(a1)), "r"(__float_as_uint(a2)), "r"(__float_as_uint(a3)),
        "r"(__float_as_uint(b0)), "r"(__float_as_uint(b1)));
#else
  const unsigned number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), lane = number % 32;
  for (int k = 0; k < 8; ++k) {
    const float upper = __shfl_sync(0xffffffff, k < 4 ? a0 : a2, lane / 4 * 4 + k % 4);
    const float lower = __shfl_sync(0xffffffff, k < 4 ? a1 : a3, lane / 4 * 4 + k % 4);
    const float left = __shfl_sync(0xffffffff, k < 4 ? b0 : b1, lane % 4 * 8 + k % 4);
    const float right = __shfl_sync(0xffffffff, k < 4 ? b0 : b1, lane % 4 * 8 + 4 + k % 4);
    d0 += upper * left;
    d1 += upper * right;
    d2 += lower * left;
    d3 += lower * right;
  }
#endif
}

static __device__ __forceinline__ void @(float &d0, float &d1, float &d2, float &d3, const @_parts (&upper)[2],
                                        const @_parts (&lower)[2], const @_parts (&column)[2]) {
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  @_add(s0, s1, s2, s3, upper[0].small, lower[0].small, upper[1].small, lower[1].small, column[0].big, column[1].big);
  @_add(s0, s1, s2, s3, upper[0].big, lower[0].big, upper[1].big, lower[1].big, column[0].small, column[1].small);
  @_add(s0, s1, s2, s3, upper[0].big, lower[0].big, upper[1].big, lower[1].big, column[0].big, column[1].big);
  d0 += s0;
  d1 += s1;
  d2 += s2;
  d3 += s3;
}

)";

}  // namespace

std::vector<TextLine> WarpProductLines(const WarpProduct& product, StatementPrinter* statements,
                                       IndexPrinter* indices) {
  return WarpProductPrinter(product, statements, indices).Print();
}

std::string Tf32Functions(const HelperNames& names) {
  return absl::StrReplaceAll(kFunctions, {{"@", names.matrix}});
}

}  // namespace tune
