#include "cli/open_model.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/embedded.h"
#include "base/files.h"
#include "base/number.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/typed.h"
#include "lesson/load.h"
#include "lesson/tokenizer.h"
#include "tensor/io/bad_file.h"
#include "tensor/io/safetensors_header.h"
#include "text/say.h"

namespace attn {
namespace {

using PlainJson = nlohmann::json;

constexpr std::uint64_t kMostConfig = std::uint64_t{1} << 20, kMostIndex = std::uint64_t{16} << 20;  // bytes

struct Family {
  std::string_view name;
  std::string_view types;  // of model_type in config.json
  bool writes_on = true;   // else it fills in words that are hidden
};
constexpr Family kFamilies[] = {
    {"gpt2", "gpt2"}, {"llama", "llama mistral qwen2"}, {"bert", "bert", false}, {"writer", "writer"}};
constexpr const char* kHidden = "[MASK]";

/// The small model of lesson 18, as a folder.
std::shared_ptr<const BytesAt> open_built_in(const std::string& name) {
  static const std::string kConfig = R"({"model_type": "writer"})";
  if (name == "config.json") return std::make_shared<TextBytes>(name, kConfig);
  if (name == "model.safetensors") return std::make_shared<TextBytes>(name, embedded_file("data/writer.safetensors"));
  throw MissingFile(name, say("model.file"));
}

[[noreturn]] void refuse(const std::string& message, const std::string& hint = {}) {
  throw UserError(message, hint, UserError::Fault::Input);
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

bool has_file(const FileOpener& open, const std::string& name) {
  try {
    return open(name) != nullptr;
  } catch (const MissingFile&) {
    return false;
  }
}

PlainJson read_json(const FileOpener& open, const std::string& name, std::uint64_t most) {
  const auto bytes = open(name);
  PlainJson json = PlainJson::parse(first_bytes(*bytes, most), nullptr, false);
  if (!json.is_object()) refuse(say("model.json", {{"file", visible(bytes->name())}}));
  return json;
}

const Family& family_of(const PlainJson& config) {
  const auto found = config.find("model_type");
  const std::string type = found != config.end() && found->is_string() ? found->get<std::string>() : "";
  std::vector<std::string> known;
  for (const Family& family : kFamilies) {
    if (has_word(family.types, type)) return family;
    for (const std::string& word : words_in(family.types)) known.push_back(word);
  }
  known.pop_back();  // the built-in one
  refuse(say("model.family", {{"type", visible(elide(type, 40))}, {"known", join(known, ", ")}}),
         did_you_mean(nearest(type, known)));
}

/// The names of the files with weights: one, or the shards of an index.
std::vector<std::string> weight_files(const FileOpener& open) {
  constexpr const char* kWhole = "model.safetensors";
  constexpr const char* kIndex = "model.safetensors.index.json";
  if (has_file(open, kIndex)) {
    std::set<std::string> shards;
    const PlainJson map = read_json(open, kIndex, kMostIndex).value("weight_map", PlainJson::object());
    for (const PlainJson& file : map)
      if (file.is_string()) shards.insert(file.get<std::string>());
    for (const std::string& shard : shards)
      if (!has_file(open, shard)) refuse(say("model.shard", {{"file", visible(shard)}, {"index", kIndex}}));
    if (!shards.empty()) return {shards.begin(), shards.end()};
  }
  if (has_file(open, kWhole)) return {kWhole};
  for (const char* pickle : {"pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt"})
    if (has_file(open, pickle))
      refuse(say("model.pickle", {{"file", pickle}}), say("model.pickle.hint", {{"file", pickle}}));
  refuse(say("model.no_weights"), say("model.folder"));
}

/// The tensors of all the files; the numbers are not read.
std::vector<StoredTensor> tensors_of(const FileOpener& open, const std::vector<std::string>& files) {
  std::vector<StoredTensor> tensors;
  for (const std::string& file : files)
    for (StoredTensor& tensor : read_safetensors_header(*open(file)).tensors) tensors.push_back(std::move(tensor));
  return tensors;
}

/// What it takes to hold the weights as float32, against --max-memory.
void check_memory(const std::vector<StoredTensor>& tensors, std::int64_t most) {
  std::int64_t bytes = 0;
  for (const StoredTensor& tensor : tensors) bytes += numel_of(tensor.shape) * static_cast<std::int64_t>(sizeof(float));
  if (bytes <= most) return;
  const auto in_mb = [](std::int64_t size) { return fmt::format("{}M", (size >> 20) + 1); };
  refuse(say("model.memory", {{"needed", in_mb(bytes)}, {"most", in_mb(most)}}),
         say("model.memory.hint", {{"size", in_mb(bytes * 2)}}));
}

Tokenizer tokenizer_of(const FileOpener& open, const Family& family) {
  if (family.name != "writer") return Tokenizer::of_folder(open);
  return Tokenizer::of_words(PlainJson::parse(embedded_file("data/writer_words.json")));
}

double number_of(const std::string& option, const std::string& typed, double least, double most, double without) {
  if (typed.empty()) return without;
  const std::optional<double> number = parse_double(typed);
  if (number && *number >= least && *number <= most) return *number;
  throw UserError(say("option.number", {{"option", option},
                                        {"least", fmt::format("{}", least)},
                                        {"most", fmt::format("{}", most)},
                                        {"text", elide(typed, 40)}}));
}

/// "4.11": head 11 of block 4.
const std::string& checked_head(const std::string& head) {
  const std::size_t dot = head.find('.');
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.size() < 6 && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (dot == std::string::npos || !is_number(std::string_view(head).substr(0, dot)) ||
      !is_number(std::string_view(head).substr(dot + 1)))
    throw UserError(say("model.head", {{"text", elide(head, 40)}}), "attn-tutor model --head 0.1");
  return head;
}

PlainJson asked_json(const Request& request) {
  const ModelViews& views = request.model;
  PlainJson without = PlainJson::array();
  for (const std::string& head : views.without) without.push_back(checked_head(head));
  return {{"head", views.head.empty() ? PlainJson() : PlainJson(checked_head(views.head))},
          {"without", without},
          {"generate", views.generate.empty() ? 0 : number_in("--generate", views.generate, 1, 100'000)},
          {"temperature", number_of("--temperature", views.temperature, 0, 100, 0)},
          {"top_k", views.top_k.empty() ? 0 : number_in("--top-k", views.top_k, 1, 1'000'000)},
          {"top_p", number_of("--top-p", views.top_p, 0.0001, 1, 1)}};
}

/// Of a model that fills in hidden words: which of the parts `masked` and `pooler` there are.
///   Errors: UserError for a view that makes no sense of such a model, or of this text.
std::vector<std::string_view> masked_parts(const ModelViews& views, const std::vector<StoredTensor>& tensors,
                                           bool hides) {
  const auto has = [&](std::string_view end) {
    return std::any_of(tensors.begin(), tensors.end(),
                       [&](const StoredTensor& tensor) { return tensor.name.ends_with(end); });
  };
  if (!views.generate.empty()) throw UserError(say("model.no_writer"), say("model.masked.hint"));
  const bool predicts = has("predictions.transform.dense.weight");
  if (!views.without.empty() || views.lens) {
    if (!predicts) refuse(say("model.no_predictions", {{"option", views.lens ? "--lens" : "--without"}}));
    if (!hides)
      throw UserError(say("model.masked", {{"option", views.lens ? "--lens" : "--without"}}), say("model.masked.hint"));
  }
  std::vector<std::string_view> parts;
  if (predicts && hides) parts.emplace_back("masked");
  if (has("pooler.dense.weight")) parts.emplace_back("pooler");
  return parts;
}

/// The code of the family and of the views that were asked for.
std::string code_of(const Family& family, const std::vector<std::string_view>& middle, const ModelViews& views) {
  std::vector<std::string_view> parts = {"open", family.name, "run"};
  parts.insert(parts.end(), middle.begin(), middle.end());
  parts.emplace_back(family.writes_on ? "heads" : "heads_both_ways");
  if (!views.head.empty()) parts.emplace_back("head");
  if (!views.without.empty()) parts.emplace_back("without");
  if (views.lens) parts.emplace_back("lens");
  if (!views.generate.empty()) parts.emplace_back("generate");
  std::string text;
  for (const std::string_view part : parts) {
    text += embedded_file(fmt::format("lessons/models/{}.md", part));
    text += '\n';
  }
  return text;
}

/// Several texts are the sentences of one, which only some families read.
std::string text_of(const Family& family, const std::vector<std::string>& given) {
  if (given.empty()) return family.writes_on ? "the cat drinks milk in the" : "the cat drinks [MASK] in the kitchen";
  if (given.size() > 1 && family.writes_on) throw UserError(say("model.one_text"));
  return join(given, " [SEP] ");
}

std::shared_ptr<const std::string> held(const PlainJson& json) {
  return std::make_shared<const std::string>(json.dump(-1, ' ', false, PlainJson::error_handler_t::replace));
}

}  // namespace

bool is_model(const std::string& word) { return word == kBuiltInModel || is_folder(word); }

Lesson open_model(const Request& request) {
  const ModelViews& views = request.model;
  const GivenInput& given = request.run.given;
  if (!given.data.empty() || !given.vocab.empty()) throw UserError(say("model.own_input"));
  PlainJson asked = asked_json(request);
  const bool is_built_in = request.word.empty() || (request.word == kBuiltInModel && !is_folder(request.word));
  const FileOpener open = is_built_in ? FileOpener(open_built_in) : files_of_folder(request.word);
  if (!has_file(open, "config.json"))
    refuse(say("model.no_config", {{"folder", visible(request.word)}}), say("model.folder"));
  const Family& family = family_of(read_json(open, "config.json", kMostConfig));
  const std::vector<std::string> files = weight_files(open);
  const std::vector<StoredTensor> tensors = tensors_of(open, files);
  check_memory(tensors, request.limits.max_memory);
  const Tokenizer tokenizer = tokenizer_of(open, family);
  const std::vector<std::int64_t> ids = tokenizer.encode(text_of(family, given.text));
  if (ids == tokenizer.encode("")) throw UserError(say("model.empty"));
  PlainJson tokens = PlainJson::array();
  bool hides = false;
  for (std::size_t id = 0; id < tokenizer.size(); ++id) {
    tokens.push_back(tokenizer.bytes_of(static_cast<std::int64_t>(id)));
    if (tokens.back() == kHidden) hides = std::count(ids.begin(), ids.end(), static_cast<std::int64_t>(id)) > 0;
  }
  const std::vector<std::string_view> middle =
      family.writes_on ? std::vector<std::string_view>{"next"} : masked_parts(views, tensors, hides);

  LoadFindings findings;
  Lesson lesson =
      load_lesson(fmt::format("lessons/models/{}.md", family.name), code_of(family, middle, views), findings);
  lesson.folder = open;
  asked["files"] = files;
  asked["ids"] = ids;
  lesson.files["asked.json"] = held(asked);
  lesson.files["tokens.json"] = held(tokens);
  return lesson;
}

}  // namespace attn
