import GPSDProtocol
import LocationCore
import LocationTestKit
import Testing

@Suite struct `Mutated lines` {
  private static let lines = [
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":0,"bps":4800}]}"#,
    #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"device":"/dev/\u0061"}"#,
    """
    {"class":"TPV","device":"/dev/pts/1","mode":3,"time":"2019-03-28T16:45:18.990Z","ept":0.005,\
    "lat":48.149975000,"lon":-11.584778333,"altHAE":509.1,"alt":462.9,"leapseconds":18,"eph":1e1}
    """,
    """
    {"class":"SKY","device":"/dev/pts/1","hdop":1.30,"nSat":2,"satellites":[{"PRN":17,"el":77.0,\
    "az":41.0,"ss":13.0,"used":false,"gnssid":0,"svid":17},{"PRN":9,"used":true,"x":[{"y":null}]}]}
    """,
    #"{"class":"GST","time":"2010-12-07T10:23:07.096Z","rms":2.440,"major":1.660,"orient":68.989}"#,
    #"{"class":"ATT","heading":14223.00,"mag_st":"N","pitch":169.00,"roll":-43.00,"temp":1}"#,
    #"{"class":"AIS","type":5,"text":"é\"\\\ud83d\udef0","list":[1,-2.5e-3,true,false,null,[],{}]}"#,
  ].map { Array($0.utf8) }

  /// What a fuzzer puts in: all that means something in JSON, and what means nothing.
  private static let tokens = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "e", "-", ".", "0", "1e999", "null",
    "true", "NaN", " ", "\n", "\0", "\u{FF}", "\"lat\":1,", "\"class\":\"TPV\",",
    "[[[[[[[[[[[[[[[[",
  ].map { Array($0.utf8) }

  private func mutate(_ line: [UInt8], _ generator: inout SeededRandom) -> [UInt8] {
    var line = line
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !line.isEmpty {
      let place = Int.random(in: 0..<line.count, using: &generator)
      let end = min(line.count, place + .random(in: 1...20, using: &generator))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: line[place] = .random(in: 0...255, using: &generator)
      case 1: line.removeSubrange(place..<end)
      case 2: line.insert(contentsOf: line[place..<end], at: place)
      case 3: line.removeSubrange(place...)
      case 4:
        line.insert(contentsOf: Self.tokens.randomElement(using: &generator) ?? [], at: place)
      default:
        let other = Self.lines.randomElement(using: &generator) ?? []
        line.replaceSubrange(
          place..<end, with: other.suffix(.random(in: 0...90, using: &generator)))
      }
    }
    return line
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `crash nothing, give no impossible fix and spoil no valid line`(seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    let expected = Self.lines.map { line in
      var decoder = GPSDDecoder()
      return decoder.report(in: line.span)
    }
    var decoder = GPSDDecoder()
    var kinds: [GPSDDecoder.Kind: Int] = [:]
    for round in 0..<5000 {
      let index = round % Self.lines.count
      let line = mutate(Self.lines[index], &generator)
      let kind = decoder.decode(line.span)
      kinds[kind, default: 0] += 1
      if kind == .tpv, let lat = decoder.tpv.lat { #expect(abs(lat) <= 90) }
      if kind == .malformed { #expect(decoder.tpv.lat == nil) }
      let valid = Self.lines[index]
      let neighbour = decoder.report(in: valid.span)
      #expect(neighbour == expected[index])
    }
    #expect(kinds[.malformed, default: 0] > 1000)
    #expect(kinds[.tpv, default: 0] > 20)
  }
}
