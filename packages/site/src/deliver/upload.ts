/**
 * Upload: one large body, sent such that a cut costs what was under way and no more, also when the sender is started anew
 * meanwhile (draft-ietf-httpbis-resumable-upload; header fields in `push/resumable-upload.ts` of the protocol).
 *
 *   nothing begun ──▶ OPTIONS: limits ──▶ POST, the first part ──▶ PATCH … PATCH, the last part ──▶ the answer
 *   begun before  ──▶ HEAD: how far did it come ──────────────────▲
 *
 * A receiver that knows nothing of this gets one POST with everything. Where an upload is continued is named by the receiver,
 * so it has to be on the receiver's own origin: nobody is led elsewhere.
 */
import {
  headerOf,
  nextUploadPart,
  PARTIAL_UPLOAD_TYPE,
  readUploadFields,
  UPLOAD_RESUMPTION_STATUS,
  writeDigestField,
  writeUploadFields,
} from '@comity/protocol'
import type { HeaderList, UploadLimits } from '@comity/protocol'
import type { UploadState } from './delivery-worker-row.ts'
import { PostError } from '../post.ts'
import type { Post, PostAnswer, PostRequest } from '../post.ts'
import type { PushContent } from '../hub/subscriber.ts'
import { digestOf } from '../journal/version-store.ts'

interface UploadOptions {
  readonly post: Post
  readonly address: string
  readonly isOwners: boolean
  readonly content: PushContent
  /** Of an upload that was begun before. */
  readonly state?: UploadState | undefined
  /** Durable when it resolves. */
  readonly save: (state: UploadState | undefined) => Promise<void>
  /** Sent in one request; a cut costs no more. */
  readonly partBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const PART_BYTES = 4 << 20
/** Of these in a row the receiver does not know what it wants. */
const MAX_CONFLICTS = 3

/** The answer to all of it. Rejects with a PostError when it has to be continued later. */
export async function upload(options: UploadOptions): Promise<PostAnswer> {
  return await new Upload(options).run()
}

/** How a step ends: with the answer to everything, with more to be sent, or with nothing left of what was begun. */
type Step = PostAnswer | { readonly url: string; readonly offset: number } | 'lost'

class Upload {
  readonly #options: UploadOptions
  readonly #body: Uint8Array
  readonly #digest: string
  #limits: UploadLimits | undefined
  #partBytes: number

  constructor(options: UploadOptions) {
    this.#options = options
    this.#body = options.content.body
    this.#digest = digestOf(this.#body)
    this.#partBytes = options.partBytes ?? PART_BYTES
  }

  async run(): Promise<PostAnswer> {
    const begun = await this.#resume()
    const ended = begun === 'lost' ? 'lost' : await this.#append(begun)
    if (ended !== 'lost') return ended
    await this.#options.save(undefined)
    const anew = await this.#append(await this.#create())
    if (anew === 'lost') throw new PostError('cut', `${this.#options.address} lost what was uploaded to it`)
    return anew
  }

  async #resume(): Promise<Step> {
    const { state } = this.#options
    if (state === undefined) return 'lost'
    // Other pages by now: what is there cannot become them.
    if (state.digest !== this.#digest) {
      await this.#ask({ method: 'DELETE', url: state.url }).catch(() => undefined)
      return 'lost'
    }
    const answer = await this.#ask({ method: 'HEAD', url: state.url })
    if (isGone(answer.status)) return 'lost'
    const { offset, isComplete } = readUploadFields(answer.headers)
    if (!isSuccess(answer.status)) return answer
    if (offset === undefined || offset > this.#body.length) return 'lost'
    return isComplete === true ? await this.#asked(state.url, offset, answer) : { url: state.url, offset }
  }

