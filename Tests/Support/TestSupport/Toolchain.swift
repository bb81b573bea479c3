internal import Foundation

/// The compiler that the tests were built with, as far as it is on the path.
public enum Toolchain: Sendable {
    /// True if the compiler is on the path.
    public static let isThere = (try? run(["swiftc", "--version"]).status) == 0

    /// Runs a program of the path with these words, and returns its status and its output.
    public static func run(_ words: [String]) throws -> (status: Int32, output: String) {
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
