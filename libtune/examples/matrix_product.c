/* A product of matrices that gets faster while the program runs: the library calls, times and checks its
 * variants.
 *
 *     matrix_product [N [CALLS [WISDOM_FILE]]]        300 and 200 when not given
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tune.h>

struct product {
  int n;
  const float* a;
  const float* b;
  float* c;
};

/* The region's parameters besides the variant. */
static int tile_rows, tile_columns;

static int original(void* arguments, const tune_call* call) {
  const struct product* p = arguments;
  int i, j, k;
  (void)call;
  for (i = 0; i < p->n; i++)
    for (j = 0; j < p->n; j++) {
      float sum = 0;
      for (k = 0; k < p->n; k++) sum += p->a[i * p->n + k] * p->b[k * p->n + j];
      p->c[i * p->n + j] = sum;
    }
  return 0;
}

static int by_rows(void* arguments, const tune_call* call) {
  const struct product* p = arguments;
  int i, j, k;
  (void)call;
  memset(p->c, 0, sizeof(float) * p->n * p->n);
  for (i = 0; i < p->n; i++)
    for (k = 0; k < p->n; k++)
      for (j = 0; j < p->n; j++) p->c[i * p->n + j] += p->a[i * p->n + k] * p->b[k * p->n + j];
  return 0;
}

static int smaller(int a, int b) { return a < b ? a : b; }

static int blocked(void* arguments, const tune_call* call) {
  const struct product* p = arguments;
  const int rows = (int)tune_integer(call, tile_rows);
  const int columns = (int)tune_integer(call, tile_columns);
  int i, j, k, k0, j0;
  memset(p->c, 0, sizeof(float) * p->n * p->n);
  for (j0 = 0; j0 < p->n; j0 += columns)
    for (k0 = 0; k0 < p->n; k0 += rows)
      for (i = 0; i < p->n; i++)
        for (k = k0; k < smaller(k0 + rows, p->n); k++)
          for (j = j0; j < smaller(j0 + columns, p->n); j++)
            p->c[i * p->n + j] += p->a[i * p->n + k] * p->b[k * p->n + j];
  return 0;
}

static void* save(void* user, const void* arguments) {
  const struct product* p = arguments;
  const size_t bytes = sizeof(float) * p->n * p->n;
  void* saved = malloc(bytes);
  (void)user;
  return saved == NULL ? NULL : memcpy(saved, p->c, bytes);
}
static void restore(void* user, void* arguments, const void* saved) {
  const struct product* p = arguments;
  (void)user;
  memcpy(p->c, saved, sizeof(float) * p->n * p->n);
}
static void release(void* user, void* saved) {
  (void)user;
  free(saved);
}
static int agree(void* user, const void* arguments, const void* expected) {
  const struct product* p = arguments;
  const float* right = expected;
  int i;
  (void)user;
  for (i = 0; i < p->n * p->n; i++)
    if (fabsf(p->c[i] - right[i]) > 1e-3f * (1 + fabsf(right[i]))) return 0;
  return 1;
}

static void say(void* user, const char* text) {
  (void)user;
  fprintf(stderr, "libtune: %s\n", text);
}

static void expect(tune_status status) {
  if (status == TUNE_OK) return;
  fprintf(stderr, "%s: %s\n", tune_status_name(status), tune_last_error());
  exit(1);
}

static tune_region* define_region(tune_context* context) {
  const tune_variant variants[] = {{"original", original}, {"by rows", by_rows}, {"blocked", blocked}};
  tune_check check = {sizeof(tune_check), NULL, save, restore, release, agree};
  tune_region* region;
  int variant;
  expect(tune_region_create(context, "matrix_product", &region));
  expect(tune_describe_arguments(region, "float A[n][n], float B[n][n], float C[n][n]"));
  expect(tune_add_variants(region, "variant", variants, 3, &variant));
  expect(tune_add_powers(region, "tile_rows", 4, 256, 2, 32, &tile_rows));
  expect(tune_add_powers(region, "tile_columns", 16, 1024, 2, 64, &tile_columns));
  expect(tune_add_condition(region, tile_rows, variant, 2));
  expect(tune_add_condition(region, tile_columns, variant, 2));
  expect(tune_set_check(region, &check));
  return region;
}

static void print_result(tune_region* region, long n) {
  static const char* const names[] = {"original", "by rows", "blocked"};
  tune_progress progress = {0};
  double values[3];
  progress.struct_size = sizeof(progress);
  expect(tune_look_up(region, &n, 1, values, 3, &progress));
  printf("%s after %d tries: %s", progress.settled ? "settled" : "not settled", progress.tries,
         names[(int)values[0]]);
  if (values[0] == 2) printf(", tiles of %.0f x %.0f", values[1], values[2]);
  printf(", %.3f ms", 1e3 * progress.seconds);
  if (progress.default_seconds > 0) printf("; the original takes %.3f ms", 1e3 * progress.default_seconds);
  printf("\n");
}

int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : 300;
  const int calls = argc > 2 ? atoi(argv[2]) : 200;
  tune_context* context;
  tune_region* region;
  tune_options options;
  struct product p;
  float *a, *b;
  int i;
  if (n < 1 || n > 10000) return 2;
  a = malloc(sizeof(float) * n * n);
  b = malloc(sizeof(float) * n * n);
  p.c = malloc(sizeof(float) * n * n);
  if (a == NULL || b == NULL || p.c == NULL) return 2;
  for (i = 0; i < n * n; i++) {
    a[i] = (float)(i % 17) / 17;
    b[i] = (float)(i % 13) / 13;
  }
  p.n = (int)n;
  p.a = a;
  p.b = b;

  expect(tune_options_default(&options, sizeof(options)));
  options.wisdom_file = argc > 3 ? argv[3] : NULL;
  options.message = say;
  expect(tune_context_create(&options, &context));
  region = define_region(context);
  for (i = 0; i < calls; i++) expect(tune_run(region, &n, 1, &p));
  print_result(region, n);
  tune_context_destroy(context);
  free(a);
  free(b);
  free(p.c);
  return 0;
}
