import GPSDProtocol

extension GPSDDecoder {
  /// What one line is, its record left in the decoder.
  mutating func decode(_ line: String) -> Kind {
    let bytes = Array(line.utf8)
    return decode(bytes.span)
  }
}

/// The report in one line, by a decoder of its own.
func report(_ line: String) -> GPSDReport? {
  let bytes = Array(line.utf8)
  var decoder = GPSDDecoder()
  return decoder.report(in: bytes.span)
}

/// The TPV that has these members besides its class.
func tpvReport(_ members: String) -> TPV? {
  guard case .tpv(let tpv) = report(#"{"class":"TPV",\#(members)}"#) else { return nil }
  return tpv
}

/// The SKY that has these members besides its class.
func skyReport(_ members: String) -> SKY? {
  guard case .sky(let sky) = report(#"{"class":"SKY",\#(members)}"#) else { return nil }
  return sky
}