  /** Everything is there, and the answer was lost: a receiver may give it once more (§4.4.2). */
  async #asked(url: string, offset: number, otherwise: PostAnswer): Promise<PostAnswer> {
    const fields = writeUploadFields({ offset, isComplete: true })
    const answer = await this.#ask({
      method: 'PATCH',
      url,
      headers: [['Content-Type', PARTIAL_UPLOAD_TYPE], ...fields],
    })
    return readUploadFields(answer.headers).isComplete === true ? answer : otherwise
  }

  async #create(): Promise<Step> {
    const { address, content } = this.#options
    const length = this.#body.length
    const options = await this.#ask({ method: 'OPTIONS', url: address })
    const { maxSize = Infinity, minSize = 0 } = this.#limits ?? {}
    if (length > maxSize) return { ...options, status: 413 }
    const isInParts = this.#limits !== undefined && length >= minSize
    const part = nextUploadPart(length, 0, isInParts ? this.#partBytes : length, isInParts ? this.#limits : {})
    const saves: Promise<void>[] = []
    let url: string | undefined
    const begun = (fields: HeaderList): void => {
      const place = this.#placeOf(fields)
      if (place === undefined || url !== undefined) return
      url = place
      // What cannot be saved is begun anew after a restart, no more.
      saves.push(this.#options.save({ url, digest: this.#digest }).catch(() => undefined))
    }
    const headers: HeaderList = [
      ['Content-Type', content.type],
      ...content.headers,
      ['Repr-Digest', writeDigestField(this.#body)],
      ...writeUploadFields({ isComplete: part.isLast, length }),
    ]
    const onInterim = (status: number, fields: HeaderList): void => {
      if (status === UPLOAD_RESUMPTION_STATUS) begun(fields)
    }
    try {
      const body = this.#body.subarray(0, part.end)
      const answer = await this.#ask({ method: 'POST', url: address, headers, body, onInterim })
      if (part.isLast || !isSuccess(answer.status)) return answer
      const { isComplete, offset = part.end } = readUploadFields(answer.headers)
      if (isComplete === true) return answer
      begun(answer.headers)
      if (url === undefined) throw new PostError('cut', `${address} does not say where the upload goes on`)
      return { url, offset }
    } finally {
      await Promise.all(saves)
    }
  }

  async #append(step: Step): Promise<PostAnswer | 'lost'> {
    if (step === 'lost' || 'status' in step) return step
    const { url } = step
    let [offset, conflicts] = [step.offset, 0]
    for (;;) {
      const part = nextUploadPart(this.#body.length, offset, this.#partBytes, this.#limits)
      const answer = await this.#patch(url, part.start, part.end, part.isLast)
      const told = readUploadFields(answer.headers)
      if (told.isComplete === true || (part.isLast && isSuccess(answer.status))) return answer
      if (isGone(answer.status)) return 'lost'
      if (answer.status === 413 && this.#isSmallerPossible()) continue
      if (answer.status === 409 && told.offset !== undefined && conflicts++ < MAX_CONFLICTS) offset = told.offset
      else if (!isSuccess(answer.status)) return answer
      else offset = told.offset ?? part.end
      if (offset > this.#body.length || (offset <= part.start && answer.status !== 409)) return 'lost'
    }
  }

  async #patch(url: string, start: number, end: number, isComplete: boolean): Promise<PostAnswer> {
    const headers: HeaderList = [
      ['Content-Type', PARTIAL_UPLOAD_TYPE],
      ...writeUploadFields({ offset: start, isComplete }),
    ]
    return await this.#ask({ method: 'PATCH', url, headers, body: this.#body.subarray(start, end) })
  }

  /** §4.1.4: after a 413 with less, down to what the receiver said it takes at least. */
  #isSmallerPossible(): boolean {
    const least = Math.max(1_024, this.#limits?.minAppendSize ?? 0)
    if (this.#partBytes <= least) return false
    this.#partBytes = Math.max(least, Math.floor(this.#partBytes / 2))
    return true
  }

  #placeOf(headers: HeaderList): string | undefined {
    const location = headerOf(headers, 'location')
    const { address } = this.#options
    const url = location === undefined ? null : URL.parse(location, address)
    return url?.origin === new URL(address).origin ? url.href : undefined
  }

  async #ask(request: Partial<PostRequest> & Pick<PostRequest, 'method' | 'url'>): Promise<PostAnswer> {
    const { post, isOwners, signal } = this.#options
    const answer = await post({ headers: [], body: NOTHING, isOwners, ...request }, signal)
    this.#limits = readUploadFields(answer.headers).limits ?? this.#limits
    return answer
  }
}

const NOTHING = new Uint8Array(0)
const isSuccess = (status: number): boolean => status >= 200 && status < 300
const isGone = (status: number): boolean => status === 404 || status === 410
