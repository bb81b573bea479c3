internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
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
        let heading = "secret"
        let length = number("--length", "NUMBER", "number of characters; \(usualLength) by default")
        let characters = Option(
            "--characters", value: "CLASSES",
            says: "use each of these classes: lower,upper,digits,symbols; all by default",
            read: classes)
        let noAmbiguous = Option("--no-ambiguous", says: "leave out characters that look alike, such as l, 1 and I")
        let words = number(
            "--words", "NUMBER", "make this many words of the EFF's list instead; six have 77 bits of entropy")
        let hex = number("--hex", "BYTES", "make this many random bytes, in hexadecimal, instead")
        let base64 = number("--base64", "BYTES", "make this many random bytes, in base64, instead")
        let replace = Option("--replace", says: "replace the secret if it exists")
        let user = FieldOptions.user
        let url = FieldOptions.url
        let field = FieldOptions.field
        let comment = SavingOptions.comment
    }

    private static let usualLength = 24

    private static func number(_ name: String, _ value: String, _ says: String) -> Option<Int?> {
        Option(name, value: value, says: says) { (text) throws(UsageError) in
            guard let number = Int(text) else { throw UsageError("\(name) takes a number") }
            return number
        }
    }

    static let declaration = Declaration(
        name: "generate", summary: "generate a random secret and save it",
        text: """
            Generates a random secret and saves it as NAME without showing it, or prints it if you give no NAME. Every outcome
            is equally likely; the command reports the entropy in bits.
            """,
        operands: [Operand(name: "NAME", values: .secret, isOptional: true)],
        options: Options(),
        examples: [
            ("latchkey generate db/password", "saves 24 random characters"),
            ("latchkey generate --length 40 --no-ambiguous wifi", ""),
            ("latchkey generate --words 6", "prints six words, and saves nothing"),
        ],
        statuses: ExitStatus.all(but: [.notFound]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let options = given[\.secret]
        let generator: Generator
        do { generator = try Generator(try recipe(options)) } catch let error as GeneratorError {
            throw UsageError("\(error)")
        }
        let entropy = "\(counted(Int(generator.entropy), "bit")) of entropy"
        let fields = try FieldOptions.fields(
            user: options[\.user], url: options[\.url], others: options[\.field])
        guard let name = given.words.first else {
            if !fields.isEmpty { throw UsageError("fields are kept with a secret: add its NAME") }
            try CrashSafety.shutOff()
            let secret = try generator.make()
            try SecretOutput.put(secret, isLine: isatty(STDOUT_FILENO) == 1)
            Output.write("\(entropy)\n", isError: true)
            return ""
        }
        let policy = try ItemPolicyWords.policy(given[\.policy])
        let access = try VaultAccess(given[\.vault])
        if try !options[\.replace] && access.has(name, because: "save \(name)") {
            throw SecretSaving.isThere(name, replacedBy: "generate")
        }
        let secret = try generator.make()
        // Print before saving: if standard output cannot be written, the command fails, and then nothing must be saved.
        do throws(OutputError) { try Output.put("Generated \(Terminal.line(name)): \(entropy).\n") } catch {
            throw OutputError(code: error.code, consequence: "nothing was saved")
        }
        let request = AddCall(
            name, policy, comment: options[\.comment], replaces: options[\.replace], fields: fields.map { $0.name })
        try SecretSaving.keep(secret, fields, as: name, by: request, access)
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
