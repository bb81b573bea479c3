// The page in a browser is about one device. Its engine leaves out what an account adds, and is a fiftieth smaller.

extension Circles? {
    /// The forms of the account; nil in the engine of the page.
    var modeled: Circles? {
        @inline(__always) get {
            #if hasFeature(Embedded)
                nil
            #else
                self
            #endif
        }
    }
}

extension AccountMove {
    /// The move as a verb phrase, and the reason why it succeeds. The engine of the page makes no such move.
    var texts: (words: String, reason: String) {
        #if hasFeature(Embedded)
            ("", "")
        #else
            told
        #endif
    }
}
