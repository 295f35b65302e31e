#include "model/llm/files/packed_weights.hpp"

#include "model/llm/files/bounded_reader.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

namespace roofplan::model {
namespace {

constexpr std::int64_t kWordBits = 32;

std::int64_t columns(const TensorEntry& tensor) {
  return tensor.shape.empty() ? 1 : tensor.shape.back();
}
std::int64_t rows(const TensorEntry& tensor) {
  return tensor.shape.size() < 2 ? 1 : tensor.shape[tensor.shape.size() - 2];
}
bool is_word(const TensorEntry& tensor) {
  return tensor.stored == "I32" || tensor.stored == "U32";
}
bool is_byte(const TensorEntry& tensor) {
  return tensor.stored == "U8" || tensor.stored == "I8";
}
bool is_power_scale(const TensorEntry& tensor) {
  return tensor.stored == "U8" || tensor.stored == "F8_E8M0";
}
std::string integer_format(std::int64_t bits) {
  return fmt::format("int{}", bits);
}

/// "model.layers.0.mlp.up_proj" of "model.layers.0.mlp.up_proj.weight".
std::string module_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return std::string(name.substr(0, dot == name.npos ? 0 : dot));
}

class Unpacker {
 public:
  Unpacker(std::vector<TensorEntry>& tensors, const QuantConfig& config, const std::string& place)
      : tensors_(tensors), config_(config), place_(place) {
    for (TensorEntry& tensor : tensors_) by_name_.emplace(tensor.name, &tensor);
  }

  void run() {
    for (TensorEntry& tensor : tensors_) {
      const std::string_view name = tensor.name;
      const std::string module = module_of(name);
      if (name.ends_with(".inv_freq") || name.ends_with(".position_ids")) {
        drop(&tensor, StoredRole::constants, tensor.format);
      } else if (name.ends_with(".qweight") && is_word(tensor)) {
        unpack_qweight(tensor, module);
      } else if (name.ends_with(".weight_packed")) {
        unpack_compressed(tensor, module);
      } else if (name.ends_with("_blocks") && tensor.stored == "U8") {
        unpack_blocks(tensor);
      } else if (tensor.stored == "U32" && name.ends_with(".weight") && find(module + ".scales") != nullptr) {
        unpack_mlx(tensor, module);
      } else if (is_byte(tensor) && find(tensor.name + ".absmax") != nullptr) {
        unpack_bitsandbytes(tensor);
      } else if (tensor.stored.starts_with("F8_") || tensor.stored == "F4" || is_byte(tensor)) {
        match_scales(tensor, module);
      }
    }
    // Scales whose weight was not met above, such as those of a KV cache.
    for (TensorEntry& tensor : tensors_) {
      if (is_scale_name(tensor.name)) drop(&tensor, StoredRole::scales, tensor.format);
    }
  }

 private:
  TensorEntry* find(const std::string& name) const {
    const auto it = by_name_.find(name);
    return it == by_name_.end() ? nullptr : it->second;
  }

  [[noreturn]] void fail(const TensorEntry& tensor, const std::string& message) const {
    throw InputError(InputError::Kind::content,
                     fmt::format("the packed tensor {} {}", printable(tensor.name), message),
                     "a config.json that states the bits of its group", {place_, {}, 0});
  }

  static void drop(TensorEntry* tensor, StoredRole role, const std::string& format) {
    if (tensor == nullptr || tensor->role != StoredRole::weights) return;
    tensor->role = role;
    tensor->parameters = 0;
    tensor->format = format;
  }

  void set_packed(TensorEntry& tensor, std::int64_t unit_bits, std::int64_t bits, std::string format) const {
    if (bits < 1 || bits > unit_bits) fail(tensor, fmt::format("would have {} bits a weight", bits));
    tensor.parameters = checked_mul(tensor.parameters, unit_bits) / bits;
    tensor.format = std::move(format);
  }

