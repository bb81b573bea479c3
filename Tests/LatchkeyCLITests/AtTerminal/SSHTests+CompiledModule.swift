import Foundation
import TestSupport
import Testing

extension SSHTests {
    /// A module for cards that a test compiles, in a folder that root alone can change.
    final class CompiledModule {
        let folder: String
        var path: String { folder + "/module.so" }

        private static let compiler = "/usr/bin/gcc"
        static let isPossible = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: compiler)

        /// Compiles a source. It may use `FOLDER`, and these names, which stand for texts.
        init(_ text: String, _ names: [String: String], in home: String) throws {
            folder = "/var/lib/latchkey-test-\(UUID().uuidString)"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
            let source = home + "/module.c"
            try text.write(toFile: source, atomically: false, encoding: .utf8)
            let definitions = names.merging(["FOLDER": folder]) { $1 }.map { "-D\($0)=\"\($1)\"" }
            let compiled = try Command.run(
                ["-shared", "-fPIC"] + definitions + ["-o", path, source], program: URL(filePath: Self.compiler))
            try #require(compiled.status == 0, "\(compiled)")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }
    }
}
