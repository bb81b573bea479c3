/// Writes the completion script for zsh.
package enum ZshCompletion {
    /// Returns the script. It works both as a function that zsh loads by itself and when a startup file sources it.
    package static func script(of program: Declaration) -> String {
        let all = program.everyCommand.filter { !$0.path.isEmpty }
        let lists = program.everyCommand.filter { !$0.declaration.commands.isEmpty }.map { path, command in
            let entries = command.commands.map { "            " + Shell.quoted(entry($0)) + "\n" }
            return "        \(Shell.quoted(Shell.key(path)))) commands=(\n\(entries.joined())        ) ;;\n"
        }
        return """
            #compdef latchkey
            # Completes latchkey in zsh. Save it as _latchkey in a folder of $fpath, or source <(latchkey completion zsh)

            # Offers the commands below the command $1.
            __latchkey_commands() {
                local -a commands
                case $1 in
            \(lists.joined())    esac
                _describe -t commands command commands
            }

            # Offers the lines of standard input, under the heading $1.
            __latchkey_lines() {
                local -a names expl
                names=("${(@f)$(cat)}")
                names=("${(@)names:#}")
                _wanted names expl "$1" compadd -a names
            }

            # Notes the options that lists of names take over from the line.
            __latchkey_pass() {
                local option value
                local -i place
                for ((place = 1; place < CURRENT; place++)); do
                    for option in \(Shell.quoted(program.listOptions)); do
                        case $words[place] in
                            $option) value=$words[place+1] ;;
                            $option=*) value=${words[place]#*=} ;;
                            *) continue ;;
                        esac
                        [[ $value == '~/'* ]] && value=$HOME/${value#'~/'}
                        passed+=($option "${(Q)value}")
                    done
                done
            }

            # Prints the names that a command of latchkey lists. It cannot prompt.
            __latchkey_names() {
                command latchkey "$@" $passed 2>/dev/null </dev/null
            }

            \(program.nameLists.map(function).joined())\
            # Offers commands of latchkey as an operand.
            __latchkey_own() {
                __latchkey_commands "${(j: :)words[1,CURRENT-1]}"
            }

            \(all.map { function($0.path, $0.declaration) }.joined(separator: "\n"))
            \(function([], program))
            if [[ $funcstack[1] == _latchkey ]]; then
                _latchkey "$@"
            else
                compdef _latchkey latchkey
            fi

            """
    }

    private static func name(_ path: [String]) -> String { (["_latchkey"] + path).joined(separator: "_") }

    /// Returns the entry of a command: its name and its summary.
    private static func entry(_ command: Declaration) -> String {
        Shell.escaped(command.name, [":", "\\"]) + ":" + command.summary
    }

    /// Returns the function that offers the names of a list.
    private static func function(_ list: NameList) -> String {
        """
        __latchkey_\(list.id)() {
            local -a passed
            __latchkey_pass
            __latchkey_lines \(Shell.word(list.heading)) < <(\(Shell.names(of: list, first: "\"${(Q)line[1]}\"")))
        }

        __latchkey_assigned_\(list.id)() {
            compset -P 1 '*=' && __latchkey_\(list.id)
        }


        """
    }

    private static func function(_ path: [String], _ command: Declaration) -> String {
        let isLine = command.lineBegins == 1
        var words = ["_arguments -S" + (isLine ? " -A '-*'" : "") + (command.commands.isEmpty ? "" : " -C")]
        words += command.allOptions.flatMap(specifications)
        if command.commands.isEmpty {
            words += command.operands.enumerated().map { specification($1, at: $0) }
            return "\(name(path))() {\n    \(words.joined(separator: " \\\n        "))\n}\n"
        }
        words += ["'1: :->command'", "'*:: :->rest'"]
        let branches = command.commands.map {
            "                \(Shell.quoted($0.name))) \(Shell.quoted(name(path + [$0.name]))) ;;\n"
        }
        return """
            \(name(path))() {
                local curcontext=$curcontext context state state_descr line
                typeset -A opt_args
                \(words.joined(separator: " \\\n        ")) && return
                case $state in
                    command) __latchkey_commands \(Shell.quoted(Shell.key(path))) ;;
                    rest)
                        case $line[1] in
            \(branches.joined())            esac
                        ;;
                esac
            }

            """
    }

    /// Returns a specification for each spelling of an option.
    private static func specifications(_ option: OptionFacts) -> [String] {
        option.names.map { name in
            var text =
                option.isRepeated ? "*" : option.names.count > 1 ? "(\(option.names.joined(separator: " ")))" : ""
            text += name
            if option.value != nil && name.hasPrefix("--") { text += "=" }
            text += "[" + Shell.escaped(option.says, ["[", "]", "\\"]) + "]"
            if let value = option.value { text += ":\(message(value)):\(action(option.values))" }
            return Shell.quoted(text)
        }
    }

    private static func specification(_ operand: Operand, at place: Int) -> String {
        let text: String
        switch operand.values {
        case _ where operand.isCommandLine: text = "*:::\(message(operand.name)):_normal"
        case .ownCommand: text = "*::\(message(operand.name)):__latchkey_own"
        default:
            // Never mark an operand as optional: zsh would offer the next operand in its place as well.
            let number = operand.isRepeated ? "*:" : "\(place + 1):"
            text = number + "\(message(operand.name)):\(action(operand.values))"
        }
        return Shell.quoted(text)
    }

    private static func message(_ text: String) -> String { Shell.escaped(text, [":", "\\"]) }

    private static func action(_ values: Values) -> String {
        switch values {
        case .anything: " "
        case .file: "_files"
        case .folder: "_files -/"
        case .described(let words):
            "(("
                + words.map { word, says in
                    Shell.escaped(Shell.quoted(Shell.escaped(word, [":"]) + ":" + says), [":"])
                }.joined(separator: " ") + "))"
        case .listed(let list): "__latchkey_\(list.id)"
        case .assigned(let list): "__latchkey_assigned_\(list.id)"
        case .words(let words): "(" + words.map { Shell.escaped(Shell.quoted($0), [":"]) }.joined(separator: " ") + ")"
        case .command: "_command_names -e"
        case .ownCommand: "__latchkey_own"
        }
    }
}
