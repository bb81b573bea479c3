import Foundation
import TestSupport
import Testing

/// The commands stand side by side: none names the type of another, except to list the commands below its own.
@Suite struct CommandNamesTests {
    /// A declaration at the top level of a file.
    private struct Piece {
        let path: String
        /// The commands that it declares, or extends in the file that declares them.
        let own: Set<String>
        /// The commands that it lists as those below its own.
        let listed: Set<String>
        /// Every word of it that could be the type of a command.
        let named: Set<String>

        init(_ text: String, of path: String, declaring declared: Set<String>) {
            self.path = path
            let opened = text.matches(of: #/(?:enum|extension) (\w+Command)(?!\w)/#).map { String($0.1) }
            own = declared.intersection(opened)
            let lists = text.matches(of: #/commands(?:: \[Declaration\] =|:) \[([^\]]*)\]/#).map { String($0.1) }
            listed = Self.words(in: lists.joined(separator: " "))
            named = Self.words(in: text)
        }

        private static func words(in text: String) -> Set<String> {
            Set(text.matches(of: #/\w+Command(?!\w)/#).map { String($0.output) })
        }
    }

    /// The file that lists all commands.
    private static let list = "Tools.swift"

    private func pieces() throws -> [Piece] {
        let folder = Repository.root.appending(path: "Sources")
        let paths = try ["LatchkeyCLI", "LatchkeyTools"].flatMap { module in
            try FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: module).path)
                .filter { $0.hasSuffix(".swift") && $0 != Self.list }.map { "\(module)/\($0)" }
        }
        return try paths.flatMap { path in
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            let declared = Set(text.matches(of: #/enum (\w+Command)(?!\w)/#).map { String($0.1) })
            let code = text.components(separatedBy: "\n").filter { line in
                !line.trimmingCharacters(in: .whitespaces).hasPrefix("//")
            }
            // The formatter puts the brace that ends such a declaration on a line of its own.
            let pieces = code.joined(separator: "\n").components(separatedBy: "\n}\n")
            return pieces.map { Piece($0, of: path, declaring: declared) }
        }
    }

    @Test func noCommandNamesTheTypeOfAnother() throws {
        let pieces = try pieces()
        let commands = pieces.reduce(into: Set<String>()) { $0.formUnion($1.own) }
        #expect(commands.count > 80)
        for piece in pieces {
            let others = piece.named.intersection(commands).subtracting(piece.own).subtracting(piece.listed)
            #expect(
                others.isEmpty,
                "\(piece.path) names \(others.sorted()): move what it needs of them into a type that both can use")
        }
    }
}
