#include "model/llm/files/gguf.hpp"

#include "model/llm/files/bounded_reader.hpp"
#include "model/llm/files/gguf_types.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <unordered_set>

namespace roofplan::model {
namespace {

constexpr std::uint32_t kMagic = 0x46554747;  // "GGUF"
constexpr std::uint64_t kLongestKey = 65535;  // docs/gguf.md: at most 2^16 - 1 bytes
constexpr std::uint64_t kLongestName = 1024;  // docs/gguf.md: at most 64; some converters write longer ones
constexpr std::uint64_t kLongestText = std::uint64_t{64} << 10;
constexpr std::uint64_t kMostListed = 65536;
constexpr std::uint64_t kMostDimensions = 4;
constexpr std::uint64_t kLargestAlignment = std::uint64_t{1} << 20;
constexpr int kDeepestArray = 4;
// Values that must be read one by one. A vocabulary with its merges has about a million; the limit keeps a
// file whose sparse length backs any count from being walked for hours.
constexpr std::uint64_t kMostItems = std::uint64_t{1} << 22;

enum class ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, array, u64, i64, f64 };

std::uint64_t padded(std::uint64_t n, std::uint64_t alignment) {
  return n + (alignment - n % alignment) % alignment;
}

class HeaderReader {
 public:
  explicit HeaderReader(const std::string& path) : in_(path) { header_.metadata = GgufMetadata(path); }

  GgufHeader read() {
    read_version();
    const std::uint64_t tensors = in_.u64("the number of tensors");
    const std::uint64_t pairs = in_.u64("the number of metadata entries");
    in_.expect_room(pairs, 8 + 4 + 1, "the metadata");
    for (std::uint64_t i = 0; i < pairs; ++i) read_pair();
    read_alignment();
    in_.expect_room(tensors, 8 + 4 + 8 + 4 + 8, "the list of tensors");
    for (std::uint64_t i = 0; i < tensors; ++i) read_tensor();
    header_.file_bytes = in_.size();
    header_.data_offset = padded(in_.position(), header_.alignment);
    check_data();
    return std::move(header_);
  }

 private:
  void read_version() {
    if (in_.u32("the magic number") != kMagic)
      in_.fail("this is no GGUF file", "the letters GGUF at its start");
    header_.version = in_.u32("the version");
    if (header_.version != 0 && (header_.version & 0xFFFFU) == 0) {
      in_.fail("this GGUF file is big-endian, which is not read", "a little-endian file");
    }
    if (header_.version == 1)
      in_.fail("GGUF version 1 is not read (its counts have 32 bits)", "version 2 or 3");
    if (header_.version < 2 || header_.version > 3) {
      in_.fail(fmt::format("GGUF version {} is unknown", header_.version), "version 2 or 3");
    }
  }

  void count_item() {
    if (++items_ > kMostItems) in_.fail(fmt::format("the header holds more than {} values", kMostItems));
  }

  void read_pair() {
    count_item();
    std::string key = in_.text(in_.u64("the length of a key"), kLongestKey, "a key");
    if (!is_utf8(key)) in_.fail(fmt::format("the key \"{}\" is no UTF-8", printable(key)));
    key_ = key;
    GgufMetadata::Value value = read_value(read_type());
    if (!header_.metadata.insert(std::move(key), std::move(value))) {
      in_.fail(fmt::format("the key \"{}\" stands twice", printable(key_)));
    }
  }

  ValueType read_type() {
    const std::uint32_t type = in_.u32("a value type");
    if (type > static_cast<std::uint32_t>(ValueType::f64)) {
      in_.fail(fmt::format("\"{}\" has the unknown value type {}", printable(key_), type), "0 to 12");
    }
    return static_cast<ValueType>(type);
  }

  static std::uint64_t width_of(ValueType type) {
    switch (type) {
      case ValueType::u8:
      case ValueType::i8:
      case ValueType::boolean:
        return 1;
      case ValueType::u16:
      case ValueType::i16:
        return 2;
      case ValueType::u32:
      case ValueType::i32:
      case ValueType::f32:
        return 4;
      case ValueType::u64:
      case ValueType::i64:
      case ValueType::f64:
        return 8;
      case ValueType::text:
        return 8;  // at least its length
      case ValueType::array:
        return 4 + 8;  // at least its type and length
    }
    return 1;
  }

