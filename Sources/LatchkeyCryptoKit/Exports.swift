// As on Apple's platforms, importing this module imports these two as well.
@_exported public import Foundation
@_exported public import Security
