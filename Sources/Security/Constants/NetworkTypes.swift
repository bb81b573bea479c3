// Protocols and ways of logging in, for internet passwords (semantics 2.11 and 2.12). Blanks count.

/// The protocol: FTP.
public let kSecAttrProtocolFTP: CFString = "ftp "
/// The protocol: FTP, by account.
public let kSecAttrProtocolFTPAccount: CFString = "ftpa"
/// The protocol: HTTP.
public let kSecAttrProtocolHTTP: CFString = "http"
/// The protocol: IRC.
public let kSecAttrProtocolIRC: CFString = "irc "
/// The protocol: NNTP.
public let kSecAttrProtocolNNTP: CFString = "nntp"
/// The protocol: POP3.
public let kSecAttrProtocolPOP3: CFString = "pop3"
/// The protocol: SMTP.
public let kSecAttrProtocolSMTP: CFString = "smtp"
/// The protocol: SOCKS.
public let kSecAttrProtocolSOCKS: CFString = "sox "
/// The protocol: IMAP.
public let kSecAttrProtocolIMAP: CFString = "imap"
/// The protocol: LDAP.
public let kSecAttrProtocolLDAP: CFString = "ldap"
/// The protocol: AppleTalk.
public let kSecAttrProtocolAppleTalk: CFString = "atlk"
/// The protocol: AFP.
public let kSecAttrProtocolAFP: CFString = "afp "
/// The protocol: Telnet.
public let kSecAttrProtocolTelnet: CFString = "teln"
/// The protocol: SSH.
public let kSecAttrProtocolSSH: CFString = "ssh "
/// The protocol: FTPS.
public let kSecAttrProtocolFTPS: CFString = "ftps"
/// The protocol: HTTPS.
public let kSecAttrProtocolHTTPS: CFString = "htps"
/// The protocol: HTTP, to a proxy.
public let kSecAttrProtocolHTTPProxy: CFString = "htpx"
/// The protocol: HTTPS, to a proxy.
public let kSecAttrProtocolHTTPSProxy: CFString = "htsx"
/// The protocol: FTP, to a proxy.
public let kSecAttrProtocolFTPProxy: CFString = "ftpx"
/// The protocol: SMB.
public let kSecAttrProtocolSMB: CFString = "smb "
/// The protocol: RTSP.
public let kSecAttrProtocolRTSP: CFString = "rtsp"
/// The protocol: RTSP, to a proxy.
public let kSecAttrProtocolRTSPProxy: CFString = "rtsx"
/// The protocol: DAAP.
public let kSecAttrProtocolDAAP: CFString = "daap"
/// The protocol: EPPC.
public let kSecAttrProtocolEPPC: CFString = "eppc"
/// The protocol: IPP.
public let kSecAttrProtocolIPP: CFString = "ipp "
/// The protocol: NNTPS.
public let kSecAttrProtocolNNTPS: CFString = "ntps"
/// The protocol: LDAPS.
public let kSecAttrProtocolLDAPS: CFString = "ldps"
/// The protocol: TelnetS.
public let kSecAttrProtocolTelnetS: CFString = "tels"
/// The protocol: IMAPS.
public let kSecAttrProtocolIMAPS: CFString = "imps"
/// The protocol: IRCS.
public let kSecAttrProtocolIRCS: CFString = "ircs"
/// The protocol: POP3S.
public let kSecAttrProtocolPOP3S: CFString = "pops"
/// The way of logging in: NTLM.
public let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"
/// The way of logging in: MSN.
public let kSecAttrAuthenticationTypeMSN: CFString = "msna"
/// The way of logging in: DPA.
public let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"
/// The way of logging in: RPA.
public let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"
/// The way of logging in: HTTP basic.
public let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
/// The way of logging in: HTTP digest.
public let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
/// The way of logging in: a form on a page.
public let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
/// The way of logging in: whatever is usual.
public let kSecAttrAuthenticationTypeDefault: CFString = "dflt"
