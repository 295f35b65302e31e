#include "model/probe/cuda/cuda_work.hpp"
#include "model/probe/measure.hpp"

namespace roofplan::probe {
namespace {

constexpr int kMany = 200;

class CudaLaunch final : public SelfTimedWork {
 public:
  CudaLaunch(CudaContext& context, LaunchWork::Kind kind) : context_(context), kind_(kind) {}

  bool ready() { return kind_ != LaunchWork::Kind::in_graph || captured(); }

  double run_s() override {
    const kernels::Launch launch = context_.launch();
    const Seconds start = steady_now();
    switch (kind_) {
      case LaunchWork::Kind::answered:
        kernels::nothing(launch);
        break;
      case LaunchWork::Kind::in_a_row:
        for (int i = 0; i < kMany; ++i) kernels::nothing(launch);
        break;
      case LaunchWork::Kind::in_graph:
        cudaGraphLaunch(run_.get(), launch.stream);
        break;
    }
    if (!context_.settled("launching")) return 0;
    return (steady_now() - start).base() / (kind_ == LaunchWork::Kind::answered ? 1 : kMany);
  }
  bool right() override { return context_.settled("launching"); }

 private:
  bool captured() {
    const kernels::Launch launch = context_.launch();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t run = nullptr;
    if (!context_.done(cudaStreamBeginCapture(launch.stream, cudaStreamCaptureModeThreadLocal), "capturing"))
      return false;
    for (int i = 0; i < kMany; ++i) kernels::nothing(launch);
    if (!context_.done(cudaStreamEndCapture(launch.stream, &graph), "capturing")) return false;
    const OwnedGraph owned(graph);
    if (!context_.done(cudaGraphInstantiate(&run, graph, 0), "making a graph")) return false;
    run_.reset(run);
    return true;
  }

  CudaContext& context_;
  LaunchWork::Kind kind_;
  OwnedGraphRun run_;
};

}  // namespace

std::unique_ptr<SelfTimedWork> make_launch_work(CudaContext& context, const LaunchWork& work) {
  auto out = std::make_unique<CudaLaunch>(context, work.kind);
  if (!out->ready()) return nullptr;
  return out;
}

}  // namespace roofplan::probe
