internal import Glibc
internal import LatchkeyAgent
internal import LinuxSystem
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// `latchkey generate`
enum GenerateCommand {
    private static let usualLength = 24

    static let declaration = Declaration(
        name: "generate", summary: "make a random secret, and keep it",
        text: """
            Makes a secret of random characters and keeps it under NAME, without showing it. Without NAME it is written to
            standard output and kept nowhere. Each outcome is equally likely; how many bits of chance are in it is said.
            """,
        operands: [Operand(name: "NAME", values: .secret, isOptional: true)],
        options: [
            OptionGroup(options: [VaultAccess.option]),
            OptionGroup(
                heading: "the secret",
                options: [
                    Option("--length", value: "NUMBER", "so many characters (\(usualLength))"),
                    Option(
                        "--characters", value: "CLASSES",
                        "of these classes, each of which occurs: lower,upper,digits,symbols"),
                    Option("--no-ambiguous", "without characters that are easily taken for others"),
                    Option("--words", value: "NUMBER", "so many words that can be spoken instead"),
                    Option("--hex", value: "BYTES", "so many random bytes in hexadecimal digits instead"),
                    Option("--base64", value: "BYTES", "so many random bytes in base64 instead"),
                    Option("--replace", "in the place of one of that name"),
                    Option("--comment", value: "TEXT", "a note beside it, which is no secret"),
                ]),
            OptionGroup(heading: "what it demands", options: DemandWords.options),
        ],
        statuses: ExitStatus.all(but: [.notFound]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given) throws -> String {
        let generator: Generator
        do { generator = try Generator(try recipe(given)) } catch let error as GeneratorError {
            throw UsageError("\(error)")
        }
        let bits = counted(Int(generator.entropy), "bit")
        guard let name = given.words.first else {
            try CrashSafety.shutOff()
            let secret = try generator.make()
            guard SecretOutput.write(secret, to: STDOUT_FILENO) else { throw OutputError(code: errno) }
            if isatty(STDOUT_FILENO) == 1 { Output.write("\n") }
            Output.write("\(bits) of chance\n", isError: true)
            return ""
        }
        let demand = try DemandWords.demand(given) ?? .usual
        let access = try VaultAccess(given)
        if try !given.has("--replace") && access.has(name, because: "keep \(name)") { throw SetCommand.isThere(name) }
        let secret = try generator.make()
        // Before it is kept: where the output takes no more, the command fails, and a failed command keeps nothing.
        do throws(OutputError) { try Output.put("\(Terminal.line(name)) gets \(bits) of chance.\n") } catch {
            throw OutputError(code: error.code, consequence: "nothing was kept")
        }
        try SetCommand.keep(secret, as: name, demand, given, access)
        return ""
    }

    private static func recipe(_ given: Given) throws -> Generator.Recipe {
        let kinds = ["--length", "--words", "--hex", "--base64"].filter { given[$0] != nil }
        if kinds.count > 1 { throw UsageError("\(kinds[0]) and \(kinds[1]) exclude each other") }
        let number = kinds.first.map { given[$0] ?? "" }
        let count = number.map { Int($0) } ?? usualLength
        guard let count else { throw UsageError("\(kinds[0]) takes a number") }
        switch kinds.first {
        case "--words": return .words(count)
        case "--hex": return .hexadecimal(count)
        case "--base64": return .base64(count)
        default: return .characters(count, try classes(given))
        }
    }

    private static func classes(_ given: Given) throws -> CharacterClasses {
        let known: [(String, CharacterClasses)] = [
            ("lower", .lower), ("upper", .upper), ("digits", .digits), ("symbols", .symbols),
        ]
        var classes: CharacterClasses = given["--characters"] == nil ? .all : []
        for word in given["--characters"]?.split(separator: ",").map(String.init) ?? [] {
            guard let one = known.first(where: { $0.0 == word })?.1 else {
                throw UsageError(unknown: "class of characters", word, among: known.map(\.0))
            }
            classes.insert(one)
        }
        if given.has("--no-ambiguous") { classes.insert(.noAmbiguous) }
        return classes
    }
}
