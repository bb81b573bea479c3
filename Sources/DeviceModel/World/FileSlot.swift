public import AccessPolicy

/// A file of the app on the device of a world, without its content.
public struct FileSlot: Hashable, Sendable {
    /// The protection class.
    public let protection: FileProtection
    /// True if backups leave the file out.
    public let isExcludedFromBackup: Bool
    /// True if the file exists, with the content that its owner left in it.
    public package(set) var isPresent = true
    /// True if the app holds the file open.
    public package(set) var isOpen: Bool
    /// True if the backup has a copy.
    public package(set) var hasCopy = false

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - protection: The protection class.
    ///   - isExcludedFromBackup: True if every backup leaves the file out. An atomic write drops the exclusion, so it is
    ///     only true of an app that excludes the file again after each.
    ///   - isOpen: True if the app opens the file and holds it open.
    public init(_ protection: FileProtection, isExcludedFromBackup: Bool = false, isOpen: Bool = false) {
        self.protection = protection
        self.isExcludedFromBackup = isExcludedFromBackup
        self.isOpen = isOpen
    }

    /// Removes the file. The copy in the backup remains.
    package mutating func clear() {
        isPresent = false
        isOpen = false
    }
}

extension FileSlot: CustomStringConvertible {
    /// The file in the words of reports, such as "complete, excluded from backups, held open".
    public var description: String {
        protection.name + (isExcludedFromBackup ? ", excluded from backups" : "") + (isOpen ? ", held open" : "")
    }
}

/// The files of a world.
public struct FileSlots: Hashable, Sendable {
    private var places = InlineArray<8, FileSlot>(repeating: FileSlot(.none))
    /// The number of files, whether or not they still exist.
    public private(set) var count = 0

    /// The number of files that a world has room for.
    public static let capacity = 8

    init() {}

    /// The indices of the files.
    public var indices: Range<Int> { 0..<count }

    /// The file at this index.
    public package(set) subscript(place: Int) -> FileSlot {
        get {
            precondition(place < count, "no such file")
            return places[place]
        }
        set {
            precondition(place < count, "no such file")
            places[place] = newValue
        }
    }

    /// Adds a file. Returns false if there is no room.
    mutating func append(_ file: FileSlot) -> Bool {
        guard count < Self.capacity else { return false }
        places[count] = file
        count += 1
        return true
    }

    mutating func changeEach(_ change: (inout FileSlot) -> Void) { for index in 0..<count { change(&places[index]) } }

    /// Returns true if both have equal files.
    public static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.indices.allSatisfy { left.places[$0] == right.places[$0] }
    }

    /// Hashes the files.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for index in indices { hasher.combine(places[index]) }
    }
}
