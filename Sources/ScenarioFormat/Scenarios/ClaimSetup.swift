package import AccessPolicy
package import PolicyProver

/// A claim that a file makes about one of its items, on the device that it declares.
package struct ClaimSetup: Sendable {
    /// The place of the claim in the file.
    package var position: Position
    package var statement: Claim.Statement
    /// The index of the item among the items of the document, or of the file among its files if the aim is about a file.
    package var item: Int
    /// The greatest age of an unlock by biometry that still counts as biometry for the app.
    package var reuse: TimeSpan
    package var assumes: Assumptions.Stated
    /// True if the file expects the claim to hold, and false if it expects it to fail.
    package var expectsHold: Bool

    package init(
        position: Position, statement: Claim.Statement, item: Int, reuse: TimeSpan, assumes: Assumptions.Stated,
        expectsHold: Bool
    ) {
        self.position = position
        self.statement = statement
        self.item = item
        self.reuse = reuse
        self.assumes = assumes
        self.expectsHold = expectsHold
    }
}
