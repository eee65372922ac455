/**
 * Docroot preview: what a scan would make public and what not, with the reason for each kind and some examples. It reads, as
 * a page may say of itself that it is not to be listed, and writes nothing anywhere.
 */
import { open, readFile, realpath, stat } from 'node:fs/promises'
import { codeOf } from '@comity/disk'
import type { Instant } from '@comity/protocol'
import { defaultIndexRule, pathsOfFile, systemPath, urlPathOf } from './docroot-path.ts'
import { walkDocroot } from './docroot-walk.ts'
import type { FoundFile } from './docroot-walk.ts'
import { docrootUnreadable } from '../errors.ts'
import { mimeTypeOf } from '@comity/protocol'
import { contentVerdict, fileVerdict } from '../privacy/privacy.ts'
import { PRIVATE_REASONS } from '../privacy/private-reason.ts'
import type { PrivateReason, PublicVerdict } from '../privacy/private-reason.ts'
import { publicRules } from '../privacy/public-rules.ts'
import type { PublicRuleOptions, PublicRules } from '../privacy/public-rules.ts'
import { exportedGlobs } from '../export/paths.ts'
import { pathGlob } from '../privacy/path-glob.ts'

export interface PreviewGroup {
  readonly files: number
  readonly bytes: number
  /** Paths, the first that were met. */
  readonly examples: readonly string[]
}

export interface PrivateGroup extends PreviewGroup {
  readonly reason: PrivateReason
  readonly sentence: string
  /** What decided for the examples: the rule, the pattern, the element. */
  readonly details: readonly string[]
}

export interface DocrootPreview {
  readonly public: PreviewGroup
  /** Public files by media type, the most frequent first. */
  readonly types: readonly (PreviewGroup & { readonly type: string })[]
  readonly private: readonly PrivateGroup[]
  /** Documents that an export wrote, which are about pages and none themselves. */
  readonly own: number
  /** Files and folders that could not be read. */
  readonly unreadable: readonly string[]
}

export interface PreviewOptions {
  readonly root: string
  readonly base: string
  readonly rules?: Omit<PublicRuleOptions, 'robots'> | undefined
  readonly now: Instant
}

const MAX_EXAMPLES = 5
const MAX_UNREADABLE = 100
/** As a scan looks through a page for what it says to robots. */
const MAX_HTML_BYTES = 8 << 20

export async function previewDocroot(options: PreviewOptions, signal?: AbortSignal): Promise<DocrootPreview> {
  const { root, rules } = await opened(options)
  const preview = new Preview(root, rules, options)
  for await (const walked of walkDocroot(root, '', defaultIndexRule.indexNames)) {
    signal?.throwIfAborted()
    if (walked.kind === 'unreadable') preview.noteUnreadable(urlPathOf(walked.folder))
    else for (const file of walked.files) await preview.look(file)
  }
  return preview.result()
}

async function opened({ root: given, rules }: PreviewOptions): Promise<{ root: string; rules: PublicRules }> {
  try {
    const root = await realpath(given)
    if (!(await stat(root)).isDirectory()) throw new Error('it is no folder')
    return { root, rules: publicRules({ ...rules, robots: await robotsOf(root) }) }
  } catch (cause) {
    throw codeOf(cause) === 'PUBLISH_OPTION_INVALID' ? cause : docrootUnreadable(given, cause)
  }
}

async function robotsOf(root: string): Promise<Uint8Array | string> {
  try {
    return await readFile(`${root}/robots.txt`)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}

class Group {
  files = 0
  bytes = 0
  readonly examples: string[] = []
  readonly details: string[] = []

  add(path: string, bytes: number, detail = ''): void {
    this.files++
    this.bytes += bytes
    if (this.examples.length >= MAX_EXAMPLES) return
    this.examples.push(path)
    this.details.push(detail)
  }
}

class Preview {
  readonly #root: string
  readonly #rules: PublicRules
  readonly #now: Instant
  readonly #isOwn: (path: string) => boolean
  readonly #public = new Group()
  readonly #types = new Map<string, Group>()
  readonly #private = new Map<PrivateReason, Group>()
  readonly #unreadable: string[] = []
  #own = 0

  constructor(root: string, rules: PublicRules, { base, now }: PreviewOptions) {
    this.#root = root
    this.#rules = rules
    this.#now = now
    const globs = exportedGlobs(new URL('.', base).pathname).map(pathGlob)
    this.#isOwn = (path) => globs.some((matches) => matches(path))
  }

  noteUnreadable(path: string): void {
    if (this.#unreadable.length < MAX_UNREADABLE) this.#unreadable.push(path)
  }

  async look(file: FoundFile): Promise<void> {
    const path = urlPathOf(file.octets)
    if (this.#isOwn(path)) {
      this.#own++
      return
    }
    try {
      const { size } = await stat(systemPath(this.#root, file.octets))
      const paths = pathsOfFile(file.octets, file.isIndex, defaultIndexRule)
      const verdict = fileVerdict([...new Set([...paths, path])], this.#rules)
      this.#count(paths[0]!, file.octets, size, verdict.public ? await this.#contentVerdict(file.octets) : verdict)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.noteUnreadable(path)
    }
  }

  result(): DocrootPreview {
    const types = [...this.#types]
      .toSorted(byFiles)
      .map(([type, { files, bytes, examples }]) => ({ type, files, bytes, examples }))
    const refused = [...this.#private].toSorted(byFiles).map(([reason, { files, bytes, examples, details }]) => {
      const { sentence } = PRIVATE_REASONS[reason]
      return { reason, sentence, files, bytes, examples, details }
    })
    const { files, bytes, examples } = this.#public
    return { public: { files, bytes, examples }, types, private: refused, own: this.#own, unreadable: this.#unreadable }
  }

  #count(path: string, octets: string, bytes: number, verdict: PublicVerdict): void {
    if (verdict.public) {
      this.#public.add(path, bytes)
      groupOf(this.#types, mimeTypeOf(octets)).add(path, bytes)
    } else groupOf(this.#private, verdict.reason).add(path, bytes, verdict.detail)
  }

  async #contentVerdict(octets: string): Promise<PublicVerdict> {
    const type = mimeTypeOf(octets)
    if (type !== 'text/html' && type !== 'application/xhtml+xml') return { public: true }
    const handle = await open(systemPath(this.#root, octets), 'r')
    try {
      const { size } = await handle.stat()
      const head = Buffer.alloc(Math.min(size, MAX_HTML_BYTES))
      const { bytesRead } = await handle.read(head, 0, head.length, 0)
      return contentVerdict(head.subarray(0, bytesRead), type, this.#now)
    } finally {
      await handle.close()
    }
  }
}

const byFiles = (a: readonly [string, Group], b: readonly [string, Group]): number => b[1].files - a[1].files

function groupOf<Key>(groups: Map<Key, Group>, key: Key): Group {
  const group = groups.get(key) ?? new Group()
  groups.set(key, group)
  return group
}
