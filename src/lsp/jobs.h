// Commands that take long: they run beside the server, which asks now and then how far they are.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/protocol/json.h"

namespace strata::lsp {

class Job {
 public:
  virtual ~Job() = default;  // ends what still runs
  // A descriptor that can be read when there is something to ask for.
  virtual int descriptor() const = 0;
  // Takes what is there. `progress` gets the last news in words, if there are any. True: the job has ended.
  virtual bool advance(std::string& progress) = 0;
  virtual void cancel() = 0;
  // After the end: what the client gets, and what to show at places of the model.
  virtual Json result() = 0;
  struct Finding {
    uint32_t line = 0, column = 0;
    std::string message;
  };
  virtual std::vector<Finding> findings() const { return {}; }
};

class Commands {
 public:
  virtual ~Commands() = default;
  virtual std::vector<std::string> names() const = 0;
  // Whether the saved file, which the commands read, has this text.
  virtual bool is_saved(const std::string& path, std::string_view text) const = 0;
  // Starts a command on a file, with the other arguments. Null, and a problem in words: it cannot be started.
  virtual std::unique_ptr<Job> start(const std::string& name, const std::string& path, const Json& arguments,
                                     std::string& problem) = 0;
};

}  // namespace strata::lsp
