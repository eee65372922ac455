/**
 * The index kept in `fixtures/index-v1`, which every later version must still read. Its files are named `….bin`, for
 * they are not to be formatted. Run this to write it: only before its format is released, and never after.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IndexDocument } from '../document.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { writePageValues } from '../format/page-values.ts'

export const FIXTURE: string = join(import.meta.dirname, '../../fixtures/index-v1')

const AT = Date.UTC(2026, 10, 1)
const about = (key: number, language: string, title: string, text: string): IndexDocument => ({
  key,
  url: `https://${language}.example/page/${key}`,
  title,
  headings: [title],
  text: `${title}. ${text}`,
  anchors: [`about ${title}`],
  language,
  type: 'text/html',
  at: AT + key * 60_000,
})

export const fixturePages: readonly IndexDocument[] = [
  about(1, 'en', 'Polite crawlers', 'A polite crawler rests between two visits of a site.'),
  about(
    2,
    'en',
    'Inverted files',
    'An inverted file lists, for each word, the pages it stands in. A crawler feeds it.',
  ),
  about(3, 'de', 'Höfliche Sammler', 'Ein höflicher Sammler ruht zwischen zwei Besuchen.'),
  about(4, 'fr', 'Bibliothèques', 'Une bibliothèque garde les pages qu’on y dépose.'),
  about(5, 'zh', '搜索引擎', '搜索引擎 finds 😀 and 𝒜 as well.'),
  { ...about(6, 'en', 'Polite crawlers', 'A polite crawler rests between two visits of a site!'), duplicateOf: 1 },
  { ...about(7, 'en', 'Old page', 'This polite page is gone.'), type: 'application/pdf' },
]

/** Two segments, in one of which page 7 is gone and page 2 was replaced; hits and importance. */
export function writeFixtureIndex(dir: string): void {
  using writer = new IndexWriter(dir)
  for (const page of fixturePages) {
    if (page.key === 5) writer.commit(4)
    writer.put(page.key === 2 ? { ...page, text: 'An earlier version.' } : page)
  }
  writer.commit(7)
  writer.put(fixturePages[1] as IndexDocument)
  writer.remove(7)
  writer.commit(9)
  writePageValues(dir, 'hits', Float32Array.of(0, 1, 20))
  writePageValues(dir, 'importance', Float32Array.of(0, 3, 1, 0.5))
}

if (import.meta.main) {
  const dir = mkdtempSync(join(tmpdir(), 'comity-fixture-'))
  writeFixtureIndex(dir)
  rmSync(FIXTURE, { recursive: true, force: true })
  mkdirSync(FIXTURE, { recursive: true })
  for (const file of readdirSync(dir)) copyFileSync(join(dir, file), join(FIXTURE, `${file}.bin`))
  rmSync(dir, { recursive: true })
}
