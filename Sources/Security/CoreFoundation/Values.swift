// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// The few functions on values that code around the keychain uses, although Swift's own would do.

/// Returns the Boolean as Swift's own.
public func CFBooleanGetValue(_ boolean: CFBoolean) -> Bool { boolean.boolValue }

/// Returns the number of UTF-16 code units in a string.
public func CFStringGetLength(_ string: CFString) -> CFIndex { string.length }

/// Creates data with a copy of these bytes; nil if the arguments make no sense.
public func CFDataCreate(_ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ length: CFIndex) -> CFData? {
    guard length >= 0, bytes != nil || length == 0 else { return nil }
    return CFData(bytes: bytes, length: length)
}

/// Creates data that uses these bytes without a copy; nil if the arguments make no sense.
///
/// With ``kCFAllocatorNull`` as the deallocator, the bytes stay yours and have to outlive the data. With any other, or
/// nil, the data frees them with `free`.
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ length: CFIndex, _ bytesDeallocator: CFAllocator?
) -> CFData? {
    guard length >= 0, let bytes else { return length == 0 ? CFData() : nil }
    return CFData(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), length: length,
        freeWhenDone: bytesDeallocator !== kCFAllocatorNull)
}

/// Returns a pointer to the bytes. It is valid while the data exists.
public func CFDataGetBytePtr(_ data: CFData) -> UnsafePointer<UInt8>! {
    data.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Returns the number of bytes.
public func CFDataGetLength(_ data: CFData) -> CFIndex { data.length }

/// Creates a string from text that ends with a zero byte; nil if the text is not valid in this encoding.
public func CFStringCreateWithCString(
    _ allocator: CFAllocator?, _ text: UnsafePointer<CChar>?, _ encoding: CFStringEncoding
) -> CFString? {
    guard let text, let encoding = CFStringBuiltInEncodings(rawValue: encoding) else { return nil }
    let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
    return String(bytes: bytes, encoding: encoding.ofFoundation) as CFString?
}

/// The number of an encoding.
public typealias CFStringEncoding = UInt32

/// The encodings of ``CFStringCreateWithCString(_:_:_:)``, with Apple's numbers.
public enum CFStringBuiltInEncodings: CFStringEncoding, Sendable {
    /// ISO 8859-1.
    case isoLatin1 = 0x201
    /// ASCII.
    case ASCII = 0x600
    /// UTF-8.
    case UTF8 = 0x800_0100

    fileprivate var ofFoundation: String.Encoding {
        switch self {
        case .isoLatin1: .isoLatin1
        case .ASCII: .ascii
        case .UTF8: .utf8
        }
    }
}

/// Returns the number of values in an array.
public func CFArrayGetCount(_ array: CFArray) -> CFIndex { array.count }

/// Returns the number of keys in a dictionary.
public func CFDictionaryGetCount(_ dictionary: CFDictionary) -> CFIndex { dictionary.count }

/// Returns the number of values in a set.
public func CFSetGetCount(_ set: CFSet) -> CFIndex { set.count }
