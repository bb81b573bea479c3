# Whether the command called so is being typed.
function __latchkey_in
    __latchkey_look
    test "$__latchkey_command" = "$argv[1]"
end

# Whether one of its words comes next, before which there are at least so many and less than that.
function __latchkey_at
    __latchkey_look
    test "$__latchkey_command" = "$argv[1]"
    and test $__latchkey_count -ge $argv[2]
    and test $__latchkey_count -lt $argv[3]
end

# Completes the words from the one counted so as a command line of their own.
function __latchkey_line
    __latchkey_look
    set -l before (string escape -- $__latchkey_words[$argv[1]..-1])
    set -l now (commandline -ct)
    # No command begins so; an option of latchkey does.
    test -z "$before"; and string match -q -- '-*' "$now"; and return
    complete --do-complete=(string join -- ' ' $before "$now")
end
