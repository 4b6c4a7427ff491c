// JSON to a Trace, and the checks that all of it hangs together, which is what makes it long. The text may come from
// anywhere, and views follow indices without looking: so every index, span and tensor is checked here.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/limits.h"
#include "base/number.h"
#include "base/sha256.h"
#include "base/source.h"
#include "base/text.h"
#include "engine/rerun.h"
#include "render/data/trace_fields.h"
#include "render/data/trace_json.h"
#include "render/formats.h"
#include "tensor/io/bad_file.h"
#include "tensor/io/stored_elements.h"
#include "text/say.h"

namespace attn {
namespace {

using SortedJson = nlohmann::json;

constexpr int kDeepest = 64;                                   // brackets in brackets; a Trace needs under 20
constexpr int kDeepestStep = 10'000;                           // statements in statements and calls
constexpr std::int64_t kMostElements = std::int64_t{1} << 32;  // of one tensor: expand() makes many of few numbers

[[noreturn]] void fail(const std::string& place, const std::string& what) {
  throw TraceFormatError(place.empty() ? what : place + ": " + what);
}

/// Refuses brackets that are nested too deeply and members that are there twice, which Json would not tell. (Json's
/// own callback while parsing looks at a whole array again for each of its objects.)
class Strict : public nlohmann::detail::json_sax_dom_parser<SortedJson> {
  using Tree = nlohmann::detail::json_sax_dom_parser<SortedJson>;

 public:
  Strict(SortedJson& out, const std::string& text) : Tree(out), text_(text) {}

  bool start_object(std::size_t size) { return open(), Tree::start_object(size); }
  bool start_array(std::size_t size) { return open(), Tree::start_array(size); }
  bool end_object() { return names_.pop_back(), Tree::end_object(); }
  bool end_array() { return names_.pop_back(), Tree::end_array(); }
  bool key(std::string& name) {
    if (!names_.back().insert(name).second)
      fail("", "the member " + elide(visible(name), 40) + " is there twice in one object");
    return Tree::key(name);
  }
  bool string(std::string& text) {
    look();
    return Tree::string(text);
  }
  bool parse_error(std::size_t read, const std::string&, const SortedJson::exception&) {
    const auto at = static_cast<std::uint32_t>(std::min(read > 0 ? read - 1 : 0, text_.size()));
    const Position place = position_of({"", text_}, at);
    fail(say("json.place", {{"line", std::to_string(place.line)}, {"column", std::to_string(place.column)}}),
         say("json.stops"));
  }

 private:
  void open() {
    look();
    if (names_.size() > kDeepest) fail("", "brackets are nested too deeply");
    names_.emplace_back();
  }

  const std::string& text_;
  std::vector<std::set<std::string>> names_;
};

SortedJson parsed(const std::string& text) {
  SortedJson file;
  Strict strict(file, text);
  SortedJson::sax_parse(text, &strict);
  return file;
}

class Reader {
 public:
  Trace trace(const SortedJson& file) {
    if (!file.is_object() || !file.contains("format") || file["format"] != kTranscriptMark)
      fail("", "this is no " + std::string(kTranscriptMark));
    Trace trace;
    int schema = 0;
    if (file.contains("schema")) at("schema", [&] { read(file["schema"], schema); });
    if (schema < kOldestTraceSchema || schema > kTraceSchema)
      fail("schema", "only files of schema " + std::to_string(kOldestTraceSchema) + " to " +
                         std::to_string(kTraceSchema) + " can be read");
    if (file.contains("words")) at("words", [&] { read(file["words"], words_); });
    if (file.contains("origins")) at("origins", [&] { read_origins(file["origins"]); });
    if (file.contains("buffers")) at("buffers", [&] { read_buffers(file["buffers"]); });
    read_object(file, trace, {"format", "schema", "words", "origins", "buffers"});
    return trace;
  }

