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
#include "cli/read_input.h"
#include "cli/typed.h"
#include "engine/literals.h"
#include "engine/weights_map.h"
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
  std::string_view marks;  // in names of tensors
  bool writes_on = true;   // else it fills in words that are hidden
};
constexpr Family kFamilies[] = {
    {"gpt2", "gpt2", "wte wpe c_attn c_proj c_fc ln_1 ln_2 ln_f"},
    {"llama", "llama mistral qwen2",
     "embed_tokens q_proj k_proj v_proj o_proj gate_proj up_proj down_proj input_layernorm"},
    {"bert", "bert", "word_embeddings position_embeddings token_type_embeddings query key value intermediate LayerNorm",
     false},
    {"writer", "writer", ""}};  // the built-in one, the last
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
  const auto in_mb = [](std::int64_t size) { return fmt::format("{}M", (size + (1 << 20) - 1) >> 20); };
  refuse(say("model.memory", {{"needed", in_mb(bytes)}, {"most", in_mb(most)}}),
         say("model.memory.hint", {{"size", in_mb(bytes * 2)}}));
}

bool is_number(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "h.0.ln_1" -> h, 0, ln_1
std::vector<std::string_view> name_parts(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('.', at), name.size());
    parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// The names with * for numbers, each once: "h.*.attn.c_attn.weight"; of each at most so many parts.
std::vector<std::string> name_patterns(const std::vector<StoredTensor>& tensors, std::size_t most_parts = SIZE_MAX) {
  std::vector<std::string> patterns;
  for (const StoredTensor& tensor : tensors) {
    std::vector<std::string> parts;
    for (const std::string_view part : name_parts(tensor.name)) parts.emplace_back(is_number(part) ? "*" : part);
    parts.resize(std::min(parts.size(), most_parts));
    std::string pattern = join(parts, ".");
    if (std::find(patterns.begin(), patterns.end(), pattern) == patterns.end()) patterns.push_back(std::move(pattern));
  }
  return patterns;
}

/// The family with most of its marks among the names; null where none has any.
const Family* nearest_family(const std::vector<std::string>& patterns) {
  const Family* nearest = nullptr;
  std::ptrdiff_t most = 0;
  for (const Family& family : kFamilies) {
    const std::vector<std::string> marks = words_in(family.marks);
    const auto count = std::count_if(marks.begin(), marks.end(), [&](const std::string& mark) {
      return std::any_of(patterns.begin(), patterns.end(),
                         [&](const std::string& name) { return name.find(mark) != std::string::npos; });
    });
    if (count <= most) continue;
    most = count;
    nearest = &family;
  }
  return nearest;
}

/// That of --family, else that of the type in config.json.
///   Errors: UserError, with the names of the tensors and the family that has most of them.
const Family& family_of(const PlainJson& config, const std::string& asked, const std::vector<StoredTensor>& tensors) {
  constexpr std::size_t kMostNames = 24;
  const auto found = config.find("model_type");
  const std::string type = found != config.end() && found->is_string() ? found->get<std::string>() : "";
  std::vector<std::string> known;
  for (const Family& family : kFamilies) {
    if (asked.empty() ? has_word(family.types, type) : family.name == asked) return family;
    if (asked.empty())
      for (const std::string& word : words_in(family.types)) known.push_back(word);
    else known.emplace_back(family.name);
  }
  known.pop_back();
  if (!asked.empty())
    throw UserError(say("model.family.option", {{"family", elide(asked, 40)}, {"known", join(known, ", ")}}),
                    did_you_mean(nearest(asked, known)));
  std::vector<std::string> patterns = name_patterns(tensors);
  const Family* near = nearest_family(patterns);
  const std::size_t count = patterns.size();
  if (count > kMostNames) {
    patterns.resize(kMostNames);
    patterns.push_back(say("model.family.more", {{"count", std::to_string(count - kMostNames)}}));
  }
  refuse(
      say("model.family",
          {{"type", visible(elide(type, 40))}, {"known", join(known, ", ")}, {"names", visible(join(patterns, ", "))}}),
      near ? say("model.family.hint", {{"family", std::string(near->name)}}) : did_you_mean(nearest(type, known)));
}

/// What * stands for in `name`, and what comes after the pattern; nothing where it does not match.
struct NameMatch {
  std::vector<std::string> stars;
  std::string rest;
};
std::optional<NameMatch> match_name(const std::string& pattern, const std::string& name) {
  const auto wanted = name_parts(pattern), found = name_parts(name);
  if (pattern.empty() || wanted.size() > found.size()) return std::nullopt;
  NameMatch match;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == "*") match.stars.emplace_back(found[i]);
    else if (wanted[i] != found[i]) return std::nullopt;
  }
  for (std::size_t i = wanted.size(); i < found.size(); ++i) match.rest.append(".").append(found[i]);
  return match;
}

