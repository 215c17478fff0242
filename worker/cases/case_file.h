// A region in which sizes are arguments as a CUDA file.
#pragma once

#include <string>
#include <vector>

#include "common/cases/case_tree.h"
#include "tune/v1/cases.pb.h"
#include "worker/cases/case_entry.h"
#include "worker/cases/kernel_problem.h"
#include "worker/cases/time_tiles.h"
#include "worker/codegen/split_programs.h"
#include "worker/codegen/symbolic_program.h"

namespace tune {

// A kernel and its cases.
struct DiscussedKernel {
  std::vector<ProgramCase> cases;
  CaseTree tree;
};

// Of a region that runs on the device as a whole:
//   extern "C" int tune_region_NAME(void *const *arrays, const long long *sizes);
// which does what that of worker/print/cuda_region.h does, for sizes that it is told: extents of all arrays
// that have some and are not declared inside, then the parameters; and
//   extern "C" cudaError_t NAME_on_device(void *const *arrays, const long long *sizes, cudaStream_t stream);
// on memory of the device, without copies; `arrays` has none of those that the region declares then.
CaseEntry WholeRegionEntry(const v1::Scop& scop);

// Of these entries what runs a region: RunRegion and NAME_on_device.
std::string RunText(const v1::Scop& scop);

// Kernels first, each variant once; after the line kHostBegins what launches them, and the entry. For each
// launch a block's format, points of a thread and lengths of strips are taken from a table, the first one
// that has a case on the device and blocks enough for it; that a tree of conditions tells. Trees of
// conditions stand above the kernels as comments. `kernels`: parallel to the region's. Of `formats` those are
// tried first that were found on this device at near sizes. In place of all this runs the first of these that
// is for sizes and device: `tiles`; a program of `split`; the best one of `programs`. The first two may be
// null.
std::string PrintCaseFile(const ParametricRegion& region, const std::vector<DiscussedKernel>& kernels,
                          const CaseEntry& entry, const v1::CaseFormats& formats = {},
                          const SymbolicPrograms& programs = {}, const TimeTiles* tiles = nullptr,
                          const SplitPrograms* split = nullptr);

// The tree for people, lines that begin with `indentation`.
std::string CaseTreeText(const CaseTree& tree, const std::vector<ProgramCase>& cases,
                         const KernelProblem& problem, const std::string& indentation);

// "one point a thread, addresses shared in a statement"; "as written" where nothing was applied.
std::string DecisionsText(const ProgramCase& one, const KernelProblem& problem);

}  // namespace tune
