// A program with a private pcscd that a test kills. It prints the socket's path and waits
import Glibc
import VirtualPCSC

let reader = VirtualPCSCReader(model: .acr1552u, tags: [VirtualISO15693Tag(chip: .icodeSLIX2)])
let daemon = try PrivatePCSCDaemon(readers: [reader])
daemon.serveThisProcess()
print(daemon.socketPath)
fflush(nil)
pause()
