#include "worker/reference/recorder_text.h"

namespace tune {

const char kRecorderText[] = R"C(
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define TUNE_REFERENCE_MAX 4096
#define TUNE_REFERENCE_LATER 1000

struct tune_reference_entry {
  const char *name;
  const char *data;
  unsigned long long bytes;
  unsigned long long element;
  int rank;
  int read_only;
  int in_memory; /* 0: data is a copy of a scalar */
  unsigned long long behind; /* bytes from data to the end of its allocation; 0: not known */
  long long extents[16];
  char scalar[16];
};

static struct tune_reference_entry tune_reference_entries[TUNE_REFERENCE_MAX];
static int tune_reference_entry_count;
static const char *tune_reference_names[TUNE_REFERENCE_MAX];
static long long tune_reference_values[TUNE_REFERENCE_MAX];
static int tune_reference_value_count;
static struct timespec tune_reference_began;
static long long tune_reference_nanoseconds; /* of the first execution */
static int tune_reference_left;              /* the first execution has ended */

/* Shared with who runs the program (ExecutionLog). */
struct tune_reference_shared {
  long long entered;
  long long tuned;
  long long times_only;
  long long stops;
  long long stopped;
  long long goes_on;
  long long later_count;
  long long later[TUNE_REFERENCE_LATER];
};
static struct tune_reference_shared *tune_reference_log;

static long long tune_reference_accessed(int array, int dimension);
/* The number of the object that the array has members of; -1 where no other has some. */
static int tune_reference_object(int array);
static unsigned long long tune_reference_behind(const void *data);

/* Leaves one line and ends the program: what would be recorded is not usable. */
static void tune_reference_fail(const char *format, ...) {
  char line[1000];
  int fd, n;
  va_list arguments;
  va_start(arguments, format);
  n = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (n >= (int)sizeof line) n = (int)sizeof line - 1;
  fd = open(TUNE_REFERENCE_FOLDER "/error.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd >= 0) {
    while (write(fd, line, (size_t)n) < 0 && errno == EINTR) {}
    close(fd);
  }
  _exit(125);
}

static void tune_reference_dump(const char *folder, const struct tune_reference_entry *entry) {
  char path[4200];
  const char *data = entry->data;
  unsigned long long left = entry->bytes;
  int fd;
  snprintf(path, sizeof path, "%s/%s/%s.bin", TUNE_REFERENCE_FOLDER, folder, entry->name);
  fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) tune_reference_fail("cannot write %s: %s", path, strerror(errno));
  while (left > 0) {
    size_t piece = left > (1u << 30) ? (1u << 30) : (size_t)left;
    ssize_t n = write(fd, data, piece);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EFAULT) {
      tune_reference_fail("array %s: only %llu of its %llu bytes exist in the program's memory; "
                          "make its declared sizes those of the memory behind it",
                          entry->name, entry->bytes - left, entry->bytes);
    }
    if (n < 0) tune_reference_fail("cannot write %s: %s", path, strerror(errno));
    data += n;
    left -= (unsigned long long)n;
  }
  if (close(fd) != 0) tune_reference_fail("cannot write %s: %s", path, strerror(errno));
}

/* Until who runs the program lets it go on. */
static void tune_reference_stop(void) {
  const struct timespec pause = {0, 1000000};
  __atomic_store_n(&tune_reference_log->stopped, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&tune_reference_log->goes_on, __ATOMIC_ACQUIRE)) nanosleep(&pause, 0);
}

