# Completes latchkey in fish. Save it as ~/.config/fish/completions/latchkey.fish
function __latchkey_offers
    set -l before (commandline -opc)
    set -l now (commandline -ct)
    set -l answer (command latchkey complete fish -- $before "$now" 2>/dev/null </dev/null)
    switch "$answer[1]"
        case words
            string join \n -- $answer[4..-1]
        case file directory
            # fish completes paths for a command that it does not know.
            set -l paths (complete -C "__latchkey_paths "(string replace -- "$answer[2]" '' "$now"))
            test $answer[1] = directory; and set paths (string match -r '.*/$' -- $paths)
            string join \n -- "$answer[2]"$paths
        case command
            set -e before[1..$answer[3]]
            complete -C (string join ' ' -- (string escape -- $before) "$now")
    end
end
complete -c latchkey -f -a '(__latchkey_offers)'