  GgufMetadata::Value read_value(ValueType type) {
    switch (type) {
      case ValueType::u8:
        return std::int64_t{in_.u8("a value")};
      case ValueType::i8:
        return std::int64_t{static_cast<std::int8_t>(in_.u8("a value"))};
      case ValueType::u16:
        return std::int64_t{in_.u16("a value")};
      case ValueType::i16:
        return std::int64_t{static_cast<std::int16_t>(in_.u16("a value"))};
      case ValueType::u32:
        return std::int64_t{in_.u32("a value")};
      case ValueType::i32:
        return std::int64_t{static_cast<std::int32_t>(in_.u32("a value"))};
      case ValueType::i64:
        return static_cast<std::int64_t>(in_.u64("a value"));
      case ValueType::f32:
        return double{std::bit_cast<float>(in_.u32("a value"))};
      case ValueType::f64:
        return std::bit_cast<double>(in_.u64("a value"));
      case ValueType::boolean:
        return in_.u8("a value") != 0;
      case ValueType::text:
        return read_text();
      case ValueType::array:
        return read_array(1);
      case ValueType::u64:
        break;
    }
    const std::uint64_t number = in_.u64("a value");
    if (number <= static_cast<std::uint64_t>(INT64_MAX)) return static_cast<std::int64_t>(number);
    return static_cast<double>(number);
  }

  GgufMetadata::Value read_text() {
    const std::uint64_t length = in_.u64("the length of a text");
    if (length > kLongestText) return in_.skip(length, "a text"), GgufMetadata::Value{};
    std::string text = in_.text(length, kLongestText, "a text");
    if (!is_utf8(text)) in_.fail(fmt::format("the text of \"{}\" is no UTF-8", printable(key_)));
    return text;
  }

  GgufArray read_array(int depth) {
    if (depth > kDeepestArray) {
      in_.fail(fmt::format("\"{}\" nests arrays deeper than {} levels", printable(key_), kDeepestArray));
    }
    const ValueType type = read_type();
    GgufArray array;
    array.length = in_.u64("the length of an array");
    in_.expect_room(array.length, width_of(type), fmt::format("the array \"{}\"", printable(key_)));
    const bool walked = type == ValueType::text || type == ValueType::array;
    array.is_integers =
        !walked && type != ValueType::f32 && type != ValueType::f64 && array.length <= kMostListed;
    if (!walked && !array.is_integers) return in_.skip(array.length * width_of(type), "an array"), array;
    for (std::uint64_t i = 0; i < array.length; ++i) {
      count_item();
      if (type == ValueType::text) {
        in_.skip(in_.u64("the length of a text"), "a text");
      } else if (type == ValueType::array) {
        read_array(depth + 1);
      } else {
        keep(array, read_value(type));
      }
    }
    return array;
  }

  static void keep(GgufArray& array, const GgufMetadata::Value& value) {
    if (const auto* flag = std::get_if<bool>(&value)) {
      array.integers.push_back(*flag ? 1 : 0);
    } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
      array.integers.push_back(*number);
    } else {
      array.integers.push_back(std::numeric_limits<std::int64_t>::max());
    }
  }

  void read_alignment() {
    const std::int64_t alignment = header_.metadata.integer("general.alignment").value_or(32);
    if (alignment < 1 || static_cast<std::uint64_t>(alignment) > kLargestAlignment ||
        !std::has_single_bit(static_cast<std::uint64_t>(alignment))) {
      header_.metadata.fail("general.alignment", fmt::format("an alignment of {} bytes", alignment),
                            fmt::format("a power of two up to {}", kLargestAlignment));
    }
    header_.alignment = static_cast<std::uint64_t>(alignment);
  }

