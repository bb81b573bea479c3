/// The state of a request for an approval.
package enum DeskState: Hashable, Sendable {
    /// The owner has not answered. The text names the request at this desk.
    case waiting(String)
    case approved(DeskApproval)
    /// There is no approval, for a reason that the borrower may read.
    case refused(String)
    /// This desk has no such request, or no longer.
    case unknown
}
