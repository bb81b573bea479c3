/// The reasons for which a request or a response is refused. One table gives each its status and its sentence.
package enum RefusalReason: Hashable, Sendable, CaseIterable {
    // Lines.
    case lineFeedAlone, carriageReturnAlone, controlCharacter, emptyStartLine, startLineForm
    // The start line.
    case methodForm, methodRefused, otherVersion, statusForm, switchedProtocol, tooManyInterimAnswers
    case targetForm, targetTooLong, targetCharacter, percentForm
    // Paths.
    case pathDots, pathEmptySegment, pathBackslash, pathEncodedDot, pathEncodedBackslash, pathEncodedControl
    case pathEncodedSlash, pathOverlong
    // Fields.
    case foldedField, spaceBeforeColon, fieldWithoutColon, fieldNameForm, duplicateField, lookalikeField
    case hostMissing, hostForm, otherHost, connectionForm, upgradeRefused, otherExpectation, contentEncoding
    case headTooLarge, tooManyFields, headIsComplete
    // Bodies.
    case lengthForm, lengthAndEncoding, transferEncoding, bodyTooLarge, bodyWhereNone
    case chunkSizeForm, chunkExtension, chunkEnd, trailerForm, trailerTooLarge
    case endsEarly, bytesAfterEnd
    // Writing.
    case outputTooSmall, ownFieldForm, bodyOtherLength
    // For the process that owns the connections.
    case notAllowed, tooSlow, unreachable

    /// A row of the table: the status for a client whose request has this fault, and a sentence.
    private struct Row {
        let status: UInt16
        let sentence: String

        init(_ status: UInt16, _ sentence: String) {
            self.status = status
            self.sentence = sentence
        }
    }

    /// The status that answers a request with this fault.
    package var status: UInt16 { row.status }
    /// The reason as a sentence, which names no byte of the message.
    package var sentence: String { row.sentence }

    private var row: Row {
        switch self {
        case .lineFeedAlone: Row(400, "A line ends with LF alone. Lines end with CR LF.")
        case .carriageReturnAlone: Row(400, "A CR is not followed by LF.")
        case .controlCharacter: Row(400, "The head contains a control character.")
        case .emptyStartLine: Row(400, "The message begins with an empty line.")
        case .startLineForm: Row(400, "The first line does not have three parts with one space between them.")
        case .methodForm: Row(400, "The method is not 1 to 32 uppercase letters and hyphens.")
        case .methodRefused: Row(405, "CONNECT, TRACE and TRACK are never passed on.")
        case .otherVersion: Row(505, "The version is not HTTP/1.1.")
        case .statusForm: Row(400, "The status is not a number from 100 to 599.")
        case .switchedProtocol: Row(400, "Status 101 switches to another protocol.")
        case .tooManyInterimAnswers: Row(400, "Too many interim answers come before the final one.")
        case .targetForm: Row(400, "The target does not begin with a slash.")
        case .targetTooLong: Row(414, "The first line is too long.")
        case .targetCharacter: Row(400, "The target contains a character that has to be percent-encoded.")
        case .percentForm: Row(400, "A percent sign in the target is not followed by two hexadecimal digits.")
        case .pathDots: Row(400, "A segment of the path is one dot or two.")
        case .pathEmptySegment: Row(400, "The path has two slashes in a row.")
        case .pathBackslash: Row(400, "The path contains a backslash.")
        case .pathEncodedDot: Row(400, "The path contains %2e. Write the dot itself.")
        case .pathEncodedBackslash: Row(400, "The path contains an encoded backslash.")
        case .pathEncodedControl: Row(400, "The path contains an encoded control character.")
        case .pathEncodedSlash: Row(400, "The path contains an encoded slash, which the rule does not allow.")
        case .pathOverlong: Row(400, "The path contains a character in more bytes than it needs.")
        case .foldedField: Row(400, "A field continues on the next line.")
        case .spaceBeforeColon: Row(400, "A field has a space before its colon.")
        case .fieldWithoutColon: Row(400, "A field has no colon.")
        case .fieldNameForm: Row(400, "The name of a field is empty or contains a wrong character.")
        case .duplicateField: Row(400, "A field that may stand once stands twice.")
        case .lookalikeField: Row(400, "A field of the framing is not written with a hyphen.")
        case .hostMissing: Row(400, "The request has no Host.")
        case .hostForm: Row(400, "Host is not a host with an optional port.")
        case .otherHost: Row(421, "Host names another server than this one.")
        case .connectionForm: Row(400, "Connection is not a list of at most 32 names.")
        case .upgradeRefused: Row(501, "The request wants to upgrade to another protocol.")
        case .otherExpectation: Row(417, "Expect is not 100-continue.")
        case .contentEncoding: Row(415, "The body has an encoding in which an echo of the credential goes unseen.")
        case .headTooLarge: Row(431, "The head is too large.")
        case .tooManyFields: Row(431, "The head has too many fields.")
        case .headIsComplete: Row(400, "The head is already complete.")
        case .lengthForm: Row(400, "Content-Length is not one decimal number without leading zeros.")
        case .lengthAndEncoding: Row(400, "The message has both Content-Length and Transfer-Encoding.")
        case .transferEncoding: Row(501, "Transfer-Encoding is not chunked alone.")
        case .bodyTooLarge: Row(413, "The body is larger than the rule allows.")
        case .bodyWhereNone: Row(400, "A message with this status has no body, and this one announces a body.")
        case .chunkSizeForm: Row(400, "The size of a chunk is not 1 to 16 hexadecimal digits.")
        case .chunkExtension: Row(400, "A chunk has an extension.")
        case .chunkEnd: Row(400, "A chunk does not end where its size says.")
        case .trailerForm: Row(400, "A field after the body is malformed.")
        case .trailerTooLarge: Row(431, "The fields after the body are too large.")
        case .endsEarly: Row(400, "The connection ends before the message does.")
        case .bytesAfterEnd: Row(400, "More bytes come after the end of the message.")
        case .outputTooSmall: Row(500, "The head does not fit into its buffer.")
        case .ownFieldForm: Row(500, "A field that the proxy adds has a wrong name or value.")
        case .bodyOtherLength: Row(500, "The written body does not have the length of its head.")
        case .notAllowed: Row(403, "The rules do not allow this.")
        case .tooSlow: Row(408, "No further bytes came in time.")
        case .unreachable: Row(502, "The server cannot be reached.")
        }
    }
}
