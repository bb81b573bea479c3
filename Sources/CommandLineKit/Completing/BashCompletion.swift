/// Writes the completion script for bash.
package enum BashCompletion {
    /// Returns the script: tables of what each command takes, and the driver that reads them.
    package static func script(of program: Declaration) -> String {
        let commands = program.everyCommand
        let takes = commands.map { path, command in
            let arrays = [
                ("commands", command.commands.map(\.name)), ("alone", command.alone), ("valued", command.valued),
            ]
            let texts = arrays.map { "\($0)=(\(Shell.quoted($1)))" } + ["begins=\(command.lineBegins)"]
            return "        \(Shell.quoted(Shell.key(path)))) \(texts.joined(separator: " ")) ;;\n"
        }
        let values = commands.flatMap { path, command in
            let key = Shell.key(path)
            let options = command.allOptions.filter { $0.value != nil }.flatMap { option in
                option.names.map { (pattern: Shell.quoted("\(key) \($0)"), values: option.values) }
            }
            let operands = command.operands.enumerated().map { place, operand in
                let number =
                    operand.isRepeated ? "\(Shell.quoted(key + " "))[1-9]*" : Shell.quoted("\(key) \(place + 1)")
                return (pattern: number, values: operand.values)
            }
            return (options + operands).map { pattern, values in "        \(pattern)) \(action(values)) ;;\n" }
        }
        return """
            # Completes latchkey in bash. Load it with: source <(latchkey completion bash)

            # Sets the commands and options of the command $1.
            _latchkey_takes() {
                commands=() alone=() valued=() begins=0
                case $1 in
            \(takes.joined())    esac
            }

            # The options that lists of names take over from the line.
            _latchkey_list_options=(\(Shell.quoted(program.listOptions)))

            # Offers the words for one place: $1 is a command with one of its options, or with the number of a word.
            _latchkey_value() {
                case $1 in
            \(values.joined())    esac
            }

            \(driver)
            """
    }

    /// The part of the script that does not depend on the commands.
    private static var driver: String { String(decoding: PackageResources.bash_driver_sh, as: UTF8.self) }

    private static func names(of list: NameList) -> String { Shell.names(of: list, first: "\"${named[0]}\"") }

    private static func action(_ values: Values) -> String {
        switch values {
        case .anything: ":"
        case .file: "_latchkey_files -f"
        case .folder: "_latchkey_files -d"
        case .listed(let list): "_latchkey_lines < <(\(names(of: list)))"
        case .assigned(let list): "_latchkey_assigned && _latchkey_lines < <(\(names(of: list)))"
        case .words(let words): "_latchkey_offer \(Shell.quoted(words))"
        case .described(let words): "_latchkey_offer \(Shell.quoted(words.map(\.word)))"
        case .command: "_latchkey_line $at"
        case .ownCommand: "_latchkey_own"
        }
    }
}
