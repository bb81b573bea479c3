// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// On Apple's platforms, any call that takes a `CFDictionary` takes an `NSDictionary` too. Here they are two types, so
// each such call has a second form. It is disfavored, so a dictionary literal stays a Swift dictionary.

/// Adds an item to the keychain, as the form with a `CFDictionary` does.
@_disfavoredOverload
@discardableResult
public func SecItemAdd(_ attributes: NSDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    SecItemAdd(attributes.entries, result)
}

/// Searches the keychain, as the form with a `CFDictionary` does.
@_disfavoredOverload
@discardableResult
public func SecItemCopyMatching(_ query: NSDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    SecItemCopyMatching(query.entries, result)
}

/// Updates every item that matches a query, as the form with two `CFDictionary`s does.
@_disfavoredOverload
@discardableResult
public func SecItemUpdate(_ query: NSDictionary, _ attributesToUpdate: NSDictionary) -> OSStatus {
    SecItemUpdate(query.entries, attributesToUpdate.entries)
}

/// Updates every item that matches a query, as the form with two `CFDictionary`s does.
@_disfavoredOverload
@discardableResult
public func SecItemUpdate(_ query: NSDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    SecItemUpdate(query.entries, attributesToUpdate)
}

/// Updates every item that matches a query, as the form with two `CFDictionary`s does.
@_disfavoredOverload
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: NSDictionary) -> OSStatus {
    SecItemUpdate(query, attributesToUpdate.entries)
}

/// Deletes every item that matches a query, as the form with a `CFDictionary` does.
@_disfavoredOverload
@discardableResult
public func SecItemDelete(_ query: NSDictionary) -> OSStatus { SecItemDelete(query.entries) }