  void read_tensor() {
    count_item();
    TensorEntry tensor;
    tensor.name = in_.text(in_.u64("the length of a tensor's name"), kLongestName, "a tensor's name");
    const std::string shown = printable(tensor.name);
    if (tensor.name.empty() || !is_utf8(tensor.name)) {
      in_.fail(fmt::format("the tensor name \"{}\" is empty or no UTF-8", shown));
    }
    if (!names_.insert(tensor.name).second) in_.fail(fmt::format("the tensor {} stands twice", shown));
    const std::uint32_t dimensions = in_.u32("a number of dimensions");
    if (dimensions > kMostDimensions) {
      in_.fail(fmt::format("the tensor {} has {} dimensions", shown, dimensions), "at most 4");
    }
    std::int64_t elements = 1;
    for (std::uint32_t i = 0; i < dimensions; ++i) {
      const std::uint64_t n = in_.u64("a dimension");
      if (n < 1 || n > static_cast<std::uint64_t>(INT64_MAX)) {
        in_.fail(fmt::format("a dimension of the tensor {} is {}", shown, n), "1 to 2^63 - 1");
      }
      tensor.shape.push_back(static_cast<std::int64_t>(n));
      elements = checked_mul(elements, static_cast<std::int64_t>(n));
    }
    set_type(tensor, in_.u32("a tensor type"), elements);
    place(tensor, in_.u64("a tensor's offset"));
    header_.tensors.push_back(std::move(tensor));
  }

  void set_type(TensorEntry& tensor, std::uint32_t id, std::int64_t elements) {
    const GgmlType* type = find_ggml_type(id);
    if (type == nullptr) {
      in_.fail(fmt::format("the tensor {} has type {}, which is unknown here", printable(tensor.name), id),
               "a tensor type of ggml (0 to 42, without the withdrawn ones)");
    }
    const std::int64_t row = tensor.shape.empty() ? 1 : tensor.shape.front();
    if (row % type->block != 0) {
      in_.fail(fmt::format("rows of {} elements of the tensor {} are no whole blocks of {}", row,
                           printable(tensor.name), type->name),
               fmt::format("a multiple of {}", type->block));
    }
    tensor.stored = type->name;
    tensor.format = type->format;
    tensor.parameters = elements;
    tensor.bytes = ByteCount(elements / type->block) * type->bytes;
  }

  /// ggml writes and accepts tensors only end to end in the order of the list, each padded.
  void place(const TensorEntry& tensor, std::uint64_t offset) {
    if (offset != next_offset_) {
      in_.fail(
          fmt::format("the data of the tensor {} begins at {}, where {} was due after the tensor before it",
                      printable(tensor.name), offset, next_offset_),
          "tensors end to end");
    }
    const ByteCount end = ByteCount(static_cast<std::int64_t>(offset)) + tensor.bytes;
    const ByteCount roomy = end + ByteCount(static_cast<std::int64_t>(header_.alignment));
    if (roomy.count() <= 0) in_.fail("the data is larger than 2^63 bytes");
    next_offset_ = padded(static_cast<std::uint64_t>(end.count()), header_.alignment);
  }

  void check_data() const {
    std::uint64_t offset = header_.data_offset;
    for (const TensorEntry& tensor : header_.tensors) {
      const auto bytes = static_cast<std::uint64_t>(tensor.bytes.count());
      if (offset > header_.file_bytes || bytes > header_.file_bytes - offset) {
        in_.fail(
            fmt::format("the file ends at byte {}, before the end of the tensor {} ({} bytes from {} on)",
                        header_.file_bytes, printable(tensor.name), bytes, offset),
            "a whole file (is the download complete?)");
      }
      offset = padded(offset + bytes, header_.alignment);
    }
  }

  BoundedReader in_;
  GgufHeader header_;
  std::string key_;
  std::unordered_set<std::string> names_;
  std::uint64_t next_offset_ = 0;
  std::uint64_t items_ = 0;
};

}  // namespace

GgufHeader read_gguf_header(const std::string& path) {
  try {
    return HeaderReader(path).read();
  } catch (const InputError& error) {
    throw error.at({path, {}, 0});
  }
}

}  // namespace roofplan::model
