// Protocols and authentication types of internet passwords (semantics 2.11 and 2.12). Trailing spaces are significant.

public import Foundation

/// The protocol: FTP.
public nonisolated(unsafe) let kSecAttrProtocolFTP: CFString = "ftp "
/// The protocol: FTP, account.
public nonisolated(unsafe) let kSecAttrProtocolFTPAccount: CFString = "ftpa"
/// The protocol: HTTP.
public nonisolated(unsafe) let kSecAttrProtocolHTTP: CFString = "http"
/// The protocol: IRC.
public nonisolated(unsafe) let kSecAttrProtocolIRC: CFString = "irc "
/// The protocol: NNTP.
public nonisolated(unsafe) let kSecAttrProtocolNNTP: CFString = "nntp"
/// The protocol: POP3.
public nonisolated(unsafe) let kSecAttrProtocolPOP3: CFString = "pop3"
/// The protocol: SMTP.
public nonisolated(unsafe) let kSecAttrProtocolSMTP: CFString = "smtp"
/// The protocol: SOCKS.
public nonisolated(unsafe) let kSecAttrProtocolSOCKS: CFString = "sox "
/// The protocol: IMAP.
public nonisolated(unsafe) let kSecAttrProtocolIMAP: CFString = "imap"
/// The protocol: LDAP.
public nonisolated(unsafe) let kSecAttrProtocolLDAP: CFString = "ldap"
/// The protocol: AppleTalk.
public nonisolated(unsafe) let kSecAttrProtocolAppleTalk: CFString = "atlk"
/// The protocol: AFP.
public nonisolated(unsafe) let kSecAttrProtocolAFP: CFString = "afp "
/// The protocol: Telnet.
public nonisolated(unsafe) let kSecAttrProtocolTelnet: CFString = "teln"
/// The protocol: SSH.
public nonisolated(unsafe) let kSecAttrProtocolSSH: CFString = "ssh "
/// The protocol: FTPS.
public nonisolated(unsafe) let kSecAttrProtocolFTPS: CFString = "ftps"
/// The protocol: HTTPS.
public nonisolated(unsafe) let kSecAttrProtocolHTTPS: CFString = "htps"
/// The protocol: HTTP proxy.
public nonisolated(unsafe) let kSecAttrProtocolHTTPProxy: CFString = "htpx"
/// The protocol: HTTPS proxy.
public nonisolated(unsafe) let kSecAttrProtocolHTTPSProxy: CFString = "htsx"
/// The protocol: FTP proxy.
public nonisolated(unsafe) let kSecAttrProtocolFTPProxy: CFString = "ftpx"
/// The protocol: SMB.
public nonisolated(unsafe) let kSecAttrProtocolSMB: CFString = "smb "
/// The protocol: RTSP.
public nonisolated(unsafe) let kSecAttrProtocolRTSP: CFString = "rtsp"
/// The protocol: RTSP proxy.
public nonisolated(unsafe) let kSecAttrProtocolRTSPProxy: CFString = "rtsx"
/// The protocol: DAAP.
public nonisolated(unsafe) let kSecAttrProtocolDAAP: CFString = "daap"
/// The protocol: EPPC.
public nonisolated(unsafe) let kSecAttrProtocolEPPC: CFString = "eppc"
/// The protocol: IPP.
public nonisolated(unsafe) let kSecAttrProtocolIPP: CFString = "ipp "
/// The protocol: NNTPS.
public nonisolated(unsafe) let kSecAttrProtocolNNTPS: CFString = "ntps"
/// The protocol: LDAPS.
public nonisolated(unsafe) let kSecAttrProtocolLDAPS: CFString = "ldps"
/// The protocol: TelnetS.
public nonisolated(unsafe) let kSecAttrProtocolTelnetS: CFString = "tels"
/// The protocol: IMAPS.
public nonisolated(unsafe) let kSecAttrProtocolIMAPS: CFString = "imps"
/// The protocol: IRCS.
public nonisolated(unsafe) let kSecAttrProtocolIRCS: CFString = "ircs"
/// The protocol: POP3S.
public nonisolated(unsafe) let kSecAttrProtocolPOP3S: CFString = "pops"
/// The authentication type: NTLM.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"
/// The authentication type: MSN.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeMSN: CFString = "msna"
/// The authentication type: DPA.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"
/// The authentication type: RPA.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"
/// The authentication type: HTTP Basic.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
/// The authentication type: HTTP Digest.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
/// The authentication type: an HTML form.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
/// The authentication type: the default.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeDefault: CFString = "dflt"
