// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import KeyKit

/// Evaluates a trust object.
///
/// - Parameters:
///   - trust: The trust object.
///   - error: The variable that receives the reason if the certificate is not trusted, and nil if it is.
/// - Returns: True if the certificate is trusted.
@discardableResult
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    let failure = trust.outcome.error
    error?.pointee = failure
    return failure == nil
}

/// Evaluates a trust object, and stores the result. Deprecated by Apple: use ``SecTrustEvaluateWithError(_:_:)``.
///
/// - Returns: ``errSecSuccess``, whatever the result is.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    result.pointee = trust.outcome.result
    return errSecSuccess
}

/// Evaluates a trust object on a queue, and calls `result` there.
///
/// - Returns: ``errSecSuccess``.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus {
    // As in Apple's declaration, the callback need not be Sendable. It is called once, on the app's own queue.
    // It is called once, on the queue that the caller chose, and nothing here uses it afterwards.
    nonisolated(unsafe) let result = result  // only the queue calls it from now on, and once
    queue.async {
        let failure = trust.outcome.error
        result(trust, failure == nil, failure)
    }
    return errSecSuccess
}

/// A function that receives the trust object, true if the certificate is trusted, and else the reason.
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

/// Evaluates a trust object on a queue, and calls `result` there. Deprecated by Apple: use
/// ``SecTrustEvaluateAsyncWithError(_:_:_:)``.
///
/// - Parameter queue: The queue; nil for a global one.
/// - Returns: ``errSecSuccess``.
@discardableResult
public func SecTrustEvaluateAsync(
    _ trust: SecTrust, _ queue: DispatchQueue?, _ result: @escaping SecTrustCallback
) -> OSStatus {
    nonisolated(unsafe) let result = result  // only the queue calls it from now on, and once
    (queue ?? .global()).async { result(trust, trust.outcome.result) }
    return errSecSuccess
}

/// A function that receives the trust object and the result of its evaluation.
public typealias SecTrustCallback = (SecTrust, SecTrustResultType) -> Void

/// Stores the result of an evaluation in `result`, and evaluates first if that was not done yet.
///
/// - Returns: ``errSecSuccess``.
@discardableResult
public func SecTrustGetTrustResult(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    result.pointee = trust.outcome.result
    return errSecSuccess
}

/// Returns the chain: an array from the certificate in question as far as issuers were found.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    trust.chain.isEmpty ? nil : trust.chain as CFArray
}

/// Returns the number of certificates in the chain.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { max(trust.chain.count, 1) }

/// Returns a certificate of the chain; nil if the chain is shorter. Deprecated by Apple: use
/// ``SecTrustCopyCertificateChain(_:)``.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    if ix == 0 { return trust.read(\.certificates.first) }
    let chain = trust.chain
    return chain.indices.contains(ix) ? chain[ix] : nil
}

/// Returns the result of an evaluation under ``kSecTrustResultValue``, and its date under ``kSecTrustEvaluationDate``.
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
    let outcome = trust.outcome
    return [
        kSecTrustResultValue as String: NSNumber(value: outcome.result.rawValue),
        kSecTrustEvaluationDate as String: outcome.date,
    ]
}

/// The result key for the result: a number.
public nonisolated(unsafe) let kSecTrustResultValue: CFString = "TrustResultValue"
/// The result key for the date of the evaluation.
public nonisolated(unsafe) let kSecTrustEvaluationDate: CFString = "TrustEvaluationDate"

/// The results of an evaluation.
public enum SecTrustResultType: UInt32, Sendable {
    /// There was no evaluation.
    case invalid = 0
    /// The user trusts the certificate: the app has set exceptions for it.
    case proceed = 1
    /// The user has to confirm. Deprecated by Apple.
    case confirm = 2
    /// The user distrusts the certificate. No evaluation here has this result.
    case deny = 3
    /// The certificate is trusted.
    case unspecified = 4
    /// The certificate is not trusted, for a reason that a user may overrule.
    case recoverableTrustFailure = 5
    /// The certificate is not trusted, for a reason that a user may not overrule.
    case fatalTrustFailure = 6
    /// The evaluation failed.
    case otherError = 7
}
