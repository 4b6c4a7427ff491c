// attn-tutor verify: the code of a lesson under real PyTorch, and how far its tensors are from ours.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/embedded.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/child.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "cli/trace_result.h"
#include "engine/lesson_files.h"
#include "engine/literals.h"
#include "render/code/python_code.h"
#include "render/page.h"
#include "tensor/io/safetensors.h"
#include "text/say.h"

namespace attn {
namespace {

/// Where the files are that a program or a model reads.
std::string folder_of(const std::string& word) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path path = fs::absolute(word, error);
  return (fs::is_directory(path, error) ? path : path.parent_path()).string();
}

/// The lesson as a script that hands over every tensor that it binds, and our own tensors under the same keys.
struct Handed {
  std::string code;
  TensorsByName tensors;
  std::vector<std::string> names;  // as in the lesson, in the same order
};

Handed hand_over(const Trace& trace, const Request& request) {
  Handed handed;
  if (!trace.files.empty())
    handed.code = fmt::format("import os\n\nos.chdir({})\n", string_literal(folder_of(request.word)));
  handed.code += code_before_cells(trace);
  const AfterBinding keep = [&](StepId, const Binding& binding) -> std::string {
    const RecordedValue& value = trace.value(binding.value);
    if (!value.kept) return {};
    std::string key = std::to_string(handed.names.size());
    handed.names.push_back(binding.target);
    handed.tensors.emplace_back(key, value.tensor);
    return fmt::format("_keep(\"{}\", {})", key, binding.target);
  };
  for (const TraceBlock& block : trace.blocks)
    if (const CellRecord* cell = std::get_if<CellRecord>(&block)) handed.code += cell_code(trace, *cell, keep);
  return handed;
}

constexpr int kNoTorch = 77;  // what the script says when it cannot import torch
constexpr int kNoPython = 127;

/// Runs the script under a Python with torch: the one that was named, else the first of the usual ones that has it.
/// Nothing when there is none.
std::optional<ChildResult> run_script(const Request& request, const std::vector<std::string>& arguments) {
  std::vector<std::string> pythons = {"python3", "/usr/bin/python3"};
  if (!request.python.empty()) pythons = {request.python};
  for (const std::string& python : pythons) {
    std::vector<std::string> words = {python};
    words.insert(words.end(), arguments.begin(), arguments.end());
    ChildResult child = run_child(words);
    if (child.code >= 0 && child.code != kNoTorch && child.code != kNoPython) return child;
  }
  return std::nullopt;
}

struct TensorRow {
  std::string name, shape, absolute, relative, allowed;
  bool fine = false;
};

std::string short_number(const nlohmann::json& row, const char* key) {
  return row.contains(key) ? fmt::format("{:.2g}", row[key].get<double>()) : "";
}

TensorRow tensor_row(const nlohmann::json& line, const Handed& handed) {
  const auto index = static_cast<std::size_t>(std::stoul(line.at("key").get<std::string>()));
  const Shape& ours = handed.tensors.at(index).second.shape();
  TensorRow row{handed.names.at(index),         shape_text(ours),
                short_number(line, "absolute"), short_number(line, "relative"),
                short_number(line, "allowed"),  line.value("fine", false)};
  if (line.at("shape").is_null()) row.absolute = say("verify.missing");
  else if (line.at("shape").get<Shape>() != ours)
    row.absolute = say("verify.shape", {{"shape", shape_text(line.at("shape").get<Shape>())}});
  return row;
}

void put_rows(Page& page, const std::vector<TensorRow>& rows) {
  const std::vector<std::string> head = {say("ledger.name"),     say("ledger.shape"),   say("verify.absolute"),
                                         say("verify.relative"), say("verify.allowed"), ""};
  std::vector<std::vector<std::string>> table{head};
  for (const TensorRow& row : rows)
    table.push_back(
        {row.name, row.shape, row.absolute, row.relative, row.allowed, row.fine ? "" : say("verify.differs")});
  std::vector<int> widths(head.size(), 0);
  for (const auto& cells : table)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], display_width(cells[i]));
  for (std::size_t k = 0; k < table.size(); ++k) {
    Line line;
    for (std::size_t i = 0; i < head.size(); ++i) {
      const Style style = k == 0                 ? Style::Strong
                          : i == 0               ? Style::Name
                          : i + 1 == head.size() ? Style::Alarm
                                                 : Style::Plain;
      line.add(Line(table[k][i], style).pad_right(widths[i])).add("  ");
    }
    page.put(line);
  }
}

