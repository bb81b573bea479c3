internal import CLatchkeyTesting
internal import Latchkey

// Work that code inside `run` gives to a Dispatch queue, an operation queue or a thread keeps the device. The C functions
// in carrying.c take the places of Dispatch's and Foundation's, and call the functions below.
//
// A DispatchWorkItem keeps the device of the place where it was created. An operation queue creates one for each
// operation that is added, so an operation keeps the device of the place where it was added, although another
// operation's thread may start it.

/// Work on queues and threads.
package enum CarriedWork: Sendable {
    /// True if it keeps the device. The thread sanitizer has functions of its own for queues, which stay in force.
    package static var isPossible: Bool { latchkey_carries_work() }
}

typealias Block = @convention(block) () -> Void
typealias CountingBlock = @convention(block) (Int) -> Void
typealias ThreadStart = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

/// The definitions of the system's libraries.
private enum System {
    typealias Submit = @convention(c) (UnsafeRawPointer, @escaping Block) -> Void
    typealias SubmitTwo = @convention(c) (UnsafeRawPointer, UnsafeRawPointer, @escaping Block) -> Void
    typealias After = @convention(c) (UInt64, UnsafeRawPointer, @escaping Block) -> Void
    typealias Apply = @convention(c) (Int, UnsafeRawPointer?, @escaping CountingBlock) -> Void
    typealias Create = @convention(c) (UInt, @escaping Block) -> UnsafeMutableRawPointer?
    typealias CreateWithQoS = @convention(c) (UInt, UInt32, Int32, @escaping Block) -> UnsafeMutableRawPointer?

    static let async = find("dispatch_async", as: Submit.self)
    static let barrierAsync = find("dispatch_barrier_async", as: Submit.self)
    static let sync = find("dispatch_sync", as: Submit.self)
    static let barrierSync = find("dispatch_barrier_sync", as: Submit.self)
    static let after = find("dispatch_after", as: After.self)
    static let apply = find("dispatch_apply", as: Apply.self)
    static let groupAsync = find("dispatch_group_async", as: SubmitTwo.self)
    static let groupNotify = find("dispatch_group_notify", as: SubmitTwo.self)
    static let blockNotify = find("dispatch_block_notify", as: SubmitTwo.self)
    static let blockCreate = find("dispatch_block_create", as: Create.self)
    static let blockCreateWithQoS = find("dispatch_block_create_with_qos_class", as: CreateWithQoS.self)
    static let setEventHandler = find("dispatch_source_set_event_handler", as: Submit.self)

    static let setRegistrationHandler = find("dispatch_source_set_registration_handler", as: Submit.self)
    static let setCancelHandler = find("dispatch_source_set_cancel_handler", as: Submit.self)

    private static let workItem = UInt(bitPattern: blockCreate(0) {})

    /// Returns true for a block that `dispatch_block_create` returned. Dispatch knows these by the function that runs
    /// them, and finds their qualities in them: whether it is a barrier, for example.
    static func isWorkItem(_ block: @escaping Block) -> Bool {
        start(of: unsafeBitCast(block, to: UnsafeRawPointer.self)) == UnsafeRawPointer(bitPattern: workItem).map(start)
    }

    /// The function that runs a block: it follows the block's class and two numbers.
    private static func start(of block: UnsafeRawPointer) -> UnsafeRawPointer {
        block.load(
            fromByteOffset: MemoryLayout<UnsafeRawPointer>.size + 2 * MemoryLayout<Int32>.size,
            as: UnsafeRawPointer.self)
    }

    private static func find<Function>(_ name: String, as type: Function.Type) -> Function {
        guard let function = latchkey_next_definition(name) else { fatalError("Dispatch has no \(name)") }
        return unsafeBitCast(function, to: type)
    }
}

/// Returns `block` with the device of the caller. A work item already has that of its creator.
private func carrying(_ block: @escaping Block) -> Block {
    let keychain = CarriedKeychain()
    if keychain.isEmpty || System.isWorkItem(block) { return block }
    return { keychain.whileCurrent(block) }
}

/// Returns `block` with the device of the caller, or without any if the caller has none. The code that submits it later does
/// not give it another.
private func fixing(_ block: @escaping Block) -> Block {
    let keychain = CarriedKeychain()
    if keychain.isEmpty && !StrayCalls.deviceExists { return block }
    return { keychain.whileCurrent(block) }
}

@_cdecl("latchkey_async") func carryAsync(_ queue: UnsafeRawPointer, _ block: @escaping Block) {
    System.async(queue, carrying(block))
}

