// Random programs of common/program: of every kind of node and with any fields, not of any sense.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/base/random.h"
#include "common/program/device_program.h"

namespace tune::testing {

class RandomNodes {
 public:
  explicit RandomNodes(uint64_t seed) : random_(seed) {}

  // Divisors are positive constants, and nothing overflows where names have values of a few digits.
  IndexExpression Expression(int depth) {
    using Op = IndexExpression::Op;
    if (depth == 0 || Chance(5)) return Leaf();
    switch (random_.Below(12)) {
      case 0:
        return IndexExpression::Of(Pick<Op>({Op::kNegate, Op::kNot, Op::kToIndex}), {Expression(depth - 1)});
      case 1:
        return IndexExpression::Of(Pick<Op>({Op::kMinimum, Op::kMaximum}),
                                   List<IndexExpression>(2, 3, [&] { return Expression(depth - 1); }));
      case 2:
        return IndexExpression::Of(Op::kSelect,
                                   {Expression(depth - 1), Expression(depth - 1), Expression(depth - 1)});
      case 3:
      case 4:
        return IndexExpression::Of(Pick<Op>({Op::kQuotient, Op::kRemainder, Op::kFloor}),
                                   {Expression(depth - 1), IndexExpression::Constant(1 + Number(9))});
      case 5: {
        std::vector<IndexExpression> factors = {Expression(depth - 1),
                                                IndexExpression::Constant(Number(7) - 3)};
        if (Chance(2)) std::swap(factors[0], factors[1]);
        return IndexExpression::Of(Op::kMultiply, std::move(factors));
      }
      default:
        return IndexExpression::Of(
            Pick<Op>({Op::kAdd, Op::kSubtract, Op::kAdd, Op::kSubtract, Op::kAnd, Op::kOr, Op::kEqual,
                      Op::kLess, Op::kLessEqual, Op::kGreater, Op::kGreaterEqual}),
            {Expression(depth - 1), Expression(depth - 1)});
    }
  }

  Block MakeBlock(int depth) {
    return List<Node>(0, 3, [&] { return MakeNode(depth); });
  }

  Node MakeNode(int depth) {
    switch (random_.Below(depth == 0 ? 10 : 15)) {
      case 0:
        return {Definition{Type(), Name(), Expression(2), Chance(2)}};
      case 1:
        return {MakeInstance()};
      case 2:
        return {Transfer{Access(), Access(), ElementType(),
                         static_cast<v1::UpdateOperator>(random_.Below(v1::UpdateOperator_ARRAYSIZE)),
                         Chance(2)}};
      case 3:
        return {MakeFill()};
      case 4:
        return {Barrier{Chance(2) ? Barrier::Of::kBlock : Barrier::Of::kGrid}};
      case 5:
        return {CommitFills{}};
      case 6:
        return {AwaitFills{Number(3)}};
      case 7:
        return {BlockReduction{Name(), static_cast<int>(Number(3))}};
      case 8:
        return {MakeLaunch()};
      case 9:
        return {BlockTurns{MakeLaunch(), Number(3), Number(3)}};
      case 10:
        return {MakeLoop(depth)};
      case 11:
        return {Condition{Expression(3), MakeBlock(depth - 1), MakeBlock(depth - 1)}};
      case 12:
        return {Scope{MakeBlock(depth - 1), List<KeptElement>(0, 2, [&] {
                        return KeptElement{Access(), ElementType()};
                      })}};
      case 13:
        return {MergedLaunch{Name(), Number(3), Number(3), Number(2) == 0, Number(2) == 0, Number(3),
                             List<std::string>(0, 2, [&] { return Name(); }), MakeBlock(depth - 1)}};
      default:
        return {MakeProduct(depth)};
    }
  }

  DeviceProgram Device() {
    DeviceProgram program;
    program.arrays = List<DeviceArray>(0, 3, [&] { return MakeArray(); });
    program.kernels = List<DeviceKernel>(0, 2, [&] { return MakeKernel(); });
    program.host = MakeBlock(2);
    program.host_index_type = Type();
    program.graph = Chance(2);
    return program;
  }

  OpenMpProgram OpenMp() {
    OpenMpProgram program;
    program.index_type = Type();
    program.locals = List<LocalVariable>(0, 2, [&] {
      return LocalVariable{Name(), ElementType(), Numbers(), Chance(2)};
    });
    program.body = MakeBlock(3);
    return program;
  }

 private:
  bool Chance(uint64_t one_of) { return random_.Below(one_of) == 0; }
  int64_t Number(uint64_t below) { return static_cast<int64_t>(random_.Below(below)); }
  int Int(uint64_t below) { return static_cast<int>(random_.Below(below)); }

  template <typename T>
  T Pick(const std::vector<T>& choices) {
    return choices[random_.Below(choices.size())];
  }

