#include "render/data/trace_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "base/text.h"
#include "render/data/trace_fields.h"
#include "render/formats.h"
#include "render/ledger.h"
#include "render/text.h"
#include "tensor/io/stored_elements.h"
#include "tests/render/lesson_traces.h"
#include "tests/render/trace_builder.h"

namespace attn {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

TEST(EveryLesson, GivesTheSameViewsWhenItIsReadBack) {
  for (const Trace& trace : test::lesson_traces()) {
    const std::string text = write_trace_json(trace);
    const Trace back = read_trace_json(text);
    EXPECT_TRUE(write_trace_json(back) == text) << trace.title;
    EXPECT_TRUE(render_text(back) == render_text(trace)) << trace.title;
    EXPECT_TRUE(render_ledger(back) == render_ledger(trace)) << trace.title;
    if (text.size() > (16 << 20)) continue;  // where a lesson trains, the other formats take half a minute
    for (const Format& format : all_formats()) {
      if (format.name == "html" && text.size() > (1 << 20)) continue;  // of one large lesson it takes seconds
      EXPECT_TRUE(format.render(back, {100}) == format.render(trace, {100})) << trace.title << " " << format.name;
    }
  }
}

/// The bits of the numbers of a tensor that went to JSON and back.
template <class T>
std::vector<T> through_json(const std::vector<T>& numbers) {
  test::TraceBuilder builder;
  builder.tensor(Tensor::from(numbers, {static_cast<std::int64_t>(numbers.size())}), {"x"});
  const Trace back = read_trace_json(write_trace_json(builder.trace));
  const T* data = back.values.at(0).tensor.data<T>();
  return {data, data + numbers.size()};
}

/// Processors differ in the sign of the NaN that they make; the file does not, and reads back as it was written.
TEST(TraceJson, NanOfEitherSignIsOne) {
  test::TraceBuilder builder;
  builder.tensor(Tensor::from(std::vector<float>{std::nanf("")}, {1}), {"x"});
  builder.tensor(Tensor::from(std::vector<float>{-std::nanf("")}, {1}), {"x"});
  const std::string text = write_trace_json(builder.trace);
  EXPECT_EQ(write_trace_json(read_trace_json(text)), text);
}

TEST(TraceJson, NumbersAreExact) {
  std::vector<float> narrow = {0.0f,
                               -0.0f,
                               0.1f,
                               1e-45f,
                               3.4028235e38f,
                               16777217.0f,
                               1e10f,
                               -1.1754944e-38f,
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity()};
  // Every pattern of bits a prime apart: all exponents, and fractions of all kinds.
  for (std::uint64_t bits = 1; bits <= UINT32_MAX; bits += 104'729) {
    const float number = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isfinite(number)) narrow.push_back(number);
  }
  const std::vector<float> back = through_json(narrow);
  for (std::size_t i = 0; i < narrow.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(back[i]), std::bit_cast<std::uint32_t>(narrow[i])) << narrow[i];
  EXPECT_TRUE(std::isnan(through_json(std::vector<float>{std::nanf("")})[0]));

  const std::vector<double> wide = {0.1, -0.0, 5e-324, 1.7976931348623157e308, 1.0 / 3};
  const std::vector<double> wide_back = through_json(wide);
  for (std::size_t i = 0; i < wide.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(wide_back[i]), std::bit_cast<std::uint64_t>(wide[i]));
  const std::vector<std::int64_t> whole = {INT64_MIN, -1, 0, (std::int64_t{1} << 53) + 1, INT64_MAX};
  EXPECT_EQ(through_json(whole), whole);
}

std::string written(const Tensor& x) {
  test::TraceBuilder builder;
  builder.tensor(x, {});
  return write_trace_json(builder.trace);
}

TEST(TraceJson, ManyNumbersStandInBase64) {
  const Json few = Json::parse(written(test::counting({kMostPlainNumbers})))["buffers"][0];
  EXPECT_EQ(few["numbers"].size(), static_cast<std::size_t>(kMostPlainNumbers));
  const Json many = Json::parse(written(test::counting({kMostPlainNumbers + 1})))["buffers"][0];
  EXPECT_FALSE(many.contains("numbers"));
  // 0., 1., 2. in three little-endian float32, by Python: base64.b64encode(struct.pack("<3f", 0, 1, 2))
  EXPECT_TRUE(many["base64"].get<std::string>().starts_with("AAAAAAAAgD8AAABA"));
}

