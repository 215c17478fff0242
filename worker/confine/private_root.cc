#include "worker/confine/private_root.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <climits>
#include <vector>

#include "worker/confine/failure.h"

namespace tune {
namespace {

constexpr const char* kSystemFolders[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
// The loader's and the linker's, what Debian's `cc` is a link to, and the time zone.
constexpr const char* kSystemFiles[] = {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                                        "/etc/alternatives", "/etc/localtime"};
constexpr const char* kDevices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
constexpr uint64_t kReadOnly = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
constexpr uint64_t kWritable = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
constexpr uint64_t kDevice = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
// Any folder that is there: the new root is put together on it. What it holds outside has been taken before.
constexpr char kScaffold[] = "/usr";

// A part of the old file system that will have its place in the new one.
struct Part {
  std::string path;
  int tree;  // a detached copy of its mount
  bool is_folder;
};

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

Part TakePart(const std::string& path, uint64_t attributes) {
  Part part = {path, -1, false};
  struct stat status;
  if (stat(path.c_str(), &status) != 0) FailSandbox(path);
  part.is_folder = S_ISDIR(status.st_mode);
  part.tree = static_cast<int>(
      syscall(SYS_open_tree, AT_FDCWD, path.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
  if (part.tree < 0) FailSandbox("mounting " + path);
  mount_attr change = {attributes, 0, 0, 0};
  if (syscall(SYS_mount_setattr, part.tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &change, sizeof change) != 0) {
    FailSandbox("mount_setattr of " + path);
  }
  return part;
}

// Relative to the new root, which is this process's folder meanwhile.
std::string InNewRoot(const std::string& path) { return "." + path; }

void MakeFolders(const std::string& path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string folder = InNewRoot(path.substr(0, slash));
    if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) FailSandbox("making " + path);
    if (slash == std::string::npos) return;
  }
}

void MakeEmptyFile(const std::string& path) {
  MakeFolders(path.substr(0, path.rfind('/')));
  const int file = open(InNewRoot(path).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0 && errno != EACCES && errno != EROFS) FailSandbox("making " + path);
  close(file);
}

void PutPart(const Part& part) {
  const std::string place = InNewRoot(part.path);
  if (!Exists(place)) part.is_folder ? MakeFolders(part.path) : MakeEmptyFile(part.path);
  if (syscall(SYS_move_mount, part.tree, "", AT_FDCWD, place.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0) {
    FailSandbox("mounting " + part.path);
  }
  close(part.tree);
}

void MakeLink(const char* target, const std::string& path) {
  if (symlink(target, InNewRoot(path).c_str()) != 0) FailSandbox("linking " + path);
}

// /bin and its like are links into /usr on most systems.
void LinkSystemFolders() {
  for (const char* folder : kSystemFolders) {
    char target[PATH_MAX];
    const ssize_t length = readlink(folder, target, sizeof(target) - 1);
    if (length <= 0) continue;
    target[length] = '\0';
    MakeLink(target, folder);
  }
}

std::vector<Part> TakeParts(const Launch& launch) {
  std::vector<Part> parts;
  for (const char* folder : kSystemFolders) {
    struct stat status;
    if (lstat(folder, &status) == 0 && S_ISDIR(status.st_mode)) parts.push_back(TakePart(folder, kReadOnly));
  }
  for (const char* file : kSystemFiles) {
    if (Exists(file)) parts.push_back(TakePart(file, kReadOnly));
  }
  for (const char* device : kDevices) parts.push_back(TakePart(device, kDevice));
  for (const std::string& device : launch.devices) parts.push_back(TakePart(device, kDevice));
  if (launch.system_state) parts.push_back(TakePart("/sys", kReadOnly));
  for (const std::string& path : launch.readable) parts.push_back(TakePart(path, kReadOnly));
  for (const std::string& path : launch.writable) parts.push_back(TakePart(path, kWritable));
  // A folder before what is in it.
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.path < b.path; });
  return parts;
}

void MountProcessesOnly() {
  constexpr unsigned long kFlags = MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC;
  if (mount("proc", "./proc", "proc", kFlags, "subset=pid") != 0) FailSandbox("mounting /proc");
}

// Everything but the processes is read-only: where the user is root, settings of the machine are files that
// he owns. A GPU's driver does not start where it cannot write to the files of its own process.
void MountSystemState() {
  if (mount("proc", "./proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
    FailSandbox("mounting /proc");
  }
  DIR* const folder = opendir("./proc");
  if (folder == nullptr) FailSandbox("reading /proc");
  while (const dirent* entry = readdir(folder)) {
    const std::string path = std::string("/proc/") + entry->d_name;
    const bool of_process =
        entry->d_name[0] == '.' || std::isdigit(entry->d_name[0]) || entry->d_type == DT_LNK;
    if (of_process) continue;
    Part part = TakePart(InNewRoot(path), kReadOnly);
    part.path = path;
    PutPart(part);
  }
  closedir(folder);
}

void MountMemory(const char* path, const char* options) {
  if (mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options) != 0) {
    FailSandbox(std::string("mounting memory on ") + path);
  }
}

void LinkDevices() {
  MakeLink("/proc/self/fd", "/dev/fd");
  MakeLink("/proc/self/fd/0", "/dev/stdin");
  MakeLink("/proc/self/fd/1", "/dev/stdout");
  MakeLink("/proc/self/fd/2", "/dev/stderr");
  MakeLink("/tmp", "/dev/shm");
}

// The new root becomes the root, and the old one is reachable no more.
void ChangeRoot() {
  mount_attr read_only = {MOUNT_ATTR_RDONLY, 0, 0, 0};
  if (syscall(SYS_mount_setattr, AT_FDCWD, ".", 0, &read_only, sizeof read_only) != 0) {
    FailSandbox("making the root read-only");
  }
  if (syscall(SYS_pivot_root, ".", ".") != 0) FailSandbox("pivot_root");
  if (umount2(".", MNT_DETACH) != 0) FailSandbox("leaving the old root");
  if (chdir("/") != 0) FailSandbox("/");
}

}  // namespace

void EnterPrivateRoot(const Launch& launch) {
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) FailSandbox("keeping mounts private");
  // 1. What will be seen, taken from the old root.
  const std::vector<Part> parts = TakeParts(launch);
  // 2. An empty root, and all in its place.
  MountMemory(kScaffold, "size=1m,mode=755");
  if (chdir(kScaffold) != 0) FailSandbox(kScaffold);
  LinkSystemFolders();
  if (mkdir("./tmp", 0755) != 0) FailSandbox("making /tmp");
  MountMemory("./tmp", "size=256m,mode=1777");
  for (const Part& part : parts) PutPart(part);
  if (mkdir("./proc", 0755) != 0) FailSandbox("making /proc");
  launch.system_state ? MountSystemState() : MountProcessesOnly();
  LinkDevices();
  // 3. No way back.
  ChangeRoot();
}

}  // namespace tune
