# Parses a word as it is typed. Sets typed to the word without its quotes, open to the quote that is still open, and kept
# to the length that readline does not replace, since it completes only from the last word break or quote on.
_latchkey_unquote() {
    local text=$1 char next
    local -i place
    typed='' open='' kept=0
    for ((place = 0; place < ${#text}; place++)); do
        char=${text:place:1}
        next=${text:place+1:1}
        case $open$char in
            \'\' | \"\") open='' ;;
            \'?) typed+=$char ;;
            \"\\)
                case $next in
                    [\\\"\$\`]) typed+=$next place+=1 ;;
                    *) typed+=$char ;;
                esac
                ;;
            \"?) typed+=$char ;;
            \\) typed+=$next place+=1 ;;
            \' | \") open=$char kept=${#typed} ;;
            *)
                typed+=$char
                [[ $COMP_WORDBREAKS == *"$char"* ]] && kept=${#typed}
                ;;
        esac
    done
}

# Collects the words up to the cursor. bash also splits them at colons and equals signs, so this joins them again.
_latchkey_words() {
    local text=${COMP_LINE:0:COMP_POINT} bare word
    local -i index
    for ((index = 0; index <= COMP_CWORD; index++)); do
        bare=${text#"${text%%[![:space:]]*}"}
        word=${COMP_WORDS[index]}
        ((index == COMP_CWORD)) && word=$bare
        if ((index > 0)) && [[ $bare == "$text" ]]; then
            words[${#words[@]}-1]+=$word
        else
            words+=("$word")
            starts+=("$index")
        fi
        text=${bare#"$word"}
    done
}

# Succeeds if $1 is one of the other arguments.
_latchkey_among() {
    local one
    for one in "${@:2}"; do [[ $one == "$1" ]] && return; done
    return 1
}

# Offers those arguments that begin with what is typed, quoted the way the word is so far.
_latchkey_offer() {
    local one text
    for one in "$@"; do
        [[ $one && $prefix$one == "$typed"* ]] || continue
        text=$prefix$one
        text=${text:kept}
        case $open in
            \') text=${text//\'/\'\\\'\'} ;;
            \")
                text=${text//\\/\\\\} text=${text//\"/\\\"}
                text=${text//\$/\\\$} text=${text//\`/\\\`}
                ;;
            *) [[ $text ]] && printf -v text %q "$text" ;;
        esac
        COMPREPLY+=("$text")
    done
}

# Prints the names that a command of latchkey lists, with the options that it takes over from the line. It cannot prompt.
__latchkey_names() {
    command latchkey "$@" "${passed[@]}" 2>/dev/null </dev/null
}

# Notes the value $2 of the option $1 if lists of names take it over. $3 is the value as it is typed.
_latchkey_pass() {
    local value=$2
    _latchkey_among "$1" "${_latchkey_list_options[@]}" || return
    [[ $3 == '~/'* ]] && value=$HOME/${value:2}
    passed+=("$1" "$value")
}

# Completes what follows the equals sign of a word. Fails if there is none yet.
_latchkey_assigned() {
    local rest=${typed#"$prefix"}
    [[ $rest == *=* ]] || return
    prefix+=${rest%%=*}=
}

# Offers the lines of standard input.
_latchkey_lines() {
    local -a names
    mapfile -t names
    _latchkey_offer "${names[@]}"
}

# Offers files, or folders with -d. Readline itself quotes them.
_latchkey_files() {
    local path
    compopt -o filenames 2>/dev/null
    while IFS= read -r path; do
        path=$prefix$path
        COMPREPLY+=("${path:kept}")
    done < <(compgen "$1" -- "${typed#"$prefix"}")
}

# Offers commands of latchkey as an operand.
_latchkey_own() {
    local -a commands alone valued
    local begins
    _latchkey_takes "${named[*]}"
    _latchkey_offer "${commands[@]}"
}

# Completes the command line of another program, which begins with word $1.
_latchkey_line() {
    local offset
    for offset in _comp_command_offset _command_offset; do
        if declare -F "$offset" >/dev/null; then
            "$offset" "${starts[$1]}"
            return
        fi
    done
    if (($1 == ${#words[@]} - 1)); then
        local -a names
        mapfile -t names < <(compgen -c -- "$typed" | sort -u)
        _latchkey_offer "${names[@]}"
    else
        _latchkey_files -f
    fi
}

_latchkey() {
    local -a words=() starts=() named=() passed=() commands alone valued
    local command='' option='' ended='' prefix='' typed open begins word IFS=$' \t\n'
    local -i kept at
    COMPREPLY=()
    _latchkey_words
    _latchkey_takes ''
    for ((at = 1; at < ${#words[@]} - 1; at++)); do
        _latchkey_unquote "${words[at]}"
        word=$typed
        if [[ $option ]]; then
            _latchkey_pass "$option" "$word" "${words[at]}"
            option=''
        elif [[ ! $ended && $word == -- ]]; then
            ended=1
        elif [[ ! $ended && $word == -?* ]]; then
            _latchkey_among "$word" "${valued[@]}" && option=$word
            [[ $word == --*=* ]] && _latchkey_pass "${word%%=*}" "${word#*=}" "${words[at]#*=}"
        elif ((${#commands[@]})); then
            command+=${command:+ }$word
            _latchkey_takes "$command"
        else
            named+=("$word")
            if ((${#named[@]} == begins)); then
                kept=0 open=''
                _latchkey_unquote "${words[${#words[@]}-1]}"
                _latchkey_line "$at"
                return
            fi
        fi
    done
    _latchkey_unquote "${words[at]}"
    if [[ $option ]]; then
        _latchkey_value "$command $option"
    elif [[ ! $ended && $typed == --*=* ]]; then
        prefix=${typed%%=*}=
        _latchkey_value "$command ${typed%%=*}"
    elif [[ ! $ended && $typed == -* ]]; then
        _latchkey_offer "${alone[@]}" "${valued[@]}"
    elif ((${#commands[@]})); then
        _latchkey_offer "${commands[@]}"
    else
        _latchkey_value "$command $((${#named[@]} + 1))"
    fi
    # If nothing is typed yet and no operand fits, offer the options.
    if [[ ! $typed && ! $option && ! $ended ]] && ((${#COMPREPLY[@]} == 0)); then
        _latchkey_offer "${alone[@]}" "${valued[@]}"
    fi
}

complete -F _latchkey latchkey
