import Foundation
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// A pinentry that is a shell script, in a folder that is deleted with the test.
struct PinentryScript {
    let folder: TemporaryFolder
    let path: String

    /// Creates a pinentry that answers the n-th GETPIN with the n-th of `pins`, and CONFIRM with `choice`. Both are commands of
    /// the shell.
    init(pins: [String] = [], choice: String = "echo OK") throws {
        let cases = pins.enumerated().map { "\($0.offset + 1)) \($0.element) ;;" }.joined(separator: "\n")
        try self.init(
            """
            echo "OK Pleased to meet you"
            count=0
            while IFS= read -r line; do
                printf '%s\\n' "$line" >> "$here/heard"
                case $line in
                GETPIN) count=$((count + 1)); case $count in
                    \(cases)
                    *) echo "ERR 83886179 canceled" ;;
                    esac ;;
                CONFIRM*) \(choice) ;;
                *) echo OK ;;
                esac
            done
            """)
    }

    /// Creates a pinentry of this text. `here` is its folder.
    init(_ body: String) throws {
        folder = try TemporaryFolder()
        path = folder.path("pinentry")
        try TestProgram.write(
            "#!/bin/sh\nhere=${0%/*}\necho $$ > \"$here/process\"\nenv > \"$here/env\"\n\(body)\n", to: path)
    }

    /// Returns a user at this pinentry, and at others if it shows nothing.
    func user(
        then others: [PinentryScript] = [], command: Int32 = 60_000, answer: Int32 = 180_000,
        place: PinentryPlace = PinentryPlace([:], home: nil, runtime: "/nowhere")
    ) -> PinentryUser {
        PinentryUser(
            ([self] + others).map { .init(program: $0.path) }, place, patience: .init(command: command, answer: answer))
    }

    private func lines(_ name: String) -> [String] {
        ((try? String(contentsOf: folder.url.appending(path: name), encoding: .utf8)) ?? "").split(separator: "\n")
            .map(String.init)
    }

    /// What the pinentry was told.
    var heard: [String] { lines("heard") }
    /// The environment of the pinentry.
    var environment: [String] { lines("env") }
    /// The process of the pinentry.
    var process: pid_t? { lines("process").first.flatMap { pid_t($0) } }

    /// Returns true if the process of the pinentry is gone.
    var isGone: Bool { process.map { kill($0, 0) != 0 && errno == ESRCH } ?? true }
}

/// An answer in a form that a test can compare.
enum GivenAnswer: Equatable {
    case touch(String?)
    case typed(String)
    case confirm, fallback, cancel

    init(_ response: consuming Response) {
        switch consume response {
        case .touch(let shown): self = .touch(shown)
        case .typed(let typed): self = .typed(typed.string() ?? "?")
        case .confirm: self = .confirm
        case .fallback: self = .fallback
        case .cancel: self = .cancel
        }
    }
}