 private:
  template <class Do>
  void at(const std::string& part, const Do& read_it) {
    const std::size_t size = place_.size();
    place_ += (place_.empty() || part.starts_with('[') ? "" : ".") + part;
    read_it();
    place_.resize(size);
  }
  [[noreturn]] void wrong(const std::string& expected) const { fail(place_, "should be " + expected); }

  template <class T>
  void read_object(const SortedJson& json, T& x, const std::set<std::string>& others = {}) {
    if (!json.is_object()) wrong("an object");
    std::set<std::string> known = others;
    const auto member = [&](std::string_view name, auto pointer, std::string_view) {
      const std::string key(name);
      known.insert(key);
      const auto found = json.find(key);
      if (found != json.end()) at(key, [&] { read(*found, x.*pointer); });
    };
    json::fields(member, json::As<T>{});
    for (const auto& item : json.items())
      if (!known.contains(item.key())) fail(place_, "there is no member " + elide(visible(item.key()), 40));
  }

  // ---- a value of each kind ----

  void read(const SortedJson& json, bool& flag) {
    if (!json.is_boolean()) wrong("true or false");
    flag = json.get<bool>();
  }

  template <std::integral T>
  void read(const SortedJson& json, T& number) {
    const bool too_large = json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{INT64_MAX};
    const std::int64_t wide = json.is_number_integer() && !too_large ? json.get<std::int64_t>() : 0;
    if (!json.is_number_integer() || too_large || !std::in_range<T>(wide)) wrong("an integer within its range");
    number = static_cast<T>(wide);
  }

  void read(const SortedJson& json, double& number) {
    if (json.is_number()) number = json.get<double>();
    else if (json == "NaN") number = std::numeric_limits<double>::quiet_NaN();
    else if (json == "Infinity") number = std::numeric_limits<double>::infinity();
    else if (json == "-Infinity") number = -std::numeric_limits<double>::infinity();
    else wrong("a number, \"NaN\", \"Infinity\" or \"-Infinity\"");
  }

  void read(const SortedJson& json, std::string& text) {
    if (!json.is_string()) wrong("a text");
    text = json.get<std::string>();
  }

  void read(const SortedJson& json, Span& span) {
    std::vector<std::uint32_t> numbers;
    read(json, numbers);
    if (numbers.size() != 3 || numbers[1] > numbers[2]) wrong("[source, begin, end]");
    span = {numbers[0], numbers[1], numbers[2]};
  }

  void read(const SortedJson& json, std::shared_ptr<const std::vector<std::string>>& words) {
    std::uint32_t index = 0;
    read(json, index);
    if (index >= words_.size()) wrong("an index into words");
    if (shared_words_.size() < words_.size()) shared_words_.resize(words_.size());
    auto& shared = shared_words_[index];
    if (!shared) shared = std::make_shared<const std::vector<std::string>>(words_[index]);
    words = shared;
  }

  /// The chain gets longer with each, so that none is in itself.
  void read_origins(const SortedJson& json) {
    if (!json.is_array()) wrong("a list");
    for (std::size_t i = 0; i < json.size(); ++i) {
      at("[" + std::to_string(i) + "]", [&] {
        Origin origin;
        read(json[i], origin);
        if (origin.depth < 1 || origin.depth > kMaxOriginDepth) wrong("of a depth that can be");
        for (const OriginPtr& operand : origin.operands)
          if (operand && operand->depth >= origin.depth) wrong("deeper than what it is made from");
        origins_.push_back(make_origin(std::move(origin)));
      });
    }
  }

  void read(const SortedJson& json, OriginPtr& origin) {
    if (json.is_null()) return;
    std::uint32_t index = 0;
    read(json, index);
    if (index >= origins_.size()) wrong("an index into origins");
    origin = origins_[index];
  }

  void read(const SortedJson& json, TraceBlock& block) {
    if (json.is_object() && json.size() == 1 && json.contains("prose")) {
      at("prose", [&] { read(json["prose"], block.emplace<Prose>()); });
    } else if (json.is_object() && json.size() == 1 && json.contains("cell")) {
      at("cell", [&] { read(json["cell"], block.emplace<CellRecord>()); });
    } else {
      wrong("{\"prose\": ...} or {\"cell\": ...}");
    }
  }

