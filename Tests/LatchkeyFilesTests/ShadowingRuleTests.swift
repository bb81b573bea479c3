import Foundation
import TestSupport
import Testing

/// The rule of the compiler on which the plugin `ProtectFiles` stands: what a module declares for a type of another module
/// comes before that module's own declaration, in this module alone. If a later compiler drops it, this test says so
/// before an app loses its protection without a word.
@Suite(.waitsForProcesses, .enabled(if: Toolchain.isThere, "skipped: needs swiftc")) struct ShadowingRuleTests {
    private static let declarations = """
        import Foundation
        extension Data {
            @_disfavoredOverload
            func write(to url: URL, options: Data.WritingOptions = []) throws { print("ours:", options.rawValue) }
            @_disfavoredOverload
            init(contentsOf url: __shared URL, options: Data.ReadingOptions = []) throws { self.init("ours".utf8) }
        }
        extension FileManager {
            @_disfavoredOverload
            func contents(atPath path: String) -> Data? { Data("ours".utf8) }
        }
        """
    private static let calls = """
        import Foundation
        let url = URL(fileURLWithPath: "/nowhere/file")
        try? Data().write(to: url, options: .atomic)
        try? Data().write(to: url)
        print((try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) } ?? "Foundation's")
        print(FileManager.default.contents(atPath: url.path).map { String(decoding: $0, as: UTF8.self) } ?? "Foundation's")
        """

    private func output(of files: [String: String], _ mode: String) throws -> String {
        let folder = try TemporaryFolder()
        for (name, text) in files { try text.write(toFile: folder.path(name), atomically: false, encoding: .utf8) }
        let program = folder.path("program")
        let built = try Toolchain.run(
            ["swiftc", "-Onone", "-swift-version", mode, "-module-cache-path", folder.path("cache"), "-o", program]
                + files.keys.sorted().map { folder.path($0) })
        try #require(built.status == 0, "\(built.output)")
        return try Toolchain.run([program]).output
    }

    @Test(arguments: ["5", "6"]) func aDeclarationOfTheModuleComesBeforeFoundations(_ mode: String) throws {
        let bare = try output(of: ["main.swift": Self.calls], mode)
        #expect(bare == "Foundation's\nFoundation's\n", "without the declarations, nothing is there to read")
        let ours = try output(of: ["main.swift": Self.calls, "Declarations.swift": Self.declarations], mode)
        #expect(ours == "ours: 1\nours: 0\nours\nours\n")
    }
}

/// The compiler that the tests were built with, as far as it is on the path.
private enum Toolchain {
    static let isThere = (try? run(["swiftc", "--version"]).status) == 0

    static func run(_ words: [String]) throws -> (status: Int32, output: String) {
        let program = Process()
        program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        program.arguments = words
        let pipe = Pipe()
        (program.standardOutput, program.standardError) = (pipe, pipe)
        try program.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        return (program.terminationStatus, output)
    }
}
