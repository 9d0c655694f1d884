// A driver and a compiler of CUDA that tests load in the place of NVIDIA's: memory is the host's, kernels do
// nothing. The variable FAKE_CUDA_FAILS names a function that fails, FAKE_CUDA_CODE the number that it then
// returns.
//
// Compiled by tests to a shared object, by itself. -DFAKE_CUDA_WITHOUT_LAUNCH leaves a function out, as an
// old driver does.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

int result_of(const char* function) {
  const char* failing = std::getenv("FAKE_CUDA_FAILS");
  if (failing == nullptr || std::strcmp(failing, function) != 0) return 0;
  const char* code = std::getenv("FAKE_CUDA_CODE");
  return code == nullptr ? 999 : std::atoi(code);
}

int give(const char* function, int* to, int value) {
  *to = value;
  return result_of(function);
}

int anything;

}  // namespace

extern "C" {

int cuInit(unsigned) { return result_of(__func__); }
int cuDriverGetVersion(int* version) { return give(__func__, version, 13000); }
int cuDeviceGetCount(int* count) { return give(__func__, count, 2); }
int cuDeviceGet(int* device, int number) { return give(__func__, device, number); }
int cuDeviceGetName(char* name, int bytes, int) {
  std::strncpy(name, "Fake GPU", static_cast<size_t>(bytes));
  return result_of(__func__);
}
int cuDeviceTotalMem_v2(size_t* bytes, int) {
  *bytes = size_t{1} << 30;
  return result_of(__func__);
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  return give(__func__, value, attribute == 75 ? 9 : attribute == 76 ? 0 : 32);
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &anything;
  return result_of(__func__);
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void*) { return result_of(__func__); }
int cuCtxSynchronize() { return result_of(__func__); }
int cuMemGetInfo_v2(size_t* available, size_t* all) {
  *available = *all = size_t{1} << 30;
  return result_of(__func__);
}
int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  if (const int code = result_of(__func__); code != 0) return code;
  *address = reinterpret_cast<uint64_t>(std::malloc(bytes));
  return 0;
}
int cuMemFree_v2(uint64_t address) {
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
int cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return result_of(__func__);
}
int cuMemcpyDtoH_v2(void* to, uint64_t from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return result_of(__func__);
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void*) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return result_of(__func__);
}
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void*) {
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return result_of(__func__);
}
int cuMemHostRegister_v2(void*, size_t, unsigned) { return result_of(__func__); }
int cuMemHostUnregister(void*) { return 0; }
int cuMemsetD8Async(uint64_t memory, unsigned char value, size_t bytes, void*) {
  std::memset(reinterpret_cast<void*>(memory), value, bytes);
  return result_of(__func__);
}
int cuModuleLoadData(void** module, const void*) {
  *module = &anything;
  return result_of(__func__);
}
int cuModuleUnload(void*) { return 0; }
int cuModuleGetFunction(void** function, void*, const char*) {
  *function = &anything;
  return result_of(__func__);
}
int cuFuncGetAttribute(int* value, int, void*) { return give(__func__, value, 40); }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int, size_t) {
  return give(__func__, blocks, 4);
}
#ifndef FAKE_CUDA_WITHOUT_LAUNCH
int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                   void**) {
  return result_of(__func__);
}
#endif
int cuStreamCreate(void** stream, unsigned) {
  *stream = &anything;
  return result_of(__func__);
}
int cuStreamWaitEvent(void*, void*, unsigned) { return result_of(__func__); }
int cuStreamDestroy_v2(void*) { return 0; }
int cuEventCreate(void** event, unsigned) {
  *event = &anything;
  return result_of(__func__);
}
int cuEventRecord(void*, void*) { return result_of(__func__); }
int cuEventSynchronize(void*) { return result_of(__func__); }
int cuEventElapsedTime(float* milliseconds, void*, void*) {
  *milliseconds = 1500;
  return result_of(__func__);
}
int cuEventDestroy_v2(void*) { return 0; }
int cuGetErrorName(int, const char** name) {
  *name = "CUDA_ERROR_FAKE";
  return 0;
}
int cuGetErrorString(int, const char** text) {
  *text = "a fake error";
  return 0;
}

int nvrtcVersion(int* major, int* minor) {
  *minor = 0;
  return give(__func__, major, 13);
}
int nvrtcCreateProgram(void** program, const char*, const char*, int, const char* const*,
                       const char* const*) {
  *program = &anything;
  return result_of(__func__);
}
int nvrtcDestroyProgram(void**) { return 0; }
int nvrtcCompileProgram(void*, int, const char* const*) { return result_of(__func__); }
int nvrtcGetProgramLogSize(void*, size_t* bytes) {
  *bytes = 6;
  return 0;
}
int nvrtcGetProgramLog(void*, char* text) {
  std::memcpy(text, "wrong", 6);
  return 0;
}
int nvrtcGetCUBINSize(void*, size_t* bytes) {
  *bytes = 8;
  return result_of(__func__);
}
int nvrtcGetCUBIN(void*, char* image) {
  std::memcpy(image, "machine", 8);
  return result_of(__func__);
}
int nvrtcGetPTXSize(void*, size_t* bytes) {
  *bytes = 4;
  return 0;
}
int nvrtcGetPTX(void*, char* image) {
  std::memcpy(image, "ptx", 4);
  return 0;
}

}  // extern "C"
