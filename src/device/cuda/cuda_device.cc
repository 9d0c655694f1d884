#include "device/cuda/cuda_device.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/cuda/nvrtc.h"

namespace strata::device {
namespace {

// Of CUresult and the attributes of cuda.h.
constexpr int kSuccess = 0, kOutOfMemory = 2, kNoDevice = 100;
constexpr int kWarpSize = 10, kThreadsOfProcessor = 39, kProcessors = 16, kMajor = 75, kMinor = 76;
constexpr int kLocalBytes = 3, kRegisters = 4;
// A newer driver runs kernels of older compilers, not the other way round.
constexpr int kLeastDriver = 12000;

class Driver {
 public:
  explicit Driver(const DriverLibrary& library) : api(library) {}

  // "launching a kernel: the device was lost (CUDA_ERROR_DEVICE_LOST)".
  Status status(int code, const std::string& what) const {
    if (code == kSuccess) return {};
    const char *name = nullptr, *text = nullptr;
    if (api.error_name(code, &name) != kSuccess) name = nullptr;
    if (api.error_text(code, &text) != kSuccess) text = nullptr;
    const std::string message =
        fmt::format("{}: {} ({})", what, text == nullptr ? "unknown error" : text,
                    name == nullptr ? fmt::format("CUDA error {}", code) : std::string(name));
    return code == kOutOfMemory ? Status::limit(message) : Status::system(message);
  }

  const DriverLibrary api;
};

Result<Driver> open_driver(const LibraryPlaces& places) {
  const Result<DriverLibrary> library = load_driver(places.driver);
  if (!library.ok()) return library.status();
  Driver driver(*library);
  const int code = driver.api.init(0);
  if (code == kNoDevice) return Status::system("CUDA's driver finds no GPU");
  if (const Status begun = driver.status(code, "starting CUDA's driver"); !begun.ok()) return begun;
  return driver;
}

Result<CudaDeviceEntry> entry(const Driver& driver, int number) {
  const std::string what = fmt::format("device {}: reading its name and memory", number);
  CudaDeviceEntry result;
  result.number = number;
  int device = 0;
  std::array<char, 256> name{};
  size_t bytes = 0;
  for (const int code : {driver.api.device_get(&device, number),
                         driver.api.device_name(name.data(), static_cast<int>(name.size()) - 1, device),
                         driver.api.device_memory(&bytes, device)})
    if (code != kSuccess) return driver.status(code, what);
  result.name = name.data();
  result.memory = bytes;
  return result;
}

class CudaProgram final : public Program {
 public:
  CudaProgram(const Driver& driver, void* module, std::map<std::string, uint64_t> code)
      : driver_(driver), module_(module), code_(std::move(code)) {}
  ~CudaProgram() override { driver_.api.module_unload(module_); }

  Result<Kernel> kernel(const std::string& name, unsigned threads) override {
    void* function = nullptr;
    const std::string what = fmt::format("looking for the kernel {}", name);
    if (const int code = driver_.api.module_function(&function, module_, name.c_str()); code != kSuccess)
      return driver_.status(code, what);
    int registers = 0, local = 0, blocks = 0;
    for (const int code : {driver_.api.function_attribute(&registers, kRegisters, function),
                           driver_.api.function_attribute(&local, kLocalBytes, function),
                           driver_.api.function_blocks(&blocks, function, static_cast<int>(threads), 0)})
      if (code != kSuccess) return driver_.status(code, what);
    const auto code = code_.find(name);
    if (blocks < 1)
      return Status::system(
          fmt::format("the kernel {} takes {} registers a thread: a block of {} threads does not fit "
                      "into a processor of the device",
                      name, registers, threads));
    return Kernel{reinterpret_cast<uint64_t>(function), static_cast<unsigned>(registers),
                  static_cast<uint64_t>(local), code == code_.end() ? 0 : code->second,
                  static_cast<unsigned>(blocks)};
  }

 private:
  const Driver& driver_;
  void* const module_;
  const std::map<std::string, uint64_t> code_;  // bytes of each kernel
};

class CudaDevice final : public Device {
 public:
  CudaDevice(Driver driver, Nvrtc compiler, int device)
      : driver_(std::move(driver)), compiler_(std::move(compiler)), device_(device) {}
  ~CudaDevice() override {
    for (const auto& [moment, event] : moments_) driver_.api.event_destroy(event);
    for (const PlaceBeside& place : places_)
      for (void* event : {place.arrived, place.left})
        if (event != nullptr) driver_.api.event_destroy(event);
    if (beside_ != nullptr) driver_.api.queue_destroy(beside_);
    if (context_ != nullptr) driver_.api.context_release(device_);
  }

  Status open(const CudaDeviceEntry& about);

