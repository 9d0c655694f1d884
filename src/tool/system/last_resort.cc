#include "tool/system/last_resort.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <new>
#include <string_view>

#include "base/process/leftovers.h"
#include "base/process/out_of_memory.h"
#include "base/process/run_program.h"
#include "base/status.h"
#include "report/result.h"
#include "tool/system/last_words.h"

namespace strata {
namespace {

void say(std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  }
}

bool is_out_of_memory() {
  if (!std::current_exception()) return false;
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

[[noreturn]] void end_in_order() {
  stop_programs_in_signal();
  remove_leftovers_in_signal();
  remove_last_words_in_signal();
  if (is_out_of_memory()) _exit(fail_out_of_memory());
  say(
      {"strata: ended by an uncaught exception\nThis is a bug in Strata, not in your model: please report "
       "it, with "
       "the model and the command.\n"});
  std::abort();
}

void tell_of_leftover(const char* path, const char* reason) {
  say({"strata: warning: ", path, " could not be removed: ", reason, "; please remove it\n"});
}

}  // namespace

int fail_out_of_memory() noexcept {
  std::fflush(stdout);
  say({"strata: ", kOutOfMemory, "\n"});
  return status_exit_code(StatusCode::system);
}

void end_in_order_at_last() { std::set_terminate(end_in_order); }

void remove_what_is_left() { remove_last_leftovers(tell_of_leftover); }

}  // namespace strata
