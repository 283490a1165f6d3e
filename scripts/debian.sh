#!/usr/bin/env bash
# Unpacks programs of another Debian suite into a folder, with the C library
# they were built for. It does not change the system:
#
#   debian.sh ROOT SUITE PACKAGE...    e.g. debian.sh .cache/debian/forky forky neovim
#   debian.sh --wrap ROOT PROGRAM OUT  writes OUT, which runs PROGRAM of ROOT
#
# It uses the mirror of this machine's apt, and apt checks every download against
# Debian's keys. A second call with the same packages does nothing. It needs no root.
set -euo pipefail

fail() {
  echo "$1" >&2
  exit 1
}

wrap_program() {
  local root=$1 program=$2 out=$3 loader path name more environment=
  root=$(realpath "$root")
  loader=$(find "$root" -name 'ld-linux*.so.*' | sort | head -1)
  [ -n "$loader" ] || fail "no dynamic loader below $root"
  mkdir -p "$(dirname "$out")"
  if [ "$program" = chromium-headless-shell ]; then
    wrap_chromium "$root" "$out" "$loader"
    return
  fi
  path=$(find "$root"/usr/bin "$root"/bin "$root"/usr/sbin "$root"/usr/lib/postgresql/*/bin -name "$program" 2> /dev/null | head -1) || true # a suite may lack one of these folders
  [ -n "$path" ] || fail "$root has no program $program"
  if [ "$program" = emacs-nox ]; then
    wrap_emacs "$root" "$out" "$loader" "$path"
    return
  fi
  if ! head -c 4096 "$path" | grep -q ld-linux; then # it needs no libraries, and may start itself again
    ln -sf "$path" "$out"
    return
  fi
  case $program in
    initdb) name=('--argv0 "$0"') more="-L '$(echo "$root"/usr/share/postgresql/*)'" ;; # it starts the server in the same folder
    zsh) name=() more= environment="export ZSH_ROOT='$root'" ;; # where its functions are
    mariadbd) name=() more="--basedir='$root/usr' --lc-messages-dir='$root/usr/share/mysql'" ;;
    *) name=() more= ;;
  esac
  rm -f "$out"
  cat > "$out" <<W
#!/bin/sh
if [ -d '$root/usr/share/nvim/runtime' ]; then
  export VIMRUNTIME='$root/usr/share/nvim/runtime'
fi
if [ -d '$root/usr/lib/hx/runtime' ]; then
  export HELIX_RUNTIME='$root/usr/lib/hx/runtime'
fi
if [ -d '$root/usr/share/vim/vim90' ]; then
  export VIMRUNTIME='$root/usr/share/vim/vim90'
fi
$environment
libs=\$(echo '$root'/usr/lib/*-linux-gnu '$root'/lib/*-linux-gnu | tr ' ' :)
exec '$loader' ${name[*]} --library-path "\$libs" '$path' "\$@" $more
W
  chmod +x "$out"
}

# wrap_emacs writes OUT for an Emacs that finds its Lisp, and the other unpacked packages,
# below ROOT.
wrap_emacs() {
  local root=$1 out=$2 loader=$3 path=$4 dump lisp
  dump=$(find "$root/usr/libexec/emacs" -name '*.pdmp' | head -1)
  lisp=$({ ls -d "$root"/usr/share/emacs/site-lisp/elpa-src/*; find "$root"/usr/share/emacs/*/lisp -type d ! -name obsolete; } | paste -sd:)
  cat > "$out" <<W
