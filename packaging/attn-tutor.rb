# Homebrew formula. Not tried. `url` and `sha256` are those of a release, which has to be filled in.
class AttnTutor < Formula
  desc "Lessons on attention that run line by line in a terminal"
  homepage "https://example.org/attn-tutor"
  url "https://example.org/attn-tutor/attn-tutor-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "eigen" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "pkg-config" => :build
  depends_on "fmt"
  depends_on "libedit"
  depends_on "md4c"
  depends_on "pcre2"
  depends_on "utf8proc"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja",
           "-DATTN_TESTS=OFF", "-DATTN_WERROR=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "tensor([1., 1.])", shell_output("#{bin}/attn-tutor eval 'torch.ones(2)'")
  end
end
