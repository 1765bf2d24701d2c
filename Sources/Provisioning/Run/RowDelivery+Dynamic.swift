// The steps of a row on a tag that signs its URL: its keys, its URL, and the proof by a tap

import DurableFiles
import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

extension RowDelivery {
    /// Changes the keys, sets the URL up and taps the tag; `job` knows how far it has come also when this throws.
    ///
    /// Each step finds out what was done before, so the same row goes on wherever the tag was pulled away. No key can be lost:
    /// each is the one that all chips are delivered with, or comes from the key file and the UID.
    func carryOut(
        _ job: inout Job, _ dynamic: DynamicOrder, on change: TagChange
    ) async throws -> (TagReading, RowProof) {
        let keyed: TagChange
        do {
            keyed = try await change.changeKeys(dynamic.keys).change
        } catch {
            // Until the first key was changed the tag is as it was.
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
