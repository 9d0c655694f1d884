#include "native/compile/kept_image.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "native/compile/cache_folder.h"

namespace strata::native {
namespace {

const std::string kKey(32, 'a');

// A cache of its own: tests run at the same time, in processes of their own.
struct Cache {
  Cache() : path(testing::TempDir() + "strata-kept-images-" + std::to_string(::getpid())) {
    std::filesystem::remove_all(path);
    EXPECT_TRUE(prepare_cache(path).ok());
  }
  ~Cache() { std::filesystem::remove_all(path); }
  std::string file() const { return path + "/" + kKey + ".gpu"; }

  const std::string path;
};

TEST(KeptImage, IsFoundAsItWasKept) {
  const Cache cache;
  EXPECT_FALSE(find_image(cache.path, kKey));
  const std::string image(
      "\x7f"
      "ELF\0with zeros\0",
      16);
  ASSERT_TRUE(keep_image(cache.path, kKey, image).ok());
  EXPECT_EQ(find_image(cache.path, kKey), image);
  EXPECT_FALSE(find_image(cache.path, std::string(32, 'b')));
  ASSERT_TRUE(keep_image(cache.path, kKey, "another").ok());
  EXPECT_EQ(find_image(cache.path, kKey), "another");
}

TEST(KeptImage, ADamagedOneIsNotFound) {
  const Cache cache;
  ASSERT_TRUE(keep_image(cache.path, kKey, "kernels of a model").ok());
  {
    std::fstream file(cache.file(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(3);
    file.put('?');
  }
  EXPECT_FALSE(find_image(cache.path, kKey));
  std::filesystem::resize_file(cache.file(), 5);
  EXPECT_FALSE(find_image(cache.path, kKey));
}

TEST(KeptImage, CountsAsPartOfTheCache) {
  const Cache cache;
  ASSERT_TRUE(keep_image(cache.path, kKey, std::string(1000, 'x')).ok());
  EXPECT_GE(cache_content(cache.path).bytes, 1000u);
  ASSERT_TRUE(clear_cache(cache.path).ok());
  EXPECT_FALSE(std::filesystem::exists(cache.file()));
}

TEST(KeptImage, AFolderThatIsGoneIsAnError) {
  const Status status = keep_image(testing::TempDir() + "strata-no-such-folder", kKey, "image");
  // Nothing could be locked there, so another run may be keeping the image; there is no image in any case.
  EXPECT_FALSE(find_image(testing::TempDir() + "strata-no-such-folder", kKey));
  EXPECT_TRUE(status.ok());
}

}  // namespace
}  // namespace strata::native
