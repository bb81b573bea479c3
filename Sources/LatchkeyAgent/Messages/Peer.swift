internal import PlainText

/// Who is at the other end, as the system knows them: what a client says of itself plays no part.
///
/// A process may have become another program since it connected, and its number may be another's by now: it says whom to look
/// for, and decides nothing.
package struct Peer: Hashable, Sendable {
    /// A process and its program.
    package struct Program: Hashable, Sendable {
        package var process: Int32
        /// The path of the program; nil where it cannot be known.
        package var path: String?
    }

    /// Their user.
    package var user: UInt32?
    /// The client itself, which mostly is the command.
    package var client: Program?
    /// What has started it.
    package var parent: Program?
    /// What stands in the trail where it was not written by an agent.
    package var text: String

    /// Which program it is, and what has started it: the same for each of its processes.
    var program: String {
        guard let client else { return text }
        return ([client, parent].compactMap { $0.map { $0.path.map(Self.words(path:)) ?? "?" } }).joined(
            separator: " < ")
    }

    /// The number of the client's process; 0 where it is not known.
    var process: Int32 { client?.process ?? 0 }

    /// Reads the caller of an audit record.
    package init(audited text: String) {
        self.text = text
        guard text.hasPrefix("uid ") else { return }
        let parts = text.split(separator: " < ").map(String.init)
        let words = (parts.first ?? "").split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
        guard words.count == 5, words[2] == "pid", let process = Int32(words[3]) else { return }
        user = UInt32(words[1])
        client = Program(process: process, path: words[4] == "?" ? nil : String(words[4]))
        if parts.count > 1 {
            let words = parts[1].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            if words.count == 3, words[0] == "pid", let process = Int32(words[1]) {
                parent = Program(process: process, path: words[2] == "?" ? nil : String(words[2]))
            }
        }
    }

    init(user: UInt32, client: Program, parent: Program?) {
        self.user = user
        self.client = client
        self.parent = parent
        text = "uid \(user) \(Self.words(client))" + (parent.map { " < \(Self.words($0))" } ?? "")
    }

    private static func words(_ program: Program) -> String {
        "pid \(program.process) \(program.path.map(Self.words(path:)) ?? "?")"
    }

    /// A path on one line, that cannot be taken for the end of what it stands in.
    private static func words(path: String) -> String {
        let line = Terminal.line(path, longest: 512)
        return String(String.UnicodeScalarView(line.unicodeScalars.map { $0 == "<" ? "?" : $0 }))
    }

    init(from head: inout Head) throws(WireError) { self.init(audited: try head.consumeText("text")) }

    /// As it goes over the wire, and as `--json` prints it.
    package var head: Head {
        var head = Head(["text": .string(text)])
        if let user { head["uid"] = .number("\(user)") }
        if let client {
            head["pid"] = .number("\(client.process)")
            if let path = client.path { head["executable"] = .string(path) }
        }
        if let parent {
            head["parent-pid"] = .number("\(parent.process)")
            if let path = parent.path { head["parent-executable"] = .string(path) }
        }
        return head
    }
}
