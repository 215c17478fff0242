/* libtune: picks the fastest of many ways to compute the same, while the program that computes it runs.
 *
 * A context holds what is remembered (wisdom); a region is a place in the program that can be computed in
 * several ways, which its parameters name; inputs are the numbers, sizes above all, that the best way depends
 * on. The program asks before each computation how to do it, does it, and tells how long that took:
 *
 *     tune_call call;
 *     tune_begin(region, sizes, 2, &call);
 *     multiply(a, b, c, n, m, tune_value(&call, tile));
 *     tune_end(&call);
 *
 * A search tries one configuration after another, once for each set of inputs, and settles. From then on a
 * call costs well below a microsecond, but for rare ones that ask whether the wisdom file has something
 * faster by now. Nothing in here ends the program or prints.
 *
 * Threads: a context and its regions may be used by any number of threads at once; while one thread tries a
 * configuration, the others take the best one known. What defines a region (tune_add_...) is done by one
 * thread, before the region's first call. A tune_call belongs to one thread.
 *
 * fork: the child of a process may go on with its contexts, but only looks up: settled configurations, else
 * the default one. It tries, waits for, and writes nothing; to tune it makes a context of its own.
 *
 * CUDA graphs: calls of CUDA are none of this library's, which does not see that the program records a stream
 * (cudaStreamBeginCapture). A variant that allocates, copies or waits on the device is not to be run then:
 * give the call back by tune_abandon, and run the original.
 *
 * dlclose: destroy all contexts before the library, or what it is linked into, is closed.
 */
#ifndef TUNE_H
#define TUNE_H

#include <stddef.h>

#define TUNE_VERSION_MAJOR 0
#define TUNE_VERSION_MINOR 2
#define TUNE_VERSION_PATCH 0

#if defined(__GNUC__)
#define TUNE_API __attribute__((visibility("default")))
#else
#define TUNE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* "MAJOR.MINOR.PATCH" of the library that runs. */
TUNE_API const char* tune_version(void);

/* ---- Errors ---- */

typedef enum tune_status {
  TUNE_OK = 0,
  TUNE_INVALID_ARGUMENT = 1, /* the call is wrong, whenever it is made */
  TUNE_NOT_FOUND = 2,
  TUNE_ALREADY_EXISTS = 3,
  TUNE_WRONG_STATE = 4,  /* the call came too early, too late or in the wrong process */
  TUNE_REFUSED_FILE = 5, /* a file is damaged, of a newer version or of something else */
  TUNE_IO = 6,           /* the system refused to read, write or lock a file */
  TUNE_OUT_OF_MEMORY = 7,
  TUNE_FAILED = 8 /* a variant failed, and the original too */
} tune_status;

/* "TUNE_OK", ...; "?" for other numbers. */
TUNE_API const char* tune_status_name(tune_status status);

/* What happened, where, and what to do, of this thread's last call that was not TUNE_OK; "" before the first.
 * Valid until this thread's next call. */
TUNE_API const char* tune_last_error(void);

/* ---- Contexts ---- */

typedef struct tune_context tune_context;
typedef struct tune_region tune_region;

typedef enum tune_mode {
  TUNE_ONLINE = 0, /* tries configurations in the program's own calls */
  TUNE_LOOKUP = 1  /* tries nothing: wisdom of these inputs, of near ones, or the default configuration */
} tune_mode;

