// A forecast as an object of the JSON output.
#pragma once

#include <nlohmann/json.hpp>

#include "report/progress/forecast.h"

namespace strata {

inline nlohmann::ordered_json forecast_json(const Forecast& forecast) {
  using Json = nlohmann::ordered_json;
  const auto if_bounded = [&](double figure) { return forecast.bounded ? Json(figure) : Json(nullptr); };
  const auto if_known = [](double figure) { return figure > 0 ? Json(figure) : Json(nullptr); };
  return {{"seconds", forecast.seconds},
          {"states", {forecast.least_states, if_bounded(forecast.most_states)}},
          {"seconds_left", {forecast.least_left, if_bounded(forecast.most_left)}},
          {"peak_disk", {forecast.least_disk, if_bounded(forecast.most_disk)}},
          {"memory_is_enough", forecast.memory_is_enough},
          {"memory_full_in", if_known(forecast.memory_lasts)},
          {"disk_full_in", if_known(forecast.disk_lasts)}};
}

}  // namespace strata
