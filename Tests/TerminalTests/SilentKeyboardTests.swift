// Whether a terminal shows typed text — termios(3)

import Foundation
import Testing

@testable import Terminal

@Suite struct SilentKeyboardTests {
    private func showsText(_ terminal: Int32) -> Bool {
        var settings = termios()
        return tcgetattr(terminal, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    @Test("A terminal hides typed text only between silence and restore") func silence() throws {
        var (master, terminal) = (Int32(-1), Int32(-1))
        let isOpen = openpty(&master, &terminal, nil, nil, nil) == 0
        try #require(isOpen)
        defer {
            close(master)
            close(terminal)
        }
        let keyboard = try #require(SilentKeyboard(terminal))
        #expect(showsText(terminal))
        keyboard.silence()
        #expect(!showsText(terminal))
        keyboard.restore()
        #expect(showsText(terminal))
    }

    @Test("A file is not a keyboard") func file() {
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        #expect(SilentKeyboard(file) == nil)
    }
}
