/** Limits of the receiver, in one table: whatever sites and strangers send, this is what it can cost. */
import type { RateTerms } from './body/least-rate.ts'
import type { UnknownHostTerms } from './admit/unknown-host-limiter.ts'
import type { BucketTerms } from './admit/token-buckets.ts'

export interface ReceiverLimits {
  readonly maxUrlChars: number
  readonly maxHeaderBytes: number
  readonly maxConnections: number
  /** Of one address; proxies in front of us may have more. */
  readonly connectionsPerAddress: number
  /** Until the head of a request is here. */
  readonly headersTimeoutMs: number
  /** Until all of it is: a large body over a slow line takes its time. */
  readonly requestTimeoutMs: number
  /** A body comes with so many bytes a second, or stands still for no longer than the grace. */
  readonly body: RateTerms
  /** Fields of a head. */
  readonly maxHeaders: number
  /** A connection on which nothing moves is closed. */
  readonly idleTimeoutMs: number
  readonly stopTimeoutMs: number
  /** A notice: read as a whole, in memory. */
  readonly maxNoticeBytes: number
  /** Pages and dumps: larger ones come as an upload in parts. */
  readonly maxBodyBytes: number
  /** A batch of a gateway's: read as a whole, in memory, and what it unpacks to. */
  readonly maxBatchBytes: number
  readonly maxBatchUnpackedBytes: number
  /** Of all bodies that are in memory at one moment. */
  readonly memoryBytes: number
  /** Of all bodies that are on their way to the disk. */
  readonly spoolBytes: number
  /** What a WARC or a ZIP may unpack to. */
  readonly maxUnpackedBytes: number
  /** What one site may send by one endpoint, in units: one a request, and one more for each 64 KiB. */
  readonly site: BucketTerms
  /** Requests of one address that came to nothing. */
  readonly stranger: BucketTerms
  /** Requests being answered at one moment; shared by addresses, and by sites once they are proven. */
  readonly requests: number
  /** What may wait for the crawl, of all sites. */
  readonly queueItems: number
  readonly queueBytes: number
  /** Sites that are remembered at one moment. */
  readonly sites: number
  /** How long a request waits for a proof to be looked up; then it is told to come again, or that it is pending. */
  readonly proofWaitMs: number
  /** Hosts that nobody knows and a stranger names: each is called, and becomes a site of the crawl. */
  readonly strangeHosts: UnknownHostTerms
  /** Notices that wait for their proof. */
  readonly pendingItems: number
  readonly pendingBytes: number
  readonly pendingMs: number
  readonly uploadBytes: number
  readonly uploadsPerSite: number
  readonly uploadsBytes: number
  /** An upload that nothing was added to for so long is gone. */
  readonly uploadIdleMs: number
}

export const receiverLimits: ReceiverLimits = {
  maxUrlChars: 8_192,
  maxHeaderBytes: 32_768,
  maxConnections: 1_024,
  connectionsPerAddress: 128,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 300_000,
  // Of servers, not of people's telephones; a page of usual size comes in one packet or ten.
  body: { graceMs: 10_000, bytesPerSecond: 1_024 },
  maxHeaders: 200,
  idleTimeoutMs: 20_000,
  stopTimeoutMs: 1_000,
  maxNoticeBytes: 4 << 20,
  maxBodyBytes: 64 << 20,
  maxBatchBytes: 16 << 20,
  maxBatchUnpackedBytes: 128 << 20,
  memoryBytes: 64 << 20,
  spoolBytes: 256 << 20,
  maxUnpackedBytes: 512 << 20,
  site: { perSecond: 10, burst: 200 },
  stranger: { perSecond: 2, burst: 60 },
  requests: 512,
  queueItems: 150_000,
  queueBytes: 768 << 20,
  sites: 50_000,
  proofWaitMs: 2_000,
  strangeHosts: { one: { perSecond: 1 / 300, burst: 20 }, all: { perSecond: 1 / 30, burst: 200 } },
  pendingItems: 5_000,
  pendingBytes: 32 << 20,
  pendingMs: 3_600_000,
  uploadBytes: 256 << 20,
  uploadsPerSite: 2,
  uploadsBytes: 1 << 30,
  uploadIdleMs: 86_400_000,
}