@_cdecl("latchkey_barrier_async") func carryBarrierAsync(_ queue: UnsafeRawPointer, _ block: @escaping Block) {
    System.barrierAsync(queue, carrying(block))
}

@_cdecl("latchkey_sync") func carrySync(_ queue: UnsafeRawPointer, _ block: @escaping Block) {
    System.sync(queue, carrying(block))
}

@_cdecl("latchkey_barrier_sync") func carryBarrierSync(_ queue: UnsafeRawPointer, _ block: @escaping Block) {
    System.barrierSync(queue, carrying(block))
}

@_cdecl("latchkey_after")
func carryAfter(_ time: UInt64, _ queue: UnsafeRawPointer, _ block: @escaping Block) {
    System.after(time, queue, carrying(block))
}

@_cdecl("latchkey_apply")
func carryApply(_ iterations: Int, _ queue: UnsafeRawPointer?, _ block: @escaping CountingBlock) {
    let keychain = CarriedKeychain()
    if keychain.isEmpty { return System.apply(iterations, queue, block) }
    System.apply(iterations, queue) { number in keychain.whileCurrent { block(number) } }
}

@_cdecl("latchkey_group_async")
func carryGroupAsync(_ group: UnsafeRawPointer, _ queue: UnsafeRawPointer, _ block: @escaping Block) {
    System.groupAsync(group, queue, carrying(block))
}

@_cdecl("latchkey_group_notify")
func carryGroupNotify(_ group: UnsafeRawPointer, _ queue: UnsafeRawPointer, _ block: @escaping Block) {
    System.groupNotify(group, queue, carrying(block))
}

@_cdecl("latchkey_block_notify")
func carryBlockNotify(_ former: UnsafeRawPointer, _ queue: UnsafeRawPointer, _ block: @escaping Block) {
    System.blockNotify(former, queue, carrying(block))
}

@_cdecl("latchkey_block_create")
func carryIntoBlock(_ flags: UInt, _ block: @escaping Block) -> UnsafeMutableRawPointer? {
    System.blockCreate(flags, fixing(block))
}

@_cdecl("latchkey_block_create_with_qos_class")
func carryIntoBlock(
    _ flags: UInt, _ qos: UInt32, _ priority: Int32, _ block: @escaping Block
) -> UnsafeMutableRawPointer? {
    System.blockCreateWithQoS(flags, qos, priority, fixing(block))
}

/// Returns the handler of a source with the device of the caller. A source, such as a timer, may outlive the test that
/// made it, as a thread may.
private func carryingToSource(_ handler: @escaping Block) -> Block {
    let keychain = CarriedKeychain().untilRunEnds
    if keychain.isEmpty || System.isWorkItem(handler) { return handler }
    return { keychain.whileCurrent(handler) }
}

@_cdecl("latchkey_source_set_event_handler")
func carryToSource(_ source: UnsafeRawPointer, _ handler: @escaping Block) {
    System.setEventHandler(source, carryingToSource(handler))
}

@_cdecl("latchkey_source_set_registration_handler")
func carryToRegistration(_ source: UnsafeRawPointer, _ handler: @escaping Block) {
    System.setRegistrationHandler(source, carryingToSource(handler))
}

@_cdecl("latchkey_source_set_cancel_handler")
func carryToCancellation(_ source: UnsafeRawPointer, _ handler: @escaping Block) {
    System.setCancelHandler(source, carryingToSource(handler))
}

// MARK: - Threads

/// The start of a thread, with the device of the code that starts it.
private final class CarriedStart {
    let keychain: CarriedKeychain
    let start: ThreadStart
    let context: UnsafeMutableRawPointer?

    init(_ keychain: CarriedKeychain, _ start: @escaping ThreadStart, _ context: UnsafeMutableRawPointer?) {
        self.keychain = keychain
        self.start = start
        self.context = context
    }
}

/// Returns the argument of `latchkey_run_carried`; nil if there is no device to carry.
@_cdecl("latchkey_carry_to_thread")
func carryToThread(
    _ start: @escaping ThreadStart, _ context: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    let keychain = CarriedKeychain().untilRunEnds
    if keychain.isEmpty { return nil }
    return Unmanaged.passRetained(CarriedStart(keychain, start, context)).toOpaque()
}

@_cdecl("latchkey_run_carried")
func runCarried(_ carried: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let carried = Unmanaged<CarriedStart>.fromOpaque(carried).takeRetainedValue()
    return carried.keychain.whileCurrent { carried.start(carried.context) }
}
