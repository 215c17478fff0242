// Whether the program records a CUDA graph, as text for the host's part of CUDA files.
#pragma once

namespace tune {

constexpr char kIsCapturing[] =
    R"(// Whether the application records calls for a CUDA graph, which may neither be waited for nor have memory allocated beside
// them. Seen are streams of the current device that wait for the default stream, whichever thread records them and in
// whichever mode (cudaStreamIsCapturing tells so of the default stream); no streams that were made with
// cudaStreamNonBlocking.
[[maybe_unused]] bool IsCapturing() {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t error = cudaStreamIsCapturing(cudaStreamLegacy, &status);
  if (error != cudaSuccess) cudaGetLastError();
  return error == cudaErrorStreamCaptureImplicit;
}

)";

}  // namespace tune
