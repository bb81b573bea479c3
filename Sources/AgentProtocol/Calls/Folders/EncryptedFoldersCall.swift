/// Lists the folders that the vault keeps encrypted, after the keys of all are where they should be.
package struct EncryptedFoldersCall: LookingCall {
    package typealias Part = EncryptedFolderReport
    package static let verb = Verb.encryptedFolders

    package init() {}

    /// The answer after the folders.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of folders.
        package var count = 0
        /// False if the kernel is still at work.
        package var isSettled = false

        package init() {}

        package init(count: Int, isSettled: Bool) { (self.count, self.isSettled) = (count, isSettled) }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("count", &count)
            try coder.flag("settled", &isSettled)
        }
    }
}
