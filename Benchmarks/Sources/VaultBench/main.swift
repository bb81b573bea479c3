import Measuring

// Prints the figures of the vault, or only the named groups.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "peak" {
    try readThousand(at: arguments[1])
} else {
    try measure(
        arguments,
        of: [
            ("floor", readsAgainstFloor), ("million", millionItems), ("adds", durableAdds), ("passcodes", passcodes),
        ])
}
