internal import AccessPolicy
internal import DeviceModel

/// The situations of a search and the keys that it keeps them by, for a check of the search itself.
package struct SearchSpace: Sendable {
    private let search: Search

    /// The situations that those of `profiles` can bring about, the first of whom gets the device. The first item is what it is
    /// about.
    package init(
        _ scene: Scene, _ profiles: [Profile], assuming assumptions: Assumptions = Assumptions(),
        limits: Limits = Limits()
    ) {
        var search = Search(
            scene, profiles, assuming: assumptions, about: scene.items.isEmpty ? nil : 0, limits: limits)
        search.run()
        self.search = search
    }

    /// The codec that writes situations as keys, and reads them again.
    package var codec: Codec { search.codec }

    /// The keys of all situations that it came to.
    package var keys: [Key] { search.found.keys }

    /// The situations that one move leads to.
    package func successors(of situation: Situation) -> [Situation] {
        var all: [Situation] = []
        search.eachMove(in: situation) { _, _, next in all.append(next) }
        return all
    }
}
