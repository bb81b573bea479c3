/// The code that a machine shows once it has received a whole vault. On the old machine it retires the old vault.
///
/// It is derived from the keys of the vault and the account of its items, so that it fits only what was received. It
/// guards against a mistake and is no secret: a program that can run the command can also delete the files.
package enum RetirementCode {
    private static let letterCount = 16

    package static func text(_ hash: [UInt8]) -> String {
        let digits = hash.prefix(letterCount / 2).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
        return stride(from: 0, to: letterCount, by: 4).map { start in
            let first = digits.index(digits.startIndex, offsetBy: start)
            return String(digits[first..<digits.index(first, offsetBy: 4)])
        }.joined(separator: "-")
    }

    /// Returns true if the user typed this code, in capitals or not, and with hyphens or without.
    package static func isSame(_ typed: String, _ code: String) -> Bool { plain(typed) == plain(code) }

    private static func plain(_ code: String) -> String {
        String(code.lowercased().filter { $0 != "-" && $0 != " " })
    }
}
