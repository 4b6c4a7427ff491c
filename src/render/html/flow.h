#pragma once
// A drawing of where the axes of a tensor went: boxes for the axes, bands from each to what became of it.
#include <map>
#include <string>

#include "engine/trace.h"

namespace attn {

/// The colors of the axes of one page, by their names.
class AxisColors {
 public:
  /// "a3": the class of an axis; empty where it has no name.
  std::string class_of(const std::string& name);

 private:
  std::map<std::string, int> numbers_;
};

/// The ops of a step that cut, merge or exchange axes, one drawing for each series of them. Empty without any.
std::string html_flow(const Trace& trace, const Step& step, AxisColors& colors);

}  // namespace attn
