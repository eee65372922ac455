/** Our own keys, where everybody looks for them: so that sites know who subscribes to them and asks for their pages. */
import { keyDirectoryAnswer, KEY_DIRECTORY_PATH } from '@comity/protocol'
import type { HeaderList, Instant, KeyRing } from '@comity/protocol'
import { PushRefusal } from '../admit/push-refusal.ts'
import type { ReceiverParts } from '../receiver-parts.ts'
import type { ReceiverAnswer } from '../request.ts'

/** Each key signs the answer, which costs; so one is good for a minute. */
const MADE_MS = 60_000
const made = new WeakMap<KeyRing, { readonly at: Instant; readonly url: string; readonly answer: ReceiverAnswer }>()

export function answerDirectory({ keys, publicUrl, now }: ReceiverParts): ReceiverAnswer {
  const ring = keys()
  if (ring === undefined) throw new PushRefusal('not-found', 'This crawler has no keys.')
  const [at, url] = [now(), `${publicUrl()}${KEY_DIRECTORY_PATH}`]
  const before = made.get(ring)
  if (before !== undefined && before.url === url && Math.abs(at - before.at) < MADE_MS) return before.answer
  const { headers, body } = keyDirectoryAnswer(ring, url, at)
  const answer = { status: 200, headers: combined(headers), body }
  made.set(ring, { at, url, answer })
  return answer
}

/** Each key has lines of its own; as one field they say the same (RFC 9110 §5.3). */
function combined(headers: HeaderList): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of headers) fields.set(name, fields.has(name) ? `${fields.get(name)}, ${value}` : value)
  return Object.fromEntries(fields)
}
