// What lines of the text of a program say behind their begin, `, unroll whole, points 4`: each attribute with
// its words and its default, which is left out. Said once, for printing (attribute_printer.h) and for reading
// (attribute_reader.h): `Form` is one of these.
#pragma once

#include <vector>

#include "common/program/device_program.h"

namespace tune {

// The words of enumerators, from the first on.
inline const std::vector<const char*> kUpdateWords = {"none", "add", "multiply", "min", "max"};
inline const std::vector<const char*> kLoadsWords = {"read only", "plain", "texture", "streaming"};

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<Origin> origin) {
  form.Name("of", origin.statement, "");
  form.Subscripts("at", origin.iterators);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<Loop> loop) {
  form.Unrolling("unroll", loop.unroll);
  form.Number("points", loop.points, 0);
  form.Flag("parallel", loop.parallel);
  form.Number("threads", loop.threads, 0);
  form.Flag("simd", loop.simd);
  form.Names("local", loop.local);
  form.Names("last", loop.last);
  form.Number("ahead", loop.ahead, 0);
  form.Flag("wide", loop.wide);
  form.Flag("warp product", loop.warp_product);
  form.Number("phase", loop.phase, 0);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<Definition> definition) {
  form.Flag("variable", definition.constant, /*standard=*/true);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<Instance> instance) {
  form.Subscripts("with", instance.affine);
  form.Flag("atomic", instance.atomic);
  form.Flag("guarded", instance.guarded);
  ListAttributes(form, instance.origin);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<Transfer> transfer) {
  form.Element("type", transfer.type);
  form.Flag("atomic", transfer.atomic);
  form.Number("width", transfer.width, 1);
  ListAttributes(form, transfer.origin);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<KeptElement> kept) {
  form.Element("type", kept.type);
  form.Number("width", kept.width, 1);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<TileFill> tile) {
  form.Subscripts("from", tile.first);
  form.Flags("before", tile.before);
  form.Flags("behind", tile.behind);
  form.Flag("unroll", tile.unroll);
  form.Number("width", tile.width, 1);
  form.Flag("asynchronous", tile.asynchronous);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<Fill> fill) {
  form.Flag("zero outside", fill.zero_outside);
  form.Number("threads", fill.threads, 1);
  form.Name("lane", fill.lane, "");
  form.Flag("ahead", fill.ahead);
  ListAttributes(form, fill.origin);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<BlockReduction> reduction) {
  ListAttributes(form, reduction.origin);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<Launch> launch) {
  form.Subscripts("host", launch.host);
  form.Subscripts("first", launch.first);
  form.Subscripts("count", launch.count);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<BlockTurns> turns) {
  ListAttributes(form, turns.launch);
  form.Number("at once", turns.at_once, 1);
  form.Number("own", turns.own, 0);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<Product> product) {
  form.Number("rows", product.blocks.tile_rows, 0);
  form.Number("vectors", product.blocks.tile_vectors, 0);
  form.Number("i block", product.blocks.i_block, 0);
  form.Number("j block", product.blocks.j_block, 0);
  form.Number("k block", product.blocks.k_block, 0);
  form.Flag("parallel", product.parallel);
  form.Number("threads", product.threads, 0);
  form.Flag("triangular", product.triangular);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<DeviceArray> array) {
  form.Name("named", array.name, array.scop_name);
  form.Flag("by value", array.by_value);
  form.Flag("local", array.local);
  form.Flag("contracted", array.contracted);
  form.Number("of block", array.of_block, 0);
  form.Number("of thread", array.of_thread, 0);
  form.Flag("written", array.written);
  form.Flag("texture", array.texture);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<Tile> tile) {
  form.Name("of", tile.array, "");
  form.Number("row", tile.row_length, 1);
  form.Flag("shared", tile.shared);
  form.Flag("transposed", tile.transposed);
  form.Number("copies", tile.copies, 1);
  form.Number("offset", tile.offset, 0);
  form.Flag("zeroed", tile.zeroed);
  form.Option("combined by", tile.combined_by, kUpdateWords);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<KernelArray> array) {
  form.Flag("writes", array.writes);
  form.Flag("shared", array.shared);
  form.Option("loads", array.loads, kLoadsWords);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<GridAxis> axis) {
  form.Number("first", axis.first, 0);
  form.Flag("constant first", axis.first_is_constant);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<DeviceKernel> kernel) {
  form.Numbers("threads", kernel.threads);
  form.Number("min blocks", kernel.min_blocks, 0);
  form.Number("carveout", kernel.carveout, -1);
  form.Number("host depth", kernel.host_depth, 0);
  form.Flag("linear grid", kernel.linear_grid);
  form.Type("index", kernel.index_type, "int");
  form.Flag("function", kernel.is_function);
  form.Number("given shared bytes", kernel.given_shared_bytes, 0);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<MergedLaunch> merged) {
  form.Number("threads", merged.threads, 1);
  form.Number("blocks", merged.blocks, 1);
  form.Flag("tiles", merged.tiles);
  form.Flag("joined", merged.joined);
  form.Number("per processor", merged.per_processor, 1);
  form.Names("within", merged.iterators);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<DeviceProgram> program) {
  form.Type("host index", program.host_index_type, "long");
  form.Flag("graph", program.graph);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<LocalVariable> local) {
  form.Flag("not read", local.read, /*standard=*/true);
}

template <typename Form>
void ListAttributes(Form& form, typename Form::template Of<OpenMpProgram> program) {
  form.Type("index", program.index_type, "int");
}

}  // namespace tune
