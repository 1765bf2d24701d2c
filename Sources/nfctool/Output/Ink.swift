// What colours mean, in one place

import Rainbow

/// A meaning that text is coloured by.
enum Ink: Hashable, CaseIterable {
    case heading, strong, faint, link
    case good, warning, bad
    case locked
    case uid, lock, capabilityContainer, tlv, ndef, free, reserved, configuration, password, counter

    /// The parameters of the SGR control function.
    ///
    /// Rainbow decides by a global whether to colour at all; here ``Style`` does, so only its codes are taken.
    var codes: [UInt8] {
        let segment = segment
        return (segment.color?.value ?? []) + (segment.styles ?? []).flatMap(\.value)
    }

    private var segment: Rainbow.Segment {
        switch self {
        case .heading: Rainbow.Segment(text: "", color: .named(.lightCyan), styles: [.bold])
        case .strong: Rainbow.Segment(text: "", styles: [.bold])
        case .link: Rainbow.Segment(text: "", color: .named(.cyan), styles: [.underline])
        case .faint, .free, .reserved: Rainbow.Segment(text: "", color: .named(.lightBlack))
        case .good, .ndef: Rainbow.Segment(text: "", color: .named(.green))
        case .warning: Rainbow.Segment(text: "", color: .named(.yellow))
        case .bad, .password: Rainbow.Segment(text: "", color: .named(.red))
        case .locked: Rainbow.Segment(text: "", styles: [.underline])
        case .uid: Rainbow.Segment(text: "", color: .named(.cyan))
        case .lock: Rainbow.Segment(text: "", color: .named(.magenta))
        case .capabilityContainer: Rainbow.Segment(text: "", color: .named(.yellow), styles: [.bold])
        case .tlv: Rainbow.Segment(text: "", color: .named(.lightBlue))
        case .configuration: Rainbow.Segment(text: "", color: .named(.lightMagenta))
        case .counter: Rainbow.Segment(text: "", color: .named(.lightYellow))
        }
    }
}
