import Foundation
import Glibc

/// A PAM service for one test, in its own folder. It needs no root, no file of the system and no real account.
///
/// Its module is the one in `Tests/Support/PAMTestModule`, whose arguments say what it does.
public final class PAMStack: Sendable {
    /// The folder of services.
    public let folder: String
    /// The name of the service.
    public let service = "latchkey-test"
    /// The user whose passcode it knows; by default the user who runs the test.
    public let user: String

    private let home: TemporaryFolder

    /// Creates a service that knows `passcode`. `arguments` go to the module.
    public init(
        passcode: String = "correct horse", user: String = PAMStack.currentUser, _ arguments: [String] = []
    ) throws {
        home = try TemporaryFolder()
        self.user = user
        folder = home.path("pam.d")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        // Copy the built module: it may lie in a folder that other users can write to.
        try FileManager.default.copyItem(atPath: Self.builtModule(), toPath: module)
        try Self.restrict(module, 0o700)
        try setPasscode(Array(passcode.utf8))
        try play(arguments)
    }

    /// The path of the service file.
    public var serviceFile: String { folder + "/" + service }
    /// The path of this stack's copy of the module.
    public var module: String { path("pam_latchkey_test.so") }
    /// The path of the passcodes.
    public var passcodes: String { path("passcodes") }
    /// The path of the file that makes the module hang while it exists.
    private var hangFile: String { path("hang") }

    /// Returns the path of `name` beside the folder of services.
    public func path(_ name: String) -> String { home.path(name) }

    /// Sets the arguments of the module. It still checks the passcode.
    public func play(_ arguments: [String]) throws {
        let words = (["passdb=\(passcodes)"] + arguments).map { "[\($0)]" }.joined(separator: " ")
        try write(["auth required \(module) \(words)", "account required \(module) \(words)"])
    }

    /// Writes the lines of the service file, or of another file in its folder.
    public func write(_ lines: [String], to name: String? = nil) throws {
        try writeText(lines.map { $0 + "\n" }.joined(), to: name)
    }

    /// Writes `text` to the service file, or to another file in its folder.
    public func writeText(_ text: String, to name: String? = nil) throws {
        let path = folder + "/" + (name ?? service)
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        try Self.restrict(path, 0o600)
    }

    /// Changes the passcode, as a change of the login password elsewhere does.
    public func setPasscode(_ passcode: String) throws { try setPasscode(Array(passcode.utf8)) }

    /// Changes the passcode to these bytes. It unmasks them one by one, so that the passcode is nowhere in memory.
    public func setPasscode(_ passcode: [UInt8], disguisedWith mask: UInt8 = 0) throws {
        let file = open(passcodes, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(file) }
        let pieces = [Array("\(user):".utf8)] + passcode.map { [$0 ^ mask] } + [Array("\n".utf8)]
        for piece in pieces where Glibc.write(file, piece, piece.count) != piece.count {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// Makes the module hang before it asks, until `letGo` or 20 seconds later.
    public func hang(_ arguments: [String] = []) throws {
        try Data().write(to: URL(filePath: hangFile))
        try play(["hang-while=\(hangFile)"] + arguments)
    }

    /// Releases every call that hangs.
    public func letGo() throws { try FileManager.default.removeItem(atPath: hangFile) }

    /// Sets the permissions of a file.
    public static func restrict(_ path: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// The name of the user who runs the test.
    public static var currentUser: String { getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "nobody" }

    /// Returns the path of the built module, which lies beside the tests.
    private static func builtModule() throws -> String {
        var starts = [try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")]
        // If another program has loaded the tests, find them among its mapped files.
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        starts += maps.split(separator: "\n").compactMap { $0.firstIndex(of: "/").map($0.suffix(from:)) }
            .filter { $0.hasSuffix(".xctest") }.map(String.init)
        for start in starts.compactMap(\.self) {
            // If the tests lie in a bundle, the module lies beside that.
            var folder = URL(filePath: start).resolvingSymlinksInPath().deletingLastPathComponent()
            for _ in 0..<4 {
                let module = folder.appending(path: "pam_latchkey_test").path
                if FileManager.default.isReadableFile(atPath: module) { return module }
                folder.deleteLastPathComponent()
            }
        }
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "pam_latchkey_test"])
    }

    deinit {
        // Release every call that still hangs.
        unlink(hangFile)
    }
}
