public import Foundation

// The Core Foundation names that code for Apple's platforms uses around the keychain. As there, they are classes to
// which Swift's own types are bridged, so `query as CFDictionary`, `kSecClass as String` and `item as? Data` compile
// unchanged. Only a dictionary is Swift's own. Foundation's would convert each value again and again, which takes
// longer than the call itself, and would never finish with a list that contains itself.

/// A string.
public typealias CFString = NSString
/// A dictionary.
public typealias CFDictionary = [AnyHashable: Any]
/// An array.
public typealias CFArray = NSArray
/// An array that can be changed.
public typealias CFMutableArray = NSMutableArray
/// A dictionary that can be changed. Unlike ``CFDictionary``, it is Foundation's.
public typealias CFMutableDictionary = NSMutableDictionary
/// A set.
public typealias CFSet = NSSet
/// A set that can be changed.
public typealias CFMutableSet = NSMutableSet
/// Bytes.
public typealias CFData = NSData
/// Bytes that can be changed.
public typealias CFMutableData = NSMutableData
/// A date.
public typealias CFDate = NSDate
/// A number.
public typealias CFNumber = NSNumber
/// A Boolean.
public typealias CFBoolean = NSNumber
/// An error.
public typealias CFError = NSError
/// The domain of an error.
public typealias CFErrorDomain = CFString
/// The null value.
public typealias CFNull = NSNull
/// A value of any Core Foundation type.
public typealias CFTypeRef = AnyObject
/// The identifier of a type.
public typealias CFTypeID = UInt
/// An index or a count.
public typealias CFIndex = Int
/// A set of option flags.
public typealias CFOptionFlags = UInt
/// A hash.
public typealias CFHashCode = UInt
/// A time interval, in seconds.
public typealias CFTimeInterval = Double
/// A point in time, in seconds since the first day of 2001.
public typealias CFAbsoluteTime = Double

/// The result code of a call.
public typealias OSStatus = Int32
/// Four characters as a number.
public typealias FourCharCode = UInt32
/// Four characters as a number.
public typealias OSType = FourCharCode

/// A pointer to the variable that receives an error.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// An allocator. Calls allocate with `malloc` whatever the allocator is. It matters only for who frees the bytes of
/// ``CFDataCreateWithBytesNoCopy(_:_:_:_:)``.
public final class CFAllocator: Sendable {
    init() {}
}

/// The default allocator.
public let kCFAllocatorDefault: CFAllocator? = CFAllocator()
/// The allocator of the system.
public let kCFAllocatorSystemDefault: CFAllocator! = CFAllocator()
/// The allocator that uses `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator()
/// The allocator that frees nothing.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()

/// The Boolean value true.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// The Boolean value false.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
/// The null value.
public let kCFNull: CFNull! = NSNull()

/// The result code for success.
public let noErr: OSStatus = 0
