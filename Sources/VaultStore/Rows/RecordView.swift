package import AccessPolicy
package import SodiumKit

/// A record in the database: header, wraps, tag, secret. Nothing is copied, so it is valid only until the next step of
/// its statement.
package struct RecordView {
    package let header: Header
    private let bytes: UnsafeRawBufferPointer
    private let columns: UnsafeRawBufferPointer
    private let wraps: UnsafeRawBufferPointer
    /// The number of bytes that the tag covers.
    private let headCount: Int
    private let coreCount: Int
    /// True if the record is that of a ``SealedKey``, which is in no row.
    package let isApart: Bool

    /// Creates a view of the record in `row`, or of one that is in no row. The tag is checked before anything else is
    /// read.
    package init(_ bytes: UnsafeRawBufferPointer, row place: Int64?, _ tagKey: borrowing Key) throws(VaultError) {
        let row = place ?? 0
        guard bytes.count >= 3 else { throw .damaged(.item(row)) }
        let headCount = Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt16.self)))
        guard bytes.count >= headCount + Tag.count else { throw .damaged(.item(row)) }
        let head = UnsafeRawBufferPointer(rebasing: bytes[..<headCount])
        let tag = Tag(UnsafeRawBufferPointer(rebasing: bytes[headCount..<(headCount + Tag.count)]).bytes)
        guard Tag(of: head.bytes, under: tagKey).equals(tag) else { throw .damaged(.item(row)) }
        self.bytes = bytes
        self.headCount = headCount
        // The tag is right, so a newer version of Latchkey wrote this format.
        if let found = head.first, found > Header.format {
            throw .newer("the item in row \(row)", found: Int(found), known: Int(Header.format))
        }
        do {
            var reader = ByteReader(head)
            header = try Header(from: &reader)
            columns = try reader.read(Int(try reader.number(UInt8.self)) * (1 + Tag.count))
            coreCount = headCount - reader.rest.count
            wraps = reader.rest
        } catch {
            throw .damaged(.item(row))
        }
        guard place == nil || header.row == row else { throw .damaged(.item(row)) }
        isApart = place == nil
    }

    /// The header from the identifier to the last column. Wraps are sealed with these bytes as context.
    package var core: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[Header.prefix..<coreCount]) }

    /// The identifier, the version and the bits. Secret and attributes are sealed with these bytes as context.
    package var identity: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[Header.identityRange]) }

    package var tag: Tag { Tag(UnsafeRawBufferPointer(rebasing: bytes[headCount..<(headCount + Tag.count)]).bytes) }

    /// The sealed secret, if it is stored in the row.
    package var secret: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[(headCount + Tag.count)...]) }

    /// Returns the wrap for `way`; nil if there is none.
    package func wrap(for way: FactorSet) -> UnsafeRawBufferPointer? {
        var reader = ByteReader(wraps)
        while let found = try? reader.number(UInt8.self), let count = try? reader.number(UInt16.self),
            let body = try? reader.read(Int(count))
        {
            if found == way.bits { return body }
        }
        return nil
    }

    /// Returns true if a column of the row should hold this hash.
    package func hasTag(_ wanted: Tag, in column: IndexColumn) -> Bool {
        var reader = ByteReader(columns)
        while let number = try? reader.number(UInt8.self), let tag = try? reader.tag() {
            if number == column.rawValue && tag == wanted { return true }
        }
        return false
    }

    /// The hashes that the columns of the row should hold.
    package var columnTags: [(IndexColumn, Tag)] {
        var reader = ByteReader(columns)
        var tags: [(IndexColumn, Tag)] = []
        while let number = try? reader.number(UInt8.self), let tag = try? reader.tag() {
            if let column = IndexColumn(rawValue: number) { tags.append((column, tag)) }
        }
        return tags
    }
}

extension [UInt8] {
    /// Appends a wrap to a record that is being built.
    package mutating func appendWrap(for way: FactorSet, _ body: [UInt8]) {
        write(way.bits)
        write(UInt16(body.count))
        append(contentsOf: body)
    }

    /// Completes the head of a record that is being built: writes its length in front and appends its tag.
    package mutating func sealHead(_ tagKey: borrowing Key) -> Tag {
        let count = UInt16(self.count)
        self[1] = UInt8(truncatingIfNeeded: count)
        self[2] = UInt8(truncatingIfNeeded: count >> 8)
        let tag = Tag(of: span.bytes, under: tagKey)
        write(tag)
        return tag
    }
}