/* 1 on the first execution; else the clock of a later one starts. */
int tune_reference_enter(void) {
  long long entered;
  if (!tune_reference_log) {
    static struct tune_reference_shared fallback;
    int fd = open(TUNE_REFERENCE_FOLDER "/executions.bin", O_RDWR);
    void *memory = MAP_FAILED;
    if (fd >= 0)
      memory = mmap(0, sizeof fallback, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (fd >= 0) close(fd);
    tune_reference_log = memory == MAP_FAILED ? &fallback : (struct tune_reference_shared *)memory;
  }
  entered = __atomic_add_fetch(&tune_reference_log->entered, 1, __ATOMIC_RELAXED);
  /* Other threads and children of the program, too. */
  if (tune_reference_log->stops) tune_reference_stop();
  if (entered == 1) return 1;
  clock_gettime(CLOCK_MONOTONIC, &tune_reference_began);
  return 0;
}

/* Called where the tuned code begins. The first execution counts alone: its outputs are compared. */
void tune_reference_tuned(void) {
  if (tune_reference_log && !tune_reference_left) tune_reference_log->tuned = 1;
}

void tune_reference_parameter(const char *name, long long value, int is_unsigned) {
  if (is_unsigned && value < 0) tune_reference_fail("parameter %s: its value does not fit 63 bits", name);
  tune_reference_names[tune_reference_value_count] = name;
  tune_reference_values[tune_reference_value_count++] = value;
}

void tune_reference_array(const char *name, const void *data, unsigned long long element,
                          unsigned long long expected_element, int read_only, int rank, const long long *extents,
                          unsigned long long object) {
  struct tune_reference_entry *entry = &tune_reference_entries[tune_reference_entry_count];
  unsigned long long bytes = element;
  int i;
  entry->name = name;
  entry->data = (const char *)data;
  entry->element = element;
  entry->rank = rank;
  entry->read_only = read_only;
  entry->in_memory = 1;
  if (element != expected_element) {
    tune_reference_fail("array %s: its elements have %llu bytes, the extracted region says %llu; extract it again "
                        "with the same -D options", name, element, expected_element);
  }
  for (i = 0; i < rank; ++i) {
    long long extent = extents[i];
    if (extent == -0x7fffffffffffffffLL - 1) {
      extent = tune_reference_accessed(tune_reference_entry_count, i);
      if (extent < 0) extent = 0;
    }
    if (extent < 0) tune_reference_fail("array %s: extent %d is negative (%lld)", name, i, extent);
    if (extent > 0 && bytes > 0x7fffffffffffffffULL / (unsigned long long)extent) {
      tune_reference_fail("array %s: its size does not fit 63 bits", name);
    }
    bytes *= (unsigned long long)extent;
    entry->extents[i] = extent;
  }
  entry->bytes = bytes;
  if (object == 0) entry->behind = tune_reference_behind(data);
  if (object != 0 && object != bytes) {
    tune_reference_fail("array %s: sizeof is %llu, the extracted region says %llu; extract it again with the same "
                        "-D options", name, object, bytes);
  }
  ++tune_reference_entry_count;
}

void tune_reference_scalar(const char *name, const void *value, unsigned long long size, int read_only) {
  struct tune_reference_entry *entry = &tune_reference_entries[tune_reference_entry_count++];
  entry->name = name;
  entry->bytes = entry->element = size;
  entry->read_only = read_only;
  memcpy(entry->scalar, value, size);
  entry->data = entry->scalar;
}

void tune_reference_scalar_exit(int index, const void *value) {
  memcpy(tune_reference_entries[index].scalar, value, tune_reference_entries[index].bytes);
}

static void tune_reference_check(void) {
  unsigned long long total = 0;
  int i, j;
  for (i = 0; i < tune_reference_entry_count; ++i) {
    const struct tune_reference_entry *a = &tune_reference_entries[i];
    total += a->bytes;
    if (total > TUNE_REFERENCE_MEMORY) {
      tune_reference_fail("the region's arrays need %.1f MiB (up to array %s), and %.1f MiB are allowed; "
                          "allow more with --memory, or make the arrays smaller",
                          (double)total / 1048576, a->name, (double)TUNE_REFERENCE_MEMORY / 1048576);
    }
    if (!a->in_memory || a->bytes == 0) continue;
    if (!a->data) tune_reference_fail("array %s is a null pointer when the region is entered", a->name);
    for (j = 0; j < i; ++j) {
      const struct tune_reference_entry *b = &tune_reference_entries[j];
      if (!b->in_memory || b->bytes == 0 || (a->read_only && b->read_only)) continue;
      if (tune_reference_object(i) >= 0 && tune_reference_object(i) == tune_reference_object(j)) continue;
      if (a->data < b->data + b->bytes && b->data < a->data + a->bytes) {
        tune_reference_fail("arrays %s and %s overlap in memory, and the region writes one of them; "
                            "give each its own memory", b->name, a->name);
      }
    }
  }
}

/* One piece of a file, without malloc, as dprintf has it: the program may have spoilt its memory. */
static void tune_reference_print(int fd, const char *format, ...) {
  char text[1200];
  int n;
  va_list arguments;
  va_start(arguments, format);
  n = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  while (n > 0 && write(fd, text, (size_t)n) < 0 && errno == EINTR) {}
}

/* What is known when the region is entered, and how long it took where it has ended. */
static void tune_reference_write(const char *path) {
  char new_path[4200];
  int i, d, fd;
  snprintf(new_path, sizeof new_path, "%s.new", path);
  fd = open(new_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) tune_reference_fail("cannot write %s: %s", path, strerror(errno));
  for (i = 0; i < tune_reference_value_count; ++i) {
    tune_reference_print(fd, "parameter %s %lld\n", tune_reference_names[i], tune_reference_values[i]);
  }
  for (i = 0; i < tune_reference_entry_count; ++i) {
    const struct tune_reference_entry *entry = &tune_reference_entries[i];
    tune_reference_print(fd, "array %s", entry->name);
    for (d = 0; d < entry->rank; ++d) tune_reference_print(fd, " %lld", entry->extents[d]);
    tune_reference_print(fd, "\n");
    if (entry->behind > 0)
      tune_reference_print(fd, "memory %s %llu\n", entry->name, entry->behind / entry->element);
  }
  if (tune_reference_left) tune_reference_print(fd, "nanoseconds %lld\n", tune_reference_nanoseconds);
  if (close(fd) != 0 || rename(new_path, path) != 0) {
    tune_reference_fail("cannot write %s: %s", path, strerror(errno));
  }
}

void tune_reference_start(void) {
  int i;
  tune_reference_check();
  tune_reference_write(TUNE_REFERENCE_FOLDER "/entry.txt");
  for (i = 0; i < tune_reference_entry_count && !tune_reference_log->times_only; ++i)
    tune_reference_dump("in", &tune_reference_entries[i]);
  clock_gettime(CLOCK_MONOTONIC, &tune_reference_began);
}

/* 1 at the end of the first execution. */
int tune_reference_leave(void) {
  struct timespec now;
  long long nanoseconds;
  clock_gettime(CLOCK_MONOTONIC, &now);
  nanoseconds = (now.tv_sec - tune_reference_began.tv_sec) * 1000000000LL +
                (now.tv_nsec - tune_reference_began.tv_nsec);
  if (tune_reference_left) {
    if (tune_reference_log->later_count < TUNE_REFERENCE_LATER)
      tune_reference_log->later[tune_reference_log->later_count++] = nanoseconds;
    return 0;
  }
  tune_reference_left = 1;
  tune_reference_nanoseconds = nanoseconds;
  return 1;
}

void tune_reference_finish(void) {
  int i;
  for (i = 0; i < tune_reference_entry_count && !tune_reference_log->times_only; ++i) {
    if (!tune_reference_entries[i].read_only) tune_reference_dump("out", &tune_reference_entries[i]);
  }
  tune_reference_write(TUNE_REFERENCE_FOLDER "/record.txt");
}

/* Allocations of the program, watched for the first that fails. */
static void tune_reference_out_of_memory(unsigned long long size) {
  static int seen;
  unsigned long long pages = 0;
  int saved = errno;
  char text[100];
  int fd, n;
  if (seen || size == 0) return;
  seen = 1;
  fd = open("/proc/self/statm", O_RDONLY);
  if (fd >= 0) {
    n = (int)read(fd, text, sizeof text - 1);
    if (n > 0) {
      text[n] = 0;
      pages = strtoull(text, 0, 10);
    }
    close(fd);
  }
  fd = open(TUNE_REFERENCE_FOLDER "/allocation.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd >= 0) {
    n = snprintf(text, sizeof text, "%llu %llu\n", pages * (unsigned long long)sysconf(_SC_PAGESIZE), size);
    while (write(fd, text, (size_t)n) < 0 && errno == EINTR) {}
    close(fd);
  }
  errno = saved;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
void __real_free(void *memory);

/* Where allocations lie and how many bytes were asked for, in sets by their address; of programs that have more than
   fit the small ones are forgotten. */
#define TUNE_REFERENCE_SETS 1024
#define TUNE_REFERENCE_WAYS 4
struct tune_reference_block {
  uintptr_t begin;
  size_t bytes;
};
static struct tune_reference_block tune_reference_blocks[TUNE_REFERENCE_SETS][TUNE_REFERENCE_WAYS];
static char tune_reference_blocks_lock;

static struct tune_reference_block *tune_reference_lock(uintptr_t begin) {
  while (__atomic_test_and_set(&tune_reference_blocks_lock, __ATOMIC_ACQUIRE)) {}
  return tune_reference_blocks[(begin >> 4 ^ begin >> 16) % TUNE_REFERENCE_SETS];
}

static void tune_reference_unlock(void) { __atomic_clear(&tune_reference_blocks_lock, __ATOMIC_RELEASE); }

static void *tune_reference_allocated(void *memory, size_t bytes) {
  struct tune_reference_block *set = tune_reference_lock((uintptr_t)memory);
  struct tune_reference_block *place = set;
  int i;
  for (i = 1; i < TUNE_REFERENCE_WAYS; ++i) {
    if (set[i].bytes < place->bytes) place = &set[i];
  }
  for (i = 0; i < TUNE_REFERENCE_WAYS; ++i) {
    if (set[i].begin == (uintptr_t)memory) place = &set[i];
  }
  if (place->bytes < bytes || place->begin == (uintptr_t)memory) {
    place->begin = (uintptr_t)memory;
    place->bytes = bytes;
  }
  tune_reference_unlock();
  return memory;
}

static void tune_reference_freed(void *memory) {
  struct tune_reference_block *set = tune_reference_lock((uintptr_t)memory);
  int i;
  for (i = 0; i < TUNE_REFERENCE_WAYS && memory; ++i) {
    if (set[i].begin == (uintptr_t)memory) set[i].begin = set[i].bytes = 0;
  }
  tune_reference_unlock();
}

/* Whether the block is still what it was: a library, whose calls are not seen, may have freed it, and another have its
   memory. Of one whose end the program has overwritten malloc knows no size. */
static int tune_reference_is_there(const struct tune_reference_block *block) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), header = (block->begin - 16) / page * page;
  unsigned char resident[2];
  size_t usable;
  if (mincore((void *)header, block->begin - header, resident) != 0) return 0;
  usable = malloc_usable_size((void *)block->begin);
  return usable == 0 ||
         (usable >= block->bytes && usable - block->bytes <= (block->bytes < 65536 ? 64 : 8192));
}

