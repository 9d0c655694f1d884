/* A library for LD_PRELOAD: the system refuses a call of the program, the n-th of its kind, as it may on a bad day.
 *
 *     STRATA_REFUSE="KIND N TIMES"    the calls N to N + TIMES - 1 of this kind fail, counted over all threads
 *     STRATA_REFUSE_COUNT=FILE        a file of 8 bytes, which holds the number of calls of this kind so far
 *     STRATA_NO_RING=1                the kernel has no io_uring, so that files are read by pread
 *
 * The kinds are the rows of `kinds`. Programs that the process starts are left alone. A call fails with the error
 * number that the system most often gives. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum kind { NONE, THREAD, MEMORY, OPEN, REMOVE, READ, WRITE, SYNC, RING, SUBMIT };
static const char* const kinds[] = {"none", "thread", "memory", "open", "remove",
                                    "read", "write",  "sync",   "ring", "submit"};

static enum kind wanted = NONE;
static uint64_t first = 1, times = 1;
static _Atomic uint64_t own_count;
static _Atomic uint64_t* count = &own_count;

static int no_ring = 0;

__attribute__((constructor)) static void set_up(void) {
  const char* text = getenv("STRATA_REFUSE");
  const char* file = getenv("STRATA_REFUSE_COUNT");
  char name[32] = "";
  unsigned long long n = 1, more = 1;
  no_ring = getenv("STRATA_NO_RING") != NULL;
  if (text == NULL || sscanf(text, "%31s %llu %llu", name, &n, &more) < 1) return;
  if (file != NULL) {
    const int descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    void* map = MAP_FAILED;
    if (descriptor >= 0 && ftruncate(descriptor, 8) == 0)
      map = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (map != MAP_FAILED) count = map;
    if (descriptor >= 0) close(descriptor);
  }
  unsetenv("LD_PRELOAD");
  unsetenv("STRATA_REFUSE");
  first = n;
  times = more;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (strcmp(name, kinds[i]) == 0) wanted = (enum kind)i;
}

static int refused(enum kind kind, int error) {
  if (kind != wanted) return 0;
  const uint64_t number = atomic_fetch_add(count, 1) + 1;
  if (number < first || number - first >= times) return 0;
  errno = error;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument) {
  if (refused(THREAD, EAGAIN)) return EAGAIN;
  return REAL(pthread_create)(thread, attributes, work, argument);
}

/* ---- memory. The C library has a second name for each, so none of them has to be looked up. */

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t count, size_t bytes);
extern void* __libc_realloc(void* old, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);

void* malloc(size_t bytes) { return refused(MEMORY, ENOMEM) ? NULL : __libc_malloc(bytes); }
void* calloc(size_t n, size_t bytes) { return refused(MEMORY, ENOMEM) ? NULL : __libc_calloc(n, bytes); }
void* realloc(void* old, size_t bytes) { return refused(MEMORY, ENOMEM) ? NULL : __libc_realloc(old, bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) {
  return refused(MEMORY, ENOMEM) ? NULL : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** to, size_t alignment, size_t bytes) {
  void* const made = refused(MEMORY, ENOMEM) ? NULL : __libc_memalign(alignment, bytes);
  if (made != NULL) *to = made;
  return made != NULL ? 0 : ENOMEM;
}

/* ---- files */

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  if (refused(OPEN, EMFILE)) return -1;
  return REAL(openat)(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  if (refused(OPEN, EMFILE)) return -1;
  return REAL(openat)(folder, path, flags, mode);
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char* path, int flags, ...) __attribute__((alias("openat")));
FILE* fopen(const char* path, const char* mode) {
  if (refused(OPEN, EMFILE)) return NULL;
  return REAL(fopen)(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  if (refused(OPEN, EMFILE)) return NULL;
  return REAL(fopen64)(path, mode);
}
DIR* opendir(const char* path) {
  if (refused(OPEN, EMFILE)) return NULL;
  return REAL(opendir)(path);
}
DIR* fdopendir(int descriptor) {
  if (refused(OPEN, ENOMEM)) return NULL;
  return REAL(fdopendir)(descriptor);
}

int unlink(const char* path) { return refused(REMOVE, EIO) ? -1 : REAL(unlink)(path); }
int unlinkat(int folder, const char* path, int flags) {
  return refused(REMOVE, EIO) ? -1 : REAL(unlinkat)(folder, path, flags);
}
int remove(const char* path) { return refused(REMOVE, EIO) ? -1 : REAL(remove)(path); }
int rmdir(const char* path) { return refused(REMOVE, EIO) ? -1 : REAL(rmdir)(path); }

ssize_t pread(int descriptor, void* to, size_t bytes, off_t offset) {
  return refused(READ, EIO) ? -1 : REAL(pread)(descriptor, to, bytes, offset);
}
ssize_t pread64(int descriptor, void* to, size_t bytes, off64_t offset) {
  return refused(READ, EIO) ? -1 : REAL(pread64)(descriptor, to, bytes, offset);
}
ssize_t read(int descriptor, void* to, size_t bytes) {
  return refused(READ, EIO) ? -1 : REAL(read)(descriptor, to, bytes);
}
ssize_t pwrite(int descriptor, const void* from, size_t bytes, off_t offset) {
  return refused(WRITE, EIO) ? -1 : REAL(pwrite)(descriptor, from, bytes, offset);
}
ssize_t pwrite64(int descriptor, const void* from, size_t bytes, off64_t offset) {
  return refused(WRITE, EIO) ? -1 : REAL(pwrite64)(descriptor, from, bytes, offset);
}
ssize_t write(int descriptor, const void* from, size_t bytes) {
  return refused(WRITE, EIO) ? -1 : REAL(write)(descriptor, from, bytes);
}
int fsync(int descriptor) { return refused(SYNC, EIO) ? -1 : REAL(fsync)(descriptor); }
int fdatasync(int descriptor) { return refused(SYNC, EIO) ? -1 : REAL(fdatasync)(descriptor); }
int ftruncate(int descriptor, off_t bytes) { return refused(SYNC, EIO) ? -1 : REAL(ftruncate)(descriptor, bytes); }
int ftruncate64(int descriptor, off64_t bytes) {
  return refused(SYNC, EIO) ? -1 : REAL(ftruncate64)(descriptor, bytes);
}
int rename(const char* from, const char* to) { return refused(SYNC, EIO) ? -1 : REAL(rename)(from, to); }

/* ---- io_uring, without its header: the two functions that cross into its library. They return negative error
 * numbers. */

struct io_uring;
int io_uring_queue_init(unsigned entries, struct io_uring* ring, unsigned flags);
int io_uring_submit(struct io_uring* ring);

int io_uring_queue_init(unsigned entries, struct io_uring* ring, unsigned flags) {
  if (no_ring || refused(RING, EPERM)) return -EPERM;
  return REAL(io_uring_queue_init)(entries, ring, flags);
}
int io_uring_submit(struct io_uring* ring) {
  if (refused(SUBMIT, EBUSY)) return -EBUSY;
  return REAL(io_uring_submit)(ring);
}
