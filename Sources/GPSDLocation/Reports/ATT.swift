public import LocationCore

/// How a vehicle lies in space: gpsd's attitude report. Units that are not named are the sensor's.
public struct ATT: Hashable, Sendable {
  /// The sensor's path on gpsd's machine.
  public var device: String?
  /// The instant of the report by the sensor's clock.
  public var time: Timestamp?
  /// State of the magnetometer, in the sensor's own letters (`N` is normal).
  public var magSt: String?
  /// State of the pitch sensor.
  public var pitchSt: String?
  /// State of the roll sensor.
  public var rollSt: String?
  /// State of the yaw sensor.
  public var yawSt: String?

  var quantities = Quantities<26>()

  /// An attitude report that tells nothing.
  public init() {}

  /// Heading in degrees from true north.
  public var heading: Double? { self[.heading] }

  /// Pitch in degrees.
  public var pitch: Double? { self[.pitch] }

  /// Roll in degrees.
  public var roll: Double? { self[.roll] }

  /// Yaw in degrees.
  public var yaw: Double? { self[.yaw] }

  /// Rate of turn, in degrees per minute.
  public var rot: Double? { self[.rot] }

  /// Inclination of the magnetic field, in degrees; positive is into the earth.
  public var dip: Double? { self[.dip] }

  /// Strength of the magnetic field.
  public var magLen: Double? { self[.mag_len] }

  /// X component of the magnetic field.
  public var magX: Double? { self[.mag_x] }

  /// Y component of the magnetic field.
  public var magY: Double? { self[.mag_y] }

  /// Z component of the magnetic field.
  public var magZ: Double? { self[.mag_z] }

  /// Acceleration.
  public var accLen: Double? { self[.acc_len] }

  /// X component of the acceleration.
  public var accX: Double? { self[.acc_x] }

  /// Y component of the acceleration.
  public var accY: Double? { self[.acc_y] }

  /// Z component of the acceleration.
  public var accZ: Double? { self[.acc_z] }

  /// X component of the rate of rotation.
  public var gyroX: Double? { self[.gyro_x] }

  /// Y component of the rate of rotation.
  public var gyroY: Double? { self[.gyro_y] }

  /// Z component of the rate of rotation.
  public var gyroZ: Double? { self[.gyro_z] }

  /// Depth of the water, in metres.
  public var depth: Double? { self[.depth] }

  /// Temperature of the sensor, in degrees Celsius.
  public var temp: Double? { self[.temp] }

  package subscript(field: Field) -> Double? {
    get { quantities[field.rawValue] }
    set { quantities[field.rawValue] = newValue }
  }
}