  const DeviceInfo& info() const override { return info_; }
  Result<uint64_t> free_memory() override {
    size_t available = 0, all = 0;
    if (const int code = driver_.api.memory_info(&available, &all); code != kSuccess)
      return failed(code, "asking how much memory is free");
    return uint64_t{available};
  }

  Result<Address> allocate(uint64_t bytes) override {
    Address address = 0;
    if (const int code = driver_.api.memory_allocate(&address, bytes); code != kSuccess)
      return failed(code, fmt::format("allocating {} bytes", bytes));
    return address;
  }
  void release(Address memory) override { driver_.api.memory_free(memory); }
  Status copy_to(Address to, const void* from, uint64_t bytes) override {
    return failed(driver_.api.copy_to(to, from, bytes), "copying to the device");
  }
  Status copy_from(void* to, Address from, uint64_t bytes) override {
    return failed(driver_.api.copy_from(to, from, bytes), "copying from the device");
  }
  Status fill(Address memory, uint8_t value, uint64_t bytes) override {
    return failed(driver_.api.fill(memory, value, bytes, nullptr), "filling memory");
  }

  Status queue_copy_to(Address to, const void* from, uint64_t bytes) override {
    return failed(driver_.api.queue_copy_to(to, from, bytes, nullptr), "copying to the device");
  }
  Status queue_copy_from(void* to, Address from, uint64_t bytes) override {
    return failed(driver_.api.queue_copy_from(to, from, bytes, nullptr), "copying from the device");
  }
  Status copy_beside(unsigned place, Address to, const void* from, uint64_t bytes) override {
    if (Status status = open_beside(); !status.ok()) return status;
    const PlaceBeside& at = places_[place];
    int code = driver_.api.queue_waits(beside_, at.left, 0);
    if (code == kSuccess) code = driver_.api.queue_copy_to(to, from, bytes, beside_);
    if (code == kSuccess) code = driver_.api.event_record(at.arrived, beside_);
    if (code == kSuccess) code = driver_.api.queue_waits(nullptr, at.arrived, 0);
    return failed(code, "copying to the device");
  }
  Status leave(unsigned place) override {
    if (Status status = open_beside(); !status.ok()) return status;
    return failed(driver_.api.event_record(places_[place].left, nullptr), "queueing an event");
  }
  // In a thread that has not used the device yet, too.
  bool pin(void* memory, uint64_t bytes) override {
    return driver_.api.context_use(context_) == kSuccess &&
           driver_.api.host_register(memory, bytes, 0) == kSuccess;
  }
  void unpin(void* memory) override { driver_.api.host_unregister(memory); }

  std::string compiler() const override { return compiler_.identity(); }
  Result<std::string> compile(const KernelText& text) override {
    return compiler_.compile(text, info_.architecture);
  }
  Result<std::unique_ptr<Program>> load(const std::string& image) override {
    void* module = nullptr;
    if (const int code = driver_.api.module_load(&module, image.c_str()); code != kSuccess)
      return failed(code, "loading the kernels");
    return std::unique_ptr<Program>(std::make_unique<CudaProgram>(driver_, module, code_sizes(image)));
  }

  Status launch(const Kernel& kernel, Grid grid, const void* argument, uint64_t /*bytes*/) override {
    void* parameters[] = {const_cast<void*>(argument)};
    return failed(
        driver_.api.launch(reinterpret_cast<void*>(kernel.handle), static_cast<unsigned>(grid.blocks), 1, 1,
                           grid.threads, 1, 1, 0, nullptr, parameters, nullptr),
        "launching a kernel");
  }
  Status wait() override { return failed(driver_.api.synchronize(), "running kernels"); }

  Result<Moment> mark() override {
    void* event = nullptr;
    if (const int code = driver_.api.event_create(&event, 0); code != kSuccess)
      return failed(code, "making an event");
    moments_.emplace(++last_moment_, event);
    if (const int code = driver_.api.event_record(event, nullptr); code != kSuccess)
      return failed(code, "queueing an event");
    return last_moment_;
  }
  Result<double> seconds(Moment from, Moment to) override {
    float milliseconds = 0;
    int code = driver_.api.event_wait(moments_.at(to));
    if (code == kSuccess) code = driver_.api.event_seconds(&milliseconds, moments_.at(from), moments_.at(to));
    for (const Moment moment : {from, to}) {
      driver_.api.event_destroy(moments_.at(moment));
      moments_.erase(moment);
    }
    if (code != kSuccess) return failed(code, "measuring the time of kernels");
    return static_cast<double>(milliseconds) / 1000;
  }

