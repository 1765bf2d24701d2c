// The steps for a row on a tag that signs its URL: set its keys, set up its URL, and read it to verify the URL

import DurableFiles
import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

extension RowDelivery {
    /// Changes the keys, sets up the URL, and reads the tag to verify the URL.
    ///
    /// `job` records the progress even if this throws. Each step detects what was done before, so the row can be
    /// continued no matter when the tag was removed. No key can be lost: each key is either the delivery key or is
    /// derived from the key file and the UID.
    func carryOut(
        _ job: inout Job, _ dynamic: DynamicOrder, on change: TagChange
    ) async throws -> (TagReading, RowProof) {
        let keyed: TagChange
        do {
            keyed = try await change.changeKeys(dynamic.keys).change
        } catch {
            // The tag is unchanged until the first key is changed.
            if error is KeyChangeInterrupted { job.isTouched = true }
            throw error
        }
        job.isTouched = true
        var reading = try await keyed.setUp(dynamic.setup).reading
        reading.isVerified = true
        if job.state == .bound || job.state == .failed {
            try await desk.written(job.row, of: job.uid)
            job.state = .written
        }
        let proof = RowProof(
            messageLength: reading.bytes.count, sha256: reading.bytes.sha256, signature: nil,
            seconds: (ContinuousClock.now - job.arrival).inSeconds)
        if job.state == .written {
            try await desk.proven(job.row, of: job.uid, proof, wantsSeal: false)
            job.state = .proven
        }
        return (reading, proof)
    }
}
