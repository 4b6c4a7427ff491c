#pragma once
// The namespace of code that is compiled for several levels of the processor: baseline, v3, v4. Inline functions and
// templates of one name, compiled with different instructions, would be one function to the linker, and a processor
// could meet instructions that it lacks. So such code stands in a namespace of this name; CMakeLists.txt defines it for
// the files of kernels/versioned/, and renames Eigen in the same way.
#ifndef ATTN_LEVEL
#define ATTN_LEVEL baseline
#endif
