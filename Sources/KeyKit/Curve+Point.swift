internal import COpenSSL
internal import SodiumKit

extension Curve {
    /// Fills in the point of the scalar at the end of `bytes`, which have the form 04, X, Y and K. OpenSSL multiplies
    /// in constant time.
    ///
    /// - Throws: ``KeyError/invalidKey`` if the scalar is zero, or not below the order of the curve.
    func computePoint(in bytes: UnsafeMutableRawBufferPointer) throws(KeyError) {
        try OpenSSL.perform { (context) throws(KeyError) in
            guard let group = EC_GROUP_new_by_curve_name_ex(context, nil, OBJ_txt2nid(group.characters)) else {
                throw .unavailable
            }
            defer { EC_GROUP_free(group) }
            guard let scalar = BN_secure_new(), let point = EC_POINT_new(group),
                let scratch = BN_CTX_secure_new_ex(context)
            else { throw .unavailable }
            defer {
                BN_CTX_free(scratch)
                EC_POINT_free(point)
                BN_clear_free(scalar)
            }
            let isComputed =
                BN_bin2bn(bytes.octets.map { $0 + pointCount }, Int32(coordinateCount), scalar) != nil
                && BN_is_zero(scalar) == 0 && BN_cmp(scalar, EC_GROUP_get0_order(group)) < 0
                && EC_POINT_mul(group, point, scalar, nil, nil, scratch) == 1
                && EC_POINT_point2oct(
                    group, point, POINT_CONVERSION_UNCOMPRESSED, bytes.octets, pointCount, scratch) == pointCount
            guard isComputed else { throw .invalidKey }
        }
    }
}
