/**
 * Route handlers of Next: put this into `app/.well-known/comity/[...path]/`, as its route. Lists that stand elsewhere, as /sitemap.xml does, have a
 * route of their own that hands on `GET` from here. Next makes the pages itself, so the journal is told of them where they are written:
 * call `told` where you call `revalidatePath`.
 */
import { createSiteFront, FileJournal, noteChange, publicRules, webHandler } from '@comity/site'
import type { WebHandler } from '@comity/site'

/** Files are needed, so not on the edge. */
export const runtime = 'nodejs'

const base = process.env['SITE_URL'] ?? 'https://example.org/'
const journal = await FileJournal.open(process.env['SITE_JOURNAL'] ?? 'journal')

export const GET: WebHandler = webHandler(createSiteFront({ journal, base, now: Date.now, robots: '' }))
/** Batches and questions are posted. */
export const POST: WebHandler = GET

/** A page has been written: this is what visitors get of it from now on. */
export async function told(path: string, html: string): Promise<void> {
  await noteChange(journal, { path, type: 'text/html', body: Buffer.from(html) }, { rules: publicRules() }, Date.now())
}
