/**
 * ReceivedBody: the bytes of a request as they come in, held to a limit. Small ones stay in memory, larger ones go to the disk
 * as they come, and the room for both is shared (`admit/byte-room.ts`): who has its share is told so, and when all is taken, whoever
 * comes next is told to wait. Digests are taken on the way, so that nothing is read twice.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Hash, Hmac } from 'node:crypto'
import { MAX_INLINE_BYTES } from '@comity/collection'
import type { SpoolFile } from '@comity/collection'
import type { ByteRoom, Holder } from '../admit/byte-room.ts'
import { comeAgain, PushRefusal, tooMuchAtOnce } from '../admit/push-refusal.ts'
import type { ReceiverRequest } from '../request.ts'

export interface BodyRoom {
  readonly memory: ByteRoom
  readonly disk: ByteRoom
  readonly spool: () => Promise<SpoolFile>
}

interface BodyTerms {
  readonly maxBytes: number
  /** It has to be read as a whole, so it never goes to the disk. */
  readonly inMemory: boolean
  /** What it is to be checked against, if it came by a hub. */
  readonly hub?: HubCheck | undefined
}

/** A secret, and what the hub says the body's HMAC is. */
interface HubCheck {
  readonly secret: string
  readonly header: string | undefined
}

export class ReceivedBody implements AsyncDisposable {
  readonly #room: BodyRoom
  readonly #terms: BodyTerms
  readonly #holder: Holder
  readonly #sha256: Hash = createHash('sha256')
  readonly #hub: HubStream | undefined
  #chunks: Uint8Array[] = []
  #spool: SpoolFile | undefined
  #length = 0
  #isGivenAway = false

  private constructor(room: BodyRoom, terms: BodyTerms, holder: Holder) {
    this.#room = room
    this.#holder = holder
    this.#terms = terms
    this.#hub = terms.hub === undefined ? undefined : new HubStream(terms.hub)
  }

  /** Throws a PushRefusal when there is too much of it, or no room. What it holds is free again when it is disposed of. */
  static async read(request: ReceiverRequest, room: BodyRoom, terms: BodyTerms): Promise<ReceivedBody> {
    if ((request.contentLength ?? 0) > terms.maxBytes) throw tooLarge(terms.maxBytes)
    const received = new ReceivedBody(room, terms, request.holder())
    try {
      for await (const chunk of request.body()) await received.#add(chunk)
      return received
    } catch (error) {
      await received[Symbol.asyncDispose]()
      throw error
    }
  }

  get length(): number {
    return this.#length
  }
  /** Where it is, when it is on the disk. */
  get spool(): SpoolFile | undefined {
    return this.#spool
  }
  /** All of it, when it is in memory. */
  get bytes(): Uint8Array {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0]!
  }
  /** Once, when all is read. */
  digest(): Uint8Array {
    return this.#sha256.digest()
  }
  hubVerdict(): HubVerdict {
    return this.#hub?.verdict() ?? 'absent'
  }

  /** The file belongs to somebody else now. */
  giveAway(): void {
    this.#isGivenAway = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const held = this.#length
    this.#length = 0
    const room = this.#spool === undefined ? this.#room.memory : this.#room.disk
    room.give(this.#holder, held)
    if (!this.#isGivenAway) await this.#spool?.discard()
  }

  async #add(chunk: Uint8Array): Promise<void> {
    const { maxBytes, inMemory } = this.#terms
    if (this.#length + chunk.length > maxBytes) throw tooLarge(maxBytes)
    const isSmall = inMemory || this.#length + chunk.length <= MAX_INLINE_BYTES
    if (this.#spool === undefined && !isSmall) await this.#toDisk()
    const room = this.#spool === undefined ? this.#room.memory : this.#room.disk
    this.#take(room, chunk.length)
    this.#length += chunk.length
    this.#sha256.update(chunk)
    this.#hub?.update(chunk)
    if (this.#spool === undefined) this.#chunks.push(chunk)
    else await this.#spool.write(chunk)
  }

  #take(room: ByteRoom, bytes: number): void {
    const taken = room.take(this.#holder, bytes)
    if (taken === 'full') throw noRoom()
    if (taken === 'over') throw tooMuchAtOnce('bodies')
  }

  async #toDisk(): Promise<void> {
    this.#take(this.#room.disk, this.#length)
    this.#room.memory.give(this.#holder, this.#length)
    this.#spool = await this.#room.spool()
    const chunks = this.#chunks
    this.#chunks = []
    for (const chunk of chunks) await this.#spool.write(chunk)
  }
}

type HubVerdict = 'good' | 'absent' | 'malformed' | 'forged'

/** `checkHubSignature` of `protocol` over bytes that come one after the other. SHA-1 is no signature any more. */
export class HubStream {
  readonly #hmac: Hmac | undefined
  readonly #given: Buffer
  readonly #isAbsent: boolean

  constructor({ secret, header }: HubCheck) {
    const [, algorithm = '', hex = ''] = SIGNATURE.exec((header ?? '').trim()) ?? []
    this.#isAbsent = header === undefined || header.trim() === ''
    this.#given = Buffer.from(hex, 'hex')
    this.#hmac = algorithm === '' ? undefined : createHmac(algorithm.toLowerCase(), secret)
  }

  update(chunk: Uint8Array): void {
    this.#hmac?.update(chunk)
  }

  verdict(): HubVerdict {
    if (this.#isAbsent) return 'absent'
    const expected = this.#hmac?.digest()
    if (expected?.length !== this.#given.length) return 'malformed'
    return timingSafeEqual(expected, this.#given) ? 'good' : 'forged'
  }
}

const SIGNATURE = /^(sha256|sha384|sha512)=((?:[0-9a-f]{2}){1,64})$/i

// The rest of a body that nobody reads would stand before the next request.
const tooLarge = (maxBytes: number): PushRefusal =>
  new PushRefusal(
    'too-large',
    `A body may have ${maxBytes} bytes here. Send less at a time, or as an upload in parts.`,
    {
      Connection: 'close',
    },
  )

const noRoom = (): PushRefusal =>
  new PushRefusal('busy', 'Too many bodies are coming in at once. Send it again a little later.', {
    ...comeAgain(2_000),
    Connection: 'close',
  })