/* Fill with tune_options_default, then change what is to be different. */
typedef struct tune_options {
  size_t struct_size; /* sizeof(tune_options) of the caller's header */
  /* What configurations were measured on and are good for; NULL: this machine's processor and number of
   * cores. A program that computes on a GPU names that. Wisdom of one device is never used on another. */
  const char* device;
  /* Read now, and again, once others have written to it, when inputs are met that are new here, and by some
   * of the calls with settled ones; what settles is added to it. NULL: none */
  const char* wisdom_file;
  const char* capture_file; /* inputs without wisdom are added to it. NULL: none */
  int mode;                 /* a tune_mode */
  unsigned long seed;       /* of what searches draw */
  double epsilon;           /* probability to try another than the best of some choices; 0.05 */
  double epsilon_decay;     /* what epsilon loses with each try; 0.1 */
  int most_tries;           /* of a search, which then settles on the best so far; 1000 */
  int most_inputs;          /* of a region, that are searched for; others are looked up alone; 1024 */
  /* A settled configuration that takes this many times its time (or as many times less) in 32 calls in a row
   * is searched for anew; 0: never. 3 */
  double drift;
  /* Told what goes wrong where no call can return it: one sentence, of any thread. NULL: nobody. */
  void (*message)(void* user, const char* text);
  void* message_user;
  /* Each configuration that a search tries is added to it with its time, and what a search settles on, while
   * the program runs: `tunectl wisdom --tries` sends them. Nobody removes its lines. NULL: none */
  const char* tries_file;
} tune_options;

/* Defaults of the first `struct_size` bytes, which is sizeof(tune_options). */
TUNE_API tune_status tune_options_default(tune_options* options, size_t struct_size);

/* `options` may be NULL. A wisdom file that does not exist yet is none; one that is refused is told to
 * `message`, is never written, and the context goes on without it. */
TUNE_API tune_status tune_context_create(const tune_options* options, tune_context** context);

/* Saves wisdom that is not saved yet, and frees the context and its regions; none may be in use. NULL is
 * fine. */
TUNE_API void tune_context_destroy(tune_context* context);

/* The device's name, valid as long as the context. */
TUNE_API const char* tune_device(const tune_context* context);

/* ---- Regions ---- */

/* A new region. `name` is its identity in wisdom files: a region whose parameters change their meaning gets a
 * new name. TUNE_ALREADY_EXISTS when the context has one of this name; tune_region_find gives that. */
TUNE_API tune_status tune_region_create(tune_context* context, const char* name, tune_region** region);
TUNE_API tune_status tune_region_find(tune_context* context, const char* name, tune_region** region);

/* What is computed on, for capture files: "double A[ni][nk], double B[nk][nj]". */
TUNE_API tune_status tune_describe_arguments(tune_region* region, const char* text);

/* Parameters. Each gets the next index, which is written to `parameter` where that is not NULL. The default
 * configuration, which is what the program does without tuning, is the first choice of each nominal parameter
 * and the `initial` value of each numeric one.
 *
 * Nominal: no order is known of the choices, of which there are 1 to 100000. */
TUNE_API tune_status tune_add_nominal(tune_region* region, const char* name, const char* const* choices,
                                      int count, int* parameter);
/* All reals of [low, high]. */
TUNE_API tune_status tune_add_real(tune_region* region, const char* name, double low, double high,
                                   double initial, int* parameter);
/* low, low + step, low + 2 step, ... up to high: integers where these three are. */
TUNE_API tune_status tune_add_steps(tune_region* region, const char* name, double low, double high,
                                    double step, double initial, int* parameter);
/* low, low * base, low * base * base, ... up to high; low above 0, base above 1. */
TUNE_API tune_status tune_add_powers(tune_region* region, const char* name, double low, double high,
                                     double base, double initial, int* parameter);

/* Hierarchy: `parameter` exists only where `parent`, a nominal parameter that was added before it, exists and
 * has `choice`. Conditions on the same parent are alternatives; conditions on different parents must all
 * hold. */
TUNE_API tune_status tune_add_condition(tune_region* region, int parameter, int parent, int choice);

/* ---- Variants that the library calls ---- */

typedef struct tune_call {
  const double* values; /* of each parameter: the index of its choice, or the number; the default where it
                           does not exist. Valid until the call ends. */
  int count;            /* of parameters */
  int settled;          /* 1: nothing is tried, and the time is not looked at but for drift */
  void* internal[4];
} tune_call;

