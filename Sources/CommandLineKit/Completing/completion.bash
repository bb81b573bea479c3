# Completes latchkey in bash. Load it with: source <(latchkey completion bash)
_latchkey() {
    local offset answer
    mapfile -t answer < <(command latchkey complete bash -- "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" \
        "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null </dev/null)
    COMPREPLY=("${answer[@]:1}")
    [[ ${answer[0]} == @(file|directory|command) ]] || return
    # With the package bash-completion, the command line of another program is completed as that program does it.
    for offset in _comp_command_offset _command_offset; do
        [[ ${answer[4]} == +([0-9]) ]] && declare -F $offset >/dev/null || continue
        $offset "${answer[4]}"
        return
    done
    [[ ${answer[0]} == command ]] || compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -A "${answer[0]}" -P "${answer[1]}" -- "${answer[2]}")
    COMPREPLY=("${COMPREPLY[@]#"${answer[3]}"}")
}
complete -F _latchkey latchkey
