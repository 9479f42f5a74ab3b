import LocationCore
import Testing

@Suite struct `The path of a file` {
  @Test(
    arguments: [
      ([0x61, 0x2f, 0x62], "a/b"), ([0xc3, 0xa9], "é"), ([0xff], #"\xff"#),
      ([0x61, 0xc3], #"a\xc3"#), ([0xc3, 0x61], #"\xc3a"#), ([0xe2, 0x82, 0x62], #"\xe2\x82b"#),
      ([0xe2, 0x82, 0xac, 0x80], #"€\x80"#), ([0xed, 0xa0, 0x80], #"\xed\xa0\x80"#),
      ([], ""),
    ] as [([UInt8], String)])
  func `53: is shown with bytes that are not UTF-8 escaped`(bytes: [UInt8], shown: String) {
    #expect(FilePath(bytes: bytes).description == shown)
  }
}
