// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Returns data that lets later evaluations of the same certificates succeed in spite of their present failures. It evaluates first if that
/// was not done yet.
///
///     let exceptions = SecTrustCopyExceptions(trust)          // the user has accepted this certificate
///     UserDefaults.standard.set(exceptions as Data?, forKey: "exceptions of example.com")
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
    TrustException.encode(trust.outcome.exceptions).map { $0 as CFData }
}

/// Sets the failures to ignore. If nothing else fails, the result is ``SecTrustResultType/proceed``. A fatal failure is never ignored.
///
/// - Parameter exceptions: What ``SecTrustCopyExceptions(_:)`` has returned for the same certificate; nil to ignore no failure.
/// - Returns: True if the exceptions are for the certificate in question. If they are not, or with nil, no failure is ignored.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
    let exceptions = exceptions.flatMap { TrustException.decode($0 as Data) } ?? []
    let isForLeaf = trust.read { state in exceptions.first?.covers(state.certificates[0]) == true }
    trust.change { $0.exceptions = isForLeaf ? exceptions : [] }
    return isForLeaf
}
