#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension SystemError: Codable {
  private enum CodingKeys: CodingKey { case domain, number, name }

  /// Decodes `domain`, `number` and `name`. If the name is known, the number is the one that it has on this
  /// system, so that an error from another system is equal to the same error of this one.
  ///
  /// - Throws: `DecodingError` if `domain` or `number` is missing, or a value has another type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(Domain.self, forKey: .domain),
      try container.decode(Int32.self, forKey: .number))
    let name = try container.decodeIfPresent(String.self, forKey: .name)
    if let known = Self.names(of: domain).first(where: { $0.value == name }) { number = known.key }
  }

  /// Encodes `domain`, `number` and, if it has one, its `name`, such as `ECONNREFUSED`. Systems have different
  /// numbers for one name.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(domain, forKey: .domain)
    try container.encode(number, forKey: .number)
    try container.encodeIfPresent(Self.names(of: domain)[number], forKey: .name)
  }

  /// The names of the numbers of this system that opening, reading and connecting may return.
  private static func names(of domain: Domain) -> [Int32: String] {
    switch domain {
    case .errno: errnoNames
    case .resolver: resolverNames
    default: [:]
    }
  }

  private static let errnoNames: [Int32: String] = [
    EACCES: "EACCES", EADDRINUSE: "EADDRINUSE", EADDRNOTAVAIL: "EADDRNOTAVAIL",
    EAFNOSUPPORT: "EAFNOSUPPORT", EAGAIN: "EAGAIN", EALREADY: "EALREADY", EBADF: "EBADF",
    EBUSY: "EBUSY", ECONNABORTED: "ECONNABORTED", ECONNREFUSED: "ECONNREFUSED",
    ECONNRESET: "ECONNRESET", EDQUOT: "EDQUOT", EFBIG: "EFBIG", EHOSTDOWN: "EHOSTDOWN",
    EHOSTUNREACH: "EHOSTUNREACH", EINPROGRESS: "EINPROGRESS", EINTR: "EINTR", EINVAL: "EINVAL",
    EIO: "EIO", EISDIR: "EISDIR", ELOOP: "ELOOP", EMFILE: "EMFILE",
    ENAMETOOLONG: "ENAMETOOLONG", ENETDOWN: "ENETDOWN", ENETUNREACH: "ENETUNREACH",
    ENFILE: "ENFILE", ENOBUFS: "ENOBUFS", ENODEV: "ENODEV", ENOENT: "ENOENT",
    ENOMEM: "ENOMEM", ENOSPC: "ENOSPC", ENOTCONN: "ENOTCONN", ENOTDIR: "ENOTDIR",
    ENXIO: "ENXIO", EPERM: "EPERM", EPIPE: "EPIPE", EPROTO: "EPROTO", EROFS: "EROFS",
    ETIMEDOUT: "ETIMEDOUT",
  ]

  private static let resolverNames: [Int32: String] = [
    EAI_AGAIN: "EAI_AGAIN", EAI_FAIL: "EAI_FAIL", EAI_FAMILY: "EAI_FAMILY",
    EAI_MEMORY: "EAI_MEMORY", EAI_NONAME: "EAI_NONAME", EAI_SERVICE: "EAI_SERVICE",
    EAI_SYSTEM: "EAI_SYSTEM",
  ]
}
