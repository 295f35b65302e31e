#include "model/acceptance/json_log.hpp"
#include "model/calibration/calibration_file.hpp"
#include "model/json/json.hpp"

namespace roofplan::model {

void read_calibrated(const JsonReader& root, const ReadingDesk& desk, long line) {
  const Calibration calibration = parse_calibration(root.value().dump(), desk.file->name);
  DeviceReading reading;
  reading.place = desk.place(line);
  reading.driver = calibration.device.driver;
  if (!reading.driver.empty()) desk.evidence->add(reading);
  for (const CalibrationVerdict& v : calibration.verdict)
    desk.evidence->calibrated.push_back(
        {desk.place(line), calibration.device.system, v.name, v.measured, v.datasheet, v.reached});
}

}  // namespace roofplan::model
