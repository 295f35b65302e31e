#include "model/calibration/kernels/gemm_calibration.hpp"

#include "model/calibration/kernels/choices.hpp"
#include "model/calibration/kernels/kernel_chip.hpp"

namespace roofplan::model {
namespace {

constexpr Words<3> kRowWords{"128", "128-256", "16-256"};
constexpr Words<2> kColumnWords{"doubling", "fine"};

/// Matrix-vector kernels of TensorRT-LLM take up to so many rows.
constexpr int kVectorRows = 4;

using Terms = std::vector<LawTerm<GemmLaw>>;

Terms terms_of(const GemmLaw& form, const LawChip& chip) {
  using L = GemmLaw;
  const double peak = chip.matrix_rate / unit::TFLOP_s, memory = chip.memory_bandwidth / unit::GB_s;
  Terms terms{
      microseconds("launch", &L::launch, 3, 0.3, 20),
      teraflops("matrix_rate", &L::matrix_rate, 0.75 * peak, 0.2 * peak, 1.05 * peak),
      gigabytes_per_second("sm_rate", &L::sm_rate, 150, 20, 600),
      gigabytes_per_second("memory_rate", &L::memory_rate, 0.85 * memory, 0.3 * memory, 1.05 * memory),
      microseconds("tile_setup", &L::tile_setup, 0.7, 0.1, 5),
      term("k_step", "ns", unit::ns, &L::k_step, 0.7, 0.02, 8),
      microseconds("tile_floor", &L::tile_floor, 0.5, 0.02, 12),
      term("wave_smoothing", &L::wave_smoothing, 0.6, 0.01, 1),
      term("throttle", &L::throttle, 0.1, 0.001, 1.5)};
  if (form.largest_split > 1) terms.push_back(microseconds("split_setup", &L::split_setup, 1.5, 0.1, 12));
  if (form.quantises) {
    terms.push_back(
        gigabytes_per_second("quantise_rate", &L::quantise_rate, 0.5 * memory, 0.05 * memory, 3 * memory));
    terms.push_back(term("row_setup", "ns", unit::ns, &L::row_setup, 0.5, 0.01, 50));
  }
  if (form.vector_rows > 0) {
    terms.push_back(microseconds("vector_launch", &L::vector_launch, 5, 0.3, 20));
    terms.push_back(teraflops("vector_rate", &L::vector_rate, 0.05 * peak, 0.005 * peak, 0.5 * peak));
  }
  return terms;
}

/// The benchmark goes round several copies of the weights: about a quarter of the L2 is left for each.
LawTerm<GemmLaw> l2_term(const LawChip& chip) {
  const double l2 = chip.l2 / unit::MB;
  return term("l2_size", "MB", unit::MB, &GemmLaw::l2_size, 0.25 * l2, 0.1 * l2, 1.6 * l2);
}

GemmLaw unfitted(const GemmFormat& format, int sm_count) {
  return {.sm_count = sm_count,
          .weight_bytes = format.weight_bytes,
          .input_bytes = format.input_bytes,
          .quantises = format.quantises};
}

std::vector<GemmLaw> forms_of(const GemmFormat& format, int sm_count) {
  std::vector<GemmLaw> forms;
  for (const TileRows rows : {TileRows::only_128, TileRows::from_128, TileRows::from_16}) {
    for (const TileColumns columns : {TileColumns::doubling, TileColumns::fine}) {
      if (rows == TileRows::from_16 && columns == TileColumns::fine) continue;  // too many tiles to try
      for (const int split : {1, 8}) {
        GemmLaw form = unfitted(format, sm_count);
        form.rows = rows;
        form.columns = columns;
        form.largest_split = split;
        form.vector_rows = format.vector_kernel ? kVectorRows : 0;
        forms.push_back(form);
      }
    }
  }
  return forms;
}

}  // namespace

const std::vector<GemmFormat>& gemm_formats() {
  static const std::vector<GemmFormat> kFormats{{"bfloat16", "bf16", 2, 2, false},
                                                {"float16", "bf16", 2, 2, false},
                                                {"fp8", "fp8", 1, 1, true},
                                                {"fp8_block", "fp8", 1, 1, true},
                                                // Four bits and an 8-bit scale for 16 elements.
                                                {"nvfp4", "nvfp4", 0.5625, 0.5625, true},
                                                {"int8_wo", "bf16", 1, 2, false},
                                                {"int4_wo", "bf16", 0.5, 2, false},
                                                {"sq", "int8", 1, 1, true, true}};
  return kFormats;
}

const GemmFormat* find_gemm_format(std::string_view name) {
  for (const GemmFormat& format : gemm_formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

std::optional<CalibratedLaw> fit_gemm(const GemmFormat& format, const LawChip& chip,
                                      const std::vector<GemmPoint>& points) {
  const auto terms = [&](const GemmLaw& form) {
    Terms out = terms_of(form, chip);
    if (l2_outlives_launch(chip)) out.push_back(l2_term(chip));
    return out;
  };
  const auto fitted = fit_law(
      forms_of(format, chip.sm_count), terms, points,
      [](const GemmShape& shape, const GemmLaw& law) { return gemm_time(shape, law, CacheState::warm); });
  if (!fitted) return std::nullopt;
  const GemmLaw& law = fitted->law;
  std::vector<std::pair<std::string, std::string>> choices{
      {"sm_count", std::to_string(law.sm_count)},
      {"rows", word(kRowWords, law.rows)},
      {"columns", word(kColumnWords, law.columns)},
      {"largest_split", std::to_string(law.largest_split)}};
  if (law.vector_rows > 0) choices.emplace_back("vector_rows", std::to_string(law.vector_rows));
  return calibrated("gemm/" + format.name, *fitted, terms(law), std::move(choices));
}

std::optional<GemmLaw> gemm_law(const Calibration& calibration, const GemmFormat& format) {
  const CalibratedLaw* found = calibration.find("gemm/" + format.name);
  if (!found) return std::nullopt;
  const Choices choices(*found);
  GemmLaw law = unfitted(format, choices.whole("sm_count"));
  law.rows = choices.one_of<TileRows>("rows", kRowWords);
  law.columns = choices.one_of<TileColumns>("columns", kColumnWords);
  law.largest_split = choices.whole("largest_split");
  if (choices.has("vector_rows")) law.vector_rows = choices.whole("vector_rows");
  Terms terms = terms_of(law, {});
  terms.push_back(l2_term({}));
  read_values(law, terms, *found);
  return law;
}

}  // namespace roofplan::model
