// Names that generated programs add to those of the scop.
#pragma once

#include <string>

#include "tune/v1/scop.pb.h"

namespace tune {

// Names that generated text adds to those of the scop. All start with one prefix that no name of the scop
// starts with.
struct HelperNames {
  explicit HelperNames(const std::string& prefix = "tune_")
      : iterator(prefix + "c"),
        minimum(prefix + "min"),
        maximum(prefix + "max"),
        floor(prefix + "floord"),
        least(prefix + "first"),
        bound(prefix + "last"),
        threads(prefix + "threads"),
        value(prefix + "value"),
        host(prefix + "h"),
        block(prefix + "b"),
        thread(prefix + "t"),
        first(prefix + "f"),
        count(prefix + "n"),
        lane(prefix + "lane"),
        element(prefix + "q"),
        fill(prefix + "fill"),
        shared(prefix + "shared"),
        reduction(prefix + "r"),
        block_index(prefix + "block"),
        thread_index(prefix + "thread"),
        turn(prefix + "turn"),
        texture(prefix + "texture"),
        product(prefix + "p_"),
        matrix(prefix + "mma"),
        ahead(prefix + "ahead"),
        next(prefix + "next"),
        collected(prefix + "stored"),
        half(prefix + "half"),
        complex(prefix + "complex") {}

  std::string iterator;  // followed by a number
  std::string minimum, maximum;
  std::string floor;    // quotient rounded down, divisor positive
  std::string least;    // of a loop's bounds: the first iteration, followed by the iterator's number
  std::string bound;    // the same of the last one
  std::string threads;  // how many the OpenMP run time has
  std::string value;
  // CUDA, each followed by a number: value of a host loop; block and thread coordinate, first block and
  // number of blocks along an axis.
  std::string host, block, thread, first, count;
  std::string lane, element;  // number of a thread in its block, of a tile's element
  std::string fill;           // begins the functions that fill tiles
  std::string shared;         // memory that the launch gives
  std::string reduction;      // begins what combines partial values
  // In a launch that runs all kernels: what stands for blockIdx and threadIdx, number of a kernel's block.
  std::string block_index, thread_index, turn;
  std::string texture;  // begins the functions that read from textures
  std::string product;  // begins the names of a product in register tiles
  std::string matrix;   // begins the functions that call matrix instructions, and what they take
  // Of loops whose loads run ahead: the first of some iterations; followed by a number, what was loaded for
  // them. Whether there are as many behind them.
  std::string ahead, next;
  std::string collected;  // the same of what they store, followed by a number
  std::string half;       // the type of numbers of binary16
  std::string complex;    // the template of types of complex numbers
};

// The number of elements of array number `array` of the scop along the dimension.
std::string ExtentName(const HelperNames& names, int array, int dimension);

// Names that start like no array or parameter of the scop.
HelperNames ChooseHelperNames(const v1::Scop& scop);

}  // namespace tune
