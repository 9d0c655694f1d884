#include "device/kernels/texts.h"
