/** The public pages of a document root, as agents see them: what a scan lets out, under the site's rules of privacy. */
import type { AgentPages } from '@comity/agent'
import type { Terminal } from '../terminal/terminal.ts'
import { publishWorld } from '../site/files.ts'
import { counted } from '../terminal/quantity.ts'

export async function docrootPages(
  root: string,
  base: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<{ readonly pages: AgentPages; readonly count: number }> {
  const { docrootReader, DocrootScanner, MemoryJournal, publishingLimits } = await import('@comity/site')
  const { origin, pathname } = new URL(base)
  const journal = new MemoryJournal()
  const include = pathname === '/' ? [] : [`${pathname}*`]
  const scanner = new DocrootScanner(journal, { root, rules: { include } }, publishWorld)
  terminal.say(`looking at ${root}`)
  await scanner.scan(signal)
  terminal.say(`${counted(journal.pageCount, 'page')} may be seen`)
  const read = docrootReader(root, publishingLimits.pageBytes)
  const pages: AgentPages = {
    *list() {
      for (const { path, type, bytes, digest, modifiedAt } of journal.pages())
        yield { url: `${origin}${path}`, type, bytes, digest, modifiedAt }
    },
    read: async ({ url }) => await read(url.slice(origin.length)),
  }
  return { pages, count: journal.pageCount }
}
