extension Double {
    /// The time that is this many seconds after the first day of 2001, from which the vault counts, in seconds since
    /// 1970.
    package var sinceUnixEpoch: Int64 { Int64(self + 978_307_200) }
}
