#include "model/json/json.hpp"
#include "model/report/value.hpp"

namespace roofplan::model::report {
namespace {

Value from_json(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return json.get<bool>();
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return json.get<std::int64_t>();
    case Json::value_t::number_float:
      return json.get<double>();
    case Json::value_t::string:
      return json.get<std::string>();
    case Json::value_t::array: {
      Value list = Value::list();
      for (const Json& element : json) list.push(from_json(element));
      return list;
    }
    case Json::value_t::object: {
      Value object = Value::object();
      for (const auto& [key, member] : json.items()) object.add(key, from_json(member));
      return object;
    }
    default:
      return {};
  }
}

}  // namespace

Value value_of_json(std::string_view text, const std::string& file) {
  return from_json(parse_json(text, file));
}

}  // namespace roofplan::model::report