  template <typename T, typename Make>
  std::vector<T> List(uint64_t least, uint64_t most, const Make& make) {
    std::vector<T> list;
    for (uint64_t left = least + random_.Below(most - least + 1); left > 0; --left) list.push_back(make());
    return list;
  }

  std::string Name() {
    return Pick<std::string>({"tune_c0", "i", "blockIdx.x", "A_shared0", "min", "if", "unroll", "two words",
                              "", "a\"b\\c\n", "4th", "k[S0,S1]", "S0@1", "f(x)", "x,", "\xc3\xa4"});
  }
  std::string Type() { return Pick<std::string>({"int", "long", "long long", "unsigned int", "", "a  b"}); }
  v1::ElementType ElementType() {
    return static_cast<v1::ElementType>(random_.Below(v1::ElementType_ARRAYSIZE));
  }

  IndexExpression Leaf() {
    if (Chance(2)) return IndexExpression::Name(Name());
    return IndexExpression::Constant(Number(21) - 10);
  }
  std::vector<IndexExpression> Expressions() {
    return List<IndexExpression>(0, 3, [&] { return Expression(2); });
  }
  std::vector<std::string> Names() {
    return List<std::string>(0, 2, [&] { return Name(); });
  }
  std::vector<bool> Flags() {
    return List<bool>(0, 3, [&] { return Chance(2); });
  }
  std::vector<int64_t> Numbers() {
    return List<int64_t>(0, 3, [&] { return static_cast<int64_t>(random_.Next()) >> random_.Below(64); });
  }

  ElementAccess Access() { return {Name(), Expressions()}; }

  Loop MakeLoop(int depth) {
    Loop loop;
    loop.iterator = Name();
    loop.first = Expression(2);
    loop.condition = Expression(3);
    loop.step = Expression(1);
    loop.body = MakeBlock(depth - 1);
    loop.unroll = Number(6) - 2;
    loop.points = Number(3);
    loop.parallel = Chance(2);
    loop.threads = Int(3);
    loop.simd = Chance(2);
    loop.local = Names();
    loop.last = Names();
    loop.wide = Chance(2);
    return loop;
  }

  Instance MakeInstance() {
    return {Name(), List<ElementAccess>(0, 3, [&] { return Access(); }), Expressions(), Chance(2)};
  }

  Fill MakeFill() {
    const auto tile = [&] {
      return TileFill{Access(), Expressions(), Flags(), Flags(), Chance(2), Number(3), Chance(2)};
    };
    return {List<TileFill>(0, 2, tile), Chance(2), Number(3), Name(), Chance(2)};
  }

  Launch MakeLaunch() { return {Int(3), Expressions(), Expressions(), Expressions()}; }

  Product MakeProduct(int depth) {
    const auto loop = [&] { return ProductLoop{Name(), Expression(2), Expression(2), Chance(2)}; };
    return {ProductBlocks{Int(3), Int(3), Number(3), Number(3), Number(3)},
            Chance(2),
            Int(3),
            loop(),
            loop(),
            loop(),
            Chance(2),
            MakeInstance(),
            MakeBlock(depth - 1)};
  }

  DeviceArray MakeArray() {
    return {Int(9),    Name(),    Name(),    ElementType(), Numbers(), Chance(2),
            Chance(2), Chance(2), Number(3), Number(3),     Chance(2), Chance(2)};
  }

  Tile MakeTile() {
    return {Name(),
            Name(),
            ElementType(),
            Numbers(),
            Number(3),
            Chance(2),
            Chance(2),
            Number(3),
            Number(3),
            Chance(2),
            static_cast<v1::UpdateOperator>(random_.Below(v1::UpdateOperator_ARRAYSIZE))};
  }

  DeviceKernel MakeKernel() {
    DeviceKernel kernel;
    kernel.function = Name();
    kernel.name = Name();
    kernel.threads = {1 + Number(3), 1 + Number(3), 1 + Number(3)};
    kernel.min_blocks = Number(3);
    kernel.carveout = Int(3) - 1;
    kernel.arrays = List<KernelArray>(0, 3, [&] {
      return KernelArray{Int(9), Chance(2), Chance(2), static_cast<ArrayLoads>(random_.Below(4))};
    });
    kernel.host_depth = Int(3);
    kernel.axes = List<GridAxis>(0, 3, [&] { return GridAxis{Chance(2), Number(3) - 1, Number(3)}; });
    kernel.linear_grid = Chance(2);
    kernel.index_type = Type();
    kernel.is_function = Chance(2);
    kernel.given_shared_bytes = Number(3);
    kernel.tiles = List<Tile>(0, 2, [&] { return MakeTile(); });
    kernel.coordinates = MakeBlock(0);
    kernel.body = MakeBlock(3);
    return kernel;
  }

  Random random_;
};

}  // namespace tune::testing
