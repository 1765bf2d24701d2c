// `import CoreNFC` also provides Foundation and Dispatch, because code for iOS relies on it

@_exported public import Dispatch
@_exported public import Foundation
