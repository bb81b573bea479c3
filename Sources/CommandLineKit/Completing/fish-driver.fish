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
