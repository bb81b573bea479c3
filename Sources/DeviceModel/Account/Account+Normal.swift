internal import AccessPolicy

extension Account {
    /// The representative of all accounts that behave like this one in every future.
    ///
    /// Identities are numbered anew in their order, and counters that no event depends on begin again. So an account that
    /// joins and resets over and over has finitely many forms.
    package var normalized: Account {
        let used = Set(lists.keys).union(owners.keys).union(escrow.keys).union(recoveryKey.map { [$0.peer] } ?? [])
        var numbers: [Peer: Peer] = [:]
        for peer in used.sorted(by: { $0.rawValue < $1.rawValue }) {
            numbers[peer] = Peer(rawValue: UInt8(numbers.count))
        }
        func renumbered(_ peers: Peers) -> Peers {
            peers.reduce(into: []) { new, peer in if let number = numbers[peer] { new.insert(number) } }
        }
        func renumbered<Value>(_ values: [Peer: Value]) -> [Peer: Value] {
            Dictionary(uniqueKeysWithValues: values.compactMap { peer, value in numbers[peer].map { ($0, value) } })
        }
        var normal = self
        for place in normal.members.indices {
            normal.members[place].identity = normal.members[place].identity.flatMap { numbers[$0] }
        }
        normal.escrow = renumbered(escrow)
        normal.owners = renumbered(owners)
        normal.lists = renumbered(lists).mapValues {
            TrustList(included: renumbered($0.included), excluded: renumbered($0.excluded))
        }
        normal.recoveryKey = recoveryKey.flatMap { key in
            numbers[key.peer].map { RecoveryKey(secret: key.secret, peer: $0) }
        }
        normal.circle = min(circle, 1)
        normal.passwordChanges = 0
        normal.identities = UInt8(numbers.count)
        return normal
    }
}
