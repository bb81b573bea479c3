internal import Foundation
internal import Runtime
internal import Synchronization

/// A call for which no device was chosen.
struct StrayCall: Sendable {
    /// The name of the call, such as `SecItemAdd`.
    let name: String
    /// The test that ran at the time; nil if none is known.
    let test: String?
    private var stack: Backtrace?

    init(_ name: String, during test: String?) {
        self.name = name
        self.test = test
    }

    /// Keeps the stack of the code that runs.
    mutating func keepStack() { stack = try? Backtrace.capture(limit: 48, images: Self.images) }

    /// The libraries of the process. To find them reads every file that is mapped, and crashes if another thread unmaps
    /// one meanwhile. So they are found once, before the first test begins.
    static let images = ImageMap.capture()

    /// A function of the app that led to the call, with the place where it went on.
    struct Frame {
        let function: String
        let path: String
        let line: Int

        var inWords: String { "    \(function) at \(path):\(line)" }
    }

    /// The functions of the app that led to the call, the innermost first; none if the stack was not kept. Optimized
    /// code may lack some of them.
    func frames() -> [Frame] { Self.lookingUp.withLock { _ in lookedUp } }

    /// One thread at a time: looking up reads the program's debug information, and needs memory for it.
    private static let lookingUp = Mutex(())

    private var lookedUp: [Frame] {
        (stack?.symbolicated()?.frames.map(\.symbol) ?? []).compactMap { symbol in
            guard let symbol, !symbol.isSwiftThunk, let place = symbol.sourceLocation, Self.isApp(place) else {
                return nil
            }
            return Frame(function: symbol.name, path: place.path, line: place.line)
        }
    }

    /// The folder of Latchkey.
    private static let ownFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Returns true if the code at this place is neither Latchkey's nor the compiler's.
    private static func isApp(_ place: SymbolicatedBacktrace.SourceLocation) -> Bool {
        if place.line <= 0 || place.path.contains("@__swiftmacro_") || place.path.contains("<compiler-generated>") {
            return false
        }
        // A path in debug information may lack the folder of its package.
        if !place.path.hasPrefix("/") {
            return !FileManager.default.fileExists(atPath: ownFolder.appending(path: place.path).path)
        }
        return !place.path.hasPrefix(ownFolder.appending(path: "Sources").path + "/")
    }
}
