internal import PlainText

/// The process at the other end of a connection, as the system identifies it. Nothing that a client says of itself
/// counts.
///
/// A process may since have started another program, and its number may have passed to another process. So a peer helps
/// a person to find a program, and no decision depends on it.
package struct Peer: Hashable, Sendable {
    /// A process and its program.
    package struct Program: Hashable, Sendable {
        package var process: Int32
        /// The path of the program; nil where it cannot be known.
        package var path: String?
        /// The name of the process, where the path cannot be known. The process may have chosen it.
        package var name: String?

        package init(process: Int32, path: String?, name: String? = nil) {
            self.process = process
            self.path = path
            self.name = name
        }
    }

    /// The number of the user; nil if unknown.
    package var user: UInt32?
    /// The client, which usually is the `latchkey` command.
    package var client: Program?
    package var parent: Program?
    /// The caller as the audit log stores it.
    package var text: String

    /// The paths of the client and its parent, which are equal for all processes of a program.
    package var program: String {
        guard let client else { return text }
        return ([client, parent].compactMap { $0.map { $0.path.map(Self.words(path:)) ?? "?" } }).joined(
            separator: " < ")
    }

    /// The number of the client's process; 0 if unknown.
    package var process: Int32 { client?.process ?? 0 }

    /// Reads the caller of an audit record.
    package init(audited text: String) {
        self.text = text
        guard text.hasPrefix("uid ") else { return }
        let parts = text.split(separator: " < ").map(String.init)
        let words = (parts.first ?? "").split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
        guard words.count == 5, words[2] == "pid", let process = Int32(words[3]) else { return }
        user = UInt32(words[1])
        client = Program(process: process, words: String(words[4]))
        if parts.count > 1 {
            let words = parts[1].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            if words.count == 3, words[0] == "pid", let process = Int32(words[1]) {
                parent = Program(process: process, words: String(words[2]))
            }
        }
    }

    package init(user: UInt32, client: Program, parent: Program?) {
        self.user = user
        self.client = client
        self.parent = parent
        text = "uid \(user) \(Self.words(client))" + (parent.map { " < \(Self.words($0))" } ?? "")
    }

    private static func words(_ program: Program) -> String {
        "pid \(program.process) \(program.path.map(Self.words(path:)) ?? program.unverifiedWords)"
    }

    private static func words(path: String) -> String { line(path, longest: 512) }

    /// Returns a path or a name on one line in which no "<" can be mistaken for the separator before the parent.
    fileprivate static func line(_ text: String, longest: Int) -> String {
        let line = Terminal.line(text, longest: longest)
        return String(String.UnicodeScalarView(line.unicodeScalars.map { $0 == "<" ? "?" : $0 }))
    }

    /// The end of a caller in the audit log whose request used a kept authentication.
    package static let reuseMark = " < kept authentication"

    /// Returns the end of a caller in the audit log whose request used a loan.
    package static func lentMark(to borrower: String, at place: String?, for target: String) -> String {
        let place = place.map { ", \(line($0, longest: 160))," } ?? ""
        return " < \(lent)\(line(borrower, longest: 40))\(place) for \(line(target, longest: 200))"
    }

    /// Returns the end of a caller in the audit log whose request gave out a secret itself.
    package static func releasedMark(to borrower: String, as form: String) -> String {
        " < \(released)\(line(borrower, longest: 40)) as \(line(form, longest: 40))"
    }

    private static let lent = "lent to "
    private static let released = "released to "

    /// The borrower and the target of a request that used a loan, or the borrower and the form of a secret that was given out; nil for
    /// any other.
    package var loan: String? {
        for part in text.split(separator: " < ") {
            for beginning in [Self.lent, Self.released] where part.hasPrefix(beginning) {
                return String(part.dropFirst(beginning.count))
            }
        }
        return nil
    }

    package init(from head: inout WireObject) throws(WireError) { self.init(audited: try head.consumeText("text")) }

    /// The object that represents the peer on the wire and in `--json` output.
    package var head: WireObject {
        var head = WireObject(["text": .string(text)])
        if let user { head["uid"] = .number("\(user)") }
        if let client {
            head["pid"] = .number("\(client.process)")
            if let path = client.path { head["executable"] = .string(path) }
            if let name = client.name { head["name"] = .string(name) }
        }
        if let parent {
            head["parent-pid"] = .number("\(parent.process)")
            if let path = parent.path { head["parent-executable"] = .string(path) }
            if let name = parent.name { head["parent-name"] = .string(name) }
        }
        return head
    }
}

extension Peer.Program {
    /// The texts around the name of a process whose path the system hides. The name is not verified.
    private static let unverified = (before: "? (calls itself \"", after: "\")")

    /// The words for a program whose path is unknown. The name is the word of the process.
    fileprivate var unverifiedWords: String {
        guard let name else { return "?" }
        return Self.unverified.before + Peer.line(name, longest: 40) + Self.unverified.after
    }

    /// Reads a program of an audit record.
    fileprivate init(process: Int32, words: String) {
        let (before, after) = Self.unverified
        let isNamed =
            words.hasPrefix(before) && words.hasSuffix(after) && words.count >= before.count + after.count
        self.init(
            process: process, path: isNamed || words == "?" ? nil : words,
            name: isNamed ? String(words.dropFirst(before.count).dropLast(after.count)) : nil)
    }
}
