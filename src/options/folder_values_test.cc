#include "options/folder_values.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace strata {
namespace {

namespace fs = std::filesystem;

class FolderValues : public testing::Test {
 protected:
  FolderValues() {
    std::string pattern = (fs::temp_directory_path() / "strata-test-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    fs::create_directory(root_ + "/empty");
    fs::create_directory(root_ + "/full");
    std::ofstream(root_ + "/full/file") << "x";
  }
  ~FolderValues() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  std::string root_;
};

TEST_F(FolderValues, ExistingFolder) {
  EXPECT_TRUE(existing_folder(root_).ok());
  EXPECT_TRUE(existing_folder(root_ + "/full/").ok());
  EXPECT_EQ(existing_folder(root_ + "/none").message(), "'" + root_ + "/none': No such file or directory");
  EXPECT_EQ(existing_folder(root_ + "/full/file").message(), "'" + root_ + "/full/file' is not a folder");
  EXPECT_EQ(existing_folder("").message(), "the name of the folder is empty");
  EXPECT_EQ(existing_folder("").code(), StatusCode::usage);
}

TEST_F(FolderValues, AFolderThatCannotBeWrittenTo) {
  // The superuser may write anywhere, so the test becomes another user.
  constexpr uid_t kNobody = 65534;
  const uid_t user = ::geteuid();
  if (user == 0 && ::seteuid(kNobody) != 0) GTEST_SKIP() << "the superuser cannot become another user";
  const Status status = existing_folder("/");
  ASSERT_EQ(::seteuid(user), 0);
  EXPECT_EQ(status.message(), "'/' cannot be written to: Permission denied");
}

TEST_F(FolderValues, NewOrEmptyFolder) {
  EXPECT_TRUE(new_or_empty_folder(root_ + "/empty").ok());
  EXPECT_TRUE(new_or_empty_folder(root_ + "/new").ok());
  EXPECT_TRUE(new_or_empty_folder(root_ + "/new/").ok());
  EXPECT_TRUE(new_or_empty_folder(root_ + "/full/../new").ok());
  EXPECT_EQ(new_or_empty_folder(root_ + "/full").message(),
            "'" + root_ + "/full' is not empty; name a new folder or an empty one");
  EXPECT_EQ(new_or_empty_folder(root_ + "/full/file").message(), "'" + root_ + "/full/file' is not a folder");
  EXPECT_EQ(new_or_empty_folder(root_ + "/a/b").message(), "'" + root_ + "/a': No such file or directory");
  EXPECT_EQ(new_or_empty_folder(root_ + "/full/file/b").message(),
            "'" + root_ + "/full/file/b': Not a directory");
  EXPECT_EQ(new_or_empty_folder("").message(), "the name of the folder is empty");
  fs::create_directory_symlink(root_ + "/none", root_ + "/dangling");
  EXPECT_EQ(new_or_empty_folder(root_ + "/dangling").message(),
            "'" + root_ + "/dangling': No such file or directory");
}

TEST_F(FolderValues, SameFolder) {
  fs::create_directory_symlink(root_ + "/full", root_ + "/link");
  EXPECT_TRUE(same_folder(root_ + "/full", root_ + "/./full/"));
  EXPECT_TRUE(same_folder(root_ + "/full", root_ + "/link"));
  EXPECT_FALSE(same_folder(root_ + "/full", root_ + "/empty"));
}

}  // namespace
}  // namespace strata
