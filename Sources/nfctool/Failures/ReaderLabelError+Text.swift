// The problems in the file with reader labels, in words

import USBReaders

extension ReaderLabelError {
    /// A sentence with the file, the line and the problem.
    var sentence: String {
        let place = line.map { "\(file), line \($0)" } ?? file
        return "\(place): \(clause)."
    }

    private var clause: String {
        switch problem {
        case .unreadable: "it cannot be read"
        case .tooLarge: "it is too large for a list of readers"
        case .lineTooLong: "the line is too long"
        case .noEqualsSign: "there is no ="
        case .notALabel(let word):
            "\"\(word)\" cannot be a name: use letters, digits, and - _ . after the first character"
        case .notATarget(let word): "\"\(word)\" does not name a reader"
        case .notAPort(let word): "\"\(word)\" is not a USB port"
        case .virtualReader(let word):
            "\"\(word)\" is a virtual reader, but labels name only real readers; give it as --reader \(word)"
        case .givenTwice(let label, let firstLine): "\(label) is already on line \(firstLine)"
        }
    }
}
