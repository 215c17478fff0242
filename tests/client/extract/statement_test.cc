// Assignments: update forms, values, declarations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

constexpr char kStatementHead[] =
    "#include <math.h>\n#include <stdlib.h>\n"
    "typedef float real; enum { TWO = 2 }; const int five = 5; static const double tenth = 0.1;\n"
    "void f(int n, double x, double y, double a, int k, unsigned u, unsigned long w, float r, char c,\n"
    "       double A[100], double B[100], int K[100], real R[100], unsigned char U[100])";

struct StatementCase {
  const char* name;
  const char* c;         // inside `for (int i = 1; i < n; i++)`
  const char* expected;  // StatementText of the last statement
};

class StatementForm : public ::testing::TestWithParam<StatementCase> {};

TEST_P(StatementForm, IsAsExpected) {
  v1::Scop scop = ScopOf(kStatementHead, std::string("for (int i = 1; i < n; i++) {") + GetParam().c + "}");
  ASSERT_GT(scop.statements_size(), 0);
  EXPECT_EQ(StatementText(scop.statements(scop.statements_size() - 1)), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Updates, StatementForm,
    ::testing::Values(
        StatementCase{"AddAssign", "x += A[i];", "x[] += A[i]"},
        StatementCase{"SumLeft", "x = x + A[i];", "x[] += A[i]"},
        StatementCase{"SumRight", "x = A[i] + x;", "x[] += A[i]"},
        StatementCase{"SubtractAssign", "x -= A[i];", "x[] += -(A[i])"},
        StatementCase{"Difference", "x = x - A[i];", "x[] += -(A[i])"},
        StatementCase{"ReversedDifference", "x = A[i] - x;", "x[] = (A[i] - x[])"},
        StatementCase{"MultiplyAssign", "x *= a;", "x[] *= a[]"},
        StatementCase{"ProductLeft", "x = x * a;", "x[] *= a[]"},
        StatementCase{"ProductRight", "x = a * x;", "x[] *= a[]"},
        StatementCase{"DivideAssign", "x /= a;", "x[] = (x[] / a[])"},
        StatementCase{"Parentheses", "(x) = ((x) + (A[i]));", "x[] += A[i]"},
        StatementCase{"Element", "A[i] = A[i] + B[i];", "A[i] += B[i]"},
        StatementCase{"ElementSameSubscript", "A[i + 1] = B[i] + A[1 + i];", "A[1 + i] += B[i]"},
        StatementCase{"OtherElement", "A[i] = A[i - 1] + B[i];", "A[i] = (A[-1 + i] + B[i])"},
        StatementCase{"OtherElementInOperand", "A[i] = A[i] + A[i - 1];", "A[i] += A[-1 + i]"},
        StatementCase{"SameElementTwice", "x = x + x;", "x[] = (x[] + x[])"},
        StatementCase{"SameElementInOperand", "x += a * x;", "x[] = (x[] + (a[] * x[]))"},
        StatementCase{"SameElementForOneInstance", "A[i] += A[5];", "A[i] = (A[i] + A[5])"},
        StatementCase{"ChainIsNotReassociated", "x = x + a + y;", "x[] = ((x[] + a[]) + y[])"},
        StatementCase{"Minimum", "x = x < A[i] ? x : A[i];", "x[] min= A[i]"},
        StatementCase{"MinimumOther", "x = A[i] < x ? A[i] : x;", "x[] min= A[i]"},
        StatementCase{"MinimumReversed", "x = x > A[i] ? A[i] : x;", "x[] min= A[i]"},
        StatementCase{"MinimumOrEqual", "x = (x <= A[i]) ? x : A[i];", "x[] min= A[i]"},
        StatementCase{"MinimumCall", "x = fmin(x, A[i]);", "x[] min= A[i]"},
        StatementCase{"Maximum", "x = x > A[i] ? x : A[i];", "x[] max= A[i]"},
        StatementCase{"MaximumReversed", "x = x < A[i] ? A[i] : x;", "x[] max= A[i]"},
        StatementCase{"MaximumCall", "x = fmax(A[i], x);", "x[] max= A[i]"},
        StatementCase{"MaximumFloat", "R[i] = fmaxf(R[i], r);", "R[i] max= r[]"},
        StatementCase{"NotAMinimum", "x = x < A[i] ? x : B[i];", "x[] = ((x[] < A[i]) ? x[] : B[i])"},
        StatementCase{"Increment", "k++;", "k[] += 1"}, StatementCase{"PreIncrement", "++K[i];", "K[i] += 1"},
        StatementCase{"Decrement", "K[i]--;", "K[i] += -(1)"},
        // An int that is updated in floating point is rounded at every step.
        StatementCase{"IntByDouble", "k += x;", "k[] = (k[] + x[])"},
        StatementCase{"IntByDoubleSum", "k = k + 0.5;", "k[] = (k[] + 0.5)"},
        StatementCase{"FloatByDouble", "r += x;", "r[] += x[]"},
        StatementCase{"FloatByDoubleCast", "r = (float)(r + x);", "r[] += x[]"},
        StatementCase{"UnsignedNegation", "w -= u;", "w[] += -((unsigned long)u[])"},
        StatementCase{"UnsignedComparison", "K[i] = K[i] < u ? K[i] : u;",
                      "K[i] = ((K[i] < u[]) ? K[i] : u[])"},
        StatementCase{"CharSum", "U[i] += 7;", "U[i] += 7"},
        StatementCase{"ShiftAssign", "k <<= 1;", "k[] = (k[] << 1)"},
        StatementCase{"Chained", "x = y = a;", "x[] = y[]"},
        StatementCase{"ChainedUpdate", "x = y += a;", "x[] = y[]"},
        StatementCase{"Comma", "x = 1, y = 2;", "y[] = 2"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Values, StatementForm,
    ::testing::Values(
        StatementCase{"Literal", "x = 0.25;", "x[] = 0.25"},
        StatementCase{"FloatLiteral", "r = 1.0f;", "r[] = 1.0f"},
        StatementCase{"HexLiteral", "k = 0x1F;", "k[] = 0x1F"},
        StatementCase{"CharLiteral", "k = 'a';", "k[] = 97"},
        StatementCase{"Negative", "x = -1.5;", "x[] = -(1.5)"},
        StatementCase{"Enumerator", "x = TWO;", "x[] = 2"},
        StatementCase{"FoldedInt", "x = five * 2 + 1;", "x[] = 11"},
        StatementCase{"FoldedNegative", "k = five - 9;", "k[] = -(4)"},
        StatementCase{"ConstDouble", "x = tenth;", "x[] = 0.10000000000000001"},
        StatementCase{"Sizeof", "x = sizeof(double) * 2;", "x[] = 16UL"},
        StatementCase{"Iterator", "x = i;", "x[] = <i>"},
        StatementCase{"AffineSum", "x = 2 * i + n - 1;", "x[] = <-1 + n + 2i>"},
        StatementCase{"AffineUnderCast", "x = (double)(i + 1) / n;", "x[] = ((double)<1 + i> / <n>)"},
        StatementCase{"ProductOfIterators", "x = (double)(i * i % n);", "x[] = (double)((<i> * <i>) % <n>)"},
        StatementCase{"Data", "x = k;", "x[] = k[]"},
        StatementCase{"DataAndIterator", "x = k + i;", "x[] = (k[] + <i>)"},
        StatementCase{"UnsignedWrap", "w = (unsigned)i - 2u * n;", "w[] = (<i> - <2n>)"},
        StatementCase{"Condition", "x = i == 5 ? 1.0 : A[i];", "x[] = ((<i> == 5) ? 1.0 : A[i])"},
        StatementCase{"DataCondition", "x = A[i] > 0.0 && !k ? A[i] : -B[i];",
                      "x[] = (((A[i] > 0.0) && !(k[])) ? A[i] : -(B[i]))"},
        StatementCase{"Call", "x = sqrt(A[i]) + pow(y, 2.0) + fabsf(r) + abs(k);",
                      "x[] = (((sqrt(A[i]) + pow(y[], 2.0)) + fabsf(r[])) + abs(k[]))"},
        StatementCase{"Narrowing", "K[i] = (char)i;", "K[i] = (char)<i>"},
        StatementCase{"Bits", "k = (k & 15) | (k ^ 3) >> 1;", "k[] = ((k[] & 15) | ((k[] ^ 3) >> 1))"},
        StatementCase{"Pointer", "x = *A;", "x[] = A[0]"},
        StatementCase{"PointerSum", "x = *(A + i);", "x[] = A[i]"},
        StatementCase{"PointerOffset", "x = (A + i)[1];", "x[] = A[1 + i]"},
        StatementCase{"Swapped", "x = i[A];", "x[] = A[i]"}),
    [](const auto& info) { return info.param.name; });

TEST(Statement, NegatedUpdateIsCheckedByType) {
  v1::Scop scop = ScopOf("void f(double x, int k)", "x -= k;");
  EXPECT_EQ(StatementText(scop.statements(0)), "x[] += -((double)k[])");
}

TEST(Statement, SubscriptsMayDivide) {
  v1::Scop scop =
      ScopOf("void f(int n, double A[n], double x)", "for (int i = 0; i < n; i++) x += A[i / 2] * A[i % 4];");
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(0).relation(), "[n] -> { S0[i] -> A[floor(i/2)] }"));
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(1).relation(), "[n] -> { S0[i] -> A[i mod 4] }"));
}

