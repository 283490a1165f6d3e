# bash completion of abl-lsp, for bash 3.2 and later

# _abl_lsp_words puts the words before the cursor into the array words. bash splits words at
# = and : as well; here they are one.
_abl_lsp_words() {
  local line=$COMP_LINE i word rest
  words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    rest=${line#*"$word"}
    if ((${#words[@]})) && [[ $gap == none ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    line=$rest
    gap=none
    [[ $line == [[:blank:]]* ]] && gap=blank
  done
}

# _abl_lsp_unquote prints a word as a command would get it, but expands nothing except ~.
_abl_lsp_unquote() {
  local word=$1
  case $word in
    \'*) word=${word#\'} word=${word%\'} ;;
    \"*) word=${word#\"} word=${word%\"} ;;
    '~'/*) word=$HOME/${word#'~/'} ;;
  esac
  printf %s "${word//\\/}"
}

_abl_lsp_complete() {
  local words gap=blank word out directive prefix quote line i
  local -a plain=()
  COMPREPLY=()
  _abl_lsp_words
  for word in "${words[@]:1}"; do
    plain+=("$(_abl_lsp_unquote "$word")")
  done
  ((COMP_CWORD)) || return 0
  out=$("${words[0]/#\~\//$HOME/}" REQUEST "${plain[@]}" 2> /dev/null) || return 0
  directive=${out##*:}
  out=${out%:*}
  ((directive & 1)) && return 0 # an error
  type compopt &> /dev/null && {
    ((directive & 2)) && compopt -o nospace 2> /dev/null
    ((directive & 4)) && compopt +o default 2> /dev/null
    ((directive & 32)) && compopt -o nosort 2> /dev/null
  }

  # What bash replaces begins after the last = or : of the word.
  word=${plain[${#plain[@]} - 1]}
  [[ $word == --*=* ]] && word=${word#*=}
  prefix=
  quote=
  case ${COMP_WORDS[COMP_CWORD]} in
    \'* | \"*) quote=yes ;;
    *) prefix=${word%"${word##*[=:]}"} ;;
  esac
  while IFS= read -r line; do
    [[ -z $line || $line == _activeHelp_* ]] && continue
    i=${line%%$'\t'*}
    [[ $i == "$word"* ]] || continue
    i=${i#"$prefix"}
    if [[ -z $quote && $i == *[!A-Za-z0-9_./=:@,+%-]* ]]; then
      i=$(printf %q "$i")
    fi
    COMPREPLY+=("$i")
  done <<< "$out"
  return 0
}

complete -o default -F _abl_lsp_complete abl-lsp
