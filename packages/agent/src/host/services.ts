/**
 * Agent services: the host's answers to what an agent asks, and the count of what it has had. Everything that comes out of
 * a sandbox is looked at here as if a stranger had sent it, because one did.
 */
import { createLinkResolver, decodeText, mediaKindOf, readHtml } from '@comity/protocol'
import type { AgentCaps } from '../bundle/caps.ts'
import type { AgentManifest } from '../bundle/manifest.ts'
import type { AgentMemory, MemoryDraft } from './memory.ts'
import type { AgentOutcome } from '../agent-outcome.ts'
import { bodyDigest } from './pages.ts'
import type { AgentPage, AgentPages } from './pages.ts'
import { checkRecord, MAX_RECORD_CHARS } from '../bundle/record.ts'
import type { AgentRecord } from '../bundle/record.ts'
import type { Answer } from '../sandbox/process.ts'
import type { Question } from '../sandbox/wire.ts'

/** What a page looks like to an agent that asks for it as HTML. */
export interface AgentHtml {
  readonly title: string
  readonly lang: string | null
  readonly headings: readonly string[]
  readonly text: string
  /** Where its links lead, in canonical form, with their words; links to itself and to files are left out. */
  readonly links: readonly { readonly url: string; readonly anchor: string; readonly rel: string }[]
}

export interface EmittedRecord {
  readonly record: AgentRecord
  /** Digest of the page it was made from; undefined for a page that is gone. */
  readonly page: string | undefined
  /** As it was emitted. */
  readonly text: string
}

interface ServiceParts {
  readonly manifest: AgentManifest
  readonly caps: AgentCaps
  /** In order. */
  readonly pages: readonly AgentPage[]
  readonly source: AgentPages
  readonly memory: AgentMemory
  readonly log: ReadonlyMap<string, number> | undefined
  readonly onRecord: (emitted: EmittedRecord) => void
}

export interface ServiceUse {
  readonly reads: number
  readonly readBytes: number
  readonly records: number
  readonly outputBytes: number
}

/** Pages a question for pages is answered with. */
const BATCH = 256
const MAX_ATTACHED = 1_024
const MAX_NOTES = 100
const MAX_NOTE_CHARS = 500
const MAX_VALUE_CHARS = 64 << 10
const MAX_URL_CHARS = 2_048

const json = (value: unknown): Answer => ({ kind: 'json', text: JSON.stringify(value ?? null) })
const fault = (outcome: AgentOutcome, message: string): Answer => ({ kind: 'fault', outcome, message })

export class AgentServices {
  readonly notes: string[] = []
  readonly draft: MemoryDraft
  readonly #parts: ServiceParts
  readonly #byUrl: ReadonlyMap<string, AgentPage>
  readonly #gone: readonly string[]
  readonly #goneUrls: ReadonlySet<string>
  #reads = 0
  #readBytes = 0
  #records = 0
  #outputBytes = 0
  /** The last page read: agents look at one page in several ways. */
  #last: { readonly url: string; readonly body: Uint8Array | undefined } | undefined

