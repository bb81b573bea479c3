import Foundation
import KeyKit
import SodiumKit
import TestSupport

// The process whose memory the tests of KeyKit search: `key-exerciser <operation>`.
//
// The private key is read from standard input into guarded memory. Any other copy that the test finds was left by the
// operation.

