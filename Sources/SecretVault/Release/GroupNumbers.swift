internal import AccessPolicy
internal import SodiumKit

/// The access groups of a caller, numbered in the order of their list: deciding knows groups by number, headers by tag.
struct GroupNumbers {
    private var names: [String] = []
    private var tags: [Tag] = []
    private var token: Tag?

    /// What is in no list of the caller's.
    private static let foreign = number(30)

    /// Takes in the groups of the caller who asks now.
    mutating func update(_ groups: [String], _ indexKey: borrowing Key) {
        if token == nil { token = groupTag(tokenGroup, indexKey) }
        // A program passes the same array with every request: one look at where it lies is enough then.
        if groups.withUnsafeBufferPointer({ $0.baseAddress }) == names.withUnsafeBufferPointer({ $0.baseAddress }),
            groups.count == names.count
        {
            return
        }
        // Texts are equal by how they look, and groups by their bytes.
        if groups.elementsEqual(names, by: { $0.utf8.elementsEqual($1.utf8) }) { return }
        names = groups
        tags = groups.prefix(Caller.groupCapacity).map { groupTag($0, indexKey) }
    }

    /// The numbers of all of them.
    var all: AccessGroups { AccessGroups(bits: (1 << UInt32(tags.count)) - 1) }

    /// The number of the group with this tag.
    func number(of tag: Tag) -> AccessGroup {
        if tag == token { return .token }
        return tags.firstIndex(of: tag).map { Self.number(UInt8($0)) } ?? Self.foreign
    }

    private static func number(_ value: UInt8) -> AccessGroup {
        guard let group = AccessGroup(rawValue: value) else { preconditionFailure("a group is numbered below 32") }
        return group
    }
}
