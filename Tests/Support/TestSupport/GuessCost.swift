internal import CTestEnvironment
internal import Foundation
internal import Synchronization

/// The cost of a guess of a passcode in tests.
///
/// For a real vault, a guess takes half a second of a processor. The tests make hundreds of guesses, and few tests are
/// about their cost. So Argon2 takes 8 KiB in the process of the tests and in the copy of the command that they run
/// (`Tests/Support/CheapStretch`). Both open each other's vaults; the command that was built (`Command.built`) opens neither's.
public enum GuessCost: Sendable {
    /// Runs `body`, whose guesses on this thread have their whole cost.
    public static func genuine<Result>(_ body: () throws -> Result) rethrows -> Result {
        latchkey_tests_stretch_genuinely(true)
        defer { latchkey_tests_stretch_genuinely(false) }
        return try body()
    }

    /// Copies the command and the programs beside it, so that the copies load the library of cheap guesses from the folder that it is in.
    static func cheapCommand(from built: URL) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "latchkey-command-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        copied.withLock { $0 = folder }
        atexit { GuessCost.copied.withLock { if let folder = $0 { try? FileManager.default.removeItem(at: folder) } } }
        let library = "libcheap-kdf.so"
        // The loader looks for libsodium by a name in the program. Another name of the same length takes its place.
        let child = Process()
        child.executableURL = URL(filePath: "/bin/sh")
        child.arguments = [
            "-ec",
            """
            for program in \(Command.programs.joined(separator: " ")); do
                LC_ALL=C sed 's/libsodium\\.so\\.[0-9][0-9]/\(library)/' "$1/$program" >"$2/$program"
            done
            cp "$1/cheap_stretch" "$2/\(library)"
            chmod 755 "$2" "$2"/*
            """, "sh", built.deletingLastPathComponent().path, folder.path,
        ]
        child.standardInput = FileHandle.nullDevice
        try child.run()
        child.waitUntilExit()
        guard child.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
        return folder.appending(path: "latchkey")
    }

    /// The folder of the copy, which goes when the tests end.
    private static let copied = Mutex<URL?>(nil)
}