 private:
  Status failed(int code, const std::string& what) const {
    return code == kSuccess
               ? Status()
               : driver_.status(code, fmt::format("device {} ({}): {}", number_, info_.name, what));
  }

  // A queue of copies beside that of the kernels; made when it is used for the first time.
  struct PlaceBeside {
    void *arrived = nullptr, *left = nullptr;  // events
  };
  Status open_beside();

  const Driver driver_;
  const Nvrtc compiler_;
  const int device_;
  int number_ = 0;
  void* context_ = nullptr;
  DeviceInfo info_;
  std::map<Moment, void*> moments_;
  Moment last_moment_ = 0;
  void* beside_ = nullptr;
  PlaceBeside places_[kPlacesBeside];
};

Status CudaDevice::open_beside() {
  constexpr unsigned kWithoutTime = 2, kApart = 1;  // CU_EVENT_DISABLE_TIMING, CU_STREAM_NON_BLOCKING
  if (beside_ != nullptr) return {};
  for (PlaceBeside& place : places_)
    for (void** event : {&place.arrived, &place.left})
      if (*event == nullptr)
        if (const int code = driver_.api.event_create(event, kWithoutTime); code != kSuccess)
          return failed(code, "making an event");
  return failed(driver_.api.queue_create(&beside_, kApart), "making a queue of copies");
}

Status CudaDevice::open(const CudaDeviceEntry& about) {
  number_ = about.number;
  info_.name = about.name;
  info_.memory = about.memory;
  int version = 0, major = 0, minor = 0, processors = 0, lanes = 0, threads = 0;
  for (const int code :
       {driver_.api.driver_version(&version), driver_.api.device_attribute(&major, kMajor, device_),
        driver_.api.device_attribute(&minor, kMinor, device_),
        driver_.api.device_attribute(&processors, kProcessors, device_),
        driver_.api.device_attribute(&threads, kThreadsOfProcessor, device_),
        driver_.api.device_attribute(&lanes, kWarpSize, device_)})
    if (code != kSuccess) return failed(code, "reading its properties");
  if (version < kLeastDriver)
    return Status::system(
        fmt::format("the driver of device {} ({}) is of CUDA {}.{}; install one of CUDA 12 or newer", number_,
                    info_.name, version / 1000, version % 1000 / 10));
  info_.architecture = fmt::format("sm_{}{}", major, minor);
  info_.processors = static_cast<unsigned>(processors);
  info_.lanes = static_cast<unsigned>(lanes);
  info_.resident = static_cast<uint64_t>(threads) * info_.processors;
  info_.compiles_quickly = compiler_.compiles_quickly();
  info_.driver = fmt::format("CUDA {}.{}, {}", version / 1000, version % 1000 / 10, compiler_.version());
  void* context = nullptr;
  if (const int code = driver_.api.context_retain(&context, device_); code != kSuccess)
    return failed(code, "opening it");
  context_ = context;
  return failed(driver_.api.context_use(context), "opening it");
}

}  // namespace

Result<std::vector<CudaDeviceEntry>> list_cuda_devices(const LibraryPlaces& places) {
  const Result<Driver> driver = open_driver(places);
  if (!driver.ok()) return driver.status();
  int count = 0;
  if (const int code = driver->api.device_count(&count); code != kSuccess)
    return driver->status(code, "counting devices");
  if (count == 0) return Status::system("CUDA's driver finds no GPU");
  std::vector<CudaDeviceEntry> devices;
  for (int number = 0; number < count; ++number) {
    const Result<CudaDeviceEntry> found = entry(*driver, number);
    if (!found.ok()) return found.status();
    devices.push_back(*found);
  }
  return devices;
}

Result<std::unique_ptr<Device>> open_cuda_device(int number, const LibraryPlaces& places) {
  const Result<std::vector<CudaDeviceEntry>> devices = list_cuda_devices(places);
  if (!devices.ok()) return devices.status();
  if (number < 0 || static_cast<size_t>(number) >= devices->size())
    return Status::usage(fmt::format("there is no device {}: CUDA's driver finds {}, numbered from 0", number,
                                     devices->size()));
  Result<Driver> driver = open_driver(places);
  if (!driver.ok()) return driver.status();
  Result<Nvrtc> compiler = Nvrtc::load(places.compiler);
  if (!compiler.ok()) return compiler.status();
  int device = 0;
  if (const int code = driver->api.device_get(&device, number); code != kSuccess)
    return driver->status(code, fmt::format("opening device {}", number));
  auto opened = std::make_unique<CudaDevice>(std::move(*driver), std::move(*compiler), device);
  if (const Status status = opened->open((*devices)[static_cast<size_t>(number)]); !status.ok())
    return status;
  return std::unique_ptr<Device>(std::move(opened));
}

}  // namespace strata::device
