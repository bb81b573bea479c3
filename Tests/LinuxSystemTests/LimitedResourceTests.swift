import Glibc
import LinuxSystem
import Testing

/// The limits of this process. The tests set them only to their present values.
@Suite struct LimitedResourceTests {
    @Test(
        arguments: [
            .openFiles, .lockedMemory, .fileSize, .addressSpace, .data, .processorTime, .processes, .cores,
        ] as [LimitedResource])
    func aLimitIsWhatTheSystemSays(_ resource: LimitedResource) throws {
        let limit = resource.limit
        #expect(limit.current <= limit.highest)
        #expect(resource.set(limit) && resource.limit == limit)
    }

    @Test func eachResourceIsAnother() {
        var files = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        #expect(
            LimitedResource.openFiles.limit == .init(current: UInt64(files.rlim_cur), highest: UInt64(files.rlim_max)))
        #expect(!LimitedResource.openFiles.set(.init(current: 2, highest: 1)), "more than the highest")
        let free = LimitedResource.data.limit
        if free.current == free.highest { #expect(LimitedResource.data.raise() == free.highest) }
    }
}
