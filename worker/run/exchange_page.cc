#include "worker/run/exchange_page.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

namespace tune {

static_assert(std::atomic<Turn>::is_always_lock_free && sizeof(std::atomic<Turn>) == sizeof(uint32_t));
static_assert(std::atomic<double>::is_always_lock_free && sizeof(ExchangePage) <= 4096);

absl::StatusOr<SharedPage> SharedPage::Make() {
  void* const memory =
      mmap(nullptr, sizeof(ExchangePage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return absl::ResourceExhaustedError(absl::StrCat("a page to share: ", std::strerror(errno)));
  }
  return SharedPage(new (memory) ExchangePage);
}

SharedPage::~SharedPage() {
  if (page_ != nullptr) munmap(page_, sizeof(ExchangePage));
}

SharedPage::SharedPage(SharedPage&& other) noexcept : page_(std::exchange(other.page_, nullptr)) {}

SharedPage& SharedPage::operator=(SharedPage&& other) noexcept {
  std::swap(page_, other.page_);
  return *this;
}

void SharedPage::PassTo(Turn turn) const {
  page_->turn.store(turn);
  syscall(SYS_futex, &page_->turn, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool SharedPage::WaitFor(Turn turn, double seconds) const {
  const Turn other = turn == Turn::kJudge ? Turn::kCandidate : Turn::kJudge;
  timespec limit;
  limit.tv_sec = static_cast<time_t>(seconds);
  limit.tv_nsec = static_cast<long>(1e9 * (seconds - std::floor(seconds)));
  // Any value but the other's ends the wait: the candidate may have written one that is none.
  if (page_->turn.load() != other) return true;
  syscall(SYS_futex, &page_->turn, FUTEX_WAIT, static_cast<uint32_t>(other), seconds < 0 ? nullptr : &limit,
          nullptr, 0);
  return page_->turn.load() != other;
}

}  // namespace tune
