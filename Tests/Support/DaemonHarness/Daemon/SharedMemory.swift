import Glibc

/// The segment of shared memory that a gpsd run as root makes, and does not take away.
struct SharedMemory {
  let key = Int32.random(in: 0x1000_0000...0x7fff_ffff)

  func remove() {
    let segment = shmget(key, 0, 0)
    if segment >= 0 { shmctl(segment, IPC_RMID, nil) }
  }
}
