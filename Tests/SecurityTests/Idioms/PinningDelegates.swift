import Foundation
import Security

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Delegates as apps write them for Apple's platforms. That they compile is part of the test.

/// A delegate that trusts the root of the app and no other.
final class RootPinningDelegate: NSObject, URLSessionDelegate {
    let root: SecCertificate

    init(root: SecCertificate) { self.root = root }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust
        else {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        SecTrustSetAnchorCertificates(trust, [root] as CFArray)
        SecTrustSetAnchorCertificatesOnly(trust, true)
        var error: CFError?
        if SecTrustEvaluateWithError(trust, &error) {
            completionHandler(.useCredential, URLCredential(trust: trust))
        } else {
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
}

/// A delegate that compares the public key of the server, in the asynchronous form.
final class KeyPinningDelegate: NSObject, URLSessionDelegate {
    let pinned: Set<Data>

    init(pinned: Set<Data>) { self.pinned = pinned }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard let serverTrust = challenge.protectionSpace.serverTrust else { return (.performDefaultHandling, nil) }
        guard SecTrustEvaluateWithError(serverTrust, nil),
            let chain = SecTrustCopyCertificateChain(serverTrust) as? [SecCertificate],
            let key = chain.first.flatMap(SecCertificateCopyKey),
            let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?, pinned.contains(bytes)
        else { return (.cancelAuthenticationChallenge, nil) }
        return (.useCredential, URLCredential(trust: serverTrust))
    }
}

/// A delegate that shows a certificate of the user.
final class IdentityDelegate: NSObject, URLSessionDelegate {
    let identity: SecIdentity
    let chain: [SecCertificate]

    init(identity: SecIdentity, chain: [SecCertificate]) {
        self.identity = identity
        self.chain = chain
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodClientCertificate:
            let credential = URLCredential(identity: identity, certificates: chain, persistence: .forSession)
            completionHandler(.useCredential, credential)
        default: completionHandler(.performDefaultHandling, nil)
        }
    }
}
