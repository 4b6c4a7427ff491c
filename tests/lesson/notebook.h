#pragma once
// Notebooks for tests, as Jupyter writes them.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace attn::test {

struct NotebookCell {
  std::string code = {};
  std::string printed = {};  // saved outputs: what it printed and what it showed
  std::string shown = {};
  std::string kind = "code";
};

inline std::string notebook(const std::vector<NotebookCell>& cells, const std::string& language = "python") {
  nlohmann::json list = nlohmann::json::array();
  for (const NotebookCell& cell : cells) {
    nlohmann::json made = {{"cell_type", cell.kind}, {"metadata", nlohmann::json::object()}, {"source", cell.code}};
    if (cell.kind == "code") {
      made["execution_count"] = nullptr;
      made["outputs"] = nlohmann::json::array();
    }
    if (!cell.printed.empty())
      made["outputs"].push_back({{"output_type", "stream"}, {"name", "stdout"}, {"text", {cell.printed}}});
    if (!cell.shown.empty()) {
      made["outputs"].push_back({{"output_type", "execute_result"},
                                 {"execution_count", 1},
                                 {"data", {{"text/plain", {cell.shown}}, {"image/png", "AAAA"}}},
                                 {"metadata", nlohmann::json::object()}});
    }
    list.push_back(std::move(made));
  }
  const nlohmann::json whole = {{"cells", list},
                                {"metadata", {{"kernelspec", {{"language", language}, {"name", "k"}}}}},
                                {"nbformat", 4},
                                {"nbformat_minor", 5}};
  return whole.dump(1);
}

inline NotebookCell markdown(const std::string& text) { return {text, "", "", "markdown"}; }

}  // namespace attn::test