TEST(Statement, InfinityIsReadFromItsVariable) {
  v1::Scop scop =
      ScopOf("#include <math.h>\nstatic const double inf = INFINITY; void f(double x)", "x = inf;");
  EXPECT_EQ(StatementText(scop.statements(0)), "x[] = inf[]");
}

TEST(Statement, AccessKindsAndOrder) {
  v1::Scop scop =
      ScopOf("void f(int n, double A[n], double B[n])", "for (int i = 0; i < n; i++) A[i] += B[i] * B[0];");
  const v1::Statement& statement = scop.statements(0);
  ASSERT_EQ(statement.accesses_size(), 3);
  EXPECT_EQ(statement.accesses(0).kind(), v1::Access::READ);
  EXPECT_EQ(statement.accesses(2).kind(), v1::Access::UPDATE);
  EXPECT_EQ(statement.target(), 2);
  EXPECT_EQ(statement.update(), v1::ADD);
  EXPECT_TRUE(SameMap(statement.accesses(1).relation(), "[n] -> { S0[i] -> B[0] }"));
  EXPECT_EQ(statement.line(), 3);
  EXPECT_EQ(statement.value().c_type(), "double");
}

TEST(Statement, DeclarationsInside) {
  v1::Scop scop = ScopOf(
      "void f(int n, double A[n])",
      "for (int i = 0; i < n; i++) { double t, s = A[i]; double v[4]; t = s; v[0] = t; A[i] = v[0]; }");
  ASSERT_EQ(scop.statements_size(), 6);
  EXPECT_EQ(scop.statements(0).kind(), v1::Statement::KILL);
  EXPECT_EQ(scop.statements(0).accesses(0).array(), "t");
  EXPECT_EQ(StatementText(scop.statements(1)), "s[] = A[i]");
  EXPECT_EQ(scop.statements(2).kind(), v1::Statement::KILL);
  for (const v1::Array& array : scop.arrays())
    EXPECT_EQ(array.declared_inside(), array.name() != "A") << array.name();
}

