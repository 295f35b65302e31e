#include "model/probe/cuda/cublas_lt.hpp"

#include <utility>

namespace roofplan::probe::lt {

bool Library::find_all() {
  const SharedLibrary& l = library_;
  return l.find(f_.create, {"cublasLtCreate"}) && l.find(f_.destroy, {"cublasLtDestroy"}) &&
         l.find(f_.version, {"cublasLtGetVersion"}) &&
         l.find(f_.operation_create, {"cublasLtMatmulDescCreate"}) &&
         l.find(f_.operation_destroy, {"cublasLtMatmulDescDestroy"}) &&
         l.find(f_.operation_set, {"cublasLtMatmulDescSetAttribute"}) &&
         l.find(f_.layout_create, {"cublasLtMatrixLayoutCreate"}) &&
         l.find(f_.layout_destroy, {"cublasLtMatrixLayoutDestroy"}) &&
         l.find(f_.layout_set, {"cublasLtMatrixLayoutSetAttribute"}) &&
         l.find(f_.preference_create, {"cublasLtMatmulPreferenceCreate"}) &&
         l.find(f_.preference_destroy, {"cublasLtMatmulPreferenceDestroy"}) &&
         l.find(f_.preference_set, {"cublasLtMatmulPreferenceSetAttribute"}) &&
         l.find(f_.choose, {"cublasLtMatmulAlgoGetHeuristic"}) && l.find(f_.multiply, {"cublasLtMatmul"});
}

std::optional<Library> Library::open() {
  Library out;
  return out.library_.opened() && out.find_all() ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace roofplan::probe::lt
