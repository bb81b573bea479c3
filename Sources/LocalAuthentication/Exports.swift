// The error codes are a C enumeration, and apps use them as members of `LAError`.
@_exported public import CLocalAuthentication
// As on Apple's platforms, importing this module imports these two as well.
@_exported public import Foundation
@_exported public import Security
