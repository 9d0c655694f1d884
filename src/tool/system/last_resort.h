// How the process ends when the usual way is closed: no memory is left for a message, or an exception was thrown where
// none may be.
#pragma once

namespace strata {

// Reports that no memory is left, without allocating, and returns the exit code.
int fail_out_of_memory() noexcept;

// From now on an uncaught exception, or one that a destructor throws, removes temporary files before the process ends.
// std::bad_alloc becomes a system error; any other exception is a bug in Strata, and aborts.
void end_in_order_at_last();

// Call at the very end: tries once more to remove leftovers, and names those that remain on standard error.
void remove_what_is_left();

}  // namespace strata
