// A board that may open few files, and programs that connect without sending a request

import Foundation
import Testing

@Suite struct BoardDescriptorTests {
    @Test func aBoardGoesOnWhenTheSystemHasNoRoomForConnections() async throws {
        try await Tool.withFolder { folder in
            let outcome = try await Tool.shell(
                #"""
                nfctool provision --range 1-2 --uri 'https://example.com/{n}' --reader virtual:ntag213 --timeout 1s --count 1 -q
                (ulimit -n 40; exec nfctool provision board --listen 127.0.0.1:0 > page 2> errors) & board=$!
                for try in $(seq 100); do [ -s page ] && break; sleep 0.1; done
                python3 - "$(cat page)" <<'END'
                import socket, sys, time, urllib.parse, urllib.request
                page = sys.argv[1]
                port = urllib.parse.urlparse(page).port
                idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(200)]
                time.sleep(1)
                # With few files a browser may have to try again, as browsers do.
                for attempt in range(40):
                    try:
                        answer = urllib.request.urlopen(page + "state.json", timeout=5).read().decode()
                        break
                    except OSError:
                        time.sleep(0.5)
                print("answered" if '"rows":2' in answer else answer)
                END
                kill -0 $board && echo alive
                kill $board; wait $board; echo "end $?"
                cat errors
                """#, in: folder)
            #expect(outcome.output.contains("answered\nalive\nend 130\n"), "\(outcome.output) \(outcome.errors)")
        }
    }
}
