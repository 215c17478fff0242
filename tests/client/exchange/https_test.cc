// Pages behind TLS: whose certificate is trusted.
#include <gmock/gmock.h>
#include <httplib.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <thread>

#include "client/exchange/http_client.h"
#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// A key, and a certificate for "localhost" that it has signed itself.
class OwnCertificate {
 public:
  OwnCertificate() : key_(EVP_EC_gen("P-256")), certificate_(X509_new()) {
    X509_set_version(certificate_, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate_), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate_), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate_), 3600);
    X509_set_pubkey(certificate_, key_);
    X509_NAME* name = X509_get_subject_name(certificate_);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("localhost"),
                               -1, -1, 0);
    X509_set_issuer_name(certificate_, name);
    X509_EXTENSION* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:localhost");
    X509_add_ext(certificate_, names, -1);
    X509_EXTENSION_free(names);
    X509_sign(certificate_, key_, EVP_sha256());
  }
  ~OwnCertificate() {
    X509_free(certificate_);
    EVP_PKEY_free(key_);
  }
  OwnCertificate(const OwnCertificate&) = delete;
  OwnCertificate& operator=(const OwnCertificate&) = delete;

  X509* certificate() const { return certificate_; }
  EVP_PKEY* key() const { return key_; }
  std::string Pem() const {
    BIO* bio = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(bio, certificate_);
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio, &data);
    std::string pem(data, static_cast<size_t>(size));
    BIO_free(bio);
    return pem;
  }

 private:
  EVP_PKEY* const key_;
  X509* const certificate_;
};

class HttpsTest : public ::testing::Test {
 protected:
  HttpsTest() {
    http_.Get("/", [](const httplib::Request&, httplib::Response& response) {
      response.set_content("secret", "text/plain");
    });
    http_.set_keep_alive_max_count(1);
    port_ = http_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { http_.listen_after_bind(); });
    while (!http_.is_running()) std::this_thread::yield();
    EXPECT_TRUE(WriteFile(path("own.pem"), own_.Pem()).ok());
    EXPECT_TRUE(WriteFile(path("other.pem"), OwnCertificate().Pem()).ok());
  }
  ~HttpsTest() override {
    http_.stop();
    thread_.join();
  }

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  absl::StatusOr<HttpAnswer> Get(const std::string& host, const std::string& ca_file) const {
    HttpOptions options;
    options.address = ParseHttpAddress(absl::StrCat("https://", host, ":", port_)).value();
    options.ca_file = ca_file;
    TUNE_ASSIGN_OR_RETURN(const HttpClient client, HttpClient::Open(options));
    return client.Get("/", {});
  }

  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  OwnCertificate own_;
  httplib::SSLServer http_{own_.certificate(), own_.key()};
  int port_ = 0;
  std::thread thread_;
};

TEST_F(HttpsTest, AServerWhoseAuthorityIsNamedIsTrusted) {
  const absl::StatusOr<HttpAnswer> answer = Get("localhost", path("own.pem"));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->body, "secret");
}

TEST_F(HttpsTest, EveryOtherOneIsNot) {
  for (const char* authority : {"", "other.pem"}) {
    const absl::Status status = Get("localhost", *authority == '\0' ? "" : path(authority)).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  }
  const absl::Status other_name = Get("127.0.0.1", path("own.pem")).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(other_name)) << other_name;
  EXPECT_THAT(std::string(other_name.message()), HasSubstr("not trusted or is another host's"));
  ASSERT_TRUE(WriteFile(path("empty.pem"), "nothing").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(Get("localhost", path("empty.pem")).status()));
}

}  // namespace
}  // namespace tune
