// `import CoreNFC` alone must do for code written for iOS, where the module brings Foundation and Dispatch along

@_exported public import Dispatch
@_exported public import Foundation
