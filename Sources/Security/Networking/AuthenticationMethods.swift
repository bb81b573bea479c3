// swift-format-ignore-file: AlwaysUseLowerCamelCase

// FoundationNetworking marks its constants of these names as unavailable, so the compiler takes these. They are constants of
// Foundation on Apple's platforms too, with these values.

/// The authentication method of a challenge that shows the certificates of a server.
public let NSURLAuthenticationMethodServerTrust: String = "NSURLAuthenticationMethodServerTrust"
/// The authentication method of a challenge that asks for a certificate of the client.
public let NSURLAuthenticationMethodClientCertificate: String = "NSURLAuthenticationMethodClientCertificate"
