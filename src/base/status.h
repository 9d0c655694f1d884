// Errors are values. A Status says whether an operation worked and, if not, which kind of failure it was (the
// tool maps kinds to exit codes) and a message fit for the user: what was attempted, the system's reason, and
// what can be done. Result<T> is a T or a Status.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace strata {

// Why a run ended without a complete answer (reasons.def).
enum class Reason {
  none,
#define REASON(name, stop, meaning) name,
#include "base/reasons.def"
#undef REASON
};

enum class StatusCode {
  ok,
  usage,        // bad command line or parameter
  model,        // the model does not parse or type-check
  limit,        // memory, time or depth limit reached
  disk_full,    // the disk, or --disk-limit
  interrupted,  // ^C or SIGTERM
  system,       // the operating system refused (I/O, missing compiler, ...)
  internal,     // a bug in Strata, for instance a counterexample that does not replay
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message, Reason reason = Reason::none)
      : code_(code), reason_(reason), message_(std::move(message)) {}
  static Status usage(std::string message) { return {StatusCode::usage, std::move(message)}; }
  static Status model(std::string message) { return {StatusCode::model, std::move(message)}; }
  static Status limit(std::string message, Reason reason = Reason::memory) {
    return {StatusCode::limit, std::move(message), reason};
  }
  static Status disk_full(std::string message, Reason reason = Reason::disk_full) {
    return {StatusCode::disk_full, std::move(message), reason};
  }
  static Status system(std::string message) { return {StatusCode::system, std::move(message)}; }
  static Status internal(std::string message) { return {StatusCode::internal, std::move(message)}; }

  bool ok() const { return code_ == StatusCode::ok; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }
  // Why the run ends if this status ends it; none for usage, system and internal errors.
  Reason reason() const {
    if (reason_ != Reason::none) return reason_;
    switch (code_) {
      case StatusCode::limit: return Reason::memory;
      case StatusCode::disk_full: return Reason::disk_full;
      case StatusCode::interrupted: return Reason::interrupted;
      default: return Reason::none;
    }
  }

 private:
  StatusCode code_ = StatusCode::ok;
  Reason reason_ = Reason::none;
  std::string message_;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Status status) : content_(std::move(status)) {}

  bool ok() const { return std::holds_alternative<T>(content_); }
  explicit operator bool() const { return ok(); }
  Status status() const { return ok() ? Status() : std::get<Status>(content_); }
  T& value() { return std::get<T>(content_); }
  const T& value() const { return std::get<T>(content_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Status> content_;
};

}  // namespace strata
