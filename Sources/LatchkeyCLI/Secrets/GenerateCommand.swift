internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import LinuxSystem
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// `latchkey generate`
enum GenerateCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let secret = Secret()
        let policy = ItemPolicyWords.Options()
    }

    struct Secret: OptionList {
        let heading = "the secret"
        let length = number("--length", "NUMBER", "so many characters (\(usualLength))")
        let characters = Option(
            "--characters", value: "CLASSES",
            says: "of these classes, each of which occurs: lower,upper,digits,symbols",
            read: classes)
        let noAmbiguous = Option("--no-ambiguous", says: "without characters that are easily taken for others")
        let words = number("--words", "NUMBER", "so many words that can be spoken instead")
        let hex = number("--hex", "BYTES", "so many random bytes in hexadecimal digits instead")
        let base64 = number("--base64", "BYTES", "so many random bytes in base64 instead")
        let replace = Option("--replace", says: "in the place of one of that name")
        let comment = SetCommand.comment
    }

    private static let usualLength = 24

    private static func number(_ name: String, _ value: String, _ says: String) -> Option<Int?> {
        Option(name, value: value, says: says) { (text) throws(UsageError) in
            guard let number = Int(text) else { throw UsageError("\(name) takes a number") }
            return number
        }
    }

    static let declaration = Declaration(
        name: "generate", summary: "make a random secret, and keep it",
        text: """
            Makes a secret of random characters and keeps it under NAME, without showing it. Without NAME it is written to
            standard output and kept nowhere. Each outcome is equally likely; how many bits of chance are in it is said.
            """,
        operands: [Operand(name: "NAME", values: .secret, isOptional: true)],
        options: Options(),
        statuses: ExitStatus.all(but: [.notFound]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let options = given[\.secret]
        let generator: Generator
        do { generator = try Generator(try recipe(options)) } catch let error as GeneratorError {
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
        let policy = try ItemPolicyWords.policy(given[\.policy]) ?? .usual
        let access = try VaultAccess(given[\.vault])
        if try !options[\.replace] && access.has(name, because: "keep \(name)") { throw SetCommand.isThere(name) }
        let secret = try generator.make()
        // Before it is kept: where the output takes no more, the command fails, and a failed command keeps nothing.
        do throws(OutputError) { try Output.put("\(Terminal.line(name)) gets \(bits) of chance.\n") } catch {
            throw OutputError(code: error.code, consequence: "nothing was kept")
        }
        let request = Request.add(name, policy, comment: options[\.comment], replaces: options[\.replace])
        try SetCommand.keep(secret, as: name, by: request, access)
        return ""
    }

    private static func recipe(_ given: Given<Secret>) throws(UsageError) -> Generator.Recipe {
        let recipes: [(option: String, recipe: Generator.Recipe)?] = [
            given[\.length].map { ("--length", .characters($0, classes(given))) },
            given[\.words].map { ("--words", .words($0)) },
            given[\.hex].map { ("--hex", .hexadecimal($0)) },
            given[\.base64].map { ("--base64", .base64($0)) },
        ]
        let wanted = recipes.compactMap { $0 }
        if wanted.count > 1 { throw UsageError("\(wanted[0].option) and \(wanted[1].option) exclude each other") }
        return wanted.first?.recipe ?? .characters(usualLength, classes(given))
    }

    private static func classes(_ given: Given<Secret>) -> CharacterClasses {
        let classes = given[\.characters] ?? .all
        return given[\.noAmbiguous] ? classes.union(.noAmbiguous) : classes
    }

    @Sendable private static func classes(_ text: String) throws(UsageError) -> CharacterClasses {
        let known = Choice<CharacterClasses>(
            [("lower", .lower), ("upper", .upper), ("digits", .digits), ("symbols", .symbols)], "class of characters")
        var classes: CharacterClasses = []
        for word in text.split(separator: ",") { classes.insert(try known.read(String(word))) }
        return classes
    }
}
