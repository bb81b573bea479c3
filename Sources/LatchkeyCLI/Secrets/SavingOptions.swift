internal import CommandLineKit

/// The words on the command line that the commands which save a secret share.
enum SavingOptions {
    /// The name of the secret. A word after it is most likely the secret, so no message may repeat it.
    static let name = Operand(
        name: "NAME", values: .secret,
        ifMore:
            "a secret is not taken from the command line, where other programs can see it: leave it out, and type it at "
            + "the prompt or pipe it in. Your shell may have this line in its history now: remove it there, and replace the "
            + "secret if it is in use")
    static let trim = Option("--trim", says: "drop the line feed at the end")
    static let forget = Option("--forget", says: "keep no former value of the secret")
    static let comment = Option("--comment", value: "TEXT", says: "add a comment, which is not secret")
}
