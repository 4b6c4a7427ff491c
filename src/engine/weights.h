#pragma once
// --weights FILE and --map: a file of parameters, by the names that a lesson gives to its own.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/file_bytes.h"
#include "engine/trace.h"
#include "engine/weights_map.h"
#include "tensor/core/tensor.h"

namespace attn {

class Weights {
 public:
  /// Opens a .safetensors file, or a .npy file, whose array is called as the file is ("fc_q.weight.npy"). Numbers are
  /// read when a lesson takes them.
  ///   Errors: FileError, BadFile; UserError for a --map that cannot be read, names nothing that is in the file,
  ///   or gives a name of the lesson for the second time.
  explicit Weights(const GivenWeights& given);
  Weights(const Weights&) = delete;
  Weights& operator=(const Weights&) = delete;

  /// What is in the file for one name of the lesson.
  struct Entry {
    std::size_t tensor;     // index into tensors()
    const WeightsMap* map;  // null: the whole tensor
    std::string part;       // "[..., :768].T" of the map
  };
  /// Null if it has none.
  const Entry* find(const std::string& name) const;
  /// Elements are read when one of them is looked at.
  ///   Errors: BadFile for a type that is not known; UserError as mapped_part().
  Tensor read(const Entry& entry) const;
  /// "h.0.attn.c_attn.weight[..., :768].T"
  std::string text(const Entry& entry) const { return tensors_[entry.tensor].name + entry.part; }
  const std::string& name_of(const Entry& entry) const { return tensors_[entry.tensor].name; }

  const std::string& path() const { return bytes_->name(); }
  /// Tensors, or parts of them, that none of the `used` entries is, in the order of the file.
  std::vector<std::string> unused(const std::set<const Entry*>& used) const;
  /// The sha256 in hex digits: of the whole file, or, where that would take long, of its header and the tensors used.
  struct Digest {
    std::string digits;
    bool is_whole = true;
  };
  Digest digest(const std::set<const Entry*>& used) const;

 private:
  struct FileTensor {
    std::string name;
    std::uint64_t begin, end;  // in the file
    std::function<Tensor()> read;
  };

  void open_safetensors();
  void open_npy();
  void name_all();
  /// The place of the tensor of that name; size() of them if it is not there.
  std::size_t place_of(const std::string& name) const;
  std::vector<std::size_t> below(const WeightsMap& map) const;
  void add(const std::string& name, std::size_t tensor, const WeightsMap& map);

  std::shared_ptr<const BytesAt> bytes_;
  std::vector<FileTensor> tensors_;
  std::vector<WeightsMap> maps_;
  std::map<std::string, Entry> entries_;  // by the name of the lesson
  mutable std::string whole_digest_;
};

}  // namespace attn
