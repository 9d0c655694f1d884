# What ./strata and ./test share: the Debian packages, and building a preset when its sources changed. Sourced, with
# $root set to the repository; defines functions and does nothing by itself, because ./strata must start quickly.

build_packages=(g++ cmake ninja-build libfmt-dev nlohmann-json3-dev libyaml-cpp-dev libxxhash-dev liburing-dev
  libedit-dev libjs-chart.js)
# What the unit tests and the house rules need; what other tests need, by their label (tests/CMakeLists.txt). A test
# whose packages are missing is skipped and says so.
unit_packages=(libgtest-dev python3)
declare -A label_packages=(
  [house]="clang-format-14"
  [program]="python3-jsonschema mandoc zsh fish neovim dpkg-dev lintian m4 clang pkg-config pybind11-dev python3-dev
    graphviz python3-networkx"
  [peer]="rumur spin"
  [browser]="chromium chromium-driver python3-selenium"
  [mpi]="mpi-default-dev"
  [build]="clang clang-tidy-14 libclang-rt-14-dev"
)

# The exit code of a system error (doc/manual.md): set-up is part of what the user sees as strata.
system_error=153

say() { printf 'strata: %s\n' "$*" >&2; }

# Prints those of the packages that are not installed.
missing_packages() {
  local installed package
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii *//p') || true
  for package in "$@"; do
    grep -qxF -- "$package" <<<"$installed" || printf '%s\n' "$package"
  done
}

# Installs those of the packages that are missing. Where the variable STRATA_NO_INSTALL is set, it only names them and
# fails. On a system without dpkg it does nothing: CMake then names whatever it cannot find.
install_packages() {
  command -v dpkg-query >/dev/null || return 0
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  if [[ -n ${STRATA_NO_INSTALL-} ]]; then
    say "these Debian packages are missing (nothing is installed, because STRATA_NO_INSTALL is set):"
    say "    apt-get install ${missing[*]}"
    return "$system_error"
  fi

  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
      say "these Debian packages are missing, and installing them needs root (or sudo without a password):"
      say "    apt-get install ${missing[*]}"
      return "$system_error"
    fi
    as_root=(sudo -n)
  fi
  say "installing Debian packages: ${missing[*]}"
  local log
  log=$(mktemp) || return "$system_error"
  local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get install -y -q --no-install-recommends "${missing[@]}")
  # A machine that never fetched the package lists fails at once; the lists are fetched only then.
  if "${install[@]}" </dev/null >"$log" 2>&1 ||
    { "${as_root[@]}" apt-get update -q </dev/null >>"$log" 2>&1 && "${install[@]}" </dev/null >>"$log" 2>&1; }; then
    rm -f "$log"
    return 0
  fi
  cat "$log" >&2
  rm -f "$log"
  say "apt-get failed (above). Install these packages by hand, then try again: ${missing[*]}"
  return "$system_error"
}

# True when the program of build/PRESET has been built (by build_preset) and nothing that the build reads is newer.
is_current() {
  local stamp=$root/build/$1/built built_in
  [[ -f $stamp && -x $root/build/$1/strata ]] || return 1
  read -r built_in <"$stamp" || return 1
  [[ $built_in == "$root" ]] || return 1
  [[ -z $(find "$root/src" "$root/cmake" "$root/CMakeLists.txt" "$root/CMakePresets.json" \
    -newer "$stamp" -print -quit 2>&1) ]]
}

# True when mpirun or srun started this process as one of several, MPI can be built with, and build/PRESET has been
# built without it: the package was installed since.
lacks_mpi() {
  [[ -n ${OMPI_COMM_WORLD_SIZE-}${PMI_SIZE-}${MV2_COMM_WORLD_SIZE-}${SLURM_STEP_NUM_TASKS-} ]] &&
    [[ ! -e $root/build/$1/libstrata_mpi.so ]] && command -v mpicxx >/dev/null
}

# True when build/PRESET is a configured tree of this repository. One that was copied or moved with the repository is
# of no use, because CMake caches absolute paths.
has_tree() {
  [[ -f $root/build/$1/build.ninja ]] &&
    grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$root/build/$1/CMakeCache.txt"
}

# building WHAT CORE_SECONDS PRESET: says on standard error what is built, and for a first build how long that takes on
# a machine with as many cores, from the processor time that it took on a virtual x86-64 machine in November 2026.
building() {
  local cores minutes
  if has_tree "$3"; then
    say "building $1 ..."
  else
    cores=$(nproc)
    minutes=$(((($2 / cores) + 59) / 60))
    say "building $1: about $minutes min with $cores cores, this once ..."
  fi
}

# show_progress LOG WHAT: copies a build's output to LOG and tells on standard error how far it is: on a terminal in
# one line that changes, elsewhere in a line every twenty seconds.
show_progress() {
  local log=$1 what=$2 line shown=$SECONDS told=
  : >"$log" || return "$system_error"
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    if [[ -t 2 ]]; then
      printf '\rstrata: %s: %d of %d steps, %d s ' "$what" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$SECONDS" >&2
      told=yes
    elif ((SECONDS - shown >= 20)); then
      shown=$SECONDS
      say "$what: ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} steps, $SECONDS s"
    fi
  done
  [[ -z $told ]] || printf '\n' >&2
}

# build_preset PRESET TARGETS [CMAKE-OPTION...]: configures and builds targets of build/PRESET, a word each. Tells its
# progress; on failure the log goes to standard error. The stamp of is_current bears the time before the build, so that
# a file edited meanwhile counts as changed. The caller holds the lock.
build_preset() {
  local preset=$1 targets
  read -r -a targets <<<"$2"
  shift 2
  local tree=$root/build/$preset
  mkdir -p "$tree" || return "$system_error"
  has_tree "$preset" || set -- --fresh "$@"
  printf '%s\n' "$root" >"$tree/building"
  export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
  # What ninja prints before each step; the user may have another taste.
  if ! (export NINJA_STATUS='[%f/%t] ' && cd "$root" && cmake --preset "$preset" "$@" &&
    cmake --build --preset "$preset" --target "${targets[@]}") </dev/null 2>&1 |
    show_progress "$tree/build.log" "building"; then
    cat "$tree/build.log" >&2
    say "the build failed (above; also in $tree/build.log)"
    return "$system_error"
  fi
  # Test programs alone say nothing about the program.
  [[ ${targets[0]} != unit_tests ]] || return 0
  mv "$tree/building" "$tree/built"
}

# with_lock COMMAND...: runs a function while no other ./strata or ./test of this repository builds.
with_lock() {
  if ! mkdir -p "$root/build" || ! : >>"$root/build/lock"; then
    say "cannot write to $root/build, where strata is built"
    return "$system_error"
  fi
  (
    flock 9 || exit "$system_error"
    "$@" 9>&-
  ) 9>>"$root/build/lock"
}
