/* Models as shared objects: whoever exports strata_model_v1() is a model that Strata can check.
 *
 *     strata check my.so
 *
 * For C and C++. doc/object.md explains it, with examples; the number of the interface changes when it does.
 *
 * A state is a string of state_bytes bytes. Two states are the same exactly when their bytes are, so bytes that mean
 * nothing (padding) must always be the same. All functions may be called by several threads at once, and must give
 * the same answer to the same question. */
#ifndef STRATA_MODEL_H
#define STRATA_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STRATA_MODEL_ABI 1

/* Takes a state that `rule` leads to; Strata copies it. Without a state (NULL), the rule failed: a run-time error of
 * the model. */
typedef void (*strata_emit)(void* sink, uint32_t rule, const void* state);

struct strata_model {
  uint32_t abi;            /* STRATA_MODEL_ABI */
  uint32_t state_bytes;    /* at least 1 */
  uint32_t max_successors; /* of any one state; more are a run-time error */

  /* Lists of names, each with NULL at its end; NULL instead of a list: it has none. Numbers below are places in these
   * lists. */
  const char* const* starts; /* start states */
  const char* const* rules;  /* at least one */
  const char* const* invariants;
  const char* const* propositions; /* that formulas (--ltl) may name; at most 64 */
  const char* const* variables;    /* that traces show; at least one */

  /* Calls emit for each start state, with its number in the place of the rule. */
  void (*initial)(strata_emit emit, void* sink);
  /* Calls emit for each successor, also for one that is the state itself. */
  void (*successors)(const void* state, strata_emit emit, void* sink);
  /* The number of an invariant that the state violates, or -1. NULL where there are no invariants. */
  int (*violated)(const void* state);
  /* Which propositions hold, bit i for number i. NULL where there are none. */
  uint64_t (*holds)(const void* state);
  /* Writes the value of a variable as text that ends with a zero byte. */
  void (*describe)(const void* state, uint32_t variable, char* text, size_t size);
};

/* What the object exports. */
const struct strata_model* strata_model_v1(void);

#ifdef __cplusplus
}
#endif

#endif
