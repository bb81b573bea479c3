internal import AccessPolicy
internal import DeviceModel

/// A table of what each profile can do to the items and the files of a scene, and in how many steps.
public struct Threats: Hashable, Sendable {
    /// The result for one profile and one aim.
    public enum Cell: Hashable, Sendable {
        /// The aim makes no sense for the item: a private key is used, and every other item is read.
        case meaningless
        /// The person never reaches the aim.
        case never
        /// The person reaches the aim in this many steps and no fewer.
        case steps(Int)
        /// The search met its limit before it could tell.
        case undecided
    }

    /// The device and the items stored on it.
    public let scene: Scene
    /// The profiles, one for each row.
    public let profiles: [Profile]
    /// The assumptions of each row.
    public let assumptions: [Assumptions]
    /// The size of the search for each row.
    public private(set) var extents: [Extent] = []
    private var cells: [Cell] = []
    /// The aims at an item, in the order of the cells.
    private let aimsAtItems: [Aim]
    private var stories: [Attack?] = []

    /// Searches once for each profile, for every aim and every item and file of `scene`.
    ///
    /// A scene has room for eight items and eight files.
    public init(
        _ scene: Scene, profiles: [Profile] = Profile.all, assuming stated: Assumptions.Stated = .init(),
        tellsStories: Bool = true, limits: SearchLimits = SearchLimits()
    ) {
        self.scene = scene
        aimsAtItems = Aim.ofItems(inAccount: scene.hasAccount)
        self.profiles = profiles
        assumptions = profiles.map { Assumptions(stated, else: $0.assumes) }
        for (profile, assumptions) in zip(profiles, assumptions) {
            var wanted = Facts()
            for item in scene.items.indices { wanted.formUnion(Facts(aimsAtItems, of: item)) }
            for file in scene.files.indices { wanted.formUnion(Facts(Aim.ofFiles, of: file)) }
            var search = Search(scene, [profile], assuming: assumptions, for: wanted, limits: limits)
            search.run()
            extents.append(search.extent)
            for item in scene.items.indices {
                for aim in aimsAtItems {
                    let way = search.way(to: aim, of: item)
                    cells.append(Self.cell(way, aim.isOpen(toKey: scene.isKey(item)), search.end == .outOfRoom))
                    stories.append(tellsStories ? way.map { search.story($0) } : nil)
                }
            }
            for file in scene.files.indices {
                for aim in Aim.ofFiles {
                    let way = search.way(to: aim, of: file)
                    cells.append(Self.cell(way, true, search.end == .outOfRoom))
                    stories.append(tellsStories ? way.map { search.story($0, about: aim) } : nil)
                }
            }
        }
    }

    private static func cell(_ way: Way?, _ isOpen: Bool, _ isOutOfRoom: Bool) -> Cell {
        if !isOpen { return .meaningless }
        if let way { return .steps(way.length) }
        return isOutOfRoom ? .undecided : .never
    }

    /// Returns the place of a cell. The cells of a profile are those of its items, then those of its files.
    private func place(_ profile: Int, _ aim: Aim, _ index: Int) -> Int {
        let ofItems = scene.items.count * aimsAtItems.count
        let row = profile * (ofItems + scene.files.count * Aim.ofFiles.count)
        return aim.isAboutFile
            ? row + ofItems + index * Aim.ofFiles.count + (Aim.ofFiles.firstIndex(of: aim) ?? 0)
            : row + index * aimsAtItems.count + (aimsAtItems.firstIndex(of: aim) ?? 0)
    }

    /// Returns the result for the profile in this row, for `aim` at the item or the file with this index.
    public func cell(_ profile: Int, _ aim: Aim, of item: Int = 0) -> Cell { cells[place(profile, aim, item)] }

    /// Returns the story behind that result, or nil if the person never reaches the aim or `tellsStories` was false.
    public func story(_ profile: Int, _ aim: Aim, of item: Int = 0) -> Attack? { stories[place(profile, aim, item)] }
}