TEST(Statement, LocalsOfTheSameNameAreTold) {
  v1::Scop scop = ScopOf(
      "double t; void f(int n, double A[n])",
      "for (int i = 0; i < n; i++) { { double t = 1; A[i] = t; } { double t = 2; A[i] += t; } } t = 3;");
  EXPECT_EQ(StatementText(scop.statements(0)), "t_2[] = 1");
  EXPECT_EQ(StatementText(scop.statements(1)), "A[i] = t_2[]");
  EXPECT_EQ(StatementText(scop.statements(3)), "A[i] += t_3[]");
  EXPECT_EQ(StatementText(scop.statements(4)), "t[] = 3");
}

std::string Times(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(Statement, LongSumsAreOneOperation) {
  const auto text_of = [](const std::string& value) {
    return StatementText(
        ScopOf(kStatementHead, "for (int i = 1; i < n; i++) A[i] = " + value + ";").statements(0));
  };
  const std::string terms = Times(19, " + B[i]");
  EXPECT_EQ(text_of("B[0]" + Times(15, " + B[i]")),
            "A[i] = " + std::string(15, '(') + "B[0]" + Times(15, " + B[i])"));
  EXPECT_EQ(text_of("B[0]" + terms), "A[i] = (B[0]" + terms + ")");
  // What is subtracted is added as its negative, integers after they are converted.
  EXPECT_EQ(text_of("B[0]" + terms + " - B[i] * x - u - r"),
            "A[i] = (B[0]" + terms + " + -((B[i] * x[])) + -((double)u[]) + -(r[]))");
  // A sum of floats in one of doubles.
  EXPECT_EQ(text_of("r - R[i]" + Times(19, " + r") + " + x"),
            "A[i] = ((r[] + -(R[i])" + Times(19, " + r[]") + ") + x[])");
  // Integers are as they were.
  EXPECT_THAT(Problems(Extract(Function(
                  kStatementHead, "for (int i = 0; i < n; i++) K[i] = K[i]" + Times(44, " - K[i]") + ";"))),
              ::testing::HasSubstr("more than 40 operations"));
}

TEST(Statement, LocalsThatNameAnAffineValueVanish) {
  v1::Scop scop = ScopOf("void f(int n, double A[n + 9])",
                         "for (int i = 0; i < n; i++) { const int next = i + 1; int last = n + next; A[next] "
                         "= A[last - n] + last; }");
  ASSERT_EQ(scop.statements_size(), 1);
  EXPECT_EQ(StatementText(scop.statements(0)), "A[1 + i] += <1 + n + i>");
  EXPECT_EQ(scop.arrays_size(), 1);
}

TEST(Statement, EmptyStatementsAndBlocks) {
  v1::Scop scop =
      ScopOf("void f(int n, double A[n])", "; {} for (int i = 0; i < n; i++) { ; { A[i] = 1; } } (void)0;");
  EXPECT_EQ(scop.statements_size(), 1);
}

}  // namespace
}  // namespace tune::testing
