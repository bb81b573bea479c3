internal import AccessPolicy
internal import SodiumKit

/// The access groups of a caller, numbered in the order of the caller's list. `decide` knows a group by its number, a
/// header by its tag.
struct GroupNumbers {
    private var names: [String] = []
    private var tags: [Tag] = []
    private var token: Tag?

    /// The number of every group that is not in the caller's list.
    private static let foreign = number(30)

    /// Replaces the groups by those of the present caller.
    mutating func update(_ groups: [String], _ indexKey: borrowing Key) {
        if token == nil { token = groupTag(tokenGroup, indexKey) }
        // A program passes the same array with every request. Arrays that share their storage are equal.
        if groups.withUnsafeBufferPointer({ $0.baseAddress }) == names.withUnsafeBufferPointer({ $0.baseAddress }),
            groups.count == names.count
        {
            return
        }
        // Compare bytes: Swift treats two spellings of the same letter as equal, but they are two groups.
        if groups.elementsEqual(names, by: { $0.utf8.elementsEqual($1.utf8) }) { return }
        names = groups
        tags = groups.prefix(Caller.groupCapacity).map { groupTag($0, indexKey) }
    }

    var all: AccessGroups { AccessGroups(bits: (1 << UInt32(tags.count)) - 1) }

    func number(of tag: Tag) -> AccessGroup {
        if tag == token { return .token }
        return tags.firstIndex(of: tag).map { Self.number(UInt8($0)) } ?? Self.foreign
    }

    private static func number(_ value: UInt8) -> AccessGroup {
        guard let group = AccessGroup(rawValue: value) else { preconditionFailure("a group is numbered below 32") }
        return group
    }
}