  void drop_scales(const std::string& prefix, std::initializer_list<std::string_view> suffixes,
                   const std::string& format) {
    for (const std::string_view suffix : suffixes)
      drop(find(prefix + std::string(suffix)), StoredRole::scales, format);
  }

  std::int64_t stated_bits() const { return config_.groups.size() == 1 ? config_.groups.front().bits : 0; }

  /// AWQ packs along a row of outputs ([in, out x bits / 32]); GPTQ along the inputs ([in x bits / 32, out]).
  void unpack_qweight(TensorEntry& tensor, const std::string& module) {
    const TensorEntry* scales = find(module + ".scales");
    const TensorEntry* zeros = find(module + ".qzeros");
    const TensorEntry* index = find(module + ".g_idx");
    std::int64_t bits = 0;
    if (scales != nullptr && columns(tensor) == columns(*scales)) {
      const std::int64_t inputs = index == nullptr ? 0 : columns(*index);
      if (inputs > 0) {
        bits = checked_mul(kWordBits, rows(tensor)) / inputs;
      } else if (zeros != nullptr && columns(*scales) > 0) {
        bits = checked_mul(kWordBits, columns(*zeros)) / columns(*scales);
      }
    } else if (scales != nullptr && columns(*scales) > 0) {
      bits = checked_mul(kWordBits, columns(tensor)) / columns(*scales);
    }
    if (bits == 0) bits = stated_bits();
    set_packed(tensor, kWordBits, bits, integer_format(bits));
    drop_scales(module, {".scales", ".qzeros", ".g_idx"}, tensor.format);
  }

  void unpack_compressed(TensorEntry& tensor, const std::string& module) {
    const TensorEntry* scale = find(module + ".weight_scale");
    if (is_byte(tensor)) {
      set_packed(tensor, 8, 4, scale != nullptr && is_power_scale(*scale) ? "mxfp4" : "nvfp4");
    } else {
      const std::int64_t bits = bits_of_group(tensor, scale, module);
      set_packed(tensor, kWordBits, bits, integer_format(bits));
    }
    drop_scales(module,
                {".weight_scale", ".weight_zero_point", ".weight_shape", ".weight_g_idx",
                 ".weight_global_scale", ".input_global_scale", ".input_scale"},
                tensor.format);
  }

  /// The bits of the group under which packed columns and scale columns tell the same row length.
  std::int64_t bits_of_group(const TensorEntry& tensor, const TensorEntry* scale,
                             const std::string& module) const {
    std::set<std::int64_t> fitting, targeted;
    for (const QuantGroup& group : config_.groups) {
      if (group.bits < 1 || group.bits > kWordBits) continue;
      const bool by_row = group.group_size == 0;
      const std::int64_t inputs =
          by_row || scale == nullptr ? 0 : checked_mul(columns(*scale), group.group_size);
      const bool fits = inputs > 0 ? ceil_div(checked_mul(inputs, group.bits), kWordBits) == columns(tensor)
                                   : scale == nullptr || columns(*scale) == 1;
      if (!fits) continue;
      fitting.insert(group.bits);
      if (std::any_of(group.targets.begin(), group.targets.end(),
                      [&](const std::string& t) { return names(t, module); })) {
        targeted.insert(group.bits);
      }
    }
    if (fitting.size() == 1) return *fitting.begin();
    if (targeted.size() == 1) return *targeted.begin();
    if (fitting.empty() && config_.groups.size() == 1) return stated_bits();
    fail(tensor,
         fmt::format("fits {} of the {} groups of the config", fitting.size(), config_.groups.size()));
  }

  /// Whether a target without regular-expression signs names the module.
  static bool names(const std::string& target, const std::string& module) {
    return !target.starts_with("re:") && module.ends_with(target);
  }

  void unpack_blocks(TensorEntry& tensor) {
    const std::string stem = tensor.name.substr(0, tensor.name.size() - std::string_view("_blocks").size());
    TensorEntry* scales = find(stem + "_scales");
    if (scales == nullptr) return;
    set_packed(tensor, 8, 4, "mxfp4");
    drop(scales, StoredRole::scales, tensor.format);
  }

