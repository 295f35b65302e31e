#include "model/calibration/least_squares.hpp"

#include "model/units/error.hpp"

#include <Eigen/Dense>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace roofplan::model {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// The problem in search coordinates: each parameter or its logarithm, with its bounds.
class Problem {
 public:
  Problem(const ResidualFunction& residuals, std::size_t count, const std::vector<FitParameter>& parameters,
          double scale)
      : residuals_(residuals),
        parameters_(parameters),
        scale_(scale),
        count_(static_cast<Eigen::Index>(count)) {
    low_.resize(size());
    high_.resize(size());
    for (Eigen::Index i = 0; i < size(); ++i) {
      low_[i] = inward(i, at(i).low);
      high_[i] = inward(i, at(i).high);
    }
  }

  Eigen::Index size() const { return static_cast<Eigen::Index>(parameters_.size()); }
  Eigen::Index count() const { return count_; }
  const FitParameter& at(Eigen::Index i) const { return parameters_[static_cast<std::size_t>(i)]; }
  const Vector& low() const { return low_; }
  const Vector& high() const { return high_; }
  int evaluations() const { return evaluations_; }

  double inward(Eigen::Index i, double value) const { return at(i).logarithmic ? std::log(value) : value; }
  double outward(Eigen::Index i, double x) const {
    return std::clamp(at(i).logarithmic ? std::exp(x) : x, at(i).low, at(i).high);
  }

  Vector residuals(const Vector& x) {
    std::vector<double> values(parameters_.size());
    for (Eigen::Index i = 0; i < size(); ++i) values[static_cast<std::size_t>(i)] = outward(i, x[i]);
    Vector r(count_);
    residuals_(values, {r.data(), static_cast<std::size_t>(count_)});
    ++evaluations_;
    return r / scale_;
  }

  /// Mean soft-L1 loss of scaled residuals.
  double loss(const Vector& r) const {
    const double mean = 2.0 * ((1.0 + r.array().square()).sqrt() - 1.0).mean();
    return std::isfinite(mean) ? mean : std::numeric_limits<double>::infinity();
  }

  Matrix jacobian(const Vector& x) {
    Matrix j(count_, size());
    for (Eigen::Index i = 0; i < size(); ++i) {
      const double step =
          1e-5 * std::max(1e-3 * (high_[i] - low_[i]), at(i).logarithmic ? 1.0 : std::abs(x[i]));
      Vector up = x, down = x;
      up[i] = std::min(x[i] + step, high_[i]);
      down[i] = std::max(x[i] - step, low_[i]);
      if (up[i] > down[i]) {
        j.col(i) = (residuals(up) - residuals(down)) / (up[i] - down[i]);
      } else {
        j.col(i).setZero();
      }
    }
    return j;
  }

 private:
  const ResidualFunction& residuals_;
  const std::vector<FitParameter>& parameters_;
  double scale_;
  Eigen::Index count_;
  Vector low_, high_;
  int evaluations_ = 0;
};

struct Descent {
  Vector x;
  double loss = std::numeric_limits<double>::infinity();
  bool converged = false;
};

/// Weights that turn the squared residual into the gradient of the soft-L1 loss.
Vector loss_weights(const Vector& r) {
  return (1.0 + r.array().square()).rsqrt();
}

/// Parameters held at a bound because the loss falls outward.
std::vector<bool> held(const Problem& problem, const Vector& x, const Vector& gradient) {
  std::vector<bool> out(static_cast<std::size_t>(x.size()));
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    out[static_cast<std::size_t>(i)] =
        (x[i] <= problem.low()[i] && gradient[i] > 0) || (x[i] >= problem.high()[i] && gradient[i] < 0);
  }
  return out;
}

Vector damped_step(const Matrix& normal, const Vector& gradient, const std::vector<bool>& fixed,
                   double damping) {
  Matrix a = normal;
  Vector g = gradient;
  for (Eigen::Index i = 0; i < g.size(); ++i) {
    if (fixed[static_cast<std::size_t>(i)] || normal(i, i) <= 0.0) {
      a.row(i).setZero();
      a.col(i).setZero();
      a(i, i) = 1.0;
      g[i] = 0.0;
    } else {
      a(i, i) *= 1.0 + damping;
    }
  }
  return -a.ldlt().solve(g);
}

Descent descend(Problem& problem, Vector x, int max_iterations) {
  Vector r = problem.residuals(x);
  Descent best{x, problem.loss(r), false};
  if (!std::isfinite(best.loss)) return best;
  double damping = 1e-2;
  for (int iteration = 0; iteration < max_iterations && !best.converged; ++iteration) {
    const Matrix j = problem.jacobian(best.x);
    const Vector w = loss_weights(r);
    const Matrix normal = j.transpose() * w.asDiagonal() * j;
    const Vector gradient = j.transpose() * w.cwiseProduct(r);
    const auto fixed = held(problem, best.x, gradient);
    bool accepted = false;
    while (!accepted && damping < 1e10) {
      const Vector step = damped_step(normal, gradient, fixed, damping);
      const Vector next = (best.x + step).cwiseMax(problem.low()).cwiseMin(problem.high());
      const Vector next_r = problem.residuals(next);
      const double next_loss = problem.loss(next_r);
      accepted = next_loss < best.loss;
      if (accepted) {
        best.converged = best.loss - next_loss < 1e-9 * (best.loss + 1e-12) && damping <= 1.0;
        best.x = next;
        best.loss = next_loss;
        r = next_r;
        damping = std::max(damping * 0.2, 1e-12);
      } else {
        damping *= 5.0;
      }
    }
    if (!accepted) best.converged = true;
  }
  return best;
}

