import Foundation
import Glibc

/// A PAM service of its own for one test, in a folder of its own: no root, no file of the system, no real account.
///
/// Its module is the one in `Tests/Support/PAMTestModule`, whose arguments say what it does.
public final class PAMStack: Sendable {
    /// The folder of services.
    public let folder: String
    /// The name of the service.
    public let service = "latchkey-test"
    /// Whose passcode it knows: whoever runs the test, unless said otherwise.
    public let user: String

    private let home: TemporaryFolder

    /// A service that knows `passcode`; what it does besides, the module's arguments say.
    public init(
        passcode: String = "correct horse", user: String = PAMStack.currentUser, _ arguments: [String] = []
    ) throws {
        home = try TemporaryFolder()
        self.user = user
        folder = home.path("pam.d")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        // The one that was built may lie where others can write.
        try FileManager.default.copyItem(atPath: Self.builtModule(), toPath: module)
        try Self.restrict(module, 0o700)
        try setPasscode(Array(passcode.utf8))
        try play(arguments)
    }

    /// Where the service file is.
    public var serviceFile: String { folder + "/" + service }
    /// Where this stack's own copy of the module is.
    public var module: String { path("pam_latchkey_test.so") }
    /// Where the passcodes are.
    public var passcodes: String { path("passcodes") }
    /// The file that the module waits for while it is there.
    private var hangFile: String { path("hang") }

    /// The path of what is called `name` beside the folder of services.
    public func path(_ name: String) -> String { home.path(name) }

    /// Makes the module do this: the same check of the passcode, with these arguments.
    public func play(_ arguments: [String]) throws {
        let words = (["passdb=\(passcodes)"] + arguments).map { "[\($0)]" }.joined(separator: " ")
        try write(["auth required \(module) \(words)", "account required \(module) \(words)"])
    }

    /// Writes the lines of the service file, or of another file in its folder.
    public func write(_ lines: [String], to name: String? = nil) throws {
        try writeText(lines.map { $0 + "\n" }.joined(), to: name)
    }

    /// Writes the service file, or another file in its folder, as it stands here.
    public func writeText(_ text: String, to name: String? = nil) throws {
        let path = folder + "/" + (name ?? service)
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        try Self.restrict(path, 0o600)
    }

    /// Changes the passcode, as a change of the login password elsewhere does.
    public func setPasscode(_ passcode: String) throws { try setPasscode(Array(passcode.utf8)) }

    /// Changes the passcode to these bytes, each of which is taken out of its disguise by itself, so that the passcode is
    /// nowhere in memory.
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

    /// Lets go of every call that hangs.
    public func letGo() throws { try FileManager.default.removeItem(atPath: hangFile) }

    /// Sets who may do what with a file.
    public static func restrict(_ path: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Whoever runs the test.
    public static var currentUser: String { getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "nobody" }

    /// Where the module was built: beside the tests.
    private static func builtModule() throws -> String {
        var starts = [try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")]
        // Where another program has loaded the tests, they are among what it has mapped.
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        starts += maps.split(separator: "\n").compactMap { $0.firstIndex(of: "/").map($0.suffix(from:)) }
            .filter { $0.hasSuffix(".xctest") }.map(String.init)
        for start in starts.compactMap(\.self) {
            // With a folder around the tests, it is beside the folder.
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
        // Nothing is left to hang for.
        unlink(hangFile)
    }
}
