// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Sets whether missing certificates and answers on revocation may be fetched. The choice is kept, and nothing is ever fetched here.
///
/// - Returns: ``errSecSuccess``.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    trust.change { $0.allowsNetworkFetch = allowFetch }
    return errSecSuccess
}

/// Stores in `allowFetch` whether missing certificates may be fetched. Until the app chooses, they may be if one of the policies is that of a
/// TLS connection.
///
///     var allowFetch: DarwinBoolean = false
///     SecTrustGetNetworkFetchAllowed(trust, &allowFetch)
///
/// - Returns: ``errSecSuccess``.
@discardableResult
public func SecTrustGetNetworkFetchAllowed(
    _ trust: SecTrust, _ allowFetch: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    let isAllowed = trust.read { state in
        state.allowsNetworkFetch ?? state.policies.contains { $0.usage != nil }
    }
    allowFetch.pointee = DarwinBoolean(isAllowed)
    return errSecSuccess
}