TEST(TraceJson, NumbersOfEveryTypeComeBack) {
  for (std::size_t i = 0; i < kDTypes; ++i) {
    const auto dtype = static_cast<DType>(i);
    for (const std::int64_t count : {std::int64_t{7}, 2 * kMostPlainNumbers}) {
      Tensor x = Tensor::empty({count}, dtype);
      dispatch(dtype, [&]<class T>(T) {
        for (std::int64_t k = 0; k < count; ++k) x.mutable_data<T>()[k] = static_cast<T>(k % 2 ? k % 100 : 0);
      });
      test::TraceBuilder builder;
      builder.tensor(x, {});
      const Tensor back = read_trace_json(write_trace_json(builder.trace)).values.at(0).tensor;
      EXPECT_EQ(back.dtype(), dtype);
      EXPECT_EQ(element_bytes(back), element_bytes(x)) << short_name(dtype) << " " << count;
    }
  }
}

TEST(TraceJson, EqualNumbersAreWrittenOnce) {
  test::TraceBuilder builder;
  for (const float scale : {1.0f, 1.0f, 2.0f}) builder.tensor(test::counting({2, 3}, scale), {});
  const std::string text = write_trace_json(builder.trace);
  EXPECT_EQ(Json::parse(text)["buffers"].size(), 2u);
  const Trace back = read_trace_json(text);
  EXPECT_NE(back.values[0].storage, back.values[1].storage) << "they are no views of one another";
  EXPECT_EQ(write_trace_json(back), text);
}

TEST(TraceJson, FilesOfTheFirstSchemaAreRead) {
  const std::string text =
      R"({"format": "attn-tutor transcript", "schema": 1, "title": "Old", "number": 7,
          "values": [{"type": "Tensor", "is_tensor": true, "shape": [2], "strides": [1], "axes": [{}],
                      "tensor": [0, 0]}],
          "buffers": [{"dtype": "float32", "numbers": [0.5, "NaN"]}]})";
  const Trace trace = read_trace_json(text);
  EXPECT_EQ(trace.title, "Old");
  EXPECT_EQ(trace.values.at(0).tensor.data<float>()[0], 0.5f);
  EXPECT_EQ(trace.schema, kTraceSchema) << "what is written from now on";
}

TEST(TraceJson, WhatTheLearnerDidComesBack) {
  test::TraceBuilder builder;
  SessionRecord session;
  session.step = 3;
  session.steps = 9;
  session.parameters = {{"seed", "0"}, {"sentences", "['a\x1b[31m', '</script>']"}};
  session.answers = {{2, "What is the shape?", "3 2", "[3, 2]", Mark::Right, 1, 2},
                     {3, "Does it raise?", "", "Yes", Mark::Skipped, 0, 0}};
  session.typed = {{3, "print('\u202e')", "\u202e\n"}, {0, "1 / 0", ""}};
  session.began = "2024-05-01 10:00 UTC";
  builder.trace.session = session;
  const std::string text = write_trace_json(builder.trace);
  EXPECT_EQ(read_trace_json(text).session, session);
  EXPECT_EQ(visible(text), text);
  EXPECT_EQ(Json::parse(session_json(session)), Json::parse(text)["session"]);
  EXPECT_FALSE(Json::parse(written(test::counting({1}))).contains("session"));
}

TEST(TraceJson, ViewsShareTheirNumbers) {
  test::TraceBuilder builder;
  const Tensor x = test::counting({2, 3});
  builder.tensor(x, {"a", "b"});
  builder.tensor(x.as_strided({3, 2}, {1, 3}, 0), {"b", "a"});
  const std::string text = write_trace_json(builder.trace);
  EXPECT_EQ(Json::parse(text)["buffers"].size(), 1u);
  const Trace back = read_trace_json(text);
  EXPECT_EQ(back.values[1].tensor.strides(), (Shape{1, 3}));
  EXPECT_EQ(back.values[0].tensor.storage().buffer, back.values[1].tensor.storage().buffer);
}

TEST(TraceJson, TextThatSteersStandsInEscapes) {
  const Trace trace = test::hostile_trace();
  const std::string text = write_trace_json(trace);
  EXPECT_EQ(visible(text), text);
  EXPECT_EQ(read_trace_json(text).title, trace.title);
  EXPECT_EQ(render_text(read_trace_json(text)), render_text(trace));
}

std::string refusal(const std::string& text) {
  try {
    read_trace_json(text);
  } catch (const TraceFormatError& error) {
    return error.what();
  }
  return "(it was read)";
}

/// A small record, changed by `change`.
template <class Change>
std::string refusal_of(const Change& change) {
  test::TraceBuilder builder;
  CellRecord& cell = builder.cell("x = f(y)");
  cell.question.emplace();
  builder.bind("x", builder.tensor(test::counting({2, 3}), {"a", "b"}));
  builder.op("f", {{"y", 0}}, {0});
  Json json = Json::parse(write_trace_json(builder.trace));
  change(json);
  return refusal(json.dump());
}

TEST(TraceJson, ReadsWhatItWrites) {
  EXPECT_EQ(refusal_of([](Json&) {}), "(it was read)");
}