/// The name that `to` gives with each * filled in.
std::string filled_name(const std::string& to, const NameMatch& match) {
  std::string name;
  auto star = match.stars.begin();
  for (const char c : to) {
    if (c == '*' && star != match.stars.end()) name += *star++;
    else name += c;
  }
  return name + match.rest;
}

/// --map as code: tensors and values of config.json get the names of the family.
///   Errors: UserError for one that is not there, and for two that get the same name.
std::string map_code(const std::vector<std::string>& typed, const PlainJson& config,
                     std::vector<StoredTensor>& tensors) {
  std::string code;
  std::set<std::string> made;
  const std::vector<StoredTensor> given = tensors;
  for (const std::string& text : typed) {
    const WeightsMap map = parse_map(text);
    bool is_used = false;
    const auto name_it = [&](const std::string& name, const std::string& line) {
      if (!made.insert(name).second) throw UserError(say("model.map.twice", {{"name", visible(name)}}));
      code += line;
      is_used = true;
    };
    for (const StoredTensor& tensor : given) {
      const std::optional<NameMatch> match = match_name(map.from, tensor.name);
      if (!match) continue;
      const std::string name = filled_name(map.to, *match);
      name_it(name,
              fmt::format("weights[{}] = given[{}]{}\n", string_literal(name), string_literal(tensor.name), map.part));
      tensors.push_back(tensor);
      tensors.back().name = name;
    }
    if (!is_used && config.contains(map.from))
      name_it(map.to, fmt::format("config[{}] = config[{}]\n", string_literal(map.to), string_literal(map.from)));
    if (!is_used && is_number(map.from))
      name_it(map.to, fmt::format("config[{}] = {}\n", string_literal(map.to), map.from));
    if (!is_used)
      throw UserError(say("model.map.none", {{"name", visible(elide(map.from, 80))}}),
                      did_you_mean(nearest(map.from, name_patterns(given, name_parts(map.from).size()))));
  }
  return code.empty() ? code : "```python hidden\ngiven = weights\nweights = dict(given)\n" + code + "```\n\n";
}

Tokenizer tokenizer_of(const FileOpener& open, const Family& family) {
  if (family.name != "writer") return Tokenizer::of_folder(open);
  return Tokenizer::of_words(PlainJson::parse(embedded_file("data/writer_words.json")));
}

double number_of(const std::string& option, const std::string& typed, double least, double most, double without) {
  if (typed.empty()) return without;
  const std::optional<double> number = parse_double(typed);
  if (number && *number >= least && *number <= most) return *number;
  throw UserError(say("option.real", {{"option", option},
                                      {"least", fmt::format("{}", least)},
                                      {"most", fmt::format("{}", most)},
                                      {"text", elide(typed, 40)}}));
}

