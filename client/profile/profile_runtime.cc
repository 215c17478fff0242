#include "client/profile/profile_runtime.h"

namespace tune {

const char kProfileRuntime[] = R"(#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { threads = TUNE_PROFILE_THREADS, most_frames = 8192 };

__thread unsigned long long *tune_profile_calls;
static unsigned long long unseen[TUNE_PROFILE_STRIDE]; /* where the counters' file cannot be had */
static unsigned long long *calls = unseen;
static unsigned next_thread;
static int samples = -1;
static uintptr_t moved, text_begin = UINTPTR_MAX, text_end; /* of the program without its libraries */

unsigned long long *tune_profile_thread(void) {
  const unsigned thread = __atomic_fetch_add(&next_thread, 1, __ATOMIC_RELAXED) % threads;
  tune_profile_calls = calls == unseen ? unseen : calls + (size_t)thread * TUNE_PROFILE_STRIDE;
  return tune_profile_calls;
}

static int find_text(struct dl_phdr_info *program, size_t size, void *unused) {
  (void)size, (void)unused;
  moved = program->dlpi_addr;
  for (int i = 0; i < program->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &program->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    const uintptr_t begin = moved + part->p_vaddr, end = begin + part->p_memsz;
    if (begin < text_begin) text_begin = begin;
    if (end > text_end) text_end = end;
  }
  return 1; /* the program itself comes first */
}

/* Frame 0 is this function, 1 is what the kernel returns by, 2 was interrupted, others wait for a call to return. */
static void sample(int signal) {
  static char busy;
  static void *frames[most_frames];
  static uint64_t record[2 + most_frames];
  const int error = errno;
  struct timespec used;
  size_t count = 0;
  (void)signal;
  if (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) return; /* another thread's sample gets this time, too */
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  const int depth = backtrace(frames, most_frames);
  for (int i = 2; i < depth; i++) {
    const uintptr_t place = (uintptr_t)frames[i] - (i > 2);
    if (text_begin <= place && place < text_end) record[2 + count++] = place - moved;
  }
  record[0] = (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
  record[1] = count;
  if (write(samples, record, (2 + count) * sizeof *record) < 0) {
    /* The disk is full: there are fewer samples. */
  }
  __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
  errno = error;
}

__attribute__((constructor(101))) static void begin_profile(void) {
  const size_t bytes = sizeof(unsigned long long) * threads * TUNE_PROFILE_STRIDE;
  const int file = open(TUNE_PROFILE_CALLS, O_RDWR | O_CLOEXEC);
  void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) calls = mapped;
  if (file >= 0) close(file);
  samples = open(TUNE_PROFILE_SAMPLES, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (samples < 0) return;
  /* Out of the way of programs that count on the first free number. */
  const int high = fcntl(samples, F_DUPFD_CLOEXEC, 200);
  if (high >= 0) close(samples), samples = high;
  dl_iterate_phdr(find_text, NULL);
  void *frames[4];
  backtrace(frames, 4); /* loads what it needs, which no signal handler may */
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = sample;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGPROF, &action, NULL);
  const struct itimerval tick = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_PROF, &tick, NULL);
}
)";

}  // namespace tune
