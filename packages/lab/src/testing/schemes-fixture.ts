/** A year of a small made site, for tests: pages are edited, born and deleted, and some are put back as they were. */
import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tarOf } from './graph-tar-sample.ts'
import { createRandom } from '@comity/testbed'
import { DAY_MS } from '../cooperating/year.ts'

const BEGINS = Date.UTC(2004, 0, 1)
const WORDS = ['cow', 'sheep', 'barn', 'milk', 'field', 'gate', 'rain', 'hill', 'straw', 'plough']

interface MadeYear {
  readonly pages: number
  readonly days: number
  readonly seed: number
}

/** Writes events.tsv.gz and blobs.tar into a folder that is there. */
export function writeMadeYear(folder: string, { pages, days, seed }: MadeYear): void {
  const random = createRandom(seed)
  const blobs = new Map<string, string>()
  const lines: string[] = ['epoch\tstatus\tpath\tblob\tbytes']
  const texts = new Map<string, string[]>()
  const paragraph = (): string => `<p>${Array.from({ length: 30 }, () => random.pick(WORDS)).join(' ')}</p>\n`
  const say = (at: number, status: string, path: string, text: string): void => {
    const content = hash('sha1', text)
    if (status !== 'D') blobs.set(content, text)
    lines.push(
      `${at / 1_000}\t${status}\t${path}\t${status === 'D' ? '' : content}\t${status === 'D' ? 0 : text.length}`,
    )
  }
  const write = (at: number, status: string, path: string): void =>
    say(at, status, path, `<html><title>${path}</title>\n${texts.get(path)!.join('')}</html>\n`)
  for (let page = 0; page < pages; page++) {
    const path = page === 0 ? 'index.html' : `farm${page % 3}/page${page}.html`
    texts.set(path, Array.from({ length: 10 }, paragraph))
    write(BEGINS - page * DAY_MS, 'S', path)
  }
  for (let day = 0; day < days; day++) {
    const at = BEGINS + day * DAY_MS + 3_600_000
    const path = random.pick([...texts.keys()])
    const text = texts.get(path)!
    text[random.int(text.length)] = paragraph()
    write(at, 'M', path)
    // Twice on one day, and every tenth day one page goes and another comes.
    text[0] = paragraph()
    write(at + 1_000, 'M', path)
    if (day % 10 !== 5) continue
    say(at + 2_000, 'D', path, '')
    texts.delete(path)
    texts.set(`new${day}.html`, [paragraph()])
    write(at + 3_000, 'A', `new${day}.html`)
  }
  writeFileSync(join(folder, 'events.tsv.gz'), gzipSync(`${lines.join('\n')}\n`))
  writeFileSync(join(folder, 'blobs.tar'), tarOf([...blobs].map(([name, text]) => [`blobs/${name}`, text])))
}
