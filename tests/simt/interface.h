// What the simulator and a compiled CUDA text know of each other. Plain C++17 without includes: this file is
// also compiled with the text.
#pragma once

// Kinds of access, as bits.
enum : unsigned {
  SIMT_READ = 1,
  SIMT_WRITE = 2,
  SIMT_ATOMIC = 4,    // read and write in one step
  SIMT_CONSTANT = 8,  // read through a cache that sees no write of the same launch: __ldg, textures
};

enum simt_operation {
  SIMT_SYNCWARP,
  SIMT_BALLOT,
  SIMT_SHUFFLE,
  SIMT_SHUFFLE_UP,
  SIMT_SHUFFLE_DOWN,
  SIMT_SHUFFLE_XOR,
};

// One lane's part in an operation of its warp.
struct simt_exchange {
  simt_operation operation;
  int line;                  // of the CUDA text
  unsigned mask;             // lanes that take part
  int width;                 // of a shuffle's segments
  int parameter;             // of a shuffle: source lane, distance or lane mask
  unsigned bytes;            // of a shuffle's value
  unsigned long long value;  // shuffled bits; predicate of a ballot
};

// What is read where a texture has no element.
enum simt_address { SIMT_CLAMP, SIMT_BORDER, SIMT_WRAP, SIMT_MIRROR };

// A texture object is the address of one; of a texture of linear memory, that of its first element.
struct simt_texture {
  const void* data;      // the first extent fastest
  int dimensions;        // 1, 2 or 3
  long long extents[3];  // in elements
  simt_address address;
  bool linear, normalized;
};

struct simt_kernel {
  const char* name;
  void (*call)(void** arguments);  // one pointer per parameter, to its value
  int parameters;
};

// The variable simt_host of a compiled text. The text fills in the first part, the simulator the second.
struct simt_interface {
  const simt_kernel* kernels;
  int kernel_count;
  unsigned* indices;  // x, y, z of the thread, block, block dimension, grid dimension
  char* dynamic_shared;

  void* simulator;  // first argument of the functions, which do not return when they find a fault
  long long steps;  // basic blocks that the launch may still execute
  void (*access)(void* simulator, const void* address, unsigned long bytes, unsigned kind, const void* site);
  void (*barrier)(void* simulator, int line);
  unsigned long long (*exchange)(void* simulator, const simt_exchange* call);
  unsigned (*active_lanes)(void* simulator);
  void (*fault)(void* simulator, const char* what, const void* site);
  void (*grid_barrier)(void* simulator, int line);
  // Asynchronous copies of the thread, which are in groups; see asynchronous_functions.h.
  void (*begin_copy)(void* simulator, void* to, const void* from, unsigned bytes, const void* site);
  void (*commit_copies)(void* simulator);
  void (*await_copies)(void* simulator, int open, const void* site);
};
