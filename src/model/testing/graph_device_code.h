// For tests: an explicit graph as text for a device. The graph is in tables (DeviceCode::data), so that all graphs
// whose states have the same number of words have the same text, and are compiled once.
#pragma once

#include "model/device_code.h"

namespace strata {

class ExplicitGraphModel;

DeviceCode graph_device_code(const ExplicitGraphModel& model, bool two_passes);

}  // namespace strata
