internal import AccessPolicy
internal import DeviceModel

/// All situations of a search and their keys, for tests of the search itself.
package struct SearchSpace: Sendable {
    private let search: Search

    /// Searches what the people of `profiles` can do to the first item of `scene`, or to its first file if it has no item. The first of them gets the device.
    package init(
        _ scene: Scene, _ profiles: [Profile], assuming assumptions: Assumptions = Assumptions(),
        limits: SearchLimits = SearchLimits()
    ) {
        var search = Search(
            scene, profiles, assuming: assumptions,
            about: scene.items.isEmpty ? (scene.files.count == 0 ? .all : .file(0)) : .item(0), limits: limits)
        search.run()
        self.search = search
    }

    package var codec: Codec { search.codec }

    package var keys: [SituationKey] { search.found.keys }

    package func successors(of situation: Situation) -> [Situation] {
        var all: [Situation] = []
        search.eachMove(in: situation) { _, _, next in all.append(next) }
        return all
    }
}
