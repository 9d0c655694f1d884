/* A small object with the interface that DiVinE's and LTSmin's objects have, or, with -DSPINS, those of SpinS: two
 * counters that go round modulo LIMIT, and a colour. With -DPROPERTY it has a property process that accepts where the
 * first counter is 0. */
#include <stddef.h>

#ifndef LIMIT
#define LIMIT 10
#endif
#ifdef SPINS
#define NAME(divine, spins) spins
#else
#define NAME(divine, spins) divine
#endif

typedef struct transition_info {
  int* labels;
  int group;
  int por_proviso;
} transition_info_t;
typedef void (*callback_t)(void* context, transition_info_t* info, int* state, int* copied);

void NAME(get_initial_state, spins_get_initial_state)(int* to) {
  int i;
  for (i = 0; i < 3; ++i) to[i] = 0;
}

int NAME(get_successors, spins_get_successor_all)(void* model, int* in, callback_t callback, void* context) {
  int t;
  (void)model;
  for (t = 0; t < 2; ++t) {
    transition_info_t info = {NULL, t, 0};
    int out[3] = {in[0], in[1], t};
    int copied[3] = {t == 0 ? 0 : 1, t == 1 ? 0 : 1, 0};
#ifdef STUCK
    if (in[t] == LIMIT - 1) continue;
#endif
    out[t] = (in[t] + 1) % LIMIT;
    callback(context, &info, out, copied);
  }
  return 2;
}

int NAME(get_state_variable_count, spins_get_state_size)(void) { return 3; }
int NAME(get_transition_count, spins_get_transition_groups)(void) { return 2; }
const char* NAME(get_state_variable_name, spins_get_state_variable_name)(int variable) {
  static const char* const names[] = {"first", "second", "colour"};
  return names[variable];
}
int NAME(get_state_variable_type, spins_get_state_variable_type)(int variable) { return variable == 2; }
int NAME(get_state_variable_type_value_count, spins_get_type_value_count)(int type) { return type == 1 ? 2 : 0; }
const char* NAME(get_state_variable_type_value, spins_get_type_value_name)(int type, int value) {
  static const char* const names[] = {"red", "green"};
  (void)type;
  return names[value];
}
#ifdef PROPERTY
int have_property(void) { return 1; }
int buchi_is_accepting(void* model, int* in) {
  (void)model;
  return in[0] == 0;
}
#endif
