#include "model/report/html_text.hpp"

namespace roofplan::model::report {
namespace {

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --good: #1a7f37; --bad: #c62828; --caution: #8a5a00; --line: #8884;
  --ink: #1c2733; --soft: #5b6875; --panel: #f3f6f9; --s0: #0072b2; --s1: #d55e00; --s2: #009e73; --s3: #cc79a7; --s4: #e69f00; --s5: #56b4e9; }
@media screen and (prefers-color-scheme: dark) { :root { --good: #5fd38d; --bad: #ff8a80; --caution: #ffcc66;
  --ink: #e8edf2; --soft: #9aa7b4; --panel: #1d252d; --s0: #56b4e9; --s1: #ff9a5c; --s2: #4fd1ab; --s4: #f5c04a; --s5: #a6d8f5; } }
body { font: 15px/1.5 system-ui, "Noto Sans KR", "NanumGothic", "Malgun Gothic", sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; }
.right { text-align: right; white-space: nowrap; }
th.right { white-space: normal; }
.good { color: var(--good); } .bad { color: var(--bad); } .caution { color: var(--caution); }
.faint { opacity: .75; } .strong { font-weight: 600; }
.bar { width: 12rem; height: .8rem; background: var(--line); print-color-adjust: exact; }
.bar div { height: 100%; background: #4a7bd0; }
pre { overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
footer { margin-top: 2rem; opacity: .75; break-before: avoid; }
.report { max-width: 60rem; color: var(--ink); word-break: keep-all; overflow-wrap: break-word; }
.report h1 { font-size: 1.7rem; line-height: 1.25; margin: 0; }
.report .subtitle { color: var(--soft); margin: .2rem 0 1rem; }
.report h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; border-bottom: 2px solid var(--s0); padding-bottom: .2rem; }
.report h3 { font-size: 1rem; margin: 1.2rem 0 .25rem; }
.report table { width: 100%; font-size: .9rem; line-height: 1.4; }
.report p.strong { font-size: 1.15rem; }
.report td, .report th { padding-right: .6rem; }
.report td.caution { white-space: nowrap; }
.report td:last-child, .report th:last-child { padding-right: 0; }
.report li { overflow-wrap: anywhere; font-size: .85rem; margin-bottom: .2rem; }
.report a { color: inherit; text-decoration-color: var(--line); }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .6rem; margin: 1rem 0; }
.figures div { background: var(--panel); border-left: 4px solid var(--s0); padding: .5rem .8rem; print-color-adjust: exact; }
.figures b { display: block; font-size: 1.25rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.figures span { display: block; color: var(--soft); font-size: .82rem; line-height: 1.35; }
figure { margin: 1rem 0; break-inside: avoid; }
figcaption { font-weight: 600; font-size: .95rem; }
svg { width: 100%; height: auto; font: 11px system-ui, "Noto Sans KR", "NanumGothic", "Malgun Gothic", sans-serif; fill: var(--ink); print-color-adjust: exact; }
svg .grid { stroke: var(--line); } svg .axis { stroke: var(--soft); } svg .soft { fill: var(--soft); }
svg .event { stroke: var(--ink); stroke-dasharray: 2 3; }
@page { size: A4; margin: 16mm 15mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 10pt; } tr, p, li, .short { break-inside: avoid; } ol { break-after: avoid; } footer { margin-top: 1rem; }
  h2, h3, h2 + p { break-after: avoid; } thead { display: table-header-group; } .page { break-before: page; margin-top: 0; }
  .report table { font-size: 8.5pt; } .report h1 { font-size: 18pt; } .report h2 { font-size: 13pt; } .report p.strong { font-size: 11.5pt; }
  .figures { grid-template-columns: repeat(3, 1fr); gap: 2mm; } .figures b { font-size: 12.5pt; } .figures span { font-size: 8pt; }
  pre { font-size: 7.5pt; columns: 2; } a { text-decoration: none; } }
)css";

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string_view html_style() {
  return kStyle;
}

}  // namespace roofplan::model::report
