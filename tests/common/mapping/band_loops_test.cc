#include "common/mapping/band_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_join.h"

namespace tune {
namespace {

KernelBand Band(const std::vector<bool>& coincident, bool permutable, bool innermost = true) {
  KernelBand band;
  band.permutable = permutable;
  band.coincident = coincident;
  band.trip_counts.assign(coincident.size(), 100);
  band.innermost = innermost;
  return band;
}

BandRequest Request(const std::vector<int64_t>& tile_sizes) {
  BandRequest request;
  request.tile_sizes = tile_sizes;
  return request;
}

// "T0:32 p1 w2": tile, point and whole loops with their members, sizes and marks.
std::string Print(const std::vector<BandLoop>& loops) {
  const auto print = [](std::string* out, const BandLoop& loop) {
    const char* const kinds = "wTp";
    absl::StrAppend(out, std::string(1, kinds[static_cast<int>(loop.kind)]), loop.member);
    if (loop.size > 0) absl::StrAppend(out, loop.from_minimum ? ":min+" : ":", loop.size);
    if (!loop.mark.empty()) absl::StrAppend(out, "(", PrintLoopMark(loop.mark).substr(6), ")");
  };
  return absl::StrJoin(loops, " ", print);
}

TEST(BandLoops, KeepsABandThatIsNotTiled) {
  EXPECT_EQ(Print(ArrangeLoops(Band({true, true, false}, true), Request({0, 0, 0}))), "w0 w1 w2");
}

TEST(BandLoops, PutsTileLoopsOutsideAPermutableBand) {
  EXPECT_EQ(Print(ArrangeLoops(Band({true, true, false}, true), Request({32, 0, 8}))), "T0:32 T2:8 p0 w1 p2");
}

TEST(BandLoops, CutsMembersOfOtherBandsInPlace) {
  EXPECT_EQ(Print(ArrangeLoops(Band({false, false}, false), Request({32, 8}))), "T0:32 p0 T1:8 p1");
}

TEST(BandLoops, MovesTheParallelMemberOut) {
  BandRequest request = Request({16, 32, 0});
  request.parallel_member = 1;
  request.threads = 4;
  EXPECT_EQ(Print(ArrangeLoops(Band({false, true, false}, true), request)),
            "T1:32(parallel 4) T0:16 p0 p1 w2");
  request.tile_sizes = {16, 0, 0};
  EXPECT_EQ(Print(ArrangeLoops(Band({false, true, false}, true), request)), "w1(parallel 4) T0:16 p0 w2");
}

TEST(BandLoops, LeavesTheParallelMemberOfOtherBandsInPlace) {
  BandRequest request = Request({0, 0});
  request.parallel_member = 1;
  request.threads = 4;
  EXPECT_EQ(Print(ArrangeLoops(Band({false, true}, false, false), request)), "w0 w1(parallel 4)");
}

TEST(BandLoops, PointsOfAParallelInnermostMemberStayInnermost) {
  BandRequest request = Request({0, 0});
  request.parallel_member = 1;
  request.threads = 4;
  EXPECT_EQ(Print(ArrangeLoops(Band({false, true}, true), request)), "T1:min+25(parallel 4) w0 p1");
  request.tile_sizes = {0, 16};
  EXPECT_EQ(Print(ArrangeLoops(Band({false, true}, true), request)), "T1:16(parallel 4) w0 p1");
}

TEST(BandLoops, MarksSayWhatIsPrivate) {
  KernelBand band = Band({true, true}, true);
  band.privates = {{{"a", "b"}, {}}, {{}, {"c"}}};
  BandRequest request = Request({0, 0});
  request.parallel_member = 0;
  request.threads = 4;
  request.simd = true;
  EXPECT_EQ(Print(ArrangeLoops(band, request)), "w0(parallel 4, local a b) w1(simd, last c)");
  // Compilers' own ways to vectorise and unroll have no private variables.
  request.unroll = 4;
  EXPECT_EQ(Print(ArrangeLoops(band, request)), "w0(parallel 4, local a b) w1(unroll 4)");
}

TEST(BandLoops, AllThreadsAreNotCounted) {
  BandRequest request = Request({0, 0});
  request.parallel_member = 0;
  request.threads = 4;
  request.all_threads = true;
  EXPECT_EQ(Print(ArrangeLoops(Band({true, false}, true), request)), "w0(parallel) w1");
}

TEST(BandLoops, DoesNotStartOneThread) {
  BandRequest request = Request({0, 0});
  request.parallel_member = 0;
  request.threads = 1;
  EXPECT_EQ(Print(ArrangeLoops(Band({true, true}, true), request)), "w0 w1");
}

TEST(BandLoops, VectorisesOnlyCoincidentInnermostLoops) {
  BandRequest request = Request({0, 0});
  request.simd = true;
  EXPECT_EQ(Print(ArrangeLoops(Band({false, true}, true), request)), "w0 w1(simd)");
  EXPECT_EQ(Print(ArrangeLoops(Band({true, false}, true), request)), "w0 w1");
  EXPECT_EQ(Print(ArrangeLoops(Band({true, true}, true, /*innermost=*/false), request)), "w0 w1");
}

TEST(BandLoops, UnrollsTheInnermostLoop) {
  BandRequest request = Request({8, 8});
  request.unroll = 4;
  EXPECT_EQ(Print(ArrangeLoops(Band({true, false}, true), request)), "T0:8 T1:8 p0 p1(unroll 4)");
  request.simd = true;
  EXPECT_EQ(Print(ArrangeLoops(Band({true, true}, true), request)), "T0:8 T1:8 p0 p1(simd, unroll 4)");
}

TEST(BandLoops, CutsALoopThatIsParallelAndUnrolledIntoChunks) {
  BandRequest request = Request({0});
  request.parallel_member = 0;
  request.threads = 8;
  request.simd = true;
  EXPECT_EQ(Print(ArrangeLoops(Band({true}, true), request)), "w0(parallel 8, simd)");
  request.unroll = 4;
  EXPECT_EQ(Print(ArrangeLoops(Band({true}, true), request)), "T0:min+13(parallel 8) p0(simd, unroll 4)");
  KernelBand unknown = Band({true}, true);
  unknown.trip_counts = {-1};
  EXPECT_EQ(Print(ArrangeLoops(unknown, request)), "w0(parallel 8, simd)");
}

// What was tuned on 8 threads is to keep 64 busy: 100000 / (8 * 1024) = 12 chunks a thread.
TEST(BandLoops, CutsLongLoopsIntoChunksForMoreThreads) {
  BandRequest request = Request({0});
  request.parallel_member = 0;
  request.threads = 8;
  request.unroll = 4;
  KernelBand band = Band({true}, true);
  band.trip_counts = {100'000};
  EXPECT_EQ(Print(ArrangeLoops(band, request)), "T0:min+12500(parallel 8) p0(unroll 4)");
  request.all_threads = true;
  EXPECT_EQ(Print(ArrangeLoops(band, request)), "T0:min+1042(parallel) p0(unroll 4)");
  band.trip_counts = {8 * 2000};
  EXPECT_EQ(Print(ArrangeLoops(band, request)), "T0:min+2000(parallel) p0(unroll 4)");
}

TEST(LoopMark, PrintsAndParses) {
  for (const LoopMark& mark :
       {LoopMark{true, 4, false, 1}, LoopMark{true, 0, true, 1}, LoopMark{false, 0, true, 1},
        LoopMark{true, 8, true, 2}, LoopMark{false, 0, false, 16},
        LoopMark{.parallel = true, .local = {"a", "b"}, .last = {"c"}}}) {
    EXPECT_EQ(ParseLoopMark(PrintLoopMark(mark)), mark) << PrintLoopMark(mark);
  }
  EXPECT_EQ(ParseLoopMark("k[S0,S1]"), std::nullopt);
  EXPECT_EQ(ParseLoopMark(kLoopMarkEnd), std::nullopt);
  EXPECT_EQ(ParseLoopMark("loop: parallel many"), std::nullopt);
  EXPECT_EQ(ParseLoopMark("loop: parallel 0"), std::nullopt);
}

}  // namespace
}  // namespace tune
