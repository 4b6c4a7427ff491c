#pragma once
// The rules of the schema of nbformat 4.5 for what we write, stricter than it where we always write the same.
// tests/torch/validate.py asks nbformat itself, where it is installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

namespace attn::test {

using Json = nlohmann::ordered_json;

inline std::string joined(const Json& lines) {
  std::string text;
  for (const Json& line : lines) text += line.get<std::string>();
  return text;
}

inline std::set<std::string> keys(const Json& object) {
  std::set<std::string> out;
  for (const auto& item : object.items()) out.insert(item.key());
  return out;
}

/// Each line but the last ends with its line feed.
inline bool is_list_of_lines(const Json& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line = lines[i].get<std::string>();
    const std::size_t feed = line.find('\n');
    if (i + 1 < lines.size() ? feed + 1 != line.size() : feed != std::string::npos && feed + 1 != line.size())
      return false;
  }
  return lines.is_array();
}

inline void expect_valid_output(const Json& output, int count) {
  const std::string type = output.at("output_type");
  if (type == "stream") {
    EXPECT_THAT(keys(output), testing::ElementsAre("name", "output_type", "text"));
    EXPECT_EQ(output["name"], "stdout");
    EXPECT_TRUE(is_list_of_lines(output["text"]));
  } else if (type == "execute_result") {
    EXPECT_THAT(keys(output), testing::ElementsAre("data", "execution_count", "metadata", "output_type"));
    EXPECT_THAT(keys(output["data"]), testing::ElementsAre("text/plain"));
    EXPECT_TRUE(is_list_of_lines(output["data"]["text/plain"]));
    EXPECT_EQ(output["execution_count"], count);
    EXPECT_TRUE(output["metadata"].is_object());
  } else {
    EXPECT_EQ(type, "error");
    EXPECT_THAT(keys(output), testing::ElementsAre("ename", "evalue", "output_type", "traceback"));
    EXPECT_TRUE(output["ename"].is_string() && output["evalue"].is_string());
    EXPECT_TRUE(output["traceback"].is_array());
    for (const Json& line : output["traceback"]) EXPECT_TRUE(line.is_string());
  }
}

inline void expect_valid_metadata(const Json& metadata) {
  EXPECT_THAT(keys(metadata), testing::ElementsAre("attn_tutor", "kernelspec", "language_info", "title"));
  EXPECT_THAT(keys(metadata["kernelspec"]), testing::ElementsAre("display_name", "language", "name"));
  EXPECT_EQ(metadata["kernelspec"]["name"], "python3");
  EXPECT_EQ(metadata["language_info"]["name"], "python");
  EXPECT_TRUE(metadata["title"].is_string());
}

inline void expect_valid(const Json& notebook) {
  EXPECT_THAT(keys(notebook), testing::ElementsAre("cells", "metadata", "nbformat", "nbformat_minor"));
  EXPECT_EQ(notebook["nbformat"], 4);
  EXPECT_EQ(notebook["nbformat_minor"], 5);
  expect_valid_metadata(notebook["metadata"]);
  std::set<std::string> ids;
  int count = 0;
  for (const Json& cell : notebook["cells"]) {
    const std::string id = cell.at("id");
    EXPECT_TRUE(std::regex_match(id, std::regex("[a-zA-Z0-9_-]{1,64}"))) << id;
    EXPECT_TRUE(ids.insert(id).second) << id;
    EXPECT_TRUE(is_list_of_lines(cell.at("source"))) << id;
    EXPECT_TRUE(cell.at("metadata").is_object()) << id;
    if (cell.at("cell_type") == "markdown") {
      EXPECT_THAT(keys(cell), testing::ElementsAre("cell_type", "id", "metadata", "source"));
      continue;
    }
    EXPECT_EQ(cell["cell_type"], "code");
    EXPECT_THAT(keys(cell),
                testing::ElementsAre("cell_type", "execution_count", "id", "metadata", "outputs", "source"));
    EXPECT_EQ(cell["execution_count"], ++count);
    for (const Json& output : cell["outputs"]) expect_valid_output(output, count);
  }
}

}  // namespace attn::test
