// Textures that interpolate or have several dimensions: CUDA C++ Programming Guide, "Texture Fetching".
// Weights of interpolation have all digits of a float, those of devices nine bits.
#pragma once

#include "interface.h"

// The element that stands for one at `index`; negative: there is none, and zero is read.
SIMT_INTERNAL inline long long simt_texture_index(const simt_texture& texture, int axis, long long index) {
  const long long extent = texture.extents[axis];
  if (texture.address == SIMT_BORDER) return index < 0 || index >= extent ? -1 : index;
  if (texture.address == SIMT_WRAP) return (index % extent + extent) % extent;
  if (texture.address == SIMT_MIRROR) {
    const long long place = (index % (2 * extent) + 2 * extent) % (2 * extent);
    return place < extent ? place : 2 * extent - 1 - place;
  }
  return index < 0 ? 0 : index >= extent ? extent - 1 : index;
}

template <class T>
SIMT_INTERNAL inline T simt_texel(const simt_texture& texture, const long long* index, const void* site) {
  long long element = 0;
  for (int axis = texture.dimensions - 1; axis >= 0; --axis) {
    const long long place = simt_texture_index(texture, axis, index[axis]);
    if (place < 0) return T{};
    element = element * texture.extents[axis] + place;
  }
  const T* const address = static_cast<const T*>(texture.data) + element;
  simt_read_constant(address, sizeof(T), alignof(T), site);
  return *address;
}

// T is made of floats.
template <class T>
SIMT_INTERNAL inline T simt_interpolate(const simt_texture& texture, const float* place, const void* site) {
  constexpr int lanes = sizeof(T) / sizeof(float);
  float sum[lanes] = {};
  for (int corner = 0; corner < 1 << texture.dimensions; ++corner) {
    float weight = 1;
    long long index[3] = {};
    for (int axis = 0; axis < texture.dimensions; ++axis) {
      const float below = __builtin_floorf(place[axis] - 0.5f), part = place[axis] - 0.5f - below;
      const bool above = (corner >> axis & 1) != 0;
      index[axis] = static_cast<long long>(below) + (above ? 1 : 0);
      weight *= above ? part : 1 - part;
    }
    const T texel = simt_texel<T>(texture, index, site);
    float values[lanes];
    __builtin_memcpy(values, &texel, sizeof(T));
    for (int lane = 0; lane < lanes; ++lane) sum[lane] += weight * values[lane];
  }
  T result;
  __builtin_memcpy(&result, sum, sizeof(T));
  return result;
}

template <class T>
SIMT_INTERNAL inline T simt_read_texture(cudaTextureObject_t object, const float* coordinates, int dimensions,
                                         const void* site) {
  const simt_texture& texture = *reinterpret_cast<const simt_texture*>(object);
  if (texture.dimensions != dimensions)
    simt_host.fault(simt_host.simulator, "a texture has another number of dimensions", site);
  float place[3] = {};
  long long index[3] = {};
  for (int axis = 0; axis < dimensions; ++axis) {
    place[axis] = coordinates[axis] * (texture.normalized ? static_cast<float>(texture.extents[axis]) : 1.0f);
    index[axis] = static_cast<long long>(__builtin_floorf(place[axis]));
  }
  return texture.linear ? simt_interpolate<T>(texture, place, site) : simt_texel<T>(texture, index, site);
}

template <class T>
SIMT_INTERNAL inline T tex1D(cudaTextureObject_t texture, float x) {
  return simt_read_texture<T>(texture, &x, 1, SIMT_SITE);
}
template <class T>
SIMT_INTERNAL inline T tex2D(cudaTextureObject_t texture, float x, float y) {
  const float coordinates[] = {x, y};
  return simt_read_texture<T>(texture, coordinates, 2, SIMT_SITE);
}
template <class T>
SIMT_INTERNAL inline T tex3D(cudaTextureObject_t texture, float x, float y, float z) {
  const float coordinates[] = {x, y, z};
  return simt_read_texture<T>(texture, coordinates, 3, SIMT_SITE);
}
