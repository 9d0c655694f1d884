#include "base/process/own_stack.h"

#include <pthread.h>

#include <cstddef>

namespace strata {
namespace {

// Address space; memory is taken only where a stack has been.
constexpr size_t kLarge = size_t{256} << 20;
constexpr size_t kThread = size_t{8} << 20;

class Attributes {
 public:
  explicit Attributes(size_t stack) {
    pthread_attr_init(&value_);
    pthread_attr_setstacksize(&value_, stack);
  }
  ~Attributes() { pthread_attr_destroy(&value_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const pthread_attr_t* get() const { return &value_; }

 private:
  pthread_attr_t value_;
};

struct Call {
  const std::function<int()>& function;
  int result = 0;
};

void* make_call(void* argument) {
  Call& call = *static_cast<Call*>(argument);
  call.result = call.function();
  return nullptr;
}

}  // namespace

int run_on_own_stack(const std::function<int()>& function) {
  // A limit above this is somebody's choice.
  pthread_attr_t given;
  size_t stack = kThread;
  if (pthread_getattr_default_np(&given) == 0) {
    pthread_attr_getstacksize(&given, &stack);
    pthread_attr_destroy(&given);
  }
  if (stack < kThread) pthread_setattr_default_np(Attributes(kThread).get());
  Call call{function};
  pthread_t thread;
  for (size_t bytes = kLarge; bytes >= kThread; bytes /= 2) {
    if (pthread_create(&thread, Attributes(bytes).get(), make_call, &call) != 0) continue;
    pthread_join(thread, nullptr);
    return call.result;
  }
  return function();
}

}  // namespace strata
