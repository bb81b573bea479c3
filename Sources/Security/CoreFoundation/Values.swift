// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// The few functions on values that code around the keychain uses, where a cast would do as well.

/// Yes or no, as Swift has it.
public func CFBooleanGetValue(_ boolean: CFBoolean) -> Bool { boolean.boolValue }

/// How many UTF-16 units a text has.
public func CFStringGetLength(_ string: CFString) -> CFIndex { string.length }

/// A copy of bytes.
public func CFDataCreate(_ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ length: CFIndex) -> CFData? {
    guard length >= 0, bytes != nil || length == 0 else { return nil }
    return CFData(bytes: bytes, length: length)
}

/// How many bytes there are.
public func CFDataGetLength(_ data: CFData) -> CFIndex { data.length }

/// How many values a list has.
public func CFArrayGetCount(_ array: CFArray) -> CFIndex { array.count }

/// How many keys a dictionary has.
public func CFDictionaryGetCount(_ dictionary: CFDictionary) -> CFIndex { dictionary.count }
