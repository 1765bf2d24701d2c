
# bash splits a word at each colon, and completes only the part after the last colon. Therefore words such as `usb:1-2` and
# `virtual:ntag213` are joined before nfctool completes them, and split again afterwards. Both functions that do this are from
# the package bash-completion.
_nfctool_with_colons() {
    local cur prev words cword
    _get_comp_words_by_ref -n : cur prev words cword
    COMP_WORDS=("${words[@]}")
    COMP_CWORD=$cword
    _nfctool "$1" "$cur" "$prev"
    __ltrim_colon_completions "$cur"
}
complete -o filenames -F _nfctool_with_colons nfctool
