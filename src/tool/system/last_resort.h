// How the process ends where nothing can be done any more in the usual way: there is no memory for a message,
// or an exception comes where none may.
#pragma once

namespace strata {

// Says that there is no memory, without needing any; the exit code.
int fail_out_of_memory() noexcept;

// From now on an exception that nobody catches, or that a destructor throws, ends the process in order: what
// must not outlive it is removed. Want of memory is an error of the system; anything else is a bug of ours,
// and aborts.
void end_in_order_at_last();

// At the very end: what could not be removed is tried once more, and what stays is named on standard error.
void remove_what_is_left();

}  // namespace strata
