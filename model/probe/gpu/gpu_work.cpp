#include "model/probe/gpu/gpu_work.hpp"

namespace roofplan::probe {
namespace {

double as_double(std::int64_t value) {
  return static_cast<double>(value);
}

}  // namespace

const char* to_text(MemoryWork::Kind kind) {
  switch (kind) {
    case MemoryWork::Kind::read:
      return "read";
    case MemoryWork::Kind::write:
      return "write";
    case MemoryWork::Kind::copy:
      return "copy";
    case MemoryWork::Kind::driver_copy:
      return "driver_copy";
    case MemoryWork::Kind::triad:
      break;
  }
  return "triad";
}

const char* to_text(TransferWork::Kind kind) {
  switch (kind) {
    case TransferWork::Kind::host_to_device:
      return "host_to_device";
    case TransferWork::Kind::device_to_host:
      return "device_to_host";
    case TransferWork::Kind::peer:
      break;
  }
  return "peer";
}

const char* to_text(CollectiveWork::Kind kind) {
  switch (kind) {
    case CollectiveWork::Kind::all_reduce:
      return "all_reduce";
    case CollectiveWork::Kind::all_gather:
      return "all_gather";
    case CollectiveWork::Kind::reduce_scatter:
      break;
  }
  return "reduce_scatter";
}

const char* to_text(ProductWork::Format format) {
  switch (format) {
    case ProductWork::Format::bfloat16:
      return "bfloat16";
    case ProductWork::Format::float16:
      return "float16";
    case ProductWork::Format::tf32:
      return "tf32";
    case ProductWork::Format::fp8:
      return "fp8";
    case ProductWork::Format::int8:
      return "int8";
    case ProductWork::Format::nvfp4:
      return "nvfp4";
    case ProductWork::Format::mxfp4:
      return "mxfp4";
    case ProductWork::Format::mxfp8:
      break;
  }
  return "mxfp8";
}

double element_bytes(ProductWork::Format format) {
  switch (format) {
    case ProductWork::Format::bfloat16:
    case ProductWork::Format::float16:
      return 2;
    case ProductWork::Format::tf32:
      return 4;
    case ProductWork::Format::fp8:
    case ProductWork::Format::int8:
      return 1;
    case ProductWork::Format::nvfp4:
      return 0.5 + 1.0 / 16;  // a byte of scale for 16 elements
    case ProductWork::Format::mxfp4:
      return 0.5 + 1.0 / 32;
    case ProductWork::Format::mxfp8:
      break;
  }
  return 1 + 1.0 / 32;  // a byte of scale for 32 elements
}

double ProductWork::weight_bytes() const {
  return element_bytes(format) * as_double(n) * as_double(k);
}

double AttentionWork::flop() const {
  return 2 * as_double(batch) * as_double(depth) * as_double(heads) *
         as_double(head_dim + (latent > 0 ? latent : head_dim));
}
double AttentionWork::cache_bytes() const {
  return 2 * as_double(batch) * as_double(depth) * as_double(kv_heads) *
         as_double(latent > 0 ? head_dim : 2 * head_dim);
}
double AttentionWork::moved_bytes() const {
  if (!by_products()) return cache_bytes();
  const double rows = as_double(batch) * as_double(depth);
  return 2 * rows * as_double(kv_heads) * as_double(head_dim + (latent > 0 ? latent : head_dim)) +
         2 * 4 * rows * as_double(heads);
}

std::int64_t ExpertsWork::rows() const {
  return (tokens * top_k + distinct - 1) / distinct;
}
double ExpertsWork::weight_bytes() const {
  return 2 * 3 * as_double(distinct) * as_double(hidden) * as_double(inner);
}

double ElementwiseWork::bytes() const {
  return 2 * as_double(rows) * as_double(width) * (kind == Kind::norm ? 4 : 3);
}

}  // namespace roofplan::probe
