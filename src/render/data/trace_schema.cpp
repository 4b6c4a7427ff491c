// The JSON Schema of a Trace, out of the table of its members.
#include <nlohmann/json.hpp>

#include "render/data/trace_fields.h"
#include "render/data/trace_json.h"
#include "render/formats.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
constexpr std::string_view kName;
template <>
constexpr std::string_view kName<Run> = "Run";
template <>
constexpr std::string_view kName<Prose> = "Prose";
template <>
constexpr std::string_view kName<CellOptions> = "CellOptions";
template <>
constexpr std::string_view kName<Question> = "Question";
template <>
constexpr std::string_view kName<TrapRecord> = "Trap";
template <>
constexpr std::string_view kName<Difference> = "Difference";
template <>
constexpr std::string_view kName<Comparison> = "Comparison";
template <>
constexpr std::string_view kName<CellRecord> = "Cell";
template <>
constexpr std::string_view kName<OperandNote> = "DiagnosticOperand";
template <>
constexpr std::string_view kName<TriedFix> = "Repair";
template <>
constexpr std::string_view kName<Diagnostic> = "Diagnostic";
template <>
constexpr std::string_view kName<Binding> = "Binding";
template <>
constexpr std::string_view kName<Step> = "Step";
template <>
constexpr std::string_view kName<OpOperand> = "Operand";
template <>
constexpr std::string_view kName<OpArgument> = "Argument";
template <>
constexpr std::string_view kName<Op> = "Op";
template <>
constexpr std::string_view kName<Origin> = "Origin";
template <>
constexpr std::string_view kName<AxisRecord> = "Axis";
template <>
constexpr std::string_view kName<RecordedValue> = "Value";
template <>
constexpr std::string_view kName<Touch> = "Touch";
template <>
constexpr std::string_view kName<DataFile> = "DataFile";
template <>
constexpr std::string_view kName<GivenInput> = "Given";
template <>
constexpr std::string_view kName<GivenWeights> = "GivenWeights";
template <>
constexpr std::string_view kName<LoadedTensor> = "LoadedTensor";
template <>
constexpr std::string_view kName<LoadedWeights> = "LoadedWeights";
template <>
constexpr std::string_view kName<RunOptions> = "Options";
template <>
constexpr std::string_view kName<Source> = "Source";
template <>
constexpr std::string_view kName<SessionAnswer> = "Answer";
template <>
constexpr std::string_view kName<SessionLine> = "TypedLine";
template <>
constexpr std::string_view kName<SessionRecord> = "Session";

class SchemaWriter {
 public:
  Json write() {
    Json schema = {
        {"$schema", "https://json-schema.org/draft/2020-12/schema"},
        {"title", "A run of a lesson, a notebook or a script, as attn-tutor records it"},
        {"description",
         "What `attn-tutor export LESSON -o FILE.json` writes. A member that is left out has its default: 0, "
         "false, an empty text, list or object, where no other is given. Indices count from 0; -1 is none."}};
    Json trace = object(Trace{});
    trace["properties"]["words"] = {{"type", "array"},
                                    {"items", of(json::As<std::vector<std::string>>{})},
                                    {"description", "lists of words that axes point to"}};
    trace["properties"]["origins"] = {{"type", "array"},
                                      {"items", of(json::As<Origin>{})},
                                      {"description", "where sizes came from; each stands behind those it is made of"}};
    trace["properties"]["buffers"] = {{"type", "array"}, {"items", {{"$ref", "#/$defs/Buffer"}}}};
    Json properties = {{"format", {{"const", kTranscriptMark}}},
                       {"schema",
                        {{"minimum", kOldestTraceSchema},
                         {"maximum", kTraceSchema},
                         {"description", "what this program writes is " + std::to_string(kTraceSchema)}}}};
    properties.update(trace["properties"]);
    schema["type"] = "object";
    schema["required"] = {"format", "schema"};
    schema["properties"] = properties;
    schema["additionalProperties"] = false;
    schema["$defs"] = defs_;
    schema["$defs"]["Number"] = {
        {"description",
         "read as a double, and narrowed to float32 where that is its type, it is the number of the run"},
        {"oneOf", {{{"type", "number"}}, {{"enum", {"NaN", "Infinity", "-Infinity"}}}}}};
    schema["$defs"]["Span"] = {{"description", "[index into sources, first byte, byte after the last]"},
                               {"type", "array"},
                               {"items", {{"type", "integer"}, {"minimum", 0}}},
                               {"minItems", 3},
                               {"maxItems", 3}};
    schema["$defs"]["Buffer"] = {
        {"description",
         "the numbers of a storage; views of it share them, and so do storages that hold the same. Up to " +
             std::to_string(kMostPlainNumbers) + " stand in `numbers`, more in `base64`"},
        {"type", "object"},
        {"oneOf", {{{"required", {"dtype", "numbers"}}}, {{"required", {"dtype", "base64"}}}}},
        {"properties",
         {{"dtype", of(json::As<DType>{})},
          {"numbers",
           {{"type", "array"}, {"items", {{"oneOf", {{{"$ref", "#/$defs/Number"}}, {{"type", "boolean"}}}}}}}},
          {"base64",
           {{"type", "string"},
            {"contentEncoding", "base64"},
            {"description",
             "the numbers one behind the other, little-endian, each in as many bytes as its type has (a bool in "
             "one)"}}}}},
        {"additionalProperties", false}};
    return schema;
  }

