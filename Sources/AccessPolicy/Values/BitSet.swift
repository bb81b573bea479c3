/// A set of elements with small numbers, stored as the bits of an integer.
///
/// Factors, class keys, fingers and access groups are few and numbered from zero. A set of them needs no allocation,
/// and is hashed and compared as a plain integer.
@frozen
public struct BitSet<Element, Bits>: Hashable, Sendable
where Element: RawRepresentable, Element.RawValue == UInt8, Bits: FixedWidthInteger & UnsignedInteger & Sendable {
    /// The bits. Each member has the bit at the position of its number.
    public var bits: Bits

    /// Creates a set from its bits.
    @inlinable public init(bits: Bits) { self.bits = bits }

    /// Creates an empty set.
    @inlinable public init() { bits = 0 }

    /// True if the set is empty.
    @inlinable public var isEmpty: Bool { bits == 0 }

    /// The number of members.
    @inlinable public var count: Int { bits.nonzeroBitCount }

    /// Returns true if `element` is a member.
    @inlinable public func contains(_ element: Element) -> Bool { bits & Self.bit(of: element) != 0 }

    /// Returns true if every member is also a member of `other`.
    @inlinable public func isSubset(of other: Self) -> Bool { bits & ~other.bits == 0 }

    /// Returns the set of the members of either set.
    @inlinable public func union(_ other: Self) -> Self { Self(bits: bits | other.bits) }

    /// Returns the set of the members of both sets.
    @inlinable public func intersection(_ other: Self) -> Self { Self(bits: bits & other.bits) }

    /// Returns the set of the members that are not in `other`.
    @inlinable public func subtracting(_ other: Self) -> Self { Self(bits: bits & ~other.bits) }

    /// Adds `element`.
    @inlinable public mutating func insert(_ element: Element) { bits |= Self.bit(of: element) }

    /// Removes `element`.
    @inlinable public mutating func remove(_ element: Element) { bits &= ~Self.bit(of: element) }

    /// Returns the bit of `element`, or zero if its number is too large for the integer. Such an element is never a
    /// member.
    @inlinable static func bit(of element: Element) -> Bits {
        let number = Bits(element.rawValue)
        // A masking shift is one instruction on every platform, where the other operator may be a call.
        return number < Bits(Bits.bitWidth) ? 1 &<< number : 0
    }
}

extension BitSet: ExpressibleByArrayLiteral {
    /// Creates a set of the listed elements.
    @inlinable
    public init(arrayLiteral elements: Element...) {
        bits = 0
        for element in elements { insert(element) }
    }
}

extension BitSet: Sequence {
    /// An iterator over the members, in the order of their numbers.
    @frozen
    public struct Iterator: IteratorProtocol, Sendable {
        @usableFromInline var rest: Bits

        @inlinable init(_ bits: Bits) { rest = bits }

        /// Returns the next member; nil after the last.
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

    /// Returns an iterator over the members, in the order of their numbers.
    @inlinable public func makeIterator() -> Iterator { Iterator(bits) }
}
