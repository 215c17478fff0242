#include "server/service/rpc_router.h"

#include "absl/strings/escaping.h"

namespace tune {

RpcRouter::RpcRouter(std::vector<const GuardedService*> services, CallThreads* threads)
    : services_(std::move(services)), threads_(threads) {}

grpc::ServerGenericBidiReactor* RpcRouter::CreateReactor(grpc::GenericCallbackServerContext* context) {
  auto* wire = new WireCall(context);  // deletes itself at its end
  const std::string& path = context->method();
  for (const GuardedService* service : services_) {
    if (!service->Has(path)) continue;
    service->Begin(path, *context, wire, threads_);
    return wire;
  }
  wire->End(absl::UnimplementedError(absl::StrCat("this server knows no ",
                                                  absl::Utf8SafeCHexEscape(path.substr(0, 200)),
                                                  ": install the same version on both machines")));
  return wire;
}

}  // namespace tune