 private:
  static Json reference(std::string_view name) { return {{"$ref", "#/$defs/" + std::string(name)}}; }

  Json of(json::As<bool>) { return {{"type", "boolean"}}; }
  template <std::integral T>
  Json of(json::As<T>) {
    return {{"type", "integer"}};
  }
  Json of(json::As<double>) { return reference("Number"); }
  Json of(json::As<std::string>) { return {{"type", "string"}}; }
  Json of(json::As<Span>) { return reference("Span"); }
  Json of(json::As<std::shared_ptr<const std::vector<std::string>>>) { return {{"type", "integer"}, {"minimum", 0}}; }
  Json of(json::As<OriginPtr>) { return {{"oneOf", {{{"type", "integer"}, {"minimum", 0}}, {{"type", "null"}}}}}; }
  Json of(json::As<Tensor>) {
    return {{"type", "array"}, {"items", {{"type", "integer"}, {"minimum", 0}}}, {"minItems", 2}, {"maxItems", 2}};
  }
  Json of(json::As<TraceBlock>) {
    const auto only = [](const char* name, const Json& type) -> Json {
      return {
          {"type", "object"}, {"required", {name}}, {"properties", {{name, type}}}, {"additionalProperties", false}};
    };
    return {{"oneOf", {only("prose", of(json::As<Prose>{})), only("cell", of(json::As<CellRecord>{}))}}};
  }
  template <class T>
  Json of(json::As<std::optional<T>>) {
    return of(json::As<T>{});
  }
  template <class A, class B>
  Json of(json::As<std::pair<A, B>>) {
    return {
        {"type", "array"}, {"prefixItems", {of(json::As<A>{}), of(json::As<B>{})}}, {"minItems", 2}, {"maxItems", 2}};
  }
  template <class T>
  Json of(json::As<std::vector<T>>) {
    return {{"type", "array"}, {"items", of(json::As<T>{})}};
  }
  Json of(json::As<std::map<std::string, std::string>>) {
    return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
  }
  template <class T>
  Json of(json::As<T>) {
    if constexpr (std::is_enum_v<T>) {
      Json list = Json::array();
      for (const std::string_view word : json::words(json::As<T>{})) list.push_back(word);
      return {{"enum", list}};
    } else {
      static_assert(!kName<T>.empty());
      // First a place for it: an argument may hold arguments.
      if (defs_.emplace(kName<T>, nullptr).second) {
        Json made = object(T{});
        defs_[std::string(kName<T>)] = std::move(made);
      }
      return reference(kName<T>);
    }
  }

  /// A default is told where it is not what one would think.
  static void tell_default(Json& type, int number) {
    if (number != 0) type["default"] = number;
  }
  static void tell_default(Json& type, std::int64_t number) {
    if (number != 0) type["default"] = number;
  }
  static void tell_default(Json& type, bool flag) {
    if (flag) type["default"] = true;
  }
  static void tell_default(Json& type, const std::string& text) {
    if (!text.empty()) type["default"] = text;
  }
  template <class T>
  static void tell_default(Json& type, const T& x) {
    if constexpr (std::is_enum_v<T>) type["default"] = json::words(json::As<T>{})[static_cast<std::size_t>(x)];
  }

  template <class T>
  Json object(const T& x) {
    Json properties = Json::object();
    const auto member = [&](std::string_view name, auto pointer, std::string_view doc) {
      Json type = of(json::As<std::remove_cvref_t<decltype(x.*pointer)>>{});
      type["description"] = doc;
      tell_default(type, x.*pointer);
      properties[std::string(name)] = type;
    };
    json::fields(member, json::As<T>{});
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  }

  Json defs_ = Json::object();
};

}  // namespace

std::string trace_schema() { return SchemaWriter().write().dump(2) + "\n"; }

}  // namespace attn
