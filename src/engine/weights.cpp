#include "engine/weights.h"

#include <algorithm>
#include <filesystem>

#include "base/limits.h"
#include "base/sha256.h"
#include "base/text.h"
#include "tensor/io/npy.h"
#include "tensor/io/safetensors.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::uint64_t kQuicklySummed = std::uint64_t{32} << 20;  // bytes: a fifth of a second
constexpr std::uint64_t kBlock = std::uint64_t{1} << 20;

void add_range(Sha256& sum, const BytesAt& bytes, std::uint64_t begin, std::uint64_t end) {
  std::string block;
  for (; begin < end; begin += block.size()) {
    block.resize(static_cast<std::size_t>(std::min(kBlock, end - begin)));
    charge(static_cast<std::int64_t>(block.size()));
    bytes.read_at(begin, std::as_writable_bytes(std::span(block)));
    sum.add(block);
  }
}

std::string last_word(const std::string& name) { return name.substr(name.rfind('.') + 1); }

}  // namespace

Weights::Weights(const GivenWeights& given) : bytes_(std::make_shared<FileBytes>(given.file)) {
  if (given.file.ends_with(".npy")) open_npy();
  else open_safetensors();
  for (const std::string& typed : given.map) maps_.push_back(parse_map(typed));
  name_all();
}

void Weights::open_safetensors() {
  const auto file = std::make_shared<SafetensorsFile>(bytes_);
  for (const StoredTensor& stored : file->tensors())
    tensors_.push_back({stored.name, stored.begin, stored.end, [file, &stored] { return file->read(stored); }});
}

void Weights::open_npy() {
  const Tensor array = read_npy(*bytes_);
  tensors_.push_back({std::filesystem::path(path()).stem().string(), 0, bytes_->size(), [array] { return array; }});
}

std::size_t Weights::place_of(const std::string& name) const {
  const auto found =
      std::find_if(tensors_.begin(), tensors_.end(), [&](const FileTensor& t) { return t.name == name; });
  return static_cast<std::size_t>(found - tensors_.begin());
}

/// The tensors that have the map's name and a dot before their own.
std::vector<std::size_t> Weights::below(const WeightsMap& map) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < tensors_.size(); ++i)
    if (map.from.empty() || tensors_[i].name.starts_with(map.from + ".")) out.push_back(i);
  if (!out.empty()) return out;
  std::vector<std::string> names;
  for (const FileTensor& tensor : tensors_) names.push_back(tensor.name);
  const std::string near = nearest(map.from, names);
  throw UserError(say("weights.map.unknown", {{"map", visible(map.typed)},
                                              {"file", path()},
                                              {"name", visible(map.from)},
                                              {"near", near.empty() ? "" : " (" + did_you_mean(visible(near)) + ")"}}));
}

void Weights::add(const std::string& name, std::size_t tensor, const WeightsMap& map) {
  const auto [entry, is_new] = entries_.try_emplace(name, Entry{tensor, &map, map.part});
  if (!is_new)
    throw UserError(
        say("weights.map.twice",
            {{"map", visible(map.typed)}, {"name", visible(name)}, {"tensor", visible(text(entry->second))}}));
}

void Weights::name_all() {
  std::set<std::size_t> mapped;
  for (const WeightsMap& map : maps_) {
    if (const std::size_t exact = place_of(map.from); exact < tensors_.size()) {
      add(map.to, exact, map);
      mapped.insert(exact);
      continue;
    }
    for (const std::size_t tensor : below(map)) {
      const std::string& name = tensors_[tensor].name;
      const std::string rest = map.from.empty() ? name : name.substr(map.from.size() + 1);
      add(map.to.empty() ? rest : map.to + "." + rest, tensor, map);
      mapped.insert(tensor);
    }
  }
  // h.0.attn.c_attn.weight=qkv may also mean the weight of a layer qkv.
  for (const WeightsMap& map : maps_) {
    const std::size_t exact = place_of(map.from);
    if (exact < tensors_.size()) entries_.try_emplace(map.to + "." + last_word(map.from), Entry{exact, &map, map.part});
  }
  for (std::size_t i = 0; i < tensors_.size(); ++i)
    if (!mapped.contains(i)) entries_.try_emplace(tensors_[i].name, Entry{i, nullptr, ""});
}

const Weights::Entry* Weights::find(const std::string& name) const {
  const auto entry = entries_.find(name);
  return entry == entries_.end() ? nullptr : &entry->second;
}

Tensor Weights::read(const Entry& entry) const {
  const Tensor whole = tensors_[entry.tensor].read();
  return entry.map ? mapped_part(whole, *entry.map) : whole;
}

std::vector<std::string> Weights::unused(const std::set<const Entry*>& used) const {
  std::set<std::pair<std::size_t, std::string>> taken, left;
  for (const Entry* entry : used) taken.emplace(entry->tensor, entry->part);
  for (const auto& [name, entry] : entries_)
    if (!taken.contains({entry.tensor, entry.part})) left.emplace(entry.tensor, entry.part);
  std::vector<std::string> out;
  for (const auto& [tensor, part] : left) out.push_back(tensors_[tensor].name + part);
  return out;
}

Weights::Digest Weights::digest(const std::set<const Entry*>& used) const {
  if (bytes_->size() <= kQuicklySummed || tensors_.size() <= 1) {
    if (!whole_digest_.empty()) return {whole_digest_, true};
    Sha256 sum;
    add_range(sum, *bytes_, 0, bytes_->size());
    return {whole_digest_ = hex_digits(sum.digest()), true};
  }
  std::set<std::pair<std::uint64_t, std::uint64_t>> parts;
  std::uint64_t header = bytes_->size();
  for (const FileTensor& tensor : tensors_) header = std::min(header, tensor.begin);
  for (const Entry* entry : used) parts.emplace(tensors_[entry->tensor].begin, tensors_[entry->tensor].end);
  Sha256 sum;
  add_range(sum, *bytes_, 0, header);
  for (const auto& [begin, end] : parts) add_range(sum, *bytes_, begin, end);
  return {hex_digits(sum.digest()), false};
}

}  // namespace attn
