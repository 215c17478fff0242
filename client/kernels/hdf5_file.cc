#include "client/kernels/hdf5_file.h"

#include <filesystem>

#include "absl/strings/str_cat.h"

#ifdef TUNE_HAS_HDF5
#include <hdf5.h>
#endif

namespace tune {

#ifdef TUNE_HAS_HDF5
namespace {

// A handle of the library, which is closed with it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  hid_t id() const { return id_; }
  bool is_open() const { return id_ >= 0; }

 private:
  const hid_t id_;
  herr_t (*const close_)(hid_t);
};

// -1: it has none.
hid_t NativeType(v1::NumberType type) {
  switch (type) {
    case v1::NUMBER_BOOL:
    case v1::NUMBER_UINT8:
      return H5T_NATIVE_UINT8;
    case v1::NUMBER_INT8:
      return H5T_NATIVE_INT8;
    case v1::NUMBER_INT16:
      return H5T_NATIVE_INT16;
    case v1::NUMBER_UINT16:
      return H5T_NATIVE_UINT16;
    case v1::NUMBER_INT32:
      return H5T_NATIVE_INT32;
    case v1::NUMBER_UINT32:
      return H5T_NATIVE_UINT32;
    case v1::NUMBER_INT64:
      return H5T_NATIVE_INT64;
    case v1::NUMBER_UINT64:
      return H5T_NATIVE_UINT64;
    case v1::NUMBER_FLOAT:
      return H5T_NATIVE_FLOAT;
    case v1::NUMBER_DOUBLE:
      return H5T_NATIVE_DOUBLE;
    default:
      return -1;
  }
}

// "floating-point numbers of 8 bytes".
std::string TypeText(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  const bool is_unsigned = kind == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE;
  return absl::StrCat(kind == H5T_FLOAT     ? "floating-point numbers"
                      : kind != H5T_INTEGER ? "elements that are no numbers,"
                      : is_unsigned         ? "unsigned whole numbers"
                                            : "whole numbers",
                      " of ", H5Tget_size(type), " bytes");
}

bool AreAlike(hid_t a, hid_t b) {
  const H5T_class_t kind = H5Tget_class(a);
  return kind == H5Tget_class(b) && H5Tget_size(a) == H5Tget_size(b) &&
         (kind != H5T_INTEGER || H5Tget_sign(a) == H5Tget_sign(b));
}

}  // namespace

bool ReadsHdf5() { return true; }

absl::StatusOr<std::string> ReadHdf5(const std::string& path, const std::string& dataset, v1::NumberType type,
                                     int64_t numbers) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // it would write its errors to standard error
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return absl::NotFoundError(absl::StrCat("there is no file ", path));
  const hid_t native = NativeType(type);
  if (native < 0)
    return absl::UnimplementedError("HDF5 has no numbers of this type; store raw bytes, and write file=");
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.is_open())
    return absl::InvalidArgumentError(absl::StrCat(path, " is no HDF5 file, or a damaged one"));
  const Handle data(H5Dopen2(file.id(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (!data.is_open())
    return absl::NotFoundError(absl::StrCat(path, " has no data set ", dataset,
                                            "; name one with dataset=, `h5ls ", path, "` lists them"));
  const Handle stored(H5Dget_type(data.id()), H5Tclose), space(H5Dget_space(data.id()), H5Sclose);
  if (!stored.is_open() || !space.is_open() || !AreAlike(stored.id(), native))
    return absl::InvalidArgumentError(absl::StrCat("data set ", dataset, " holds ", TypeText(stored.id()),
                                                   ", and the argument is of ", TypeText(native)));
  const hssize_t points = H5Sget_simple_extent_npoints(space.id());
  if (points != numbers)
    return absl::InvalidArgumentError(
        absl::StrCat("data set ", dataset, " holds ", points, " numbers, and the argument has ", numbers));
  std::string bytes(static_cast<size_t>(numbers) * H5Tget_size(native), '\0');
  if (H5Dread(data.id(), native, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    return absl::DataLossError(
        absl::StrCat("data set ", dataset, " cannot be read; the file may be damaged"));
  return bytes;
}

#else

bool ReadsHdf5() { return false; }

absl::StatusOr<std::string> ReadHdf5(const std::string& path, const std::string&, v1::NumberType, int64_t) {
  return absl::UnimplementedError(absl::StrCat(path,
                                               ": this tunectl was built without HDF5's library; build it "
                                               "where libhdf5-dev is installed, or store the "
                                               "data set as raw bytes, and write file= in place of hdf5="));
}

#endif

}  // namespace tune
