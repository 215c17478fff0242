// Which system calls a process may make from now on.
#pragma once

namespace tune {

enum class SystemCalls {
  // A compiler, or a user's program: files, memory, threads, processes, programs. No sockets, no io_uring, no
  // mounts and namespaces, no look into other processes, nothing that needs privileges.
  kProgram,
  // What the user's code is loaded into: no processes and programs either, and signals to itself alone.
  kCandidate,
  // The process that holds a GPU: kProgram, the sockets with a path or none that its driver uses, shared
  // memory, and where memory and threads are placed.
  kDevice,
};

// For this process, its threads and what it starts, for good; further calls can only take more away. What is
// not allowed fails with ENOSYS, as in an old kernel, or with EPERM where it is allowed in part. `alone`: in
// a process namespace of its own; elsewhere programs may not leave their process group or signal others but
// by tgkill. 0, or an error number. The process must have no_new_privs.
int AllowOnly(SystemCalls calls, bool alone);

}  // namespace tune
