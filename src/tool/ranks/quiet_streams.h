// The standard streams of a rank that prints nothing.
#pragma once

namespace strata {

class QuietStreams {
 public:
  QuietStreams() = default;
  ~QuietStreams();
  QuietStreams(const QuietStreams&) = delete;
  QuietStreams& operator=(const QuietStreams&) = delete;

  // Sends standard output and standard error to /dev/null.
  void silence();
  // Undoes that for standard error, if the streams are silenced.
  void speak();

 private:
  int errors_ = -1;  // the real standard error
};

}  // namespace strata
