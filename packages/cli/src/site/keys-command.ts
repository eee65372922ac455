/** `comity keys`: the keys that a crawler or a site proves who it is with. */
import { publishedKeys, rotationDefaults, signingKeyOf, writeKeySet } from '@comity/protocol'
import type { Instant, KeyRing, RingKey } from '@comity/protocol'
import type { KeyFile } from '@comity/site'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { didYouMean } from '../terminal/nearest-name.ts'
import { formatDuration, parseDuration } from '../terminal/quantity.ts'
import { shellWord } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

interface KeysSettings {
  readonly lead: number
  readonly overlap: number
  readonly atOnce: boolean
  readonly json: boolean
}

const ACTIONS = ['new', 'show', 'rotate'] as const

export const keysCommand: Command<KeysSettings> = {
  name: 'keys',
  summary: 'make, show and rotate the keys that a crawler or a site proves who it is with',
  operands: [
    {
      name: 'ACTION',
      help: 'new: make a file with one key; show: its public half; rotate: a new key in place of the old',
    },
    { name: 'FILE', help: 'where the keys are. It holds secrets: only its owner may read it' },
  ],
  flags: {
    lead: {
      argument: 'TIME',
      default: rotationDefaults.leadMs,
      shown: formatDuration(rotationDefaults.leadMs),
      parse: parseDuration,
      help: 'rotate: publish the new key so long before it signs, so that those who keep a copy see it first',
    },
    overlap: {
      argument: 'TIME',
      default: rotationDefaults.overlapMs,
      shown: formatDuration(rotationDefaults.overlapMs),
      parse: parseDuration,
      help: 'rotate: publish the old key so long after it signed last',
    },
    atOnce: off('rotate: the new key signs now and the old one is published no more, for one that others may know'),
    json: off('print what there is as one JSON object; nothing secret is in it'),
  },
  examples: [
    ['comity keys new crawler-keys.json', 'a key for a crawler, or for a site'],
    ['comity keys show crawler-keys.json', 'what to publish, at a URL of your own'],
    ['comity keys rotate crawler-keys.json', 'once in a while: then publish again what show prints'],
    ['comity keys rotate crawler-keys.json --at-once', 'somebody else may have the key'],
  ],
  notes: [
    'A crawler is known by the place where its keys are published: `comity crawl … --identity FILE --signature-agent URL`. A ' +
      'site publishes its own at /.well-known/http-message-signatures-directory by itself: `comity publish … --keys FILE`. ' +
      'Both notice within seconds that a file was rotated.',
  ],
  run: runKeys,
}

async function runKeys({
  settings,
  operands: [action = '', path = ''],
  terminal,
}: Call<KeysSettings>): Promise<number> {
  const known = ACTIONS.find((name) => name === action)
  if (known === undefined)
    throw new UsageError(
      `"${action}" is nothing to do with keys: it is one of ${ACTIONS.join(', ')}.${didYouMean(action, ACTIONS)}`,
    )
  const { KeyFile } = await import('@comity/site')
  const options = { now: Date.now }
  const file = known === 'new' ? KeyFile.make(path, options) : KeyFile.open(path, options)
  const before = signingKeyOf(file.ring(), Date.now())
  if (known === 'rotate') file.rotate(rotationOf(settings))
  const at = Date.now()
  if (settings.json) terminal.print(JSON.stringify(jsonOf(file, at)))
  else if (known === 'show') show(file, at, terminal)
  else terminal.print((known === 'new' ? made(file) : rotated(file, before, at)).join('\n'))
  return 0
}

function rotationOf({ lead, overlap, atOnce }: KeysSettings): { leadMs: number; overlapMs: number } {
  return atOnce ? { leadMs: 0, overlapMs: 0 } : { leadMs: lead, overlapMs: overlap }
}

/** The public half alone on stdout, so that it can be redirected to where it is published. */
function show(file: KeyFile, at: Instant, terminal: Terminal): void {
  terminal.print(publicSet(file.ring(), at))
  for (const line of stateLines(file.ring(), at)) terminal.say(line)
}

function made(file: KeyFile): string[] {
  const [{ keyId }] = file.ring()
  return [
    `${file.path} was made, for you alone. Its key is ${keyId}.`,
    `Publish what \`comity keys show ${shellWord(file.path)}\` prints, and keep a copy of the file.`,
  ]
}

function rotated(file: KeyFile, before: RingKey, at: Instant): string[] {
  const next = file.ring().at(-1)!
  const old = publishedKeys(file.ring(), at).find(({ keyId }) => keyId === before.keyId)
  const path = shellWord(file.path)
  return [
    `The new key is ${next.keyId}.`,
    `1. Publish now what \`comity keys show ${path}\` prints; a site of \`comity publish\` does so by itself.`,
    next.from > at
      ? `2. It signs from ${dateOf(next.from)} on; until then the old one does.`
      : '2. It signs from now on.',
    old?.until === undefined
      ? '3. The old one is in it no more: whoever still has a copy believes it until they look again.'
      : `3. After ${dateOf(old.until)} publish once more what it prints: the old key is then left out.`,
  ]
}

function stateLines(ring: KeyRing, at: Instant): string[] {
  const signing = signingKeyOf(ring, at).keyId
  return publishedKeys(ring, at).map(({ keyId, from, until }) => {
    const state = keyId === signing ? 'signs' : from > at ? `signs from ${dateOf(from)} on` : 'signs no more'
    return `${keyId}  ${state}${until === undefined ? '' : `, published until ${dateOf(until)}`}`
  })
}

const publicSet = (ring: KeyRing, at: Instant): string => writeKeySet(publishedKeys(ring, at))

function jsonOf(file: KeyFile, at: Instant): object {
  const ring = file.ring()
  const signing = signingKeyOf(ring, at).keyId
  const keys = publishedKeys(ring, at).map(({ keyId, from, until }) => ({
    thumbprint: keyId,
    signs: keyId === signing,
    signsFrom: dateOf(from),
    publishedUntil: until === undefined ? undefined : dateOf(until),
  }))
  const set: unknown = JSON.parse(publicSet(ring, at))
  return { file: file.path, keys, set }
}

const dateOf = (at: Instant): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
