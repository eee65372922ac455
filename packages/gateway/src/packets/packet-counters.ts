/** What became of packets, by name. */
export interface PacketCounters {
  packets: number
  segments: number
  /** Link types that carry no IP that we know of: 802.11, serial lines. */
  unknownLink: number
  /** ARP, LLDP and all else beside IP. */
  notIp: number
  /** UDP, ICMP: nothing that carries HTTP/1. */
  notTcp: number
  /** A header that is cut off or cannot be one. */
  badHeader: number
  /** Sums of IP or TCP that are wrong. Whether that means anything is decided connection by connection. */
  wrongSums: number
  fragments: number
  /** Fragments whose packet never became whole, in time or within the limits, or that contradict each other. */
  lostFragments: number
  tunnels: number
  tooDeep: number
}

export function packetCounters(): PacketCounters {
  return {
    packets: 0,
    segments: 0,
    unknownLink: 0,
    notIp: 0,
    notTcp: 0,
    badHeader: 0,
    wrongSums: 0,
    fragments: 0,
    lostFragments: 0,
    tunnels: 0,
    tooDeep: 0,
  }
}
