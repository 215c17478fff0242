// A file system for SQLite whose writes fail when told to.
#pragma once

#include <sqlite3.h>

#include <cstring>

namespace tune::testing {

// While it lives, files that SQLite opens go through it; the files themselves are real. One at a time. Not
// thread safe.
class FaultyFileSystem {
 public:
  FaultyFileSystem() {
    real() = sqlite3_vfs_find(nullptr);
    vfs_ = *real();
    vfs_.zName = "faulty";
    vfs_.szOsFile = static_cast<int>(sizeof(File)) + real()->szOsFile;
    vfs_.pAppData = this;
    vfs_.xOpen = Open;
    sqlite3_vfs_register(&vfs_, /*makeDflt=*/1);
  }
  ~FaultyFileSystem() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(real(), /*makeDflt=*/1);
  }
  FaultyFileSystem(const FaultyFileSystem&) = delete;

  // Write number `first` from now on, counted from 0, fails with SQLite's `code`, and so do the next ones
  // where it is not `once`. A write is what changes a file: bytes, its length, or that both are safe on the
  // disk.
  void FailAt(int64_t first, int code, bool once) {
    left_ = first;
    code_ = code;
    once_ = once;
    failed_ = false;
  }
  void Mend() { left_ = INT64_MAX; }
  bool failed() const { return failed_; }

 private:
  struct File {
    sqlite3_file base;
    FaultyFileSystem* system;
    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  };

  static sqlite3_vfs*& real() {
    static sqlite3_vfs* found = nullptr;
    return found;
  }
  static File* Of(sqlite3_file* file) { return reinterpret_cast<File*>(file); }

  // SQLITE_OK, or what this write ends with.
  int Count() {
    if (left_ > 0) {
      --left_;
      return SQLITE_OK;
    }
    failed_ = true;
    if (once_) Mend();
    return code_;
  }

  static int Open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
    File* const opened = Of(file);
    opened->system = static_cast<FaultyFileSystem*>(vfs->pAppData);
    opened->base.pMethods = nullptr;
    std::memset(opened->real(), 0, real()->szOsFile);
    const int result = real()->xOpen(real(), name, opened->real(), flags, out);
    if (result == SQLITE_OK) opened->base.pMethods = Methods();
    return result;
  }

  // The first version of the interface: no shared memory, so a database needs locking_mode = EXCLUSIVE for
  // WAL.
  static const sqlite3_io_methods* Methods() {
    static const sqlite3_io_methods methods = [] {
      sqlite3_io_methods made = {};
      made.iVersion = 1;
      made.xClose = [](sqlite3_file* f) { return Of(f)->real()->pMethods->xClose(Of(f)->real()); };
      made.xRead = [](sqlite3_file* f, void* bytes, int size, sqlite3_int64 at) {
        return Of(f)->real()->pMethods->xRead(Of(f)->real(), bytes, size, at);
      };
      made.xWrite = [](sqlite3_file* f, const void* bytes, int size, sqlite3_int64 at) {
        const int fault = Of(f)->system->Count();
        // A disk that fills up takes a part.
        if (fault != SQLITE_OK) size /= 2;
        const int result = Of(f)->real()->pMethods->xWrite(Of(f)->real(), bytes, size, at);
        return fault != SQLITE_OK ? fault : result;
      };
      made.xTruncate = [](sqlite3_file* f, sqlite3_int64 size) {
        const int fault = Of(f)->system->Count();
        return fault != SQLITE_OK ? fault : Of(f)->real()->pMethods->xTruncate(Of(f)->real(), size);
      };
      // No test takes the power away.
      made.xSync = [](sqlite3_file* f, int) { return Of(f)->system->Count(); };
      made.xFileSize = [](sqlite3_file* f, sqlite3_int64* size) {
        return Of(f)->real()->pMethods->xFileSize(Of(f)->real(), size);
      };
      made.xLock = [](sqlite3_file* f, int kind) {
        return Of(f)->real()->pMethods->xLock(Of(f)->real(), kind);
      };
      made.xUnlock = [](sqlite3_file* f, int kind) {
        return Of(f)->real()->pMethods->xUnlock(Of(f)->real(), kind);
      };
      made.xCheckReservedLock = [](sqlite3_file* f, int* held) {
        return Of(f)->real()->pMethods->xCheckReservedLock(Of(f)->real(), held);
      };
      made.xFileControl = [](sqlite3_file* f, int what, void* argument) {
        return Of(f)->real()->pMethods->xFileControl(Of(f)->real(), what, argument);
      };
      made.xSectorSize = [](sqlite3_file* f) { return Of(f)->real()->pMethods->xSectorSize(Of(f)->real()); };
      made.xDeviceCharacteristics = [](sqlite3_file* f) {
        return Of(f)->real()->pMethods->xDeviceCharacteristics(Of(f)->real());
      };
      return made;
    }();
    return &methods;
  }

  sqlite3_vfs vfs_;
  int64_t left_ = INT64_MAX;
  int code_ = SQLITE_IOERR_WRITE;
  bool once_ = true;
  bool failed_ = false;
};

}  // namespace tune::testing