TEST(TraceJson, RefusesWhatIsNoTrace) {
  EXPECT_EQ(refusal("{"), "line 1, column 2: here the file stops being JSON");
  EXPECT_EQ(refusal("{\"a\":\n \"é\" 5}"), "line 2, column 6: here the file stops being JSON");
  EXPECT_EQ(refusal(""), "line 1, column 1: here the file stops being JSON");
  EXPECT_THAT(refusal("[]"), HasSubstr("this is no attn-tutor transcript"));
  EXPECT_THAT(refusal(std::string(100'000, '[')), HasSubstr("nested too deeply"));
  EXPECT_THAT(refusal(R"({"format": "attn-tutor transcript", "schema": 1, "title": "a", "title": "b"})"),
              HasSubstr("title is there twice"));
  EXPECT_THAT(refusal(R"({"format": "attn-tutor transcript", "schema": 3})"), HasSubstr("schema: only files of"));
  EXPECT_THAT(refusal(R"({"format": "attn-tutor transcript", "schema": "1"})"), HasSubstr("schema: should be an"));
  EXPECT_THAT(refusal(R"({"format": "attn-tutor transcript"})"), HasSubstr("schema: only files of"));
}

TEST(TraceJson, RefusesWhatLeadsNowhere) {
  struct Case {
    void (*change)(Json&);
    const char* message;
  };
  const Case kCases[] = {
      {[](Json& j) { j["extra"] = 1; }, "there is no member extra"},
      {[](Json& j) { j["steps"][0]["extra"] = 1; }, "steps[0]: there is no member extra"},
      {[](Json& j) { j["title"] = 3; }, "title: should be a text"},
      {[](Json& j) { j["number"] = 1e300; }, "number: should be an integer"},
      {[](Json& j) { j["number"] = 4294967296; }, "number: should be an integer"},
      {[](Json& j) { j["form"] = "book"; }, "form: should be one of the words"},
      {[](Json& j) { j["blocks"][0] = 1; }, "blocks[0]: should be"},
      {[](Json& j) {
         j["steps"][0]["span"] = {0, 5, 1};
       },
       "steps[0].span: should be"},
      {[](Json& j) {
         j["steps"][0]["span"] = {0, 0, 1000};
       },
       "a span leads out of its source"},
      {[](Json& j) {
         j["steps"][0]["span"] = {7, 0, 0};
       },
       "a step of another cell"},
      {[](Json& j) { j["steps"][0]["parent"] = 0; }, "a step stands in one that comes later"},
      {[](Json& j) { j["steps"][0]["ops"] = {3}; }, "an index into ops leads nowhere"},
      {[](Json& j) { j["steps"][0]["bindings"][0]["value"] = 9; }, "an index into values leads nowhere"},
      {[](Json& j) { j["steps"][0]["diagnostic"] = 0; }, "an index into diagnostics leads nowhere"},
      {[](Json& j) { j["ops"][0]["inputs"][0]["value"] = -1; }, "an index into values leads nowhere"},
      {[](Json& j) { j["ops"][0]["parent"] = 4; }, "an op is a part of one that comes later"},
      {[](Json& j) { j["ops"][0]["back_through"] = 4; }, "a gradient goes back through an op that comes later"},
      {[](Json& j) { j["steps"][0]["bindings"][0]["of"] = 9; }, "an index into values leads nowhere"},
      {[](Json& j) { j["blocks"][0]["cell"]["source"] = 4; }, "an index into sources leads nowhere"},
      {[](Json& j) { j["blocks"][0]["cell"]["steps"] = {4}; }, "an index into steps leads nowhere"},
      {[](Json& j) { j["blocks"][0]["cell"]["question"]["kind"] = "shape"; }, "an index into values leads nowhere"},
      {[](Json& j) {
         j["values"][0]["strides"] = {300, 1};
       },
       "should be a tensor that lies within its buffer"},
      {[](Json& j) {
         j["values"][0]["strides"] = {-3, 1};
       },
       "should be a tensor that lies within its buffer"},
      {[](Json& j) { j["values"][0]["strides"] = {1}; }, "as many strides"},
      {[](Json& j) {
         j["values"][0]["shape"] = {1LL << 40, 3};
       },
       "should be a tensor that lies within its buffer"},
      {[](Json& j) {
         j["values"][0]["shape"] = {INT64_MAX, INT64_MAX};
       },
       "should be a tensor that lies within"},
      {[](Json& j) {
         j["values"][0]["tensor"] = {0, 1};
       },
       "should be a tensor that lies within its buffer"},
      {[](Json& j) {
         j["values"][0]["tensor"] = {1, 0};
       },
       "should be [index into buffers, offset]"},
      {[](Json& j) { j["values"][0]["dtype"] = "int64"; }, "should be of the type of its buffer"},
      {[](Json& j) { j["values"][0]["axes"][0]["words"] = 0; }, "should be an index into words"},
      {[](Json& j) { j["values"][0]["axes"][0]["born"] = 0; }, "should be an index into origins"},
      {[](Json& j) { j["buffers"][0]["numbers"][0] = "zero"; }, "should be a number"},
      {[](Json& j) { j["buffers"][0]["dtype"] = "int64", j["buffers"][0]["numbers"] = {1.5}; }, "should be an integer"},
      {[](Json& j) { j["buffers"][0]["base64"] = "AAAA"; }, "buffers[0]: should be {"},
      {[](Json& j) {
         j["buffers"][0] = {{"dtype", "float32"}, {"base64", "AAAAAA=="}, {"more", 1}};
       },
       "buffers[0]: should be {"},
      {[](Json& j) {
         j["buffers"][0] = {{"dtype", "float32"}, {"base64", 3}};
       },
       "buffers[0]: should be the base64 of"},
      {[](Json& j) {
         j["buffers"][0] = {{"dtype", "float32"}, {"base64", "AAAAA==="}};
       },
       "buffers[0]: should be the base64 of"},
      {[](Json& j) {
         j["buffers"][0] = {{"dtype", "float32"}, {"base64", "AAAA"}};
       },
       "buffers[0]: should be the base64 of whole numbers"},
      {[](Json& j) {
         j["buffers"][0] = {{"dtype", "bool"}, {"base64", "AQIB"}};
       },
       "a bool is 0 or 1"},
      {[](Json& j) {
         j["buffers"][0] = {{"dtype", "float32"}, {"base64", "AAAAAA=="}};
       },
       "should be a tensor that lies within its buffer"},
      {[](Json& j) {
         j["session"] = {{"answers", {{{"mark", "fine"}}}}};
       },
       "session.answers[0].mark: should be one of the words"},
      {[](Json& j) { j["session"] = nullptr; }, "session: should be an object"},
      {[](Json& j) {
         j["origins"] = {{{"depth", 9}}};
       },
       "of a depth that can be"},
      {[](Json& j) {
         j["origins"] = {{{"operands", {0}}}};
       },
       "should be an index into origins"},
  };
  for (const Case& each : kCases) EXPECT_THAT(refusal_of(each.change), HasSubstr(each.message));
}

/// Some value in the tree, found by chance, becomes another.
void spoil(Json& json, std::minstd_rand& chance) {
  Json* at = &json;
  while (at->is_structured() && !at->empty() && chance() % 8 != 0) {
    auto child = at->begin();
    std::advance(child, static_cast<std::ptrdiff_t>(chance() % at->size()));
    at = &*child;
  }
  const Json kOthers[] = {-1, 0, 1, 2, 7, 1000, INT64_MAX, 0.5, "x", "shape", true, nullptr, Json::array(), {0, 3, 5}};
  *at = kOthers[chance() % std::size(kOthers)];
}

TEST(TraceJson, WhatIsReadCanBeShown) {
  const Json whole = Json::parse(write_trace_json(test::lesson_trace(0)));
  std::minstd_rand chance(1);
  int was_read = 0;
  for (int i = 0; i < 400; ++i) {
    Json json = whole;
    // Blocks, steps, ops and values; not the numbers, of which most is.
    const char* const kParts[] = {"blocks", "steps", "ops", "values", "diagnostics", "sources", "origins"};
    spoil(json[kParts[chance() % std::size(kParts)]], chance);
    try {
      const Trace trace = read_trace_json(json.dump());
      ++was_read;
      for (const Format& format : all_formats()) format.render(trace, {100});
    } catch (const TraceFormatError&) {
    }
  }
  EXPECT_GT(was_read, 20);
  EXPECT_LT(was_read, 380);
}

TEST(TraceJson, WordsOfEnumerationsAreThoseThatAreShown) {
  const auto words = json::words(json::As<DType>{});
  ASSERT_EQ(words.size(), kDTypes);
  for (std::size_t i = 0; i < kDTypes; ++i) EXPECT_EQ(words[i], short_name(static_cast<DType>(i)));
  const auto codes = json::words(json::As<Code>{});
  for (std::size_t i = 0; i < codes.size(); ++i) EXPECT_EQ(codes[i], code_name(static_cast<Code>(i)));
  EXPECT_EQ(codes.back(), code_name(Code::Interrupt));
}

// ATTN_UPDATE_GOLDEN=1 writes the file.
TEST(TraceJson, TheSchemaIsDocumented) {
  const std::string path = ATTN_SOURCE_DIR "/docs/trace.schema.json";
  if (std::getenv("ATTN_UPDATE_GOLDEN")) std::ofstream(path) << trace_schema();
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), trace_schema());
}

}  // namespace
}  // namespace attn
