# Succeeds if the command line is one of the command $argv[1].
function __latchkey_in
    __latchkey_look
    test "$__latchkey_command" = "$argv[1]"
end

# Succeeds if a word of the command $argv[1] comes next, after at least $argv[2] and fewer than $argv[3] words.
function __latchkey_at
    __latchkey_look
    test "$__latchkey_command" = "$argv[1]"
    and test $__latchkey_count -ge $argv[2]
    and test $__latchkey_count -lt $argv[3]
end

# Completes the words from number $argv[1] on as the command line of another program.
function __latchkey_line
    __latchkey_look
    set -l before (string escape -- $__latchkey_words[$argv[1]..-1])
    set -l now (commandline -ct)
    # A word that begins with a hyphen is still an option of latchkey.
    test -z "$before"; and string match -q -- '-*' "$now"; and return
    complete --do-complete=(string join -- ' ' $before "$now")
end

# Prints the names that a command of latchkey lists, with the options that it takes over from the line. It cannot prompt.
function __latchkey_names
    set -l passed
    set -l option
    for word in (commandline -opc)
        set -l name (string replace -r '=.*' '' -- "$word")
        if test -n "$option"
            set -a passed $option (string replace -r '^~/' "$HOME/" -- "$word")
            set option
        else if not contains -- "$name" $__latchkey_list_options
            continue
        else if test "$name" = "$word"
            set option $word
        else
            set -a passed $name (string replace -r '^[^=]*=' '' -- "$word" | string replace -r '^~/' "$HOME/")
        end
    end
    # The tab begins a description of its own, so that fish does not show all names on one line with that of the option.
    command latchkey $argv $passed 2>/dev/null </dev/null | string replace -r '$' \t
end

# Completes what follows the equals sign of a word by the names that a command of latchkey lists.
function __latchkey_assigned
    set -l now (commandline -ct | string replace -r '^--[^=]*=' '')
    string match -q -- '*=*' "$now"; or return
    set -l variable (string replace -r '=.*' '' -- "$now")
    for name in (__latchkey_names $argv)
        echo "$variable=$name"
    end
end
