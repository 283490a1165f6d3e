#!/usr/bin/env bash
# Packs the extension of VS Code with the server inside, for this platform:
#
#   vsix.sh [OUT]    writes OUT/abl-PLATFORM-VERSION.vsix and prints its name; OUT is dist
#
# and leaves in OUT what the extension's tests run inside VS Code.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "${1:-dist}"
out=$(cd "${1:-dist}" && pwd)
scripts/vscode.sh packages >&2
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

platform() {
  local os arch
  os=$(go env GOOS) arch=$(go env GOARCH)
  case $os in
    windows) os=win32 ;;
    linux) ! [ -f /etc/alpine-release ] || os=alpine ;;
  esac
  echo "$os-${arch/amd64/x64}"
}

cp -R editors/vscode/. LICENSE "$stage"
rm -f "$stage/node_modules"
ln -s "$PWD/.cache/vscode/extension/node_modules" "$stage/node_modules"
suffix=$(go env GOEXE)
go build -ldflags "-s -w -X main.version=${VERSION:-dev}" -o "$stage/server/abl-lsp$suffix" ./cmd/abl-lsp
cd "$stage"
node node_modules/typescript/bin/tsc --noEmit
node node_modules/typescript/bin/tsc --noEmit -p media
node build.mjs
version=${VERSION:-}
version=${version#v}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || version=$(node -p 'require("./package.json").version') # no release
file=$out/abl-$(platform)-$version.vsix
node node_modules/@vscode/vsce/vsce package "$version" --no-git-tag-version --no-dependencies --allow-missing-repository --target "$(platform)" --out "$file" >&2
cp dist/test/* "$out"
echo "$file"