  template <class T>
  void read(const SortedJson& json, std::optional<T>& held) {
    read(json, held.emplace());
  }
  template <class A, class B>
  void read(const SortedJson& json, std::pair<A, B>& both) {
    if (!json.is_array() || json.size() != 2) wrong("a list of two");
    read(json[0], both.first);
    read(json[1], both.second);
  }
  template <class T>
  void read(const SortedJson& json, std::vector<T>& list) {
    if (!json.is_array()) wrong("a list");
    list.clear();
    list.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i)
      at("[" + std::to_string(i) + "]", [&] { read(json[i], list.emplace_back()); });
  }
  void read(const SortedJson& json, std::map<std::string, std::string>& pairs) {
    if (!json.is_object()) wrong("an object");
    for (const auto& item : json.items()) at(item.key(), [&] { read(item.value(), pairs[item.key()]); });
  }

  template <class T>
  void read(const SortedJson& json, T& x) {
    if constexpr (std::is_enum_v<T>) {
      const auto words = json::words(json::As<T>{});
      for (std::size_t i = 0; i < words.size(); ++i)
        if (json == words[i]) return void(x = static_cast<T>(i));
      wrong("one of the words for it");
    } else {
      read_object(json, x);
    }
  }

  // ---- tensors ----

  void read_buffers(const SortedJson& json) {
    if (!json.is_array()) wrong("a list");
    for (std::size_t i = 0; i < json.size(); ++i) at("[" + std::to_string(i) + "]", [&] { read_buffer(json[i]); });
  }

  void read_buffer(const SortedJson& json) {
    const bool is_packed = json.is_object() && json.contains("base64");
    if (!json.is_object() || json.size() != 2 || !json.contains("dtype") || (!is_packed && !json.contains("numbers")))
      wrong("{\"dtype\": ..., \"numbers\": [...]} or {\"dtype\": ..., \"base64\": ...}");
    DType dtype = DType::Float32;
    at("dtype", [&] { read(json["dtype"], dtype); });
    buffers_.push_back(is_packed ? packed_buffer(json["base64"], dtype) : plain_buffer(json["numbers"], dtype));
  }

  Tensor plain_buffer(const SortedJson& numbers, DType dtype) {
    if (!numbers.is_array()) wrong("a list of numbers");
    Tensor buffer = Tensor::empty({static_cast<std::int64_t>(numbers.size())}, dtype);
    dispatch(dtype, [&]<class T>(T) {
      T* out = buffer.mutable_data<T>();
      for (const SortedJson& number : numbers) {
        if constexpr (std::is_same_v<T, float>) {
          double wide = 0;
          read(number, wide);
          *out++ = static_cast<float>(wide);
        } else {
          read(number, *out++);
        }
      }
    });
    return buffer;
  }

  Tensor packed_buffer(const SortedJson& json, DType dtype) {
    const auto bytes = json.is_string() ? from_base64(json.get_ref<const std::string&>()) : std::nullopt;
    const auto size = static_cast<std::size_t>(size_of(dtype));
    if (!bytes || bytes->size() % size != 0) wrong("the base64 of whole numbers of its type");
    const TextBytes stored(place_, *bytes);
    try {
      return read_elements(stored, 0, {static_cast<std::int64_t>(bytes->size() / size)}, dtype);
    } catch (const BadFile& error) {
      fail("", error.what());
    }
  }

  /// The tensor has its place only: its sizes may come later in the object.
  void read(const SortedJson& json, Tensor&) {
    std::vector<std::int64_t> place;
    read(json, place);
    if (place.size() != 2 || !std::in_range<std::size_t>(place[0]) || place[1] < 0 ||
        static_cast<std::size_t>(place[0]) >= buffers_.size())
      wrong("[index into buffers, offset]");
    tensor_place_ = {static_cast<std::size_t>(place[0]), place[1]};
  }

