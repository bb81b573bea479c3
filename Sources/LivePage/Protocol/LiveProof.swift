package import PlainText

/// The answer to a claim: that of `latchkey.prove` in the playground.
package struct LiveProof: LiveObject {
    private let members: [String: JSON]

    /// Creates the answer from its members in JSON.
    package init(_ members: [String: JSON]) { self.members = members }

    package static let name = "proof"
    package static let fields: [LiveField<Self>] = [
        field("answer", "holds, fails or undecided", .word(["holds", "fails", "undecided"])),
        field("situations", "the number of situations that were searched", .number),
        field("moves", "the number of moves that were made", .number),
        field("steps", "the attack, a sentence a step; empty unless the claim fails", .list(.text)),
        field("assumptions", "the assumptions that make a difference, each with its word or its truth", .members),
        field("depth", "the number of steps to the farthest situation", .number),
        field("story", "the beginning and every step with its reason; null if there is none", .maybe(.members)),
        field("plays", "the moves as steps of a device, after so many before; null if there is none", .maybe(.members)),
        field("claim", "the claim in words", .text),
        field("policy", "the access policy in words", .text),
        field("reliesOnBackup", "whether the answer relies on a backup of the owner", .truth),
    ]

    private static func field(_ name: String, _ says: String, _ shape: LiveShape) -> LiveField<Self> {
        LiveField(name, says, shape) { ($0.members[name] ?? .null).text }
    }
}
