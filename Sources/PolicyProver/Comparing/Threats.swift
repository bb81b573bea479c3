internal import AccessPolicy
internal import DeviceModel

/// Who can come to what with the items of a scene, and in how many steps.
public struct Threats: Hashable, Sendable {
    /// What comes of one aim of somebody.
    public enum Cell: Hashable, Sendable {
        /// The item has no such use, for nobody: a private key is used, and all else is read.
        case meaningless
        /// They never come to it.
        case never
        /// They come to it in so many steps, and not in fewer.
        case steps(Int)
        /// There was no room to find out.
        case undecided
    }

    /// The scene.
    public let scene: Scene
    /// The rows.
    public let profiles: [Profile]
    /// The assumptions of each row.
    public let assumptions: [Assumptions]
    /// How large the search of each row was.
    public private(set) var extents: [Extent] = []
    private var cells: [Cell] = []
    private var stories: [Story?] = []

    /// The whole table for the items of `scene`: one search for each profile tells it of all aims and all items.
    ///
    /// A scene has room for eight items.
    public init(
        _ scene: Scene, profiles: [Profile] = Profile.all, assuming stated: Assumptions.Stated = .init(),
        tellsStories: Bool = true, limits: Limits = Limits()
    ) {
        self.scene = scene
        self.profiles = profiles
        assumptions = profiles.map { Assumptions(stated, else: $0.assumes) }
        for (profile, assumptions) in zip(profiles, assumptions) {
            var wanted = Facts()
            for item in scene.items.indices { wanted.formUnion(Facts(Aim.allCases, of: item)) }
            var search = Search(scene, [profile], assuming: assumptions, for: wanted, limits: limits)
            search.run()
            extents.append(search.extent)
            for item in scene.items.indices {
                for aim in Aim.allCases {
                    let way = search.way(to: aim, of: item)
                    cells.append(Self.cell(way, aim.isOpen(toKey: scene.isKey(item)), search.end == .outOfRoom))
                    stories.append(tellsStories ? way.map { search.story($0) } : nil)
                }
            }
        }
    }

    private static func cell(_ way: Way?, _ isOpen: Bool, _ isOutOfRoom: Bool) -> Cell {
        if !isOpen { return .meaningless }
        if let way { return .steps(way.length) }
        return isOutOfRoom ? .undecided : .never
    }

    private func place(_ profile: Int, _ aim: Aim, _ item: Int) -> Int {
        (profile * scene.items.count + item) * Aim.allCases.count + (Aim.allCases.firstIndex(of: aim) ?? 0)
    }

    /// What comes of `aim` at the item in this place, for the profile of this row.
    public func cell(_ profile: Int, _ aim: Aim, of item: Int = 0) -> Cell { cells[place(profile, aim, item)] }

    /// The story behind it; nil where they never come to it, or stories were not told.
    public func story(_ profile: Int, _ aim: Aim, of item: Int = 0) -> Story? { stories[place(profile, aim, item)] }
}
