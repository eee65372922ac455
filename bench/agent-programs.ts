/** The example agents for their benchmark: as bundles, and in plain Node with an `agent` that has the pages in memory. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeBundle } from '@comity/agent'
import type { AgentBundle, AgentHtml, AgentManifest, AgentPage, MemoryPages } from '@comity/agent'
import { createLinkResolver, decodeText, readHtml } from '@comity/protocol'
import { ownTime, since } from './measure.ts'

export const AGENTS = ['visible-text-change', 'important-pages', 'partial-index'] as const

const pathOf = (name: string): string => join(import.meta.dirname, `../examples/agents/${name}.js`)

interface Program {
  readonly manifest: Pick<AgentManifest, 'name' | 'version' | 'about' | 'perPage' | 'reads' | 'emits'>
  readonly default?: (agent: PlainAgent) => void
  readonly onPage?: (page: AgentPage, agent: PlainAgent) => void
}

const programs = new Map<string, Program>(
  await Promise.all(AGENTS.map(async (name) => [name, (await import(pathOf(name))) as Program] as const)),
)

export function bundleOf(name: string): AgentBundle {
  const rest = {
    api: 1,
    hostVersion: '0.1.0',
    engine: 'https://engine.example/',
    madeAt: 0,
    expiresAt: 1e13,
    unaudited: [],
  }
  return makeBundle({ ...rest, ...programs.get(name)!.manifest, caps: {} }, readFileSync(pathOf(name), 'utf8'))
}

/** What a program needs of its host, without a host. */
class PlainAgent {
  readonly texts: string[] = []
  readonly #pages: readonly AgentPage[]
  readonly #bodies: ReadonlyMap<string, Uint8Array>

  constructor(pages: readonly AgentPage[], bodies: ReadonlyMap<string, Uint8Array>) {
    this.#pages = pages
    this.#bodies = bodies
  }

  pages(): readonly AgentPage[] {
    return this.#pages
  }
  html({ url }: AgentPage): AgentHtml {
    const { title, lang, base, headings, text, links } = readHtml(decodeText(this.#bodies.get(url)!).text)
    const resolve = createLinkResolver((base === undefined ? undefined : URL.parse(base, url)?.href) ?? url)
    const leading = links.flatMap(({ href, kind, anchor, rel }) => {
      const to = kind === 'page' || kind === 'frame' ? resolve(href) : undefined
      return to === undefined || to === url ? [] : [{ url: to, anchor, rel }]
    })
    return { title, lang: lang ?? null, headings: headings.map((heading) => heading.text), text, links: leading }
  }
  log(): null {
    return null
  }
  previous(): null {
    return null
  }
  remember(): void {}
  digest(text: string): string {
    return hash('sha256', text)
  }
  emit(record: object): void {
    this.texts.push(JSON.stringify(record))
  }
}

export interface PlainRun {
  readonly texts: readonly string[]
  readonly wallMs: number
  readonly cpuMs: number
}

/** The same program over the same pages. */
export async function ranPlainly(name: string, pages: MemoryPages): Promise<PlainRun> {
  const list = [...pages.list()].toSorted((a, b) => (a.url < b.url ? -1 : 1))
  const bodies = new Map(await Promise.all(list.map(async (page) => [page.url, (await pages.read(page))!] as const)))
  const program = programs.get(name)!
  const agent = new PlainAgent(list, bodies)
  const before = ownTime()
  if (program.default !== undefined) program.default(agent)
  else for (const page of list) program.onPage!(page, agent)
  const { seconds, cpuSeconds } = since(before, ownTime())
  return { texts: agent.texts, wallMs: seconds * 1e3, cpuMs: cpuSeconds * 1e3 }
}
