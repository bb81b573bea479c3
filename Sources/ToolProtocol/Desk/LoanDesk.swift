/// The loans of one borrower, as its tools see them.
///
/// The desk decides everything. It gives out no value of a secret, and knows nothing of what is not lent to its borrower.
package protocol LoanDesk: Sendable {
    /// Returns the services that are lent.
    func services() -> [DeskService]
    /// Asks the owner for an approval ahead of uses. Returns at once.
    ///
    /// The texts of the wish are as the borrower wrote them, within the limits of ``DeskWish``: clean them before a person sees them.
    func request(_ wish: DeskWish) -> DeskState
    /// Returns the state of a request, after waiting up to that many seconds for it to change. With 0 seconds, it returns at once.
    func state(of request: String, waitingSeconds: Int) -> DeskState
}
