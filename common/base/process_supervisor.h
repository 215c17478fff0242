// The parent's side of a child process: streams, limits, and its end.
#pragma once

#include <sys/types.h>

#include <string>

#include "common/base/file_descriptor.h"
#include "common/base/subprocess.h"

namespace tune {

// Serves one child, which is the leader of its own process group. One thread.
class ProcessSupervisor {
 public:
  // `options` must outlive this object.
  ProcessSupervisor(pid_t child, const SubprocessOptions& options);

  // The parent's ends of the child's streams; a descriptor that is not open is left alone.
  void SetStreams(FileDescriptor input, FileDescriptor output, FileDescriptor error);

  // Feeds and reads the streams until the child has ended or a limit is reached, then kills what is left
  // of its group and collects its status.
  SubprocessResult Wait();

 private:
  // The last `limit` bytes of a stream.
  class Tail {
   public:
    explicit Tail(size_t limit) : limit_(limit) {}
    void Add(absl::string_view piece);
    std::string Take() &&;

   private:
    size_t limit_;
    std::string text_;
  };

  static void Drain(FileDescriptor& fd, Tail& tail);
  static void Feed(FileDescriptor& fd, absl::string_view& rest);
  // The child has ended; it is not reaped, so its process group's number cannot be reused.
  bool Ended() const;
  // Waits until a stream or the child's state has news, `limit` at most.
  void Exchange(absl::Duration limit, absl::string_view& rest);
  void Finish(absl::Time start);

  const pid_t child_;
  const SubprocessOptions& options_;
  FileDescriptor input_fd_, output_fd_, error_fd_, process_fd_;
  Tail output_, error_;
  SubprocessResult result_;
};

}  // namespace tune