/// What the script prints: a line with the version of PyTorch, then one for each tensor.
struct Reply {
  std::string version;
  std::vector<TensorRow> rows;
};

/// Nothing for what is no such reply: whatever `--python` names may have printed it.
std::optional<Reply> read_reply(const std::string& text, const Handed& handed) {
  try {
    std::vector<nlohmann::json> lines;
    for (const std::string_view line : split_lines(text))
      if (!line.empty()) lines.push_back(nlohmann::json::parse(line));
    if (lines.size() != handed.names.size() + 1) return std::nullopt;
    Reply reply{lines.front().at("torch").get<std::string>(), {}};
    for (std::size_t i = 1; i < lines.size(); ++i) reply.rows.push_back(tensor_row(lines[i], handed));
    return reply;
  } catch (const nlohmann::json::exception&) {
  } catch (const std::logic_error&) {  // a key that is no number, or that of no tensor
  }
  return std::nullopt;
}

int report_broken(const ChildResult& child) {
  report(child.code == 0 ? say("verify.unread") : say("verify.broken", {{"code", std::to_string(child.code)}}));
  write_error(visible(child.err));
  return kFailed;
}

int show_comparison(const Reply& reply, const Request& request) {
  const auto& [version, rows] = reply;
  const auto different = std::count_if(rows.begin(), rows.end(), [](const TensorRow& row) { return !row.fine; });
  Page page(render_options(request));
  put_rows(page, rows);
  page.gap();
  page.put(say_count(different == 0 ? "verify.fine" : "verify.different",
                     different == 0 ? static_cast<std::int64_t>(rows.size()) : different,
                     {{"version", visible(version)}}));
  page_out(page.text(), request);
  return different == 0 ? kFine : kFailed;
}

int compare(const Trace& trace, const Request& request) {
  const Handed handed = hand_over(trace, request);
  const TemporaryFolder folder;
  const std::vector<std::string> files = {folder.file("verify.py"), folder.file("lesson.py"),
                                          folder.file("tensors.safetensors")};
  write_file(files[0], embedded_file("data/verify.py"));
  write_file(folder.file("read_safetensors.py"), embedded_file("data/read_safetensors.py"));
  write_file(files[1], handed.code);
  write_file(files[2], safetensors_bytes(handed.tensors));
  const std::optional<ChildResult> child = run_script(request, files);
  if (!child)
    throw UserError(
        request.python.empty() ? say("verify.no_python") : say("verify.no_torch", {{"python", request.python}}),
        say("verify.no_torch.hint"), UserError::Fault::Input);
  const auto reply = read_reply(child->out, handed);
  if (child->code != 0 || !reply) return report_broken(*child);
  return show_comparison(*reply, request);
}

int run_verify(const Request& request) {
  const Lesson lesson = open_program(request);
  Trace trace = run_noted(lesson, request);
  add_sums(trace.files, lesson);
  if (const int failed = report_failure(trace, request)) return failed;
  return compare(trace, request);
}

}  // namespace

const Command kVerifyCommand = {"verify", "Runs a lesson's code under PyTorch and compares every tensor.",
                                kTakesLesson | kTakesViews | kTakesSeed | kTakesWeights | kTakesLimits | kTakesView |
                                    kTakesCatalogue | kTakesPython,
                                run_verify, "attn-tutor verify 3"};

}  // namespace attn
