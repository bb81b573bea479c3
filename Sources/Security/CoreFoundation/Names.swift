public import Foundation

// The names of Core Foundation that code for Apple's platforms uses around the keychain. There they are classes to which Swift's
// own types are bridged, and so they are here: `query as CFDictionary`, `kSecClass as String` and `item as? Data` are written alike.
// A dictionary alone is Swift's own: Foundation's turns each value over and over into another kind, which takes longer than all that
// is done with it, and does not come to an end with a list that holds itself.

/// A text.
public typealias CFString = NSString
/// A dictionary.
public typealias CFDictionary = [AnyHashable: Any]
/// A list.
public typealias CFArray = NSArray
/// A list that can be changed.
public typealias CFMutableArray = NSMutableArray
/// Bytes.
public typealias CFData = NSData
/// A moment.
public typealias CFDate = NSDate
/// A number.
public typealias CFNumber = NSNumber
/// Yes or no.
public typealias CFBoolean = NSNumber
/// An error.
public typealias CFError = NSError
/// Where an error comes from.
public typealias CFErrorDomain = CFString
/// Nothing, as a value.
public typealias CFNull = NSNull
/// Anything.
public typealias CFTypeRef = AnyObject
/// What kind of thing something is.
public typealias CFTypeID = UInt
/// A place in a list, or a count.
public typealias CFIndex = Int
/// Flags.
public typealias CFOptionFlags = UInt
/// The hash of something.
public typealias CFHashCode = UInt
/// A span of time in seconds.
public typealias CFTimeInterval = Double
/// A moment in seconds since the first day of 2001.
public typealias CFAbsoluteTime = Double

/// What a call came to.
public typealias OSStatus = Int32
/// Four letters as a number.
public typealias FourCharCode = UInt32
/// Four letters as a number.
public typealias OSType = FourCharCode

/// Where a call puts its error.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// What things are made by. There is but one.
public final class CFAllocator: Sendable {
    init() {}
}

/// The allocator that is used unless another is named.
public let kCFAllocatorDefault: CFAllocator? = CFAllocator()

/// Yes.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// No.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
/// Nothing, as a value.
public let kCFNull: CFNull! = NSNull()

/// No error.
public let noErr: OSStatus = 0
