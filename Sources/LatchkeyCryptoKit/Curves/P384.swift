/// NIST's curve P-384. Signatures of messages use SHA-384.
public enum P384: NISTCurve {
    /// The hash function for the signatures of messages.
    public typealias MessageHash = SHA384
    /// The size of a coordinate in bits.
    public static var bitCount: Int { 384 }

    /// ECDSA signatures.
    public enum Signing: Sendable {
        /// A key that verifies signatures.
        public struct PublicKey: NISTSigningPublicKey {
            /// The type of the signatures.
            public typealias ECDSASignature = Signing.ECDSASignature
            /// The key without its purpose.
            public let point: CurvePoint<P384>
            /// Creates a key for signatures.
            public init(point: CurvePoint<P384>) { self.point = point }
        }

        /// A key that signs.
        public struct PrivateKey: NISTSigningPrivateKey {
            /// The type of the public half.
            public typealias PublicKey = Signing.PublicKey
            /// The key without its purpose.
            public let scalar: CurveScalar<P384>
            /// Creates a key for signatures.
            public init(scalar: CurveScalar<P384>) { self.scalar = scalar }
        }

        /// A signature.
        public struct ECDSASignature: NISTSignature {
            /// The curve of the key.
            public typealias Curve = P384
            /// The numbers r and s one after the other.
            public let numbers: [UInt8]
            /// Creates a signature with numbers of the right length.
            public init(numbers: [UInt8]) { self.numbers = numbers }
        }
    }

    /// Agreement on secrets.
    public enum KeyAgreement: Sendable {
        /// A key of the other party.
        public struct PublicKey: NISTPublicKey {
            /// The key without its purpose.
            public let point: CurvePoint<P384>
            /// Creates a key for agreement.
            public init(point: CurvePoint<P384>) { self.point = point }
        }

        /// A key that agrees on secrets.
        public struct PrivateKey: NISTAgreementPrivateKey {
            /// The type of the public half.
            public typealias PublicKey = KeyAgreement.PublicKey
            /// The key without its purpose.
            public let scalar: CurveScalar<P384>
            /// Creates a key for agreement.
            public init(scalar: CurveScalar<P384>) { self.scalar = scalar }
        }
    }
}
