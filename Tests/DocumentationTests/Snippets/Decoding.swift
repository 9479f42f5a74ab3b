// snippet: decode
import GPSDProtocol

// end

func longitudes(in lines: [[UInt8]]) -> [Double] {
  // snippet: decode
  var decoder = GPSDDecoder()
  var longitudes: [Double] = []
  for line in lines where decoder.decode(line.span) == .tpv {
    if let longitude = decoder.tpv.lon { longitudes.append(longitude) }
  }
  // end
  return longitudes
}
