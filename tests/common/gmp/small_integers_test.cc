// GMP's functions that are replaced, against GMP's own.
#include <gmp.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

extern "C" {
#define TUNE_GMP_OWN(type, name, ...) type __real___gmpz_##name(__VA_ARGS__)
TUNE_GMP_OWN(void, clear, mpz_ptr x);
TUNE_GMP_OWN(void, set, mpz_ptr r, mpz_srcptr a);
TUNE_GMP_OWN(void, set_si, mpz_ptr r, long a);
TUNE_GMP_OWN(void, add, mpz_ptr r, mpz_srcptr a, mpz_srcptr b);
TUNE_GMP_OWN(void, sub, mpz_ptr r, mpz_srcptr a, mpz_srcptr b);
TUNE_GMP_OWN(void, add_ui, mpz_ptr r, mpz_srcptr a, unsigned long b);
TUNE_GMP_OWN(void, sub_ui, mpz_ptr r, mpz_srcptr a, unsigned long b);
TUNE_GMP_OWN(void, mul, mpz_ptr r, mpz_srcptr a, mpz_srcptr b);
TUNE_GMP_OWN(void, addmul, mpz_ptr r, mpz_srcptr a, mpz_srcptr b);
TUNE_GMP_OWN(void, submul, mpz_ptr r, mpz_srcptr a, mpz_srcptr b);
TUNE_GMP_OWN(int, cmp, mpz_srcptr a, mpz_srcptr b);
TUNE_GMP_OWN(int, cmp_ui, mpz_srcptr a, unsigned long b);
TUNE_GMP_OWN(int, cmp_si, mpz_srcptr a, long b);
TUNE_GMP_OWN(int, cmpabs, mpz_srcptr a, mpz_srcptr b);
TUNE_GMP_OWN(void, gcd, mpz_ptr r, mpz_srcptr a, mpz_srcptr b);
TUNE_GMP_OWN(void, divexact, mpz_ptr r, mpz_srcptr a, mpz_srcptr b);
TUNE_GMP_OWN(void, fdiv_q, mpz_ptr r, mpz_srcptr a, mpz_srcptr b);
TUNE_GMP_OWN(void, cdiv_q, mpz_ptr r, mpz_srcptr a, mpz_srcptr b);
TUNE_GMP_OWN(void, fdiv_r, mpz_ptr r, mpz_srcptr a, mpz_srcptr b);
TUNE_GMP_OWN(int, divisible_p, mpz_srcptr a, mpz_srcptr b);
#undef TUNE_GMP_OWN
}

namespace tune {
namespace {

// An integer of GMP that frees itself.
class Integer {
 public:
  Integer() { mpz_init(value_); }
  explicit Integer(const std::string& text) { mpz_init_set_str(value_, text.c_str(), 10); }
  Integer(const Integer& other) { mpz_init_set(value_, other.value_); }
  Integer& operator=(const Integer&) = delete;
  ~Integer() { mpz_clear(value_); }

  mpz_ptr get() { return value_; }
  mpz_srcptr get() const { return value_; }
  std::string Text() const {
    std::string text(mpz_sizeinbase(value_, 10) + 2, '\0');
    mpz_get_str(text.data(), 10, value_);
    return text.c_str();
  }

