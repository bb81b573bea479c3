package import SystemServices

// The words of fprintd: its names for fingers, the results that it reports, and its errors.

/// A finger, under the name that fprintd has for it.
package struct FprintdFinger: Hashable, Sendable {
    /// The name in fprintd, such as `right-index-finger`.
    package let id: String

    package static let all = ["left", "right"].flatMap { side in
        ["thumb", "index-finger", "middle-finger", "ring-finger", "little-finger"].map {
            FprintdFinger(id: "\(side)-\($0)")
        }
    }

    private init(id: String) { self.id = id }

    /// Creates the finger that a person calls `name`, such as `right index`. Returns nil if fprintd has no such finger.
    package init?(called name: String) {
        let words = name.lowercased().split { $0 == " " || $0 == "-" }.joined(separator: " ")
        guard let finger = Self.all.first(where: { [$0.name, $0.id.replacing("-", with: " ")].contains(words) }) else {
            return nil
        }
        self = finger
    }

    /// The name that people use, such as `right index`.
    package var name: String { Self.name(of: id) }

    /// Returns the name that people use for a finger of fprintd.
    package static func name(of id: String) -> String {
        let words = id.hasSuffix("-finger") ? String(id.dropLast("-finger".count)) : id
        return words.replacing("-", with: " ")
    }

    /// The names of all fingers, for a message.
    package static var names: String { all.map(\.name).joined(separator: ", ") }
}

/// A result that fprintd reports while it verifies or enrolls a finger.
package enum FprintdResult: Equatable, Sendable {
    /// The finger matched, or is enrolled.
    case success
    /// No enrolled finger matched.
    case noMatch
    /// The reader waits for another touch. The value says what to do.
    case again(String)
    case failed(SensorError)

    /// Reads a result, such as `verify-match`. `isDone` is true if fprintd waits for no further touch.
    package init(_ word: String, isDone: Bool) {
        switch word {
        case "verify-match", "enroll-completed": self = isDone ? .success : .again("Touch again")
        case "verify-no-match": self = isDone ? .noMatch : .again("Touch again")
        case "enroll-data-full": self = .failed(.full)
        case "enroll-duplicate": self = .failed(.alreadyEnrolled)
        case "verify-disconnected", "enroll-disconnected": self = .failed(.absent("the reader was unplugged"))
        case _ where isDone: self = .failed(.refused("fprintd reports \(word)"))
        case "verify-retry-scan", "enroll-retry-scan": self = .again("Not clear. Touch again")
        case "verify-swipe-too-short", "enroll-swipe-too-short": self = .again("Too short. Swipe again")
        case "verify-finger-not-centered", "enroll-finger-not-centered":
            self = .again("Center your finger on the reader")
        case "verify-remove-and-retry", "enroll-remove-and-retry": self = .again("Lift your finger and touch again")
        case "verify-too-fast", "enroll-too-fast": self = .again("Too fast. Touch again, and hold")
        default: self = .again("Touch again")
        }
    }
}

extension SensorError {
    /// Creates the failure that an error of the bus or of fprintd stands for.
    package init(_ error: BusError) {
        guard let (name, words) = error.reported else {
            switch error.code {
            case BusError.timedOut: self = .timedOut
            case BusError.ended: self = .interrupted
            default: self = .absent("the system bus: \(error.words)")
            }
            return
        }
        switch name.split(separator: ".").last {
        case "NoSuchDevice": self = .absent("fprintd finds no fingerprint reader")
        case "ServiceUnknown", "NameHasNoOwner", "FileNotFound", "ExecFailed", "SpawnFailed", "UnitNotFound":
            self = .absent("fprintd does not run: install the package fprintd")
        // The bus reports this if the program ended before it replied. A reply that takes too long is noticed here.
        case "NoReply": self = .absent("fprintd has ended")
        case "Timeout", "TimedOut": self = .timedOut
        case "PermissionDenied", "AccessDenied":
            self = .refused("polkit permits the reader only in a session at this machine")
        case "AlreadyInUse": self = .refused("another program uses the reader")
        case "NoEnrolledPrints": self = .notEnrolled
        default: self = .refused("fprintd: \(words)")
        }
    }
}
