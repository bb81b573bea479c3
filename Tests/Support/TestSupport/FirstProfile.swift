internal import Foundation

/// The profile that `latchkey lend new` writes, as a user changes it.
public enum FirstProfile: Sendable {
    /// Returns the profile with the repository that its comments propose.
    public static func withRepository(_ text: String) -> String {
        guard let start = text.range(of: "  # code:") else { return text }
        let lines = text[start.lowerBound...].split(separator: "\n", omittingEmptySubsequences: false)
        return text[..<start.lowerBound]
            + lines.map { $0.hasPrefix("  # ") ? "  " + $0.dropFirst(4) : $0 }.joined(separator: "\n")
    }
}
