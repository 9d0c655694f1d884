#include "base/process/own_stack.h"

#include <pthread.h>

#include <algorithm>
#include <exception>

namespace strata {
namespace {

// Address space; memory is taken only where a stack has been.
constexpr uint64_t kLarge = uint64_t{256} << 20;

class Attributes {
 public:
  Attributes() { pthread_getattr_default_np(&value_); }
  ~Attributes() { pthread_attr_destroy(&value_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  pthread_attr_t* get() { return &value_; }

  uint64_t stack() const {
    size_t bytes = 0;
    pthread_attr_getstacksize(&value_, &bytes);
    return bytes;
  }
  void set_stack(uint64_t bytes) { pthread_attr_setstacksize(&value_, bytes); }

 private:
  pthread_attr_t value_;
};

// The stacks of threads that are started while this lives.
class DefaultStack {
 public:
  explicit DefaultStack(uint64_t bytes) {
    Attributes attributes;
    old_ = attributes.stack();
    attributes.set_stack(std::max(old_, bytes));
    pthread_setattr_default_np(attributes.get());
  }
  ~DefaultStack() {
    Attributes attributes;
    attributes.set_stack(old_);
    pthread_setattr_default_np(attributes.get());
  }
  DefaultStack(const DefaultStack&) = delete;
  DefaultStack& operator=(const DefaultStack&) = delete;

 private:
  uint64_t old_ = 0;
};

struct Call {
  const std::function<void()>& function;
  std::exception_ptr thrown;
};

void* make_call(void* argument) {
  Call& call = *static_cast<Call*>(argument);
  try {
    call.function();
  } catch (...) {
    call.thrown = std::current_exception();
  }
  return nullptr;
}

bool call_on_thread(uint64_t stack, const std::function<void()>& function) {
  Attributes attributes;
  attributes.set_stack(stack);
  Call call{function, nullptr};
  pthread_t thread;
  if (pthread_create(&thread, attributes.get(), make_call, &call) != 0) return false;
  pthread_join(thread, nullptr);
  if (call.thrown) std::rethrow_exception(call.thrown);
  return true;
}

}  // namespace

int run_on_own_stack(const std::function<int()>& function) {
  const DefaultStack threads(kThreadStack);
  int result = 0;
  const auto call = [&] { result = function(); };
  for (uint64_t bytes = kLarge; bytes >= kThreadStack; bytes /= 2)
    if (call_on_thread(bytes, call)) return result;
  return function();
}

bool run_with_stack(uint64_t bytes, const std::function<void()>& function) {
  const DefaultStack threads(bytes);
  return call_on_thread(bytes, function);
}

}  // namespace strata
