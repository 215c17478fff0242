#include "common/rpc/credentials.h"

#include <openssl/crypto.h>

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/strip.h"
#include "common/base/file.h"

namespace tune {
namespace {

constexpr char kHeader[] = "authorization";
constexpr char kScheme[] = "Bearer ";
constexpr size_t kShortestToken = 16;

class TokenInterceptor : public grpc::experimental::Interceptor {
 public:
  explicit TokenInterceptor(const std::string& value) : value_(value) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(
            grpc::experimental::InterceptionHookPoints::PRE_SEND_INITIAL_METADATA)) {
      methods->GetSendInitialMetadata()->insert({kHeader, value_});
    }
    methods->Proceed();
  }

 private:
  std::string value_;
};

class TokenInterceptorFactory : public grpc::experimental::ClientInterceptorFactoryInterface {
 public:
  explicit TokenInterceptorFactory(const std::string& token) : value_(kScheme + token) {}
  grpc::experimental::Interceptor* CreateClientInterceptor(grpc::experimental::ClientRpcInfo*) override {
    return new TokenInterceptor(value_);
  }

 private:
  std::string value_;
};

}  // namespace

absl::Status CheckTokenText(absl::string_view token) {
  if (token.size() < kShortestToken) {
    return absl::InvalidArgumentError(absl::StrCat("the token has ", token.size(), " characters; at least ",
                                                   kShortestToken,
                                                   " are needed: make one with `openssl rand -hex 32`"));
  }
  for (const char c : token) {
    if (!absl::ascii_isgraph(static_cast<unsigned char>(c))) {
      return absl::InvalidArgumentError(
          "the token holds a space or a character that is not printable ASCII: make one with `openssl rand "
          "-hex 32`");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadToken(const std::string& path) {
  TUNE_ASSIGN_OR_RETURN(const std::string content, ReadFile(path));
  const std::string token(absl::StripAsciiWhitespace(content.substr(0, content.find('\n'))));
  TUNE_RETURN_IF_ERROR(Annotate(CheckTokenText(token), path));
  return token;
}

std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface> BearerTokenInterceptor(
    const std::string& token) {
  return std::make_unique<TokenInterceptorFactory>(token);
}

absl::Status TokenVerifier::Check(const grpc::ServerContext& context) const {
  if (token_.empty()) return absl::OkStatus();
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(kHeader);
  if (found == metadata.end()) {
    return absl::UnauthenticatedError(
        "this server wants a token: give the same --token-file as the server's (or set TUNE_TOKEN_FILE)");
  }
  absl::string_view value(found->second.data(), found->second.size());
  if (!absl::ConsumePrefix(&value, kScheme) || value.size() != token_.size() ||
      CRYPTO_memcmp(value.data(), token_.data(), token_.size()) != 0) {
    return absl::UnauthenticatedError("the token is not this server's: compare the two token files");
  }
  return absl::OkStatus();
}

}  // namespace tune