  void read(const SortedJson& json, RecordedValue& value) {
    tensor_place_.reset();
    read_object(json, value);
    if (value.is_tensor && (value.strides.size() != value.shape.size() || value.axes.size() != value.shape.size()))
      wrong("a value with as many strides and axes as sizes");
    if (tensor_place_ && !value.is_tensor) wrong("a tensor where there are numbers");
    if (!tensor_place_) {
      value.kept = value.kept && !value.is_tensor;
      return;
    }
    const Tensor& buffer = buffers_[tensor_place_->first];
    if (buffer.dtype() != value.dtype) wrong("of the type of its buffer");
    if (!lies_within(value.shape, value.strides, tensor_place_->second, buffer.numel()))
      wrong("a tensor that lies within its buffer");
    value.tensor = buffer.as_strided(value.shape, value.strides, tensor_place_->second).snapshot();
  }

  static bool lies_within(const Shape& shape, const Shape& strides, std::int64_t offset, std::int64_t size) {
    std::int64_t last = offset, count = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] < 0 || strides[d] < 0) return false;
      if (shape[d] == 0) count = 0;
      const auto more = checked_mul(std::max<std::int64_t>(shape[d] - 1, 0), strides[d]);
      const auto sum = more ? checked_add(last, *more) : std::nullopt;
      const auto product = checked_mul(count, shape[d]);
      if (!sum || !product || *product > kMostElements) return false;
      last = *sum;
      count = *product;
    }
    return count == 0 || last < size;
  }

  std::string place_;
  std::vector<std::vector<std::string>> words_;
  std::vector<std::shared_ptr<const std::vector<std::string>>> shared_words_;
  std::vector<OriginPtr> origins_;
  std::vector<Tensor> buffers_;
  std::optional<std::pair<std::size_t, std::int64_t>> tensor_place_;
};

/// Whether what is said of one part of a Trace is there in the others.
class References {
 public:
  explicit References(const Trace& trace) : trace_(trace) {}

