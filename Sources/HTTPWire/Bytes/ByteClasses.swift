extension UInt8 {
    /// True for a byte of a token (RFC 9110, section 5.6.2), such as a field name.
    var isToken: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"): true
        case UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// True for a byte of a method. Lowercase letters are left out: a server could take `head` for `HEAD`.
    var isMethod: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// True for a byte that no head may contain: a control character other than the tab and the two of a line end.
    var isForbiddenControl: Bool {
        switch self {
        case 0x09, 0x0A, 0x0D: false
        case 0...0x1F, 0x7F: true
        default: false
        }
    }

    /// True for a byte of a field value. Bytes above ASCII are allowed there.
    var isFieldValue: Bool { self >= 0x20 ? self != 0x7F : self == 0x09 }

    /// True for a byte of a path (RFC 3986, section 3.3), with the slash and the percent sign.
    var isPath: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "@")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "$")...UInt8(ascii: ";"), UInt8(ascii: "!"), UInt8(ascii: "="): true
        case UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// True for a byte of a query. It has seven more than RFC 3986 allows, because clients send them unencoded.
    var isQuery: Bool {
        switch self {
        case UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
        case UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "`"): true
        default: isPath
        }
    }

    /// True for a byte of a host name or an address, without the brackets of IPv6.
    var isHost: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// The lowercase letter for an ASCII uppercase letter; any other byte is unchanged.
    var lowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

    /// The lowercase letter or the digit, and a hyphen for any other byte. Servers that pass fields to programs as variables give two
    /// names with the same folded bytes the same variable.
    var folded: UInt8 {
        let byte = lowercased
        return byte.decimalDigit != nil || (byte >= 0x61 && byte <= 0x7A) ? byte : UInt8(ascii: "-")
    }

    /// The value of a decimal digit; nil for any other byte.
    var decimalDigit: UInt8? { self >= 0x30 && self <= 0x39 ? self - 0x30 : nil }

    /// The value of a hexadecimal digit; nil for any other byte.
    var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - 0x57
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - 0x37
        default: nil
        }
    }
}
