#compdef latchkey
# Completes latchkey in zsh. Save it as _latchkey in a folder of $fpath, or source <(latchkey completion zsh)
_latchkey() {
    local -a answer
    answer=("${(@f)$(command latchkey complete zsh -- "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
    ((answer[2])) && compset -P $answer[2] '*='
    case $answer[1] in
        words)
            # The words come with a tab before the description, and _describe wants a colon there.
            local -a offers=("${(@)answer[4,-1]//(#m)[:\\]/\\$MATCH}")
            offers=("${(@)offers/$'\t'/:}")
            _describe "$answer[3]" offers ;;
        file) _files ;;
        directory) _files -/ ;;
        command)
            shift $answer[3] words
            ((CURRENT -= answer[3]))
            _normal ;;
    esac
}
if [[ $funcstack[1] == _latchkey ]]; then _latchkey "$@"; else compdef _latchkey latchkey; fi