#!/bin/sh
export EMACSLOADPATH='$lisp' EMACSDATA='$(echo "$root"/usr/share/emacs/*/etc)' EMACSPATH='$(dirname "$dump")'
libs=\$(echo '$root'/usr/lib/*-linux-gnu '$root'/lib/*-linux-gnu | tr ' ' :)
exec '$loader' --library-path "\$libs" '$path' --dump-file='$dump' "\$@"
W
  chmod +x "$out"
}

# wrap_chromium writes OUT for a program that starts itself again: it writes the loader into
# the program, and the folders of its libraries into the environment.
wrap_chromium() {
  local root=$1 out=$2 loader=$3
  local libs program=$root/usr/lib/chromium/chromium-headless-shell
  libs=$(echo "$root"/usr/lib/*-linux-gnu "$root"/usr/lib/*-linux-gnu/pulseaudio "$root"/lib/*-linux-gnu | tr ' ' :)
  local patchelf=("$loader" --library-path "$libs" "$root/usr/bin/patchelf")
  if [ "$("${patchelf[@]}" --print-interpreter "$program")" != "$loader" ]; then
    "${patchelf[@]}" --set-interpreter "$loader" --output "$program.new" "$program"
    mv -f "$program.new" "$program" # a copy of the cache keeps its own file
  fi
  rm -f "$out"
  cat > "$out" <<W
#!/bin/sh
export FONTCONFIG_SYSROOT='$root' LD_LIBRARY_PATH='$libs'
exec '$program' "\$@"
W
  chmod +x "$out"
}

# print_mirror prints the first plain Debian mirror of this machine's apt sources.
print_mirror() {
  cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    grep -E '^(URIs:|deb )' | grep -oE 'https?://[^ ]+/debian/?( |$)' | tr -d ' ' | head -1 || true
}

# configure_apt writes an apt configuration that ignores the system's packages, so that
# apt fetches all dependencies. It uses the system's proxy.
configure_apt() {
  local apt=$1 suite=$2 url=$3 keys=$4
  mkdir -p "$apt"/etc/apt/{apt.conf.d,preferences.d,sources.list.d,trusted.gpg.d} \
    "$apt"/var/lib/apt/lists/partial "$apt"/var/cache/apt/archives/partial "$apt"/var/lib/dpkg
  : > "$apt/var/lib/dpkg/status"
  echo "deb [signed-by=$keys] $url $suite main" > "$apt/etc/apt/sources.list"
  {
    apt-config dump | grep -iE '^Acquire::https?::Proxy' || true
    cat <<C
Dir "$apt";
Dir::State "$apt/var/lib/apt";
Dir::State::status "$apt/var/lib/dpkg/status";
Dir::Cache "$apt/var/cache/apt";
Dir::Etc "$apt/etc/apt";
APT::Architecture "$(dpkg --print-architecture)";
APT::Architectures { "$(dpkg --print-architecture)"; };
APT::Install-Recommends "false";
APT::Sandbox::User "$(id -un)";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Check-Valid-Until "false";
Acquire::Retries "2";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
Debug::NoLocking "true";
C
  } > "$apt/apt.conf"
}

unpack_packages() {
  local root=$1 suite=$2 url keys=/usr/share/keyrings/debian-archive-keyring.gpg
  shift 2
  local wanted="$suite $*"
  if [ "$(cat "$root/.unpacked" 2>/dev/null)" = "$wanted" ]; then
    return
  fi
  command -v apt-get dpkg-deb >/dev/null || fail "this machine has no apt"
  [ -r "$keys" ] || fail "this machine does not have Debian's archive keys"
  url=$(print_mirror)
  [ -n "$url" ] || fail "this machine's apt sources name no Debian mirror"

  rm -rf "$root"
  mkdir -p "$root"
  root=$(realpath "$root")
  configure_apt "$root/.apt" "$suite" "$url" "$keys"
  export APT_CONFIG=$root/.apt/apt.conf
  apt-get -q update > "$root/.apt/log" 2>&1 || fail "the Debian mirror does not answer for $suite ($(tail -1 "$root/.apt/log"))"
  apt-get -q -y --download-only install "$@" >> "$root/.apt/log" 2>&1 || fail "Debian $suite does not give $* ($(tail -1 "$root/.apt/log"))"
  for deb in "$root"/.apt/var/cache/apt/archives/*.deb; do
    dpkg-deb -x "$deb" "$root"
  done
  rm -rf "$root/.apt"
  echo "$wanted" > "$root/.unpacked"
}

if [ "$1" = --wrap ]; then
  shift
  wrap_program "$@"
else
  unpack_packages "$@"
fi
