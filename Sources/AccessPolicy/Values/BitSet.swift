/// A set of small numbered things in one machine word.
///
/// Everything the core keeps sets of (factors, class keys, fingers, access groups) is numbered from zero and few, so a
/// set is a bit pattern: no allocation, and a world full of them hashes and compares as plain bytes.
@frozen
public struct BitSet<Element, Bits>: Hashable, Sendable
where Element: RawRepresentable, Element.RawValue == UInt8, Bits: FixedWidthInteger & UnsignedInteger & Sendable {
    /// One bit per member, at the position of its number.
    public var bits: Bits

    /// The set with exactly these bits.
    @inlinable public init(bits: Bits) { self.bits = bits }

    /// The empty set.
    @inlinable public init() { bits = 0 }

    /// Whether nothing is in the set.
    @inlinable public var isEmpty: Bool { bits == 0 }

    /// How many things are in the set.
    @inlinable public var count: Int { bits.nonzeroBitCount }

    /// Whether `element` is in the set.
    @inlinable public func contains(_ element: Element) -> Bool { bits & Self.bit(of: element) != 0 }

    /// Whether every member is also in `other`.
    @inlinable public func isSubset(of other: Self) -> Bool { bits & ~other.bits == 0 }

    /// The members of either set.
    @inlinable public func union(_ other: Self) -> Self { Self(bits: bits | other.bits) }

    /// The members of both sets.
    @inlinable public func intersection(_ other: Self) -> Self { Self(bits: bits & other.bits) }

    /// The members that `other` does not have.
    @inlinable public func subtracting(_ other: Self) -> Self { Self(bits: bits & ~other.bits) }

    /// Adds `element`.
    @inlinable public mutating func insert(_ element: Element) { bits |= Self.bit(of: element) }

    /// Takes `element` out.
    @inlinable public mutating func remove(_ element: Element) { bits &= ~Self.bit(of: element) }

    /// The bit that stands for `element`; none for a number the word has no room for, so such a thing is never a member.
    @inlinable static func bit(of element: Element) -> Bits { 1 << Bits(element.rawValue) }
}

extension BitSet: ExpressibleByArrayLiteral {
    /// The set of the listed elements.
    @inlinable
    public init(arrayLiteral elements: Element...) {
        bits = 0
        for element in elements { insert(element) }
    }
}

extension BitSet: Sequence {
    /// Walks the members in the order of their numbers.
    @frozen
    public struct Iterator: IteratorProtocol, Sendable {
        @usableFromInline var rest: Bits

        @inlinable init(_ bits: Bits) { rest = bits }

        /// The member with the smallest number that is left.
        @inlinable
        public mutating func next() -> Element? {
            while rest != 0 {
                let number = rest.trailingZeroBitCount
                rest &= rest &- 1
                if let element = Element(rawValue: UInt8(truncatingIfNeeded: number)) { return element }
            }
            return nil
        }
    }

    /// Walks the members in the order of their numbers.
    @inlinable public func makeIterator() -> Iterator { Iterator(bits) }
}