/// "4.11": head 11 of block 4.
const std::string& checked_head(const std::string& head) {
  const std::size_t dot = head.find('.');
  const auto is_place = [](std::string_view text) { return text.size() < 6 && is_number(text); };
  if (dot == std::string::npos || !is_place(std::string_view(head).substr(0, dot)) ||
      !is_place(std::string_view(head).substr(dot + 1)))
    throw UserError(say("model.head", {{"text", elide(head, 40)}}), "attn-tutor model --head 0.1");
  return head;
}

PlainJson asked_json(const Request& request) {
  const ModelViews& views = request.model;
  const std::pair<std::string_view, const std::string*> choices[] = {
      {"--temperature", &views.temperature}, {"--top-k", &views.top_k}, {"--top-p", &views.top_p}};
  for (const auto& [option, typed] : choices)
    if (!typed->empty() && views.generate.empty())
      throw UserError(say("model.draws_nothing", {{"option", std::string(option)}}),
                      fmt::format("attn-tutor model --generate 20 {} {}", option, elide(*typed, 40)));
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
std::string code_of(const Family& family, const std::string& mapped, const std::vector<std::string_view>& middle,
                    const ModelViews& views) {
  std::vector<std::string_view> parts = {family.name, "run"};
  parts.insert(parts.end(), middle.begin(), middle.end());
  parts.emplace_back(family.writes_on ? "heads" : "heads_both_ways");
  if (!views.head.empty()) parts.emplace_back("head");
  if (!views.without.empty()) parts.emplace_back("without");
  if (views.lens) parts.emplace_back("lens");
  if (!views.generate.empty()) parts.emplace_back("generate");
  std::string text = std::string(embedded_file("lessons/models/open.md")) + "\n" + mapped;
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
  std::size_t wrong = 0;
  std::vector<std::string> texts;
  for (const std::string& typed : given) texts.push_back(read_text(typed).text);
  const std::string text = join(texts, " [SEP] ");
  valid_utf8(text, &wrong);
  if (wrong > 0) throw UserError(say("model.utf8"));
  return text;
}

/// Its text; of a token that is part of a character its bytes, as a list.
PlainJson token_json(const std::string& bytes) {
  std::size_t wrong = 0;
  valid_utf8(bytes, &wrong);
  if (wrong == 0) return bytes;
  PlainJson list = PlainJson::array();
  for (const char byte : bytes) list.push_back(static_cast<unsigned char>(byte));
  return list;
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
  const PlainJson config = read_json(open, "config.json", kMostConfig);
  const std::vector<std::string> files = weight_files(open);
  std::vector<StoredTensor> tensors = tensors_of(open, files);
  const Family& family = family_of(config, views.family, tensors);
  check_memory(tensors, request.limits.max_memory);
  const std::string mapped = map_code(request.run.given_weights.map, config, tensors);
  const Tokenizer tokenizer = tokenizer_of(open, family);
  const std::vector<std::int64_t> ids = tokenizer.encode(text_of(family, given.text));
  if (ids == tokenizer.encode("")) throw UserError(say("model.empty"));
  PlainJson tokens = PlainJson::array();
  bool hides = false;
  for (std::size_t id = 0; id < tokenizer.size(); ++id) {
    tokens.push_back(token_json(tokenizer.bytes_of(static_cast<std::int64_t>(id))));
    if (tokens.back() == kHidden) hides = std::count(ids.begin(), ids.end(), static_cast<std::int64_t>(id)) > 0;
  }
  const std::vector<std::string_view> middle =
      family.writes_on ? std::vector<std::string_view>{"next"} : masked_parts(views, tensors, hides);

  LoadFindings findings;
  Lesson lesson =
      load_lesson(fmt::format("lessons/models/{}.md", family.name), code_of(family, mapped, middle, views), findings);
  lesson.folder = open;
  asked["files"] = files;
  asked["ids"] = ids;
  lesson.files["asked.json"] = held(asked);
  lesson.files["tokens.json"] = held(tokens);
  return lesson;
}

}  // namespace attn
