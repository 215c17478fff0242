#include "worker/confine/privileges.h"

#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker/confine/failure.h"

namespace tune {
namespace {

// root gets no capabilities by exec, and setting ids gives none.
constexpr unsigned long kNoRoot = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                                  SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                                  SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;

}  // namespace

void DropPrivileges(bool strict) {
  if (prctl(PR_SET_SECUREBITS, kNoRoot) != 0 && strict) FailSandbox("securebits");
  for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; ++capability) {
    if (prctl(PR_CAPBSET_DROP, capability) != 0 && strict) FailSandbox("dropping capabilities");
  }
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) != 0) FailSandbox("capset");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) FailSandbox("no_new_privs");
}

}  // namespace tune
