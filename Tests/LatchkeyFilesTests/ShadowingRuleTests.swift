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
        final class Ours: UserDefaults { init() { super.init(suiteName: nil)! } }
        extension UserDefaults {
            @_disfavoredOverload
            static var standard: UserDefaults { Ours() }
        }
        protocol Made {}
        extension UserDefaults: Made {}
        extension Made where Self: UserDefaults {
            init?(suiteName: String) { self = Ours() as! Self }
        }
        """
    private static let calls = """
        import Foundation
        let url = URL(fileURLWithPath: "/nowhere/file")
        try? Data().write(to: url, options: .atomic)
        try? Data().write(to: url)
        print((try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) } ?? "Foundation's")
        print(FileManager.default.contents(atPath: url.path).map { String(decoding: $0, as: UTF8.self) } ?? "Foundation's")
        for defaults in [UserDefaults.standard, UserDefaults(suiteName: "suite")!] {
            print(type(of: defaults) == UserDefaults.self ? "Foundation's" : "ours")
        }
        """

    private func output(of files: [String: String], _ mode: String, in folder: TemporaryFolder) throws -> String {
        for (name, text) in files { try text.write(toFile: folder.path(name), atomically: false, encoding: .utf8) }
        let program = folder.path("program")
        let built = try Toolchain.run(
            ["swiftc", "-Onone", "-swift-version", mode, "-module-cache-path", folder.path("cache"), "-o", program]
                + files.keys.sorted().map { folder.path($0) })
        try #require(built.status == 0, "\(built.output)")
        return try Toolchain.run([program]).output
    }

    /// One after the other, because the second call of the compiler needs no modules of the system any more.
    @Test func aDeclarationOfTheModuleComesBeforeFoundations() throws {
        let folder = try TemporaryFolder()
        for mode in ["5", "6"] {
            let bare = try output(of: ["main.swift": Self.calls], mode, in: folder)
            #expect(
                bare == "Foundation's\nFoundation's\nFoundation's\nFoundation's\n",
                "without the declarations, nothing is there to read")
            let ours = try output(
                of: ["main.swift": Self.calls, "Declarations.swift": Self.declarations], mode, in: folder)
            #expect(ours == "ours: 1\nours: 0\nours\nours\nours\nours\n")
        }
    }
}
