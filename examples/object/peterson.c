/* Peterson's mutual exclusion for two processes, as a shared object in C.
 *
 *     cc -shared -fPIC -I DIR -o peterson.so peterson.c
 *
 * DIR has strata/model.h: /usr/include where Strata is installed.
 *     strata check peterson.so
 *     strata check peterson.so --ltl 'G (wants0 -> F critical0)'
 */
#include <stdio.h>
#include <strata/model.h>

enum { IDLE, WAITING, CRITICAL };

struct state {
  uint8_t at[2];   /* where each process is */
  uint8_t wants[2];
  uint8_t turn;
};

static void initial(strata_emit emit, void* sink) {
  const struct state first = {{IDLE, IDLE}, {0, 0}, 0};
  emit(sink, 0, &first);
}

static void successors(const void* from, strata_emit emit, void* sink) {
  uint32_t p;
  for (p = 0; p < 2; ++p) {
    const uint32_t other = 1 - p;
    struct state s = *(const struct state*)from;
    switch (s.at[p]) {
      case IDLE:
        s.at[p] = WAITING;
        s.wants[p] = 1;
        s.turn = (uint8_t)other;
        emit(sink, 3 * p, &s);
        break;
      case WAITING:
        if (s.wants[other] && s.turn == other) break;
        s.at[p] = CRITICAL;
        emit(sink, 3 * p + 1, &s);
        break;
      default:
        s.at[p] = IDLE;
        s.wants[p] = 0;
        emit(sink, 3 * p + 2, &s);
    }
  }
}

static int violated(const void* state) {
  const struct state* s = state;
  return s->at[0] == CRITICAL && s->at[1] == CRITICAL ? 0 : -1;
}

static uint64_t holds(const void* state) {
  const struct state* s = state;
  return (uint64_t)(s->at[0] == WAITING) | (uint64_t)(s->at[0] == CRITICAL) << 1;
}

static void describe(const void* state, uint32_t variable, char* text, size_t size) {
  static const char* const places[] = {"idle", "waiting", "critical"};
  const struct state* s = state;
  if (variable < 2)
    snprintf(text, size, "%s", places[s->at[variable]]);
  else
    snprintf(text, size, "%d", s->turn);
}

const struct strata_model* strata_model_v1(void) {
  static const char* const starts[] = {"both idle", NULL};
  static const char* const rules[] = {"0 asks", "0 enters", "0 leaves", "1 asks", "1 enters", "1 leaves", NULL};
  static const char* const invariants[] = {"mutual exclusion", NULL};
  static const char* const propositions[] = {"wants0", "critical0", NULL};
  static const char* const variables[] = {"process 0", "process 1", "turn", NULL};
  static const struct strata_model model = {
      STRATA_MODEL_ABI, sizeof(struct state), 2,          starts,   rules, invariants, propositions, variables,
      initial,          successors,           violated,   holds,    describe};
  return &model;
}