/// The i-th point of the Halton sequence in the given base (Halton, Numer. Math. 2, 1960).
double halton(int i, int base) {
  double share = 1.0, value = 0.0;
  for (; i > 0; i /= base) {
    share /= base;
    value += share * (i % base);
  }
  return value;
}

std::vector<Vector> starting_points(Problem& problem, const FitOptions& options) {
  static constexpr int kPrimes[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29,
                                    31, 37, 41, 43, 47, 53, 59, 61, 67, 71};
  Vector stated(problem.size());
  for (Eigen::Index i = 0; i < problem.size(); ++i) stated[i] = problem.inward(i, problem.at(i).start);
  std::vector<Vector> starts{stated};
  std::vector<std::pair<double, Vector>> screened;
  for (int k = 1; k <= options.screened && options.starts > 1; ++k) {
    Vector x(problem.size());
    for (Eigen::Index i = 0; i < problem.size(); ++i) {
      const double u = halton(k, kPrimes[static_cast<std::size_t>(i) % std::size(kPrimes)]);
      x[i] = problem.low()[i] + u * (problem.high()[i] - problem.low()[i]);
    }
    screened.emplace_back(problem.loss(problem.residuals(x)), x);
  }
  std::stable_sort(screened.begin(), screened.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [loss, x] : screened) {
    if (static_cast<int>(starts.size()) >= options.starts) break;
    starts.push_back(x);
  }
  return starts;
}

/// Standard deviation of each search coordinate at the optimum; infinite where the data say nothing.
Vector deviations(Problem& problem, const Vector& x) {
  const Vector r = problem.residuals(x);
  const Matrix j = problem.jacobian(x);
  const Vector w = loss_weights(r);
  const double freedom = std::max<double>(1.0, static_cast<double>(problem.count() - problem.size()));
  const double variance = w.cwiseProduct(r.cwiseProduct(r)).sum() / freedom;
  const Matrix normal = j.transpose() * w.asDiagonal() * j;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(normal);
  const double floor = 1e-12 * std::max(eigen.eigenvalues().maxCoeff(), 1e-300);
  Vector out = Vector::Zero(problem.size());
  for (Eigen::Index k = 0; k < problem.size(); ++k) {
    const double inverse = 1.0 / std::max(eigen.eigenvalues()[k], floor);
    out += variance * inverse * eigen.eigenvectors().col(k).cwiseAbs2();
  }
  return out.cwiseSqrt();
}

void check(std::size_t residual_count, const std::vector<FitParameter>& parameters) {
  if (residual_count < parameters.size()) {
    throw InputError(
        InputError::Kind::content,
        fmt::format("{} measured points cannot determine {} parameters", residual_count, parameters.size()));
  }
  for (const FitParameter& p : parameters) {
    if (!(p.low <= p.start && p.start <= p.high) || (p.logarithmic && p.low <= 0)) {
      throw InputError(
          InputError::Kind::content,
          fmt::format("the parameter {} cannot start at {} in [{}, {}]", p.name, p.start, p.low, p.high));
    }
  }
}

}  // namespace

std::vector<double> FitResult::values() const {
  std::vector<double> out(parameters.size());
  std::transform(parameters.begin(), parameters.end(), out.begin(), [](const auto& p) { return p.value; });
  return out;
}

FitResult fit_least_squares(const ResidualFunction& residuals, std::size_t residual_count,
                            const std::vector<FitParameter>& parameters, const FitOptions& options) {
  check(residual_count, parameters);
  FitResult result;
  if (parameters.empty()) return result;
  Problem problem(residuals, residual_count, parameters, options.loss_scale);
  Descent best;
  for (const Vector& start : starting_points(problem, options)) {
    Descent descent = descend(problem, start, options.max_iterations);
    if (descent.loss < best.loss) best = std::move(descent);
  }
  if (!std::isfinite(best.loss)) {
    throw InputError(InputError::Kind::content, "the law gives no finite prediction for the measured points");
  }
  const Vector deviation = deviations(problem, best.x);
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    const double value = problem.outward(i, best.x[i]);
    const double margin = 1e-4 * (problem.high()[i] - problem.low()[i]);
    FittedParameter fitted{problem.at(i).name, value};
    fitted.relative_std =
        problem.at(i).logarithmic || value == 0.0 ? deviation[i] : deviation[i] / std::abs(value);
    fitted.on_bound = best.x[i] - problem.low()[i] < margin || problem.high()[i] - best.x[i] < margin;
    fitted.determined = !fitted.on_bound && fitted.relative_std <= 0.5;
    result.parameters.push_back(std::move(fitted));
  }
  result.loss = best.loss;
  result.converged = best.converged;
  result.evaluations = problem.evaluations();
  return result;
}

}  // namespace roofplan::model