/* Computes the region on `arguments` by the values of `call`. 0: done; all else: it could not, and has
 * changed nothing that `arguments` hold. */
typedef int (*tune_function)(void* arguments, const tune_call* call);

typedef struct tune_variant {
  const char* name;
  tune_function function;
} tune_variant;

/* A nominal parameter whose choices are functions, for tune_run; the first one is the original, which is
 * right. One such parameter a region. */
TUNE_API tune_status tune_add_variants(tune_region* region, const char* name, const tune_variant* variants,
                                       int count, int* parameter);

/* How results are compared with the original's. All four functions are given `user`. */
typedef struct tune_check {
  size_t struct_size; /* sizeof(tune_check) */
  void* user;
  /* A copy of all that variants read and write of `arguments`; NULL: there is no memory for it. */
  void* (*save)(void* user, const void* arguments);
  void (*restore)(void* user, void* arguments, const void* saved);
  void (*release)(void* user, void* saved);
  /* 1: what `arguments` hold is as good as the original's results, `expected`. */
  int (*agree)(void* user, const void* arguments, const void* expected);
} tune_check;

/* From now on tune_run computes the original too, the first time that this process runs a configuration, and
 * compares. A variant that disagrees is never run again, and the original's results stand. NULL: no longer.
 */
TUNE_API tune_status tune_set_check(tune_region* region, const tune_check* check);

/* From now on tune_run runs each variant but the original once in a child process before it is run in this
 * one; a variant that crashes or takes more than `seconds` there is never run again. For variants that need
 * no other thread and no device: the child has none of the threads of its parent. 0: no longer. */
TUNE_API tune_status tune_set_probe(tune_region* region, double seconds);

/* One computation of the region: picks a variant, runs and times it. Where a variant fails, the original is
 * run. TUNE_FAILED when that fails too; with all other errors nothing was run, and the original can be. */
TUNE_API tune_status tune_run(tune_region* region, const long* inputs, int count, void* arguments);

/* ---- Calls that the program times ---- */

/* How to compute the region now. Inputs are as many in all calls of a region, at most 64. Each configuration
 * goes back by one of tune_report, tune_end and tune_abandon; until then other calls with the same inputs try
 * nothing. One that does not come back within a thousand calls is given up. Where this fails, the original is
 * to be run. */
TUNE_API tune_status tune_next(tune_region* region, const long* inputs, int count, tune_call* call);
/* The computation took `seconds`, which are positive: TUNE_INVALID_ARGUMENT for all else, and as
 * tune_abandon. */
TUNE_API tune_status tune_report(tune_call* call, double seconds);

/* tune_next and tune_report with the time between the two calls. */
TUNE_API tune_status tune_begin(tune_region* region, const long* inputs, int count, tune_call* call);
TUNE_API tune_status tune_end(tune_call* call);

/* The computation's time tells nothing: it was interrupted, failed for other reasons, or only recorded. */
TUNE_API tune_status tune_abandon(tune_call* call);
/* This configuration cannot be run at all; the search goes elsewhere. The default configuration cannot be
 * rejected. */
TUNE_API tune_status tune_reject(tune_call* call);
/* The computation went wrong by this call's choice of `parameter`, a nominal one: the choice is never taken
 * again in this process, whatever the inputs, and what was settled with it is searched for anew. The call
 * ends. The first choice, which is that of the default configuration, cannot be dropped. */
TUNE_API tune_status tune_drop(tune_call* call, int parameter);

/* values[parameter]; 0 for other indices. */
TUNE_API double tune_value(const tune_call* call, int parameter);
/* The index of the choice, or the number rounded; 0 for other indices. */
TUNE_API long tune_integer(const tune_call* call, int parameter);

/* ---- Rules: choices that need not be tried ---- */

/* A sum of products of powers: coefficient * factor^exponent * ... */
typedef struct tune_factor {
  int is_input; /* 1: inputs[index], 0: the parameter `index` */
  int index;
  int exponent; /* at least 1 */
} tune_factor;

