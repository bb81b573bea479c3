internal import PlainText
package import PolicyProver

extension Extent {
    /// The size of the search in a few words.
    package var words: String { "\(counted(situations, "situation")), \(counted(moves, "move"))" }
}
