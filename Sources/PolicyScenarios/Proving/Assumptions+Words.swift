internal import PolicyProver

extension Assumptions {
    /// Those that make a difference to a device that comes like this, in the words of files.
    func words(for hold: Hold) -> String {
        named(for: hold).map { "\($0.rawValue): \($0.word(in: self))" }.joined(separator: ", ")
    }

    /// The same as an object of JSON.
    func json(for hold: Hold) -> String { Self.json(named(for: hold), self) }

    /// All of them as an object of JSON.
    var json: String { Self.json(Assumption.allCases, self) }

    private func named(for hold: Hold) -> [Assumption] { Assumption.allCases.filter { $0.applies(to: hold) } }

    private static func json(_ all: [Assumption], _ assumptions: Assumptions) -> String {
        JSONText.object(
            all.map { assumption in
                let word = assumption.word(in: assumptions)
                return (assumption.rawValue, assumption.isTruth ? word : Quoting.json(word))
            })
    }
}

extension Assumption {
    /// Whether it is stated as true or false.
    var isTruth: Bool { words == ["true", "false"] }
}
