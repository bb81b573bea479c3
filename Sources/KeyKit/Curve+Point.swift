internal import COpenSSL
internal import SodiumKit

extension Curve {
    /// Fills in the point of the scalar at the end of `bytes`, which have the form 04, X, Y and K. OpenSSL multiplies
    /// in constant time.
    ///
    /// - Throws: ``KeyError/invalidKey`` if the scalar is zero, or not below the order of the curve.
    func computePoint(in bytes: UnsafeMutableRawBufferPointer) throws(KeyError) {
        try OpenSSL.perform { (context) throws(KeyError) in
            let group = try Group(self, in: context)
            guard let scalar = BN_secure_new(), let scratch = BN_CTX_secure_new_ex(context) else { throw .unavailable }
            defer {
                BN_CTX_free(scratch)
                BN_clear_free(scalar)
            }
            let isComputed =
                BN_bin2bn(bytes.octets.map { $0 + pointCount }, Int32(coordinateCount), scalar) != nil
                && BN_is_zero(scalar) == 0 && BN_cmp(scalar, EC_GROUP_get0_order(group.pointer)) < 0
                && EC_POINT_mul(group.pointer, group.point, scalar, nil, nil, scratch) == 1
                && EC_POINT_point2oct(
                    group.pointer, group.point, POINT_CONVERSION_UNCOMPRESSED, bytes.octets, pointCount, scratch)
                    == pointCount
            guard isComputed else { throw .invalidKey }
        }
    }

    /// Returns the point that `compressed` stands for: 02 if Y is even or 03 if it is odd, and X.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, or ``KeyError/invalidPoint`` if the curve has no such point.
    func decompress(_ compressed: RawSpan) throws(KeyError) -> [UInt8] {
        guard compressed.byteCount == coordinateCount + 1, 2...3 ~= compressed.byte(0) else { throw .malformed(.point) }
        return try OpenSSL.perform { (context) throws(KeyError) in
            let group = try Group(self, in: context)
            let isPoint = compressed.withPointer {
                EC_POINT_oct2point(group.pointer, group.point, $0, compressed.byteCount, nil) == 1
            }
            guard isPoint else { throw .invalidPoint }
            var point = [UInt8](repeating: 0, count: pointCount)
            let count = EC_POINT_point2oct(
                group.pointer, group.point, POINT_CONVERSION_UNCOMPRESSED, &point, pointCount, nil)
            guard count == pointCount else { throw .unavailable }
            return point
        }
    }
}

/// A curve as OpenSSL has it, and a point on it. OpenSSL clears and frees both when their life ends.
private struct Group: ~Copyable {
    let pointer: OpaquePointer
    let point: OpaquePointer

    deinit {
        EC_POINT_clear_free(point)
        EC_GROUP_free(pointer)
    }

    init(_ curve: Curve, in context: OpaquePointer) throws(KeyError) {
        guard let group = EC_GROUP_new_by_curve_name_ex(context, nil, OBJ_txt2nid(curve.group.characters)) else {
            throw .unavailable
        }
        guard let point = EC_POINT_new(group) else {
            EC_GROUP_free(group)
            throw .unavailable
        }
        pointer = group
        self.point = point
    }
}

extension PublicKey {
    /// Reads and checks a compressed point: 02 if Y is even or 03 if it is odd, and X.
    ///
    /// - Throws: ``KeyError/malformed(_:)`` or ``KeyError/invalidPoint``.
    public init(compressedPoint bytes: RawSpan, on curve: Curve) throws(KeyError) {
        self.init(trusted: try curve.decompress(bytes), .ec(curve))
    }

    /// Reads and checks the X coordinate of a point whose Y is not above its negative.
    ///
    /// - Throws: ``KeyError/malformed(_:)`` or ``KeyError/invalidPoint``.
    public init(compactPoint coordinate: RawSpan, on curve: Curve) throws(KeyError) {
        guard coordinate.byteCount == curve.coordinateCount else { throw .malformed(.point) }
        let even = try curve.decompress(([2] + coordinate.array()).span.bytes)
        let odd = try curve.decompress(([3] + coordinate.array()).span.bytes)
        self.init(trusted: even.lexicographicallyPrecedes(odd) ? even : odd, .ec(curve))
    }

    /// The compressed point; nil for an RSA key.
    public var compressedPoint: [UInt8]? {
        guard case .ec(let curve) = type, let last = externalRepresentation.last else { return nil }
        return [2 | last & 1] + externalRepresentation[1...curve.coordinateCount]
    }

    /// The X coordinate, if it determines the key: Y is not above its negative. Otherwise nil.
    public var compactPoint: [UInt8]? {
        guard case .ec(let curve) = type else { return nil }
        let coordinate = Array(externalRepresentation[1...curve.coordinateCount])
        return (try? PublicKey(compactPoint: coordinate.span.bytes, on: curve)) == self ? coordinate : nil
    }
}
