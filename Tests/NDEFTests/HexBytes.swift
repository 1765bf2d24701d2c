// Bytes written as hex text

/// Returns the bytes of hexadecimal text such as `D1 01 08`.
///
/// Spaces and line breaks are ignored, and any other character stops the test run.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    precondition(digits.count.isMultiple(of: 2) && digits.count == text.filter { !$0.isWhitespace }.count)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
