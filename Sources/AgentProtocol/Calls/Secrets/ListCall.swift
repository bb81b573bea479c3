/// Lists the name and the access policy of every secret; without the comments if it `isBrief`.
package struct ListCall: LookingCall {
    package typealias Reply = ListReply
    package typealias Part = Entry
    package static let verb = Verb.list
    package var isBrief = false

    package init() {}

    package init(isBrief: Bool) { self.isBrief = isBrief }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.flagIfTrue("brief", &isBrief)
    }
}