  constructor(parts: ServiceParts) {
    this.#parts = parts
    this.#byUrl = new Map(parts.pages.map((page) => [page.url, page]))
    this.#gone = [...parts.memory.urls()].filter((url) => !this.#byUrl.has(url)).toSorted()
    this.#goneUrls = new Set(this.#gone)
    this.draft = parts.memory.draft()
    // Whether or not the agent has a word for a page that is gone: it has had its chance to say it.
    for (const url of this.#gone) this.draft.forget(url)
  }

  get use(): ServiceUse {
    return { reads: this.#reads, readBytes: this.#readBytes, records: this.#records, outputBytes: this.#outputBytes }
  }

  async answer({ name, text }: Question): Promise<Answer> {
    if (name === 'put') return this.#put(text)
    const argument = parsedArgument(text)
    if (argument === undefined) return fault('not-allowed', `it asked ${name} of something that is no text or number`)
    switch (name) {
      case 'pages':
        return this.#pages(argument)
      case 'gone':
        return json(batchOf(this.#gone, argument))
      case 'log':
        return this.#log()
      case 'previous':
        return { kind: 'json', text: this.draft.get(String(argument)) ?? 'null' }
      case 'text':
      case 'html':
      case 'bytes':
        return await this.#read(name, String(argument))
      default:
        return fault('crashed', 'it asked for its own end')
    }
  }

  /** Pages, each with what was remembered of it unless that is long: most pages are as before, and need no other question. */
  #pages(from: unknown): Answer {
    const rows = batchOf(this.#parts.pages, from).map((page) => {
      const previous = this.draft.get(page.url) ?? 'null'
      return previous.length > MAX_ATTACHED ? `[${JSON.stringify(page)}]` : `[${JSON.stringify(page)},${previous}]`
    })
    return { kind: 'json', text: `[${rows.join(',')}]` }
  }

  #log(): Answer {
    if (!this.#parts.manifest.reads.includes('log'))
      return fault('not-allowed', 'it asked for the access log, which its manifest does not declare')
    const { log } = this.#parts
    if (log === undefined) return json(null)
    return json(Object.fromEntries(this.#parts.pages.flatMap(({ url }) => (log.has(url) ? [[url, log.get(url)]] : []))))
  }

  async #read(how: 'text' | 'html' | 'bytes', url: string): Promise<Answer> {
    const page = this.#byUrl.get(url)
    if (page === undefined) return json(null)
    const { caps } = this.#parts
    if (this.#last?.url !== url) {
      this.#reads++
      this.#readBytes += page.bytes
      if (this.#reads > caps.reads) return fault('reads-too-much', `it read more than ${caps.reads} pages`)
      if (this.#readBytes > caps.readBytes) return fault('reads-too-much', `it read more than ${caps.readBytes} bytes`)
      const body = await this.#parts.source.read(page)
      // A page that is another by now would make what is said of it wrong under its old digest.
      this.#last = { url, body: body !== undefined && bodyDigest(body) === page.digest ? body : undefined }
    }
    const { body } = this.#last
    if (body === undefined) return json(null)
    if (how === 'bytes') return { kind: 'bytes', bytes: body }
    return json(how === 'text' ? decodeText(body).text : htmlOf(page, body))
  }

  #put(text: string): Answer {
    for (const line of text.split('\n')) {
      if (line === '') continue
      const rest = line.slice(1)
      const answer = this.#putLine(line[0]!, rest)
      if (answer !== undefined) return answer
    }
    return json(true)
  }

  #putLine(kind: string, text: string): Answer | undefined {
    if (kind === 'e') return this.#emit(text)
    if (kind === 'r') return this.#remember(text)
    if (kind === 'n') return this.#note(text)
    return fault('bad-record', `a record is refused: it has more than ${MAX_RECORD_CHARS} characters`)
  }

  #emit(text: string): Answer | undefined {
    const { manifest, caps, onRecord } = this.#parts
    const isPage = (url: string): boolean => this.#byUrl.has(url)
    const checked = checkRecord(text, { emits: manifest.emits, isPage, isGone: (url) => this.#goneUrls.has(url) })
    if (checked.kind === 'refused') return fault('bad-record', `a record is refused: ${checked.problem}`)
    this.#records++
    this.#outputBytes += Buffer.byteLength(text)
    if (this.#records > caps.records) return fault('emits-too-much', `it emitted more than ${caps.records} records`)
    if (this.#outputBytes > caps.outputBytes)
      return fault('emits-too-much', `it emitted more than ${caps.outputBytes} bytes`)
    onRecord({ record: checked.record, page: this.#byUrl.get(checked.record.url)?.digest, text })
    return undefined
  }

  #remember(text: string): Answer | undefined {
    const { caps } = this.#parts
    const pair = text.length <= MAX_RECORD_CHARS ? parsedJson(text) : undefined
    const isPair = Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string' && this.#byUrl.has(pair[0])
    if (!isPair) return fault('bad-record', 'it wants to remember something of what is no page here')
    const value = JSON.stringify(pair[1])
    if (value.length > MAX_VALUE_CHARS)
      return fault('emits-too-much', `it wants to remember more than ${MAX_VALUE_CHARS} characters of a page`)
    this.draft.set(pair[0] as string, value)
    return this.draft.bytes > caps.stateBytes
      ? fault('emits-too-much', `it wants to remember more than ${caps.stateBytes} bytes`)
      : undefined
  }

  /** Notes are for who writes an agent; what is too much of them is passed over. */
  #note(text: string): undefined {
    const note = parsedJson(text.slice(0, MAX_RECORD_CHARS))
    if (typeof note === 'string' && this.notes.length < MAX_NOTES) this.notes.push(note.slice(0, MAX_NOTE_CHARS))
  }
}

function htmlOf({ url, type }: AgentPage, body: Uint8Array): AgentHtml | undefined {
  if (mediaKindOf(type, url) !== 'page') return undefined
  const { title, lang, base, headings, text, links } = readHtml(decodeText(body).text)
  const resolve = createLinkResolver((base === undefined ? undefined : URL.parse(base, url)?.href) ?? url)
  const leading = links.flatMap(({ href, kind, anchor, rel }) => {
    const to = kind === 'page' || kind === 'frame' ? resolve(href) : undefined
    return to === undefined || to === url ? [] : [{ url: to, anchor, rel }]
  })
  return { title, lang: lang ?? null, headings: headings.map((heading) => heading.text), text, links: leading }
}

function batchOf<Item>(items: readonly Item[], from: unknown): readonly Item[] {
  return typeof from === 'number' && Number.isSafeInteger(from) && from >= 0 ? items.slice(from, from + BATCH) : []
}

/** A number, a text, or null for none; undefined for anything else. */
function parsedArgument(text: string): string | number | null | undefined {
  if (text.length > MAX_URL_CHARS * 6) return undefined
  const value = parsedJson(text)
  return typeof value === 'string' || typeof value === 'number' || value === null ? value : undefined
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No JSON: not from our prelude.
    return undefined
  }
}