 private:
  mpz_t value_;
};

// Around the ends of what fits in 32 bits, in 63 bits, and in one limb.
std::vector<Integer> Values() {
  std::vector<Integer> values;
  for (const std::string text : {"0",
                                 "1",
                                 "2",
                                 "3",
                                 "6",
                                 "12",
                                 "35",
                                 "1201",
                                 "65536",
                                 "2147483647",
                                 "2147483648",
                                 "4294967295",
                                 "4294967296",
                                 "4294967298",
                                 "4611686018427387904",
                                 "9223372036854775807",
                                 "9223372036854775808",
                                 "9223372036854775809",
                                 "18446744073709551614",
                                 "18446744073709551615",
                                 "18446744073709551616",
                                 "36893488147419103232",
                                 "340282366920938463463374607431768211456"}) {
    values.emplace_back(text);
    if (text != "0") values.emplace_back("-" + text);
  }
  return values;
}

const std::vector<long>& SignedValues() {
  static const std::vector<long> values = {0, 1, -1, 7, -12, 4294967296, LONG_MAX, -LONG_MAX, LONG_MIN};
  return values;
}

using Binary = void (*)(mpz_ptr, mpz_srcptr, mpz_srcptr);

// With `result`, where it is one of the operands, and where it is not; `possible`: of the second operand.
void ExpectSame(const char* name, Binary ours, Binary own,
                const std::function<bool(mpz_srcptr, mpz_srcptr)>& possible) {
  for (const Integer& a : Values()) {
    for (const Integer& b : Values()) {
      if (!possible(a.get(), b.get())) continue;
      const std::string what = std::string(name) + " " + a.Text() + " " + b.Text();
      for (const Integer& before : Values()) {
        Integer result(before), expected(before);
        ours(result.get(), a.get(), b.get());
        own(expected.get(), a.get(), b.get());
        EXPECT_EQ(result.Text(), expected.Text()) << what << " into " << before.Text();
      }
      Integer result, expected;
      ours(result.get(), a.get(), b.get());
      own(expected.get(), a.get(), b.get());
      EXPECT_EQ(result.Text(), expected.Text()) << what;
      Integer first(a), first_expected(a), second(b), second_expected(b);
      ours(first.get(), first.get(), b.get());
      own(first_expected.get(), first_expected.get(), b.get());
      EXPECT_EQ(first.Text(), first_expected.Text()) << what << " into the first";
      ours(second.get(), a.get(), second.get());
      own(second_expected.get(), a.get(), second_expected.get());
      EXPECT_EQ(second.Text(), second_expected.Text()) << what << " into the second";
    }
  }
}

bool Always(mpz_srcptr, mpz_srcptr) { return true; }
bool HasDivisor(mpz_srcptr, mpz_srcptr b) { return mpz_sgn(b) != 0; }
bool Divides(mpz_srcptr a, mpz_srcptr b) { return HasDivisor(a, b) && __real___gmpz_divisible_p(a, b) != 0; }

int Sign(int value) { return (value > 0) - (value < 0); }

TEST(SmallIntegersTest, AddsSubtractsAndMultipliesAsGmpDoes) {
  ExpectSame("add", mpz_add, __real___gmpz_add, Always);
  ExpectSame("sub", mpz_sub, __real___gmpz_sub, Always);
  ExpectSame("mul", mpz_mul, __real___gmpz_mul, Always);
  ExpectSame("addmul", mpz_addmul, __real___gmpz_addmul, Always);
  ExpectSame("submul", mpz_submul, __real___gmpz_submul, Always);
}

TEST(SmallIntegersTest, DividesAsGmpDoes) {
  ExpectSame("gcd", mpz_gcd, __real___gmpz_gcd, Always);
  ExpectSame("divexact", mpz_divexact, __real___gmpz_divexact, Divides);
  ExpectSame("fdiv_q", mpz_fdiv_q, __real___gmpz_fdiv_q, HasDivisor);
  ExpectSame("cdiv_q", mpz_cdiv_q, __real___gmpz_cdiv_q, HasDivisor);
  ExpectSame("fdiv_r", mpz_fdiv_r, __real___gmpz_fdiv_r, HasDivisor);
}

TEST(SmallIntegersTest, ComparesAsGmpDoes) {
  for (const Integer& a : Values()) {
    for (const Integer& b : Values()) {
      const std::string what = a.Text() + " " + b.Text();
      EXPECT_EQ(Sign(mpz_cmp(a.get(), b.get())), Sign(__real___gmpz_cmp(a.get(), b.get()))) << what;
      EXPECT_EQ(Sign(mpz_cmpabs(a.get(), b.get())), Sign(__real___gmpz_cmpabs(a.get(), b.get()))) << what;
      EXPECT_EQ(mpz_divisible_p(a.get(), b.get()) != 0, __real___gmpz_divisible_p(a.get(), b.get()) != 0)
          << what;
    }
    for (const long b : SignedValues()) {
      const auto unsigned_b = static_cast<unsigned long>(b);
      EXPECT_EQ(Sign(_mpz_cmp_si(a.get(), b)), Sign(__real___gmpz_cmp_si(a.get(), b)))
          << a.Text() << " " << b;
      EXPECT_EQ(Sign(_mpz_cmp_ui(a.get(), unsigned_b)), Sign(__real___gmpz_cmp_ui(a.get(), unsigned_b)))
          << a.Text() << " " << unsigned_b;
    }
  }
}

TEST(SmallIntegersTest, TakesAndAddsWhatIsNoInteger) {
  for (const Integer& before : Values()) {
    for (const long b : SignedValues()) {
      const auto unsigned_b = static_cast<unsigned long>(b);
      Integer set(before), sum(before), difference(before);
      Integer set_expected, sum_expected, difference_expected;
      mpz_set_si(set.get(), b);
      __real___gmpz_set_si(set_expected.get(), b);
      EXPECT_EQ(set.Text(), set_expected.Text());
      mpz_add_ui(sum.get(), before.get(), unsigned_b);
      __real___gmpz_add_ui(sum_expected.get(), before.get(), unsigned_b);
      EXPECT_EQ(sum.Text(), sum_expected.Text()) << before.Text() << " " << unsigned_b;
      mpz_sub_ui(difference.get(), before.get(), unsigned_b);
      __real___gmpz_sub_ui(difference_expected.get(), before.get(), unsigned_b);
      EXPECT_EQ(difference.Text(), difference_expected.Text()) << before.Text() << " " << unsigned_b;
    }
    for (const Integer& after : Values()) {
      Integer copy(before);
      mpz_set(copy.get(), after.get());
      EXPECT_EQ(copy.Text(), after.Text());
    }
  }
}

TEST(SmallIntegersTest, OneThreadFreesWhatAnotherMade) {
  std::vector<std::vector<Integer>> made(4);
  std::vector<std::thread> threads;
  for (std::vector<Integer>& integers : made)
    threads.emplace_back([&integers] {
      for (int i = 0; i < 40'000; ++i) integers.emplace_back(std::to_string(i));
    });
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  for (std::vector<Integer>& integers : made) threads.emplace_back([&integers] { integers.clear(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Integer("17").Text(), "17");
}

}  // namespace
}  // namespace tune
