#pragma once
// What is likely meant when a call of an op fails, by the rule that it broke.
#include "engine/repair_trial.h"

namespace attn {

/// Offers the trial every repair that its rule makes likely, the likeliest first.
void try_repairs(Trial& trial);

}  // namespace attn
