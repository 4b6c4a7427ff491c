#include "tensor/io/safetensors_json.h"

#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "tensor/io/bad_file.h"

namespace attn {
namespace {

constexpr std::string_view kMetadata = "__metadata__";

/// The events of nlohmann's parser. The levels are: 0 outside, 1 in the header, 2 in an entry of it, 3 in the list of
/// one of a tensor's keys.
class Reader : public nlohmann::json_sax<nlohmann::json> {
 public:
  Reader(const std::string& file, std::string_view text, std::size_t begin) : file_(file), text_(text), begin_(begin) {}

  SafetensorsHeader take() { return std::move(header_); }

  bool start_object(std::size_t) override {
    if (level_ >= 2) wrong("an object");
    ++level_;
    if (level_ == 2) start_entry();
    return true;
  }
  bool end_object() override {
    if (level_ == 2 && !in_metadata()) end_tensor();
    --level_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (level_ != 2 || in_metadata() || inner_ == "dtype") wrong("a list");
    ++level_;
    return true;
  }
  bool end_array() override {
    --level_;
    return true;
  }
  bool key(string_t& word) override {
    if (level_ == 1) {
      if (!names_.insert(word).second) fail("the header has the key " + quoted_word(word) + " twice");
      outer_ = word;
      return true;
    }
    if (!in_metadata() && word != "dtype" && word != "shape" && word != "data_offsets")
      fail(entry() + ": the key " + quoted_word(word) + " is not one of dtype, shape and data_offsets");
    if (!inner_names_.insert(word).second) fail(entry() + ": the key " + quoted_word(word) + " is there twice");
    inner_ = word;
    return true;
  }
  bool string(string_t& word) override {
    if (level_ != 2 || (!in_metadata() && inner_ != "dtype")) wrong("a string");
    if (in_metadata()) header_.metadata.emplace_back(inner_, word);
    if (!in_metadata()) tensor_.type = word;
    return true;
  }
  bool number_unsigned(number_unsigned_t number) override {
    if (level_ != 3) wrong("a number");
    if (inner_ == "data_offsets") {
      if (offsets_ == 2) fail(place() + " has more than two numbers");
      (offsets_++ == 0 ? tensor_.begin : tensor_.end) = number;
      return true;
    }
    if (number > INT64_MAX) fail(place() + " has the size " + std::to_string(number) + ", more than 2**63 - 1");
    if (tensor_.shape.size() == kMostAxes) fail(place() + " has more than " + std::to_string(kMostAxes) + " sizes");
    tensor_.shape.push_back(static_cast<std::int64_t>(number));
    return true;
  }
  bool number_integer(number_integer_t number) override { not_whole(std::to_string(number)); }
  bool number_float(number_float_t, const string_t& word) override { not_whole(word); }
  bool boolean(bool value) override { wrong(value ? "true" : "false"); }
  bool null() override { wrong("null"); }
  bool binary(binary_t&) override { wrong("bytes"); }  // JSON as text has none

  bool parse_error(std::size_t read, const std::string&, const nlohmann::detail::exception&) override {
    // `read` counts the byte that is wrong, or the end as if it were one.
    const std::size_t at = begin_ + (read > 0 ? read - 1 : 0);
    if (at >= text_.size()) fail("the header is no whole JSON: it ends at byte " + std::to_string(text_.size() - 1));
    fail("byte " + std::to_string(at) + ": here the header stops being JSON");
  }

 private:
  bool in_metadata() const { return outer_ == kMetadata; }
  std::string entry() const { return in_metadata() ? quoted_word(kMetadata) : "tensor " + quoted_word(outer_); }
  std::string place() const { return entry() + ": " + quoted_word(inner_); }

  [[noreturn]] void fail(const std::string& text) const { throw BadFile(file_, text); }
  /// A value of another kind than the place has.
  [[noreturn]] void wrong(const std::string& found) const {
    if (level_ == 0) fail("the header is " + found + ", not an object");
    if (level_ == 1) fail(entry() + " is " + found + ", not an object");
    if (in_metadata()) fail(place() + " is " + found + ", not a string");
    if (inner_ == "dtype") fail(place() + " is " + found + ", not a string");
    if (level_ == 2) fail(place() + " is " + found + ", not a list");
    fail(place() + " holds " + found + ", not only whole numbers");
  }
  [[noreturn]] void not_whole(const std::string& number) const {
    if (level_ != 3) wrong("a number");
    fail(place() + " holds " + elide(number, 40) + ", but its numbers are whole and from 0 to 2**64 - 1");
  }

  void start_entry() {
    inner_names_.clear();
    tensor_ = {};
    tensor_.name = outer_;
    offsets_ = 0;
  }
  void end_tensor() {
    for (const char* needed : {"dtype", "shape", "data_offsets"})
      if (!inner_names_.contains(needed)) fail(entry() + ": it has no key " + quoted_word(needed));
    if (offsets_ != 2) fail(entry() + ": \"data_offsets\" are not two numbers");
    if (tensor_.begin > tensor_.end)
      fail(entry() + ": \"data_offsets\" end at " + std::to_string(tensor_.end) + ", before they begin at " +
           std::to_string(tensor_.begin));
    header_.tensors.push_back(std::move(tensor_));
  }

  const std::string& file_;
  std::string_view text_;
  std::size_t begin_;
  SafetensorsHeader header_;
  int level_ = 0;
  std::string outer_, inner_;                  // the keys that lead here
  std::set<std::string> names_, inner_names_;  // no hashes: strangers could choose keys that collide
  StoredTensor tensor_;
  int offsets_ = 0;
};

}  // namespace

SafetensorsHeader parse_safetensors_json(const std::string& file, std::string_view text, std::size_t begin) {
  const std::string_view json = text.substr(begin);
  if (json[0] != '{')
    throw BadFile(file, "byte " + std::to_string(begin) + ": the header does not begin with {" + other_kind(text));
  // nlohmann takes a byte 0 for the end of its input, and would not look at what follows.
  const std::size_t zero = json.find('\0');
  if (zero != std::string_view::npos)
    throw BadFile(file, "byte " + std::to_string(begin + zero) + ": the header holds a byte 0, which JSON has not");
  Reader reader(file, text, begin);
  nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  return reader.take();
}

}  // namespace attn
