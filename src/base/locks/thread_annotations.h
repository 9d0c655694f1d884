// Which lock guards what, in words that the compiler checks: clang's thread safety analysis, an error in the build with
// clang (`cmake --preset clang`). Other compilers ignore the macros, which are the only ones beside the `.def` tables.
//
//   uint64_t count_ GUARDED_BY(mutex_);    read and written only while mutex_ is held
//   void add_one() REQUIRES(mutex_);       the caller holds mutex_
//   void add() EXCLUDES(mutex_);           the caller does not hold mutex_, because add() takes it
//
// The analysis looks at one function at a time and follows no pointers. What it does not see is said in a comment:
// members that are written before other threads exist or while all others wait (UNCHECKED_LOCKS), locks that are taken
// only where there are several threads, and lock-free reads.
#pragma once

#if defined(__clang__)
#define STRATA_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define STRATA_THREAD_ATTRIBUTE(x)
#endif

// Of members.
#define GUARDED_BY(x) STRATA_THREAD_ATTRIBUTE(guarded_by(x))
#define PT_GUARDED_BY(x) STRATA_THREAD_ATTRIBUTE(pt_guarded_by(x))
// Of functions, and of lambdas that are called while a lock is held.
#define REQUIRES(...) STRATA_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) STRATA_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
// Of a function that the analysis cannot follow; a comment beside it says why it is right.
#define UNCHECKED_LOCKS STRATA_THREAD_ATTRIBUTE(no_thread_safety_analysis)
// Of locks (base/locks/mutex.h, base/locks/spin_lock.h).
#define CAPABILITY(x) STRATA_THREAD_ATTRIBUTE(capability(x))
#define SCOPED_CAPABILITY STRATA_THREAD_ATTRIBUTE(scoped_lockable)
#define ACQUIRE(...) STRATA_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) STRATA_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) STRATA_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
