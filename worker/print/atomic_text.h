// Atomic operations of CUDA as text (CUDA C++ Programming Guide, 10.14).
#pragma once

#include <string>

#include "tune/v1/scop.pb.h"

namespace tune {

// The statement "element = element op value" as one atomic operation: "atomicAdd(&x[0], partial);".
// Precondition: KernelReduction::atomic holds for such updates.
std::string AtomicUpdateText(v1::UpdateOperator update, v1::ElementType type, const std::string& element,
                             const std::string& value);

// The statement "element = value" as an atomic exchange whose result is not used: "atomicExch(&C[0], 1.0f);";
// a plain one for elements of fewer than 4 bytes, for which there is none.
std::string AtomicStoreText(v1::ElementType type, const std::string& element, const std::string& value);

}  // namespace tune
