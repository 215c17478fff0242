// GMP's functions that isl calls all the time, for integers of one limb, which nearly all of isl's are: GMP's
// own are made for long ones and take several times as long. The linker puts each in place of GMP's function
// of that name
// (--wrap); what does not fit goes on to GMP.
#include <gmp.h>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace {

static_assert(GMP_NUMB_BITS == 64 && sizeof(long) == sizeof(mp_limb_t) && sizeof(void*) == sizeof(mp_limb_t));

// Limbs that this thread has freed, each as large as the pointer to the next.
struct FreeLimb {
  FreeLimb* next;
};
constexpr int kMostFreeLimbs = 1 << 14;
thread_local FreeLimb* free_limbs = nullptr;
thread_local int free_limb_room = 0;  // how many more are kept

// Gives them back when the thread ends.
struct FreeLimbs {
  FreeLimbs() { free_limb_room = kMostFreeLimbs; }
  ~FreeLimbs() {
    free_limb_room = 0;
    while (free_limbs != nullptr) std::free(std::exchange(free_limbs, free_limbs->next));
  }
};

[[gnu::noinline, gnu::cold]] void FreeWithoutRoom(mpz_ptr integer) {
  thread_local FreeLimbs limbs;
  std::free(integer->_mp_d);
}

[[gnu::noinline, gnu::cold]] void ReserveNew(mpz_ptr integer) {
  integer->_mp_d = static_cast<mp_limb_t*>(std::malloc(sizeof(mp_limb_t)));
  if (integer->_mp_d == nullptr) std::abort();
}

// Makes room for one limb.
inline void Reserve(mpz_ptr integer) {
  if (__builtin_expect(integer->_mp_alloc > 0, 1)) return;
  integer->_mp_alloc = 1;
  if (__builtin_expect(free_limbs == nullptr, 0)) return ReserveNew(integer);
  integer->_mp_d = reinterpret_cast<mp_limb_t*>(std::exchange(free_limbs, free_limbs->next));
  ++free_limb_room;
}

// A size is the number of limbs, negative for negative integers: of these the sign, -1, 0 or 1.
inline bool IsShort(mpz_srcptr integer) { return static_cast<unsigned>(integer->_mp_size) + 1 <= 2; }
inline bool AreShort(mpz_srcptr a, mpz_srcptr b) { return IsShort(a) && IsShort(b); }

// The absolute value. (There is a limb to read even when the size is 0.)
inline mp_limb_t Limb(mpz_srcptr integer) { return integer->_mp_size == 0 ? 0 : integer->_mp_d[0]; }

// `limb` is not 0 unless `sign` is.
inline void Put(mpz_ptr result, mp_limb_t limb, int sign) {
  result->_mp_size = sign;
  if (sign == 0) return;
  Reserve(result);
  result->_mp_d[0] = limb;
}

// result = a + b, given by absolute value and sign; false, and nothing done, when the sum is longer.
inline bool PutSum(mpz_ptr result, mp_limb_t a, int a_sign, mp_limb_t b, int b_sign) {
  mp_limb_t sum = a;
  int sign = a_sign;
  if (b_sign == 0) {
  } else if (a_sign == 0) {
    sum = b;
    sign = b_sign;
  } else if (a_sign == b_sign) {
    if (__builtin_add_overflow(a, b, &sum)) return false;
  } else if (a > b) {
    sum = a - b;
  } else {
    sum = b - a;
    sign = a == b ? 0 : b_sign;
  }
  Put(result, sum, sign);
  return true;
}

// result += sign * a * b
inline bool PutSumWithProduct(mpz_ptr result, mpz_srcptr a, mpz_srcptr b, int sign) {
  if (!AreShort(a, b) || !IsShort(result)) return false;
  if (a->_mp_size == 0 || b->_mp_size == 0) return true;
  mp_limb_t product;
  if (__builtin_mul_overflow(a->_mp_d[0], b->_mp_d[0], &product)) return false;
  return PutSum(result, result->_mp_d[0], result->_mp_size, product,
                a->_mp_size == b->_mp_size ? sign : -sign);
}

inline int Compare(mp_limb_t a, mp_limb_t b) { return (a > b) - (a < b); }

struct Quotient {
  mp_limb_t quotient, remainder;
};

// Processors divide short integers in much less time.
inline Quotient Divide(mp_limb_t a, mp_limb_t b) {
  if (((a | b) >> 32) != 0) return {a / b, a % b};
  const auto short_a = static_cast<uint32_t>(a), short_b = static_cast<uint32_t>(b);
  return {short_a / short_b, short_a % short_b};
}

inline bool CanDivide(mpz_srcptr a, mpz_srcptr b) { return AreShort(a, b) && b->_mp_size != 0; }

}  // namespace

