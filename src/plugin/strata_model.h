/* The interface of models in shared objects, for C and C++. A shared object that exports strata_model_v1() is a model:
 *
 *     strata check my.so
 *
 * doc/object.md has examples. STRATA_MODEL_ABI changes whenever this interface changes.
 *
 * A state is a string of state_bytes bytes. States are equal exactly if their bytes are equal, so unused bytes
 * (padding) must always have the same value. Several threads may call the functions at the same time. With the same
 * arguments, a function must always return the same result. */
#ifndef STRATA_MODEL_H
#define STRATA_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STRATA_MODEL_ABI 1

/* Passes a successor by `rule` to Strata, which copies the state. NULL instead of a state: the rule failed, which is a
 * run-time error of the model. */
typedef void (*strata_emit)(void* sink, uint32_t rule, const void* state);

struct strata_model {
  uint32_t abi;            /* STRATA_MODEL_ABI */
  uint32_t state_bytes;    /* at least 1 */
  uint32_t max_successors; /* of any one state; more are a run-time error */

  /* Lists of names that end with NULL; NULL instead of a list: the model has none. The numbers below are indices of
   * these lists. */
  const char* const* starts; /* start states */
  const char* const* rules;  /* at least one */
  const char* const* invariants;
  const char* const* propositions; /* for formulas (--ltl); at most 64 */
  const char* const* variables;    /* shown in traces; at least one */

  /* Calls emit for each start state, with the number of the start state as the rule. */
  void (*initial)(strata_emit emit, void* sink);
  /* Calls emit for each successor, including a successor that equals the state. */
  void (*successors)(const void* state, strata_emit emit, void* sink);
  /* Returns the number of an invariant that the state violates, or -1. NULL if there are no invariants. */
  int (*violated)(const void* state);
  /* Returns the propositions that hold in the state: bit i for number i. NULL if there are none. */
  uint64_t (*holds)(const void* state);
  /* Writes the value of a variable as a text that ends with a zero byte, in at most `size` bytes. */
  void (*describe)(const void* state, uint32_t variable, char* text, size_t size);
};

/* The function that the object exports. */
const struct strata_model* strata_model_v1(void);

#ifdef __cplusplus
}
#endif

#endif
