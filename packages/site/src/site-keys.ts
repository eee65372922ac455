/**
 * Site keys: what the site signs with, published where everybody looks for it (`/.well-known/http-message-signatures-
 * directory`), so that crawlers believe what it sends them. It is open to all: whoever verifies has to be able to read it.
 *
 *   const keys = KeyFile.openOrMake('/var/lib/mysite/keys.json', { now: Date.now })
 *   createSite({ …, keys })
 */
import { hash, randomBytes } from 'node:crypto'
import {
  evaluateConditions,
  headerOf,
  KEY_DIRECTORY_PATH,
  keyDirectoryAnswer,
  PUSH_TAG,
  signingKeyOf,
  signMessage,
} from '@comity/protocol'
import type { HeaderList, Instant, SignedMessage } from '@comity/protocol'
import type { KeySource } from './key-file.ts'
import { NO_BODY, sentenceAnswer } from './site-request.ts'
import type { SiteAnswer, SiteRequest } from './site-request.ts'

interface Made {
  readonly at: Instant
  readonly keyIds: string
  readonly headers: HeaderList
  readonly body: Uint8Array
  readonly etag: string
}

/** Signing is what costs; nobody makes us sign for every request. */
const MADE_MS = 60_000

export class SiteKeys {
  readonly #source: KeySource
  readonly #url: string
  readonly #now: () => Instant
  #made: Made | undefined

  constructor(source: KeySource, origin: string, now: () => Instant) {
    this.#source = source
    this.#url = `${origin}${KEY_DIRECTORY_PATH}`
    this.#now = now
  }

  answer(request: Pick<SiteRequest, 'method' | 'headers'>): SiteAnswer {
    const { method, headers } = request
    if (method !== 'GET' && method !== 'HEAD')
      return sentenceAnswer(405, `${KEY_DIRECTORY_PATH} is a document: use GET or HEAD.`, [['Allow', 'GET, HEAD']])
    const made = this.#directory()
    // Its keys may be read by programs in browsers too (§C.11).
    const fields: HeaderList = [...made.headers, ['ETag', made.etag], ['Access-Control-Allow-Origin', '*']]
    const verdict = evaluateConditions({ method, headers }, { etag: made.etag }, this.#now())
    // The digest and its signatures are of a body that a 304 does not have.
    if (verdict === 'not-modified')
      return { status: 304, headers: fields.filter(([name]) => !/^(?:content|signature)/i.test(name)), body: NO_BODY }
    if (verdict === 'precondition-failed')
      return sentenceAnswer(412, `${KEY_DIRECTORY_PATH} is not the version you ask for.`)
    return { status: 200, headers: fields, body: method === 'HEAD' ? NO_BODY : made.body }
  }

  #directory(): Made {
    const at = this.#now()
    const ring = this.#source.ring()
    const keyIds = ring.map(({ keyId }) => keyId).join(' ')
    const before = this.#made
    if (before !== undefined && before.keyIds === keyIds && Math.abs(at - before.at) < MADE_MS) return before
    const { headers, body } = keyDirectoryAnswer(ring, this.#url, at)
    return (this.#made = { at, keyIds, headers, body, etag: `"${hash('sha256', body, 'hex').slice(0, 32)}"` })
  }
}

/** Long enough for clocks that differ. */
const PUSH_LIFE_MS = 300_000
/** What the receiver acts on, where a request has it: who changed one of them would change what is done. */
// oxfmt-ignore
const COVERED = [
  'content-digest', 'content-type', 'content-encoding', 'repr-digest', 'link', 'signature-agent', 'if-none-match',
  'upload-complete', 'upload-offset', 'upload-length',
]

/** Signs what the site sends to crawlers, as `httpPost` takes it: `httpPost({ sign: pushSigner(keys, Date.now) })`. */
export function pushSigner(
  source: KeySource,
  now: () => Instant,
  random: (bytes: number) => Uint8Array = randomBytes,
): (message: SignedMessage) => HeaderList {
  return (message) => {
    const at = now()
    const covered = [
      '@method',
      '@target-uri',
      ...COVERED.filter((name) => headerOf(message.headers, name) !== undefined),
    ]
    const nonce = Buffer.from(random(16)).toString('base64url')
    const key = signingKeyOf(source.ring(), at)
    return signMessage(message, { key, at, lifeMs: PUSH_LIFE_MS, covered, tag: PUSH_TAG, nonce })
  }
}
