// The memory that this process holds, as the system counts it, and the heap's part in that.
#pragma once

#include <cstdint>

namespace strata {

// Makes the heap give large pieces back to the system as soon as they are freed, and lets threads share it: freed
// memory that the heap keeps would count against --memory. Call once, at the start of the program.
void keep_heap_small();

// The bytes that the process holds in RAM, and the most that it ever held. 0: the system does not say.
uint64_t resident_bytes();
uint64_t peak_resident_bytes();
// The bytes that it holds after the heap has given back what it does not need.
uint64_t trimmed_resident_bytes();

}  // namespace strata
