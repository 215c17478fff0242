#include "server/store/sqlite_specs.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/field_mask_util.h>

#include <exception>

#include "server/store/store.h"

namespace tune {
namespace {

// Writes each piece as a row. What SQLite throws does not pass through the serialization: it is kept for the
// end.
class RowWriter : public google::protobuf::io::CopyingOutputStream {
 public:
  RowWriter(SQLite::Database& database, int64_t study)
      : insert_(database, "INSERT INTO program_piece (study, piece, data) VALUES (?, ?, ?)"), study_(study) {}

  bool Write(const void* buffer, int size) override {
    try {
      insert_.reset();
      insert_.bind(1, study_);
      insert_.bind(2, piece_++);
      insert_.bindNoCopy(3, buffer, size);
      insert_.exec();
      bytes_ += size;
      return true;
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
  }
  // The bytes written. Throws what a piece has thrown.
  int64_t Finish() const {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    return bytes_;
  }

 private:
  SQLite::Statement insert_;
  const int64_t study_;
  int64_t piece_ = 0;
  int64_t bytes_ = 0;
  std::exception_ptr failure_;
};

class RowReader : public google::protobuf::io::CopyingInputStream {
 public:
  RowReader(SQLite::Database& database, int64_t study)
      : query_(database, "SELECT data FROM program_piece WHERE study = ? ORDER BY piece") {
    query_.bind(1, study);
  }

  bool found() const { return found_; }
  int Read(void* buffer, int size) override {
    try {
      while (place_ == piece_.size()) {
        if (!query_.executeStep()) return 0;
        found_ = true;
        const SQLite::Column data = query_.getColumn(0);
        piece_.assign(static_cast<const char*>(data.getBlob()), data.getBytes());
        place_ = 0;
      }
    } catch (...) {
      failure_ = std::current_exception();
      return -1;
    }
    const size_t count = piece_.copy(static_cast<char*>(buffer), size, place_);
    place_ += count;
    return static_cast<int>(count);
  }
  void Finish() const {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

 private:
  SQLite::Statement query_;
  std::string piece_;
  size_t place_ = 0;
  bool found_ = false;
  std::exception_ptr failure_;
};

// The bytes of all pieces.
int64_t PutProgram(SQLite::Database& database, int64_t study, const v1::Program& program) {
  RowWriter rows(database, study);
  {
    google::protobuf::io::CopyingOutputStreamAdaptor pieces(&rows, kProgramPieceBytes);
    program.SerializeToZeroCopyStream(&pieces);
    pieces.Flush();
  }
  return rows.Finish();
}

// Nothing large is copied.
v1::StudySpec WithoutProgram(const v1::StudySpec& spec) {
  google::protobuf::FieldMask fields;
  const google::protobuf::Descriptor& type = *v1::StudySpec::descriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    if (type.field(i)->number() != v1::StudySpec::kProgramFieldNumber)
      fields.add_paths(type.field(i)->name());
  }
  v1::StudySpec rest;
  google::protobuf::util::FieldMaskUtil::MergeMessageTo(spec, fields, {}, &rest);
  return rest;
}

// As its row has it: with the program where an earlier version has stored it, else without.
absl::StatusOr<v1::StudySpec> ReadRow(SQLite::Database& database, int64_t study) {
  SQLite::Statement query(database, "SELECT message FROM study_spec WHERE number = ?");
  query.bind(1, study);
  if (!query.executeStep()) return absl::NotFoundError(StudyIdOf(study) + ": its spec is missing");
  v1::StudySpec spec;
  const SQLite::Column message = query.getColumn(0);
  if (spec.ParseFromArray(message.getBlob(), message.getBytes())) return spec;
  return absl::DataLossError(absl::StrCat("the stored spec of ", StudyIdOf(study), " cannot be read"));
}

}  // namespace

int64_t ReadBytesOf(SQLite::Database& database, const std::string& owner) {
  SQLite::Statement query(
      database,
      "SELECT coalesce(sum(program_bytes + length(message)), 0) FROM study_spec WHERE charged_to = ?");
  query.bind(1, owner);
  query.executeStep();
  return query.getColumn(0).getInt64();
}

void PutSpec(SQLite::Database& database, int64_t study, const v1::StudySpec& spec, const std::string& owner) {
  const int64_t program_bytes = PutProgram(database, study, spec.program());
  const std::string rest = WithoutProgram(spec).SerializeAsString();
  SQLite::Statement insert(
      database, "INSERT INTO study_spec (number, message, program_bytes, charged_to) VALUES (?, ?, ?, ?)");
  insert.bind(1, study);
  insert.bind(2, rest.data(), static_cast<int>(rest.size()));
  insert.bind(3, program_bytes);
  insert.bind(4, owner);
  insert.exec();
}

absl::StatusOr<v1::StudySpec> ReadSpec(SQLite::Database& database, int64_t study) {
  TUNE_ASSIGN_OR_RETURN(v1::StudySpec spec, ReadRow(database, study));
  RowReader rows(database, study);
  google::protobuf::io::CopyingInputStreamAdaptor pieces(&rows, kProgramPieceBytes);
  v1::Program program;
  const bool parsed = program.ParseFromZeroCopyStream(&pieces);
  rows.Finish();
  if (!parsed)
    return absl::DataLossError(absl::StrCat("the stored program of ", StudyIdOf(study), " cannot be read"));
  if (rows.found()) *spec.mutable_program() = std::move(program);
  return spec;
}

absl::StatusOr<v1::StudySpec> ReadSpecWithoutProgram(SQLite::Database& database, int64_t study) {
  TUNE_ASSIGN_OR_RETURN(v1::StudySpec spec, ReadRow(database, study));
  spec.clear_program();
  return spec;
}

absl::StatusOr<int64_t> ReadProgramBytes(SQLite::Database& database, int64_t study) {
  SQLite::Statement query(database, "SELECT program_bytes FROM study_spec WHERE number = ?");
  query.bind(1, study);
  const int64_t bytes = query.executeStep() ? query.getColumn(0).getInt64() : 0;
  if (bytes > 0) return bytes;
  TUNE_ASSIGN_OR_RETURN(const v1::StudySpec spec, ReadRow(database, study));
  return static_cast<int64_t>(spec.program().ByteSizeLong());
}

std::optional<std::string> ReadProgramPiece(SQLite::Database& database, int64_t study, int64_t piece) {
  SQLite::Statement query(database, "SELECT data FROM program_piece WHERE study = ? AND piece = ?");
  query.bind(1, study);
  query.bind(2, piece);
  if (!query.executeStep()) return std::nullopt;
  const SQLite::Column data = query.getColumn(0);
  return std::string(static_cast<const char*>(data.getBlob()), data.getBytes());
}

}  // namespace tune