typedef struct tune_term {
  double coefficient;
  const tune_factor* factors;
  int count;
} tune_term;

/* A number that follows from parameters and inputs: `function` where it is not NULL, else the polynomial.
 * Terms and factors are copied. `function` calls nothing of this library. */
typedef struct tune_metric {
  double (*function)(void* user, const double* values, const long* inputs);
  void* user;
  const tune_term* terms;
  int count;
} tune_metric;

typedef enum tune_rule_kind {
  TUNE_MIN_COMPUTE = 0,       /* first: operations or statement instances */
  TUNE_COMPUTE_INTENSITY = 1, /* first: the same; second: elements that are read and written */
  TUNE_MIN_REUSE = 2          /* first: accesses to the same element in an iteration of the outer loop */
} tune_rule_kind;

#define TUNE_DEFAULT_MIN_COMPUTE 150000000.0
#define TUNE_DEFAULT_COMPUTE_INTENSITY 2.0
#define TUNE_DEFAULT_MIN_REUSE 1.0

/* Rejects `choice` of the nominal `parameter`, before anything is run, where
 *   TUNE_MIN_COMPUTE        max first < threshold:               too little to do for a GPU
 *   TUNE_COMPUTE_INTENSITY  max first / max second < threshold:  a kernel bound by memory
 *   TUNE_MIN_REUSE          max first <= threshold:              nothing is read twice from shared memory
 * The maximum is over all numeric parameters of `linear`, in each of which the metrics are linear, as sizes
 * of partitions are: both ends of each are looked at. At most 16. Of other numeric parameters the default
 * counts, of nominal ones what was chosen before or together with `parameter`. */
typedef struct tune_rule {
  size_t struct_size; /* sizeof(tune_rule) */
  int kind;           /* a tune_rule_kind */
  int parameter;
  int choice;
  double threshold;
  tune_metric first;
  tune_metric second;
  const int* linear;
  int linear_count;
} tune_rule;

TUNE_API tune_status tune_add_rule(tune_region* region, const tune_rule* rule);

/* ---- What is known ---- */

typedef enum tune_source {
  TUNE_FROM_DEFAULT = 0, /* nothing is known of these inputs and near ones */
  TUNE_FROM_NEAR = 1,    /* wisdom of the nearest inputs */
  TUNE_FROM_WISDOM = 2,  /* wisdom of these inputs */
  TUNE_FROM_SEARCH = 3   /* this process has searched, or is at it */
} tune_source;

typedef struct tune_progress {
  size_t struct_size; /* sizeof(tune_progress), set by the caller */
  int source;         /* a tune_source */
  int settled;
  int tries;              /* that this process has measured */
  double seconds;         /* the best; 0: none known */
  double default_seconds; /* the default configuration's best; 0: not measured by this process */
} tune_progress;

/* The best configuration known for these inputs: one value a parameter to `values`, which has room for
 * `value_count`. Tries nothing. `progress` may be NULL.
 *
 * The nearest inputs: those of the same region and device, with as many inputs, none of which is more than
 * twice or less than half as large; inputs below 1 have to be equal. Among them the least sum of |log2 of the
 * quotient|, then the lexicographically least. */
TUNE_API tune_status tune_look_up(tune_region* region, const long* inputs, int count, double* values,
                                  int value_count, tune_progress* progress);

/* Adds the wisdom of a file to the context's. TUNE_NOT_FOUND, TUNE_REFUSED_FILE, TUNE_IO: nothing was added.
 */
TUNE_API tune_status tune_wisdom_load(tune_context* context, const char* file);
/* Adds the context's wisdom to a file, which other processes may be doing too: of one region, device and
 * inputs the faster one stays. The file is replaced as a whole. NULL: the context's own file. */
TUNE_API tune_status tune_wisdom_save(tune_context* context, const char* file);

#ifdef __cplusplus
}
#endif

#endif /* TUNE_H */
