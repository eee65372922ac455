/**
 * Program update: asks the repository which version of a program this gateway is to run, and installs it if the operator
 * trusts who signed it. What comes is a bundle like any other (`@comity/agent`): whoever sends it, only its signature counts.
 */
import { AgentError, BUNDLE_TYPE, isRevoked, readBundle } from '@comity/agent'
import type { AgentStore } from '@comity/agent'
import { headerOf, PROGRAMS_PATH, messageOf } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import type { PostedAnswer } from './batch-sender.ts'

export interface UpdateOptions {
  /** A signed GET; `etag` is what runs now. Rejects when there is no answer. */
  readonly get: (path: string, etag: string | undefined) => Promise<PostedAnswer>
  readonly now: () => Instant
}

/** A request that `httpPost` of `@comity/site` signs and sends; it needs room for a bundle (`maxAnswerBytes`). */
export type SignedPost = (request: {
  readonly url: string
  readonly method: string
  readonly headers: HeaderList
  readonly body: Uint8Array
  readonly isOwners: boolean
}) => Promise<PostedAnswer>

/** Signed as batches are, so it has a type and, of an empty body, a digest. `receiver`: without a slash at its end. */
export const programGetter =
  (post: SignedPost, receiver: string): UpdateOptions['get'] =>
  (path, etag) => {
    const headers: HeaderList = [
      ['Content-Type', BUNDLE_TYPE],
      ...(etag === undefined ? [] : [['If-None-Match', etag] as const]),
    ]
    return post({ url: `${receiver}${path}`, method: 'GET', headers, body: new Uint8Array(), isOwners: true })
  }

export type ProgramUpdate =
  | { readonly kind: 'installed'; readonly version: string }
  | { readonly kind: 'same' }
  /** It is nominated, but failed here. */
  | { readonly kind: 'kept-back'; readonly version: string; readonly reason: string }
  /** What the operator can do about it is in the words. */
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'unreachable'; readonly problem: string }

/** Never rejects. */
export async function updateProgram(
  store: AgentStore,
  name: string,
  { get, now }: UpdateOptions,
): Promise<ProgramUpdate> {
  const known = store.read().agents.find((agent) => agent.name === name)
  // Without one before it, a version that failed stays where it was, and runs no more.
  const runs = known?.versions.find(({ digest, withdrawn }) => digest === known.current && withdrawn === undefined)
  const etag = runs === undefined ? undefined : `"${runs.digest}"`
  let answer: PostedAnswer
  try {
    answer = await get(`${PROGRAMS_PATH}${name}`, etag)
  } catch (error) {
    return { kind: 'unreachable', problem: messageOf(error) }
  }
  const { status, headers, body } = answer
  if (status === 304) return { kind: 'same' }
  if (status >= 500 || status === 429) return { kind: 'unreachable', problem: `it answered ${status}` }
  if (status !== 200) return { kind: 'refused', problem: `it answered ${status}: ${wordsOf(body)}` }
  const read = readBundle(body)
  if (read.kind === 'refused') return { kind: 'refused', problem: `what it sent is no program: ${read.problem}` }
  const { bundle } = read
  if (bundle.manifest.name !== name)
    return { kind: 'refused', problem: `it sent ${bundle.manifest.name} instead of ${name}` }
  if (headerOf(headers, 'etag') !== undefined && headerOf(headers, 'etag') !== `"${bundle.digest}"`)
    return { kind: 'refused', problem: 'what it sent is not what it says it is' }
  const { version } = bundle.manifest
  const here = known?.versions.find(({ digest }) => digest === bundle.digest)
  if (here?.withdrawn !== undefined && !isRevoked(here)) return { kind: 'kept-back', version, reason: here.withdrawn }
  try {
    // Going back to an older version is the repository's to say, as long as the operator's keys have signed it.
    store.install(bundle, { at: now(), mayBeOlder: true })
  } catch (error) {
    if (error instanceof AgentError) return { kind: 'refused', problem: error.message }
    throw error
  }
  return { kind: 'installed', version }
}

/** A problem of RFC 9457 has them in `detail`. */
function wordsOf(body: Uint8Array): string {
  const text = Buffer.from(body).toString('utf8').slice(0, 500)
  return /"detail":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text.trim()
}