  void unpack_mlx(TensorEntry& tensor, const std::string& module) {
    const TensorEntry& scales = *find(module + ".scales");
    const auto exception = config_.by_module.find(module);
    QuantGroup group;
    if (exception != config_.by_module.end()) {
      group = exception->second;
    } else if (config_.groups.size() == 1) {
      group = config_.groups.front();
    }
    const std::int64_t inputs = checked_mul(columns(scales), group.group_size);
    const std::int64_t bits = inputs > 0 ? checked_mul(kWordBits, columns(tensor)) / inputs : group.bits;
    const bool named = group.kind.starts_with("mx") || group.kind.starts_with("nv");
    set_packed(tensor, kWordBits, bits, named ? group.kind : integer_format(bits));
    drop_scales(module, {".scales", ".biases"}, tensor.format);
  }

  void unpack_bitsandbytes(TensorEntry& tensor) {
    const bool fp4 = find(tensor.name + ".quant_state.bitsandbytes__fp4") != nullptr;
    set_packed(tensor, 8, 4, fp4 ? "fp4" : "nf4");
    drop_scales(tensor.name,
                {".absmax", ".quant_map", ".nested_absmax", ".nested_quant_map",
                 ".quant_state.bitsandbytes__nf4", ".quant_state.bitsandbytes__fp4"},
                tensor.format);
  }

  /// A byte matrix whose one-byte scales stand for 16 or 32 weights each holds two weights a byte.
  void match_scales(TensorEntry& tensor, const std::string& module) {
    static constexpr std::array<std::string_view, 4> kBeside{"_scale", "_scale_inv", "_weight_scale",
                                                             "_scales"};
    TensorEntry* scale = nullptr;
    for (const std::string_view suffix : kBeside) {
      if (scale == nullptr) scale = find(tensor.name + std::string(suffix));
    }
    if (scale == nullptr && tensor.name.ends_with(".weight")) scale = find(module + ".scale");
    if (scale == nullptr || scale->role != StoredRole::weights) return;
    const std::int64_t logical = checked_mul(columns(tensor), is_byte(tensor) ? 2 : 1);
    const std::int64_t block = columns(*scale) > 0 ? logical / columns(*scale) : 0;
    const bool powers = is_power_scale(*scale);
    if (is_byte(tensor) && ((powers && block == 32) || (scale->stored == "F8_E4M3" && block == 16))) {
      set_packed(tensor, 8, 4, powers ? "mxfp4" : "nvfp4");
    } else if (tensor.stored == "F4") {
      tensor.format = powers ? "mxfp4" : "nvfp4";
    } else if (powers && block == (is_byte(tensor) ? 64 : 32) && rows(*scale) == rows(tensor)) {
      tensor.format = "mxfp8";
    }
    drop(scale, StoredRole::scales, tensor.format);
    drop_scales(tensor.name, {"_scale_2", "_weight_scale_2"}, tensor.format);
    drop_scales(module, {".input_scale", ".weight_zero_point"}, tensor.format);
  }

  static bool is_scale_name(std::string_view name) {
    static constexpr std::array<std::string_view, 14> kEndings{
        "weight_scale",     "weight_scale_inv",   "weight_scale_2", "input_scale",
        "output_scale",     ".k_scale",           ".v_scale",       ".q_scale",
        "activation_scale", "weight_zero_point",  ".kv_scale",      ".SCB",
        ".weight_format",   "weight_global_scale"};
    return std::any_of(kEndings.begin(), kEndings.end(),
                       [&](std::string_view ending) { return name.ends_with(ending); });
  }

  std::vector<TensorEntry>& tensors_;
  const QuantConfig& config_;
  const std::string& place_;
  std::unordered_map<std::string, TensorEntry*> by_name_;
};

}  // namespace

void unpack_weights(std::vector<TensorEntry>& tensors, const QuantConfig& config, const std::string& place) {
  Unpacker(tensors, config, place).run();
}

}  // namespace roofplan::model
