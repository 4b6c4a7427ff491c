#pragma once
// Small pieces that the axis rules share.
#include <string>
#include <string_view>

#include "python/value.h"

namespace attn {

inline std::size_t as_size(std::int64_t value) { return static_cast<std::size_t>(value); }

/// What the name of an axis claims: "query_len" of "query_len?". A view that cut through query_len leaves that name on
/// an axis of the same size, `cat` on one that is longer.
std::string_view claimed_name(std::string_view name);
/// The name with a doubt: "query_len?".
std::string doubtful(std::string_view name);
/// Whether the name has one.
inline bool is_doubtful(std::string_view name) { return name != claimed_name(name); }

/// The name that an int brings along: of the variable it was assigned to, or of the axis it is the size of. Empty for
/// arithmetic and literals.
std::string name_of(const OriginPtr& origin);

/// The axis that an explicit size asks for: named by its origin when the int has one and equals `size`.
Axis axis_from(const Value& value, std::int64_t size);

/// `axis` as an axis of another size: its name only.
Axis without_words(const Axis& axis);

/// Whether the words on the axis at `place` fit the sizes.
bool words_fit(const Axes& axes, std::size_t place, const Shape& shape);

/// Takes off the words that stand in rows by the axis called `name`: what is at its indices has changed places.
void drop_rows_by(Axes& axes, const std::string& name);

/// Makes `axes` fit the result: another number of axes means that the rule did not understand the call, so all are
/// unnamed; words are dropped where their number is not the size.
Axes fitted(Axes axes, const Tensor& output);

/// How `from` was re-read as `to` (the same elements in the same order): per axis of `to` its axis. An axis that stayed
/// as it was keeps everything; one that several axes were merged into is called "a*b" when all of them have names; the
/// parts of one that was divided are unnamed.
Axes regrouped(const Shape& from, const Axes& axes, const Shape& to);

/// The axis at `place` of `to`, which `from` was re-read as, when it is called `name`: the axis that had the name
/// before if it still walks over the same elements, else one of that name with a doubt.
Axis renamed(const Shape& from, const Axes& axes, const Shape& to, std::size_t place, const Axis& wanted);

/// The name with a doubt of an axis that the view lost, and whose size the unnamed axis at `place` still has. Empty
/// where that is not certain.
std::string lost_name(const Shape& from, const Axes& axes, const Shape& to, std::size_t place);

}  // namespace attn
