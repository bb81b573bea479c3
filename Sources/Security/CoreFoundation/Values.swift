// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// The few functions on values that code around the keychain uses, although a cast would do.

/// Returns the Boolean as Swift's own.
public func CFBooleanGetValue(_ boolean: CFBoolean) -> Bool { boolean.boolValue }

/// Returns the number of UTF-16 code units in a string.
public func CFStringGetLength(_ string: CFString) -> CFIndex { string.length }

/// Creates data with a copy of these bytes; nil if the arguments make no sense.
public func CFDataCreate(_ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ length: CFIndex) -> CFData? {
    guard length >= 0, bytes != nil || length == 0 else { return nil }
    return CFData(bytes: bytes, length: length)
}

/// Returns the number of bytes.
public func CFDataGetLength(_ data: CFData) -> CFIndex { data.length }

/// Returns the number of values in an array.
public func CFArrayGetCount(_ array: CFArray) -> CFIndex { array.count }

/// Returns the number of keys in a dictionary.
public func CFDictionaryGetCount(_ dictionary: CFDictionary) -> CFIndex { dictionary.count }
