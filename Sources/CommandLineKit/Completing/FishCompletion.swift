/// Writes the completion script for fish.
package enum FishCompletion {
    /// Returns the script: a line for each option, operand and command, and the driver that they call.
    package static func script(of program: Declaration) -> String {
        let commands = program.everyCommand
        let takes = commands.map { path, command in
            """
                    case \(quoted(Shell.key(path)))
                        set commands \(quoted(command.commands.map(\.name)))
                        set valued \(quoted(command.valued))
                        set begins \(command.lineBegins)

            """
        }
        return """
            # Completes latchkey in fish. Save it as ~/.config/fish/completions/latchkey.fish

            # Parses the command line once for all conditions below. Sets the command, its words so far, and their number.
            function __latchkey_look
                set -l typed (commandline -opc | string collect)
                test "$typed" = "$__latchkey_typed"; and return
                set -g __latchkey_typed $typed
                set -g __latchkey_command ''
                set -g __latchkey_words
                set -l option 0
                set -l ended 0
                set -l commands \(quoted(program.commands.map(\.name)))
                set -l valued \(quoted(program.valued))
                set -l begins 0
                set -l tokens (commandline -opc)
                for word in $tokens[2..-1]
                    if test $option = 1
                        set option 0
                    else if test $ended = 0; and test "$word" = --
                        set ended 1
                    else if test $ended = 0; and string match -q -- '-?*' "$word"
                        contains -- "$word" $valued; and set option 1
                    else if test (count $commands) -gt 0
                        set __latchkey_command (string trim -- "$__latchkey_command $word")
                        set commands
                        set valued
                        switch "$__latchkey_command"
            \(takes.dropFirst().joined())            end
                    else
                        set -a __latchkey_words "$word"
                        # From here on a command line of another program begins, and its options are its own.
                        test (count $__latchkey_words) = $begins; and set ended 1
                    end
                end
                set -g __latchkey_count (count $__latchkey_words)
            end

            # The options that lists of names take over from the line.
            set -g __latchkey_list_options \(quoted(program.listOptions))

            \(driver)
            # Prints the commands below the command that the words name.
            function __latchkey_own
                __latchkey_look
                switch "$__latchkey_words"
            \(lists(commands))    end
            end

            complete -c latchkey -f
            \(commands.flatMap { lines($0.path, $0.declaration) }.joined(separator: "\n"))

            """
    }

    /// The functions that do not depend on the commands.
    private static var driver: String { String(decoding: PackageResources.fish_driver_fish, as: UTF8.self) }

    private static func lists(_ commands: [(path: [String], declaration: Declaration)]) -> String {
        commands.filter { !$0.declaration.commands.isEmpty }.map { path, command in
            let entries = command.commands.map { quoted("\($0.name)\t\($0.summary)") }
            return """
                        case \(quoted(Shell.key(path)))
                            printf '%s\\n' \(entries.joined(separator: " "))

                """
        }.joined()
    }

    private static func lines(_ path: [String], _ command: Declaration) -> [String] {
        let key = quoted(Shell.key(path))
        let options = command.allOptions.map { option in
            var line = "complete -c latchkey -n \(quoted("__latchkey_in \(key)"))"
            for name in option.names {
                line += name.hasPrefix("--") ? " -l \(quoted(String(name.dropFirst(2))))" : " -s \(name.dropFirst())"
            }
            if option.value != nil { line += " -r" + (action(option.values, at: 0).map { " " + $0 } ?? " -f") }
            return line + " -d \(quoted(option.says))"
        }
        let operands = command.operands.enumerated().compactMap { place, operand -> String? in
            guard let action = action(operand.isCommandLine ? .command : operand.values, at: place + 1) else {
                return nil
            }
            let last = operand.isRepeated || operand.isCommandLine ? 1_000_000 : place + 1
            return "complete -c latchkey -n \(quoted("__latchkey_at \(key) \(place) \(last)")) \(action)"
        }
        let commands = command.commands.map { one in
            "complete -c latchkey -n \(quoted("__latchkey_in \(key)")) -a \(quoted(one.name)) -d \(quoted(one.summary))"
        }
        return options + operands + commands
    }

    private static func action(_ values: Values, at place: Int) -> String? {
        switch values {
        case .anything: nil
        case .file: "-F"
        case .folder: "-f -a '(__fish_complete_directories (commandline -ct))'"
        case .listed(let list): "-f -a '(\(Shell.names(of: list, first: "$__latchkey_words[1]")))'"
        case .assigned(let list): "-f -a '(__latchkey_assigned \(list.command))'"
        case .words(let words): "-f -a \(quoted(described(words.map { ($0, "") })))"
        case .described(let words): "-f -a \(quoted(described(words)))"
        case .command: "-f -a '(__latchkey_line \(place))'"
        case .ownCommand: "-f -a '(__latchkey_own)'"
        }
    }

    /// Returns words with descriptions of their own, even empty ones. fish would otherwise describe each as the option, and
    /// then show all of them on one line.
    private static func described(_ words: [(word: String, says: String)]) -> String {
        words.map { quoted($0.word) + "\\t" + quoted($0.says) }.joined(separator: " ")
    }

    /// Returns `text` as one word of fish, where a backslash is special even in quotation marks.
    private static func quoted(_ text: String) -> String { "'" + Shell.escaped(text, ["\\", "'"]) + "'" }

    private static func quoted(_ texts: [String]) -> String { texts.map { quoted($0) }.joined(separator: " ") }
}