static unsigned long long tune_reference_behind(const void *data) {
  const uintptr_t address = (uintptr_t)data;
  unsigned long long behind = 0;
  int i, found = 0;
  tune_reference_lock(0);
  for (i = 0; i < TUNE_REFERENCE_SETS * TUNE_REFERENCE_WAYS; ++i) {
    const struct tune_reference_block *block = &tune_reference_blocks[0][0] + i;
    if (block->begin == 0 || address < block->begin || address - block->begin >= block->bytes) continue;
    ++found;
    behind = tune_reference_is_there(block) ? block->begin + block->bytes - address : 0;
  }
  tune_reference_unlock();
  return found == 1 ? behind : 0;
}

void *__wrap_malloc(size_t size) {
  void *memory = __real_malloc(size);
  if (!memory) tune_reference_out_of_memory(size);
  return memory ? tune_reference_allocated(memory, size) : memory;
}
void *__wrap_calloc(size_t count, size_t size) {
  void *memory = __real_calloc(count, size);
  if (!memory) tune_reference_out_of_memory((unsigned long long)count * size);
  return memory ? tune_reference_allocated(memory, count * size) : memory;
}
void *__wrap_realloc(void *old, size_t size) {
  void *memory;
  tune_reference_freed(old);
  memory = __real_realloc(old, size);
  if (!memory) tune_reference_out_of_memory(size);
  return memory ? tune_reference_allocated(memory, size) : memory;
}
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  void *memory = __real_aligned_alloc(alignment, size);
  if (!memory) tune_reference_out_of_memory(size);
  return memory ? tune_reference_allocated(memory, size) : memory;
}
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size) {
  int error = __real_posix_memalign(memory, alignment, size);
  if (error == ENOMEM) tune_reference_out_of_memory(size);
  if (error == 0) tune_reference_allocated(*memory, size);
  return error;
}
void __wrap_free(void *memory) {
  tune_reference_freed(memory);
  __real_free(memory);
}
)C";

}  // namespace tune
