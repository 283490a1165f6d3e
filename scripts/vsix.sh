#!/usr/bin/env bash
# Packs the extension of VS Code with the server inside, for this platform:
#
#   vsix.sh [OUT [TESTS]]    writes OUT/abl-PLATFORM-VERSION.vsix and prints its name; OUT is dist
#
# It also writes into TESTS the tests of the extension that run inside VS Code. The linker also
# gets LDFLAGS.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "${1:-dist}"
out=$(cd "${1:-dist}" && pwd)
tests=${2:+$(cd "$2" && pwd)}
scripts/vscode.sh provide_packages >&2
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

print_platform() {
  local os arch
  os=$(go env GOOS) arch=$(go env GOARCH)
  case $os in
    windows) os=win32 ;;
    linux) ! [ -f /etc/alpine-release ] || os=alpine ;;
  esac
  echo "$os-${arch/amd64/x64}"
}

cp -R editors/vscode/. LICENSE "$stage"
rm -rf "$stage/node_modules" # on Windows it is not a link
ln -s "$PWD/.cache/vscode/extension/node_modules" "$stage/node_modules"
mkdir "$stage/schemas"
cp docs/schemas/agent.schema.json "$stage/schemas"
suffix=$(go env GOEXE)
go build -ldflags "-s -w -X main.version=${VERSION:-dev} ${LDFLAGS:-}" -o "$stage/server/abl-lsp$suffix" ./cmd/abl-lsp
root=$PWD
cd "$stage"
node node_modules/typescript/bin/tsc --noEmit
node node_modules/typescript/bin/tsc --noEmit -p media
node build.mjs
(cd "$root" && tr '\n' '\0' < "$stage/dist/packages.txt" | xargs -0 go run ./cmd/notices > "$stage/THIRD-PARTY-NOTICES.txt")
version=${VERSION:-}
version=${version#v}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || version=$(node -p 'require("./package.json").version') # not a release
file=$out/abl-$(print_platform)-$version.vsix
node node_modules/@vscode/vsce/vsce package "$version" --no-git-tag-version --no-dependencies --allow-missing-repository --target "$(print_platform)" --out "$file" >&2
[ -z "$tests" ] || cp dist/test/* "$tests"
echo "$file"
