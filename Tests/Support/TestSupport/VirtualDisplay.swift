internal import Foundation

/// An X display without a screen, for one test. It goes with this value.
public final class VirtualDisplay: @unchecked Sendable {  // the process is only ended, by the last owner
    /// True if the programs for it are installed.
    public static let isThere = ["/usr/bin/Xvfb", "/usr/bin/xdotool"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The name of the display, such as `:3`.
    public let name: String
    private let server = Process()

    /// The display could not be created.
    public struct NoDisplay: Error {}

    /// Starts a display under a number that no other has.
    public init() throws {
        let output = Pipe()
        Command.set(
            server, toRun: URL(filePath: "/usr/bin/Xvfb"),
            ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"])
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        server.standardInput = FileHandle.nullDevice
        try server.run()
        var said = ""
        while !said.hasSuffix("\n") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty {
                server.terminate()
                throw NoDisplay()
            }
            said += String(decoding: more, as: UTF8.self)
        }
        name = ":" + said.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        server.terminate()
        server.waitUntilExit()
    }

    private func ask(_ arguments: String...) throws -> [String] {
        try Command.run(
            arguments, environment: ["DISPLAY": name], program: URL(filePath: "/usr/bin/xdotool")
        ).output.split(separator: "\n").map(String.init)
    }

    /// The windows of pinentries that are shown.
    public var windows: [String] { get throws { try ask("search", "--onlyvisible", "--name", "^Latchkey$") } }

    /// Waits until there is a window that is none of `former`. Returns nil if there is none in time, or once `isOver` is true.
    public func window(butNot former: [String] = [], unless isOver: () -> Bool = { false }) throws -> String? {
        var found: String?
        _ = try Patience.wait(everyMilliseconds: 50) {
            found = try windows.last { !former.contains($0) }
            return found != nil || isOver()
        }
        return found
    }

    /// Types into a window, and then presses these keys. Returns false if the window does not take the keyboard.
    public func type(_ text: String, _ keys: String..., into window: String) throws -> Bool {
        let hasFocus = try Patience.wait(everyMilliseconds: 50) {
            _ = try ask("windowfocus", window)
            return try ask("getwindowfocus") == [window]
        }
        guard hasFocus else { return false }
        if !text.isEmpty { _ = try ask("type", "--delay", "20", text) }
        for key in keys { _ = try ask("key", key) }
        return true
    }

    /// Waits until no window is shown. Returns false if one still is.
    public func isEmptyInTime() throws -> Bool { try Patience.wait(everyMilliseconds: 50) { try windows.isEmpty } }
}
