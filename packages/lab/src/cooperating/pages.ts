/**
 * Pages one by one: whole, only if modified, or as what differs from the version that is held. `DifferenceKind` is how a
 * page that has changed is asked for.
 */
import {
  applyDelta,
  checkUnencoded,
  decodeWithDictionary,
  deltaRequest,
  headerOf,
  offerDictionary,
  parseUseAsDictionary,
} from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import type { HeldPage, SiteCopy } from './copy.ts'
import { plainBody } from './http.ts'
import type { Answered, Asker } from './http.ts'

export type DifferenceKind = 'none' | 'vcdiff' | 'dcz'

const MAX_BYTES = 2 ** 26
export const GZIP: HeaderList = [['accept-encoding', 'gzip']]

/** Every page that is known, and those that are new. Nobody says which have changed. */
export async function fetchEach(
  line: Asker,
  copy: SiteCopy,
  listed: readonly string[],
  { headers = [], isConditional = false }: { readonly headers?: HeaderList; readonly isConditional?: boolean },
): Promise<void> {
  for (const path of new Set([...listed, ...copy.pages.keys()])) {
    const conditions = isConditional ? conditionsOf(copy.pages.get(path)) : []
    const answer = await line.ask({ path, headers: [...headers, ...conditions] })
    if (answer.status !== 304) takeAnswer(copy, path, answer)
  }
}

/** Both validators, as servers differ in which they honour. */
function conditionsOf(held: HeldPage | undefined): HeaderList {
  const { etag, lastModified } = held ?? {}
  return [
    ...(etag === undefined ? [] : ([['if-none-match', etag]] as const)),
    ...(lastModified === undefined ? [] : ([['if-modified-since', lastModified]] as const)),
  ]
}

/** A page of which somebody said that it has changed. A difference that cannot be used costs a second request. */
export async function fetchChanged(line: Asker, copy: SiteCopy, path: string, kind: DifferenceKind): Promise<void> {
  const held = copy.pages.get(path)
  const answer = await line.ask({ path, headers: held === undefined ? [] : differenceHeaders(held, kind) })
  if (answer.status !== 304 && !takeEither(copy, path, answer)) takeAnswer(copy, path, await line.ask({ path }))
}

function differenceHeaders(held: HeldPage, kind: DifferenceKind): HeaderList {
  if (kind === 'vcdiff' && held.etag !== undefined) return deltaRequest([held.etag])
  const use = kind === 'dcz' && held.dictionary !== undefined ? parseUseAsDictionary(held.dictionary) : undefined
  return use === undefined ? [] : [...offerDictionary(held.body, use.id), ['accept-encoding', 'dcz']]
}

/** The page, whole or as a difference; false for a difference that cannot be used, as HeldVersion of the crawler has it. */
export function takeEither(copy: SiteCopy, path: string, answer: Answered): boolean {
  const isDelta = answer.status === 226
  const isDictionary = headerOf(answer.headers, 'content-encoding') === 'dcz'
  if (!isDelta && !isDictionary) {
    takeAnswer(copy, path, answer)
    return true
  }
  const held = copy.pages.get(path)
  const body = held === undefined ? undefined : isDelta ? fromDelta(held, answer) : fromDictionary(held, answer)
  if (body === undefined) copy.noteBroken()
  else copy.take(path, body, answer.headers)
  return body !== undefined
}

function fromDelta({ etag = '', body }: HeldPage, answer: Answered): Uint8Array | undefined {
  const applied = applyDelta(answer, new Map([[etag, body]]), { maxBytes: MAX_BYTES })
  return applied.kind === 'ok' && applied.isVerified ? applied.body : undefined
}

function fromDictionary(held: HeldPage, { headers, body }: Answered): Uint8Array | undefined {
  const decoded = decodeWithDictionary('dcz', body, held.body, { maxBytes: MAX_BYTES })
  const plain = headers.filter(([name]) => name.toLowerCase() !== 'content-encoding')
  return decoded.kind === 'ok' && checkUnencoded(plain, decoded.body) === 'match' ? decoded.body : undefined
}

export function takeAnswer(copy: SiteCopy, path: string, answer: Answered): void {
  if (answer.status === 404 || answer.status === 410) copy.drop(path)
  else if (answer.status === 200) copy.take(path, plainBody(answer), answer.headers)
  else throw new Error(`the site answers ${answer.status} for ${path}`)
}