extern "C" {

// TUNE_GMP(TYPE, NAME, PARAMETERS...): declares GMP's own function, and begins the one in its place.
#define TUNE_GMP(type, name, ...)         \
  type __real___gmpz_##name(__VA_ARGS__); \
  type __wrap___gmpz_##name(__VA_ARGS__)

TUNE_GMP(void, clear, mpz_ptr x) {
  if (x->_mp_alloc != 1) return __real___gmpz_clear(x);
  if (__builtin_expect(free_limb_room <= 0, 0)) return FreeWithoutRoom(x);
  --free_limb_room;
  auto* const limb = reinterpret_cast<FreeLimb*>(x->_mp_d);
  limb->next = free_limbs;
  free_limbs = limb;
}

TUNE_GMP(void, set, mpz_ptr r, mpz_srcptr a) {
  if (!IsShort(a)) return __real___gmpz_set(r, a);
  const mp_limb_t limb = a->_mp_d[0];
  r->_mp_size = a->_mp_size;
  if (a->_mp_size == 0) return;
  Reserve(r);
  r->_mp_d[0] = limb;
}

TUNE_GMP(void, set_si, mpz_ptr r, long a) {
  Put(r, a < 0 ? -static_cast<mp_limb_t>(a) : static_cast<mp_limb_t>(a), (a > 0) - (a < 0));
}

TUNE_GMP(void, add, mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  if (!AreShort(a, b) || !PutSum(r, a->_mp_d[0], a->_mp_size, b->_mp_d[0], b->_mp_size))
    __real___gmpz_add(r, a, b);
}

TUNE_GMP(void, sub, mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  if (!AreShort(a, b) || !PutSum(r, a->_mp_d[0], a->_mp_size, b->_mp_d[0], -b->_mp_size))
    __real___gmpz_sub(r, a, b);
}

TUNE_GMP(void, add_ui, mpz_ptr r, mpz_srcptr a, unsigned long b) {
  if (!IsShort(a) || !PutSum(r, a->_mp_d[0], a->_mp_size, b, b != 0)) __real___gmpz_add_ui(r, a, b);
}

TUNE_GMP(void, sub_ui, mpz_ptr r, mpz_srcptr a, unsigned long b) {
  if (!IsShort(a) || !PutSum(r, a->_mp_d[0], a->_mp_size, b, -(b != 0))) __real___gmpz_sub_ui(r, a, b);
}

TUNE_GMP(void, mul, mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  mp_limb_t product;
  if (!AreShort(a, b) || __builtin_mul_overflow(Limb(a), Limb(b), &product))
    return __real___gmpz_mul(r, a, b);
  Put(r, product, a->_mp_size * b->_mp_size);
}

TUNE_GMP(void, addmul, mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  if (!PutSumWithProduct(r, a, b, 1)) __real___gmpz_addmul(r, a, b);
}

TUNE_GMP(void, submul, mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  if (!PutSumWithProduct(r, a, b, -1)) __real___gmpz_submul(r, a, b);
}

TUNE_GMP(int, cmp, mpz_srcptr a, mpz_srcptr b) {
  if (!AreShort(a, b)) return __real___gmpz_cmp(a, b);
  if (a->_mp_size != b->_mp_size) return a->_mp_size - b->_mp_size;
  return a->_mp_size == 0 ? 0 : a->_mp_size * Compare(a->_mp_d[0], b->_mp_d[0]);
}

TUNE_GMP(int, cmp_ui, mpz_srcptr a, unsigned long b) {
  if (!IsShort(a)) return __real___gmpz_cmp_ui(a, b);
  return a->_mp_size < 0 ? -1 : Compare(Limb(a), b);
}

TUNE_GMP(int, cmp_si, mpz_srcptr a, long b) {
  if (b >= 0) return __wrap___gmpz_cmp_ui(a, static_cast<unsigned long>(b));
  if (!IsShort(a)) return __real___gmpz_cmp_si(a, b);
  return a->_mp_size >= 0 ? 1 : Compare(-static_cast<mp_limb_t>(b), a->_mp_d[0]);
}

TUNE_GMP(int, cmpabs, mpz_srcptr a, mpz_srcptr b) {
  return AreShort(a, b) ? Compare(Limb(a), Limb(b)) : __real___gmpz_cmpabs(a, b);
}

TUNE_GMP(void, gcd, mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  if (!AreShort(a, b)) return __real___gmpz_gcd(r, a, b);
  const mp_limb_t divisor = std::gcd(Limb(a), Limb(b));
  Put(r, divisor, divisor != 0);
}

TUNE_GMP(void, divexact, mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  if (!CanDivide(a, b)) return __real___gmpz_divexact(r, a, b);
  Put(r, Divide(Limb(a), b->_mp_d[0]).quotient, a->_mp_size * b->_mp_size);
}

TUNE_GMP(void, fdiv_q, mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  if (!CanDivide(a, b)) return __real___gmpz_fdiv_q(r, a, b);
  const int sign = a->_mp_size * b->_mp_size;
  const Quotient exact = Divide(Limb(a), b->_mp_d[0]);
  const mp_limb_t rounded = exact.quotient + (sign < 0 && exact.remainder != 0);
  Put(r, rounded, rounded == 0 ? 0 : sign);
}

TUNE_GMP(void, cdiv_q, mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  if (!CanDivide(a, b)) return __real___gmpz_cdiv_q(r, a, b);
  const int sign = a->_mp_size * b->_mp_size;
  const Quotient exact = Divide(Limb(a), b->_mp_d[0]);
  const mp_limb_t rounded = exact.quotient + (sign > 0 && exact.remainder != 0);
  Put(r, rounded, rounded == 0 ? 0 : sign);
}

TUNE_GMP(void, fdiv_r, mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  if (!CanDivide(a, b)) return __real___gmpz_fdiv_r(r, a, b);
  const mp_limb_t divisor = b->_mp_d[0];
  const mp_limb_t remainder = Divide(Limb(a), divisor).remainder;
  if (remainder == 0) return Put(r, 0, 0);
  Put(r, a->_mp_size == b->_mp_size ? remainder : divisor - remainder, b->_mp_size);
}

TUNE_GMP(int, divisible_p, mpz_srcptr a, mpz_srcptr b) {
  if (!CanDivide(a, b)) return __real___gmpz_divisible_p(a, b);
  return Divide(Limb(a), b->_mp_d[0]).remainder == 0;
}

#undef TUNE_GMP

}  // extern "C"
