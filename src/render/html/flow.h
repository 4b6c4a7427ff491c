#pragma once
// A drawing of where the axes of a tensor went: boxes for the axes, bands from each to what became of it.
#include <map>
#include <string>

#include "engine/trace.h"

namespace attn {

/// The colors of the axes of one page, by their names. Names of the field have the same color on every page; others one
/// that follows from the name, or the next that no axis of the page has.
class AxisColors {
 public:
  explicit AxisColors(const Trace& trace);
  /// "a3": the class of an axis; empty where it has no name.
  std::string class_of(const std::string& name) const;

 private:
  std::map<std::string, int> numbers_;
};

/// The ops of a step that cut, merge or exchange axes, one drawing for each series of them. Empty without any.
std::string html_flow(const Trace& trace, const Step& step, const AxisColors& colors);

}  // namespace attn
