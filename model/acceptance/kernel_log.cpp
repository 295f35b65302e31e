#include "model/acceptance/text_reader.hpp"

namespace roofplan::model {
namespace {

/// "NVRM: Xid (PCI:0000:3b:00): 79, pid=..., GPU has fallen off the bus." and
/// "nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): 12028, Non-fatal, Link 36 ..." of the kernel log.
class KernelLogReader : public TextReader {
 public:
  explicit KernelLogReader(const ReadingDesk& desk) : desk_(desk) {}

  void take(const LogLine& line) override {
    const std::size_t at = line.text.find("Xid (");
    if (at == std::string_view::npos) return;
    const bool of_switch = at > 0 && line.text[at - 1] == 'S';
    const std::string_view text = line.text.substr(at + 5);
    const std::size_t close = text.find("): ");
    if (close == std::string_view::npos) return;
    const std::string_view rest = text.substr(close + 3);
    const auto code = integer_of(rest.substr(0, rest.find_first_of(", ")));
    if (!code || *code < 1 || *code > 100'000) return;
    desk_.file->tools.insert("kernel log");
    constexpr std::size_t kMost = 100'000;
    if (desk_.evidence->faults.size() >= kMost) return;
    std::string_view bus = text.substr(0, close);
    if (bus.starts_with("PCI:")) bus.remove_prefix(4);
    const bool fatal = !of_switch || rest.find("Non-fatal") == std::string_view::npos;
    desk_.evidence->faults.push_back({desk_.place(line.number), std::string(bus), static_cast<int>(*code),
                                      of_switch, fatal, std::string(rest.substr(0, 160))});
  }

  void finish() override {}

 private:
  ReadingDesk desk_;
};

}  // namespace

std::unique_ptr<TextReader> kernel_log_reader(const ReadingDesk& desk) {
  return std::make_unique<KernelLogReader>(desk);
}

}  // namespace roofplan::model