  void check() {
    for (const TraceBlock& block : trace_.blocks)
      if (const CellRecord* cell = std::get_if<CellRecord>(&block)) check_cell(*cell);
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) check_step(trace_.steps[i], static_cast<StepId>(i));
    for (std::size_t i = 0; i < trace_.ops.size(); ++i) check_op(trace_.ops[i], static_cast<OpId>(i));
    for (const RecordedValue& recorded : trace_.values) check_value(recorded);
    for (const Diagnostic& diagnostic : trace_.diagnostics) check_diagnostic(diagnostic);
  }

 private:
  static void need(bool fine, const char* what) {
    if (!fine) fail("", what);
  }
  template <class T>
  static bool is_in(int id, const std::vector<T>& list, bool or_none = true) {
    return id == -1 ? or_none : std::in_range<std::size_t>(id) && static_cast<std::size_t>(id) < list.size();
  }

  void value(ValueId id, bool or_none = true) const {
    need(is_in(id, trace_.values, or_none), "an index into values leads nowhere");
  }
  void diagnostic(int id, bool or_none = true) const {
    need(is_in(id, trace_.diagnostics, or_none), "an index into diagnostics leads nowhere");
  }
  void span(const Span& span) const {
    need(span.source < trace_.sources.size() && span.end <= trace_.sources[span.source].text.size(),
         "a span leads out of its source");
  }

  void check_cell(const CellRecord& cell) const {
    need(cell.source < trace_.sources.size(), "an index into sources leads nowhere");
    for (const StepId id : cell.steps) {
      need(is_in(id, trace_.steps, false), "an index into steps leads nowhere");
      need(trace_.step(id).span.source == cell.source, "a step of another cell");
    }
    for (const int id : cell.notes) diagnostic(id, false);
    value(cell.result);
    diagnostic(cell.diagnostic, cell.raised.empty());
    if (cell.question) check_question(*cell.question);
    if (cell.comparison) check_comparison(*cell.comparison);
  }

  void check_question(const Question& question) const {
    value(question.value, question.kind != Predict::Shape && question.kind != Predict::Value);
    if (question.kind == Predict::Shape)
      need(trace_.value(question.value).is_tensor, "a shape is asked of what is no tensor");
  }

  void check_comparison(const Comparison& comparison) const {
    const bool raises = comparison.effect == Effect::Raises;
    value(comparison.wrong, raises);
    value(comparison.right, raises);
    if (raises) return;
    const RecordedValue& wrong = trace_.value(comparison.wrong);
    const RecordedValue& right = trace_.value(comparison.right);
    const Difference& found = comparison.difference;
    const std::size_t axes = std::min(wrong.axes.size(), right.axes.size());
    need(found.first.size() <= axes && found.unharmed.size() <= axes, "a difference has more axes than its tensors");
    for (std::size_t d = 0; d < found.first.size(); ++d)
      need(found.first[d] >= 0 && found.first[d] < wrong.shape[d], "a difference lies outside of its tensors");
  }

  void check_step(const Step& step, StepId id) {
    span(step.span);
    need(step.header.source == step.span.source && step.header.begin >= step.span.begin &&
             step.header.begin <= step.header.end && step.header.end <= step.span.end,
         "what is shown of a step lies outside of it");
    need(step.parent >= -1 && step.parent < id, "a step stands in one that comes later");
    const int depth = step.parent < 0 ? 0 : depths_[static_cast<std::size_t>(step.parent)] + 1;
    need(depth <= kDeepestStep, "steps stand in one another too deeply");
    depths_.push_back(depth);
    for (const OpId op : step.ops) need(is_in(op, trace_.ops, false), "an index into ops leads nowhere");
    for (const Binding& binding : step.bindings) {
      value(binding.value);
      value(binding.of);
    }
    value(step.value);
    diagnostic(step.diagnostic);
    for (const int warning : step.warnings) diagnostic(warning, false);
  }

  void check_op(const Op& op, OpId id) const {
    span(op.span);
    need(is_in(op.step, trace_.steps), "an index into steps leads nowhere");
    need(op.parent >= -1 && op.parent < id, "an op is a part of one that comes later");
    need(op.back_through >= -1 && op.back_through < id, "a gradient goes back through an op that comes later");
    for (const OpOperand& input : op.inputs) value(input.value, false);
    for (const ValueId output : op.outputs) value(output, false);
    for (const OpArgument& argument : op.arguments) check_argument(argument);
  }

  void check_argument(const OpArgument& argument) const {
    using Kind = OpArgument::Kind;
    value(argument.value, argument.kind != Kind::Tensor);
    need(argument.kind != Kind::DType || dtype_named(argument.text), "there is no such dtype");
    need(argument.kind != Kind::Slice || argument.items.size() == 3, "a slice has a start, a stop and a step");
    for (const OpArgument& item : argument.items) check_argument(item);
  }

  void check_value(const RecordedValue& value) const {
    for (const AxisRecord& axis : value.axes) {
      const Origin* origin = axis.born.get();
      if (origin && origin->span.source < trace_.sources.size()) span(origin->span);
    }
  }

  // One that belongs to no source has a span that leads nowhere.
  void check_diagnostic(const Diagnostic& diagnostic) const {
    if (diagnostic.span.source < trace_.sources.size()) span(diagnostic.span);
    for (const OperandNote& operand : diagnostic.operands)
      if (operand.span.source < trace_.sources.size()) span(operand.span);
  }

  const Trace& trace_;
  std::vector<int> depths_;
};

}  // namespace

Trace read_trace_json(const std::string& text) {
  if (text.size() > kMaxTraceSize)
    fail("", "this is larger than the allowed " + std::to_string(kMaxTraceSize) + " bytes");
  Trace trace = Reader().trace(parsed(text));
  References(trace).check();
  return trace;
}

}  // namespace attn
