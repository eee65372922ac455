/**
 * The documents of `bench/index.ts`: pages of a folder, read once by our own `readHtml` into one file, so that every
 * engine indexes the same text and none is timed for reading HTML.
 *
 * The file is a row of documents, each of five fields (url, title, headings in lines, language, text), each field a
 * length in four bytes, the highest first, and so many bytes of UTF-8: what Node and Java read with ease.
 */
import { closeSync, globSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { decodeText, readHtml } from '@comity/protocol'
import type { IndexDocument } from '../../packages/index/src/document.ts'

export interface DocumentSet {
  readonly name: string
  readonly folder: string
  /** Only so many files, in the order of their names. */
  readonly first?: number | undefined
}

export interface DocumentFacts {
  readonly documents: number
  readonly htmlBytes: number
  /** Of what a peer indexes: title and text. */
  readonly textBytes: number
  /** Characters that the limits of `readHtml` left out. */
  readonly leftOut: number
}

const FIELDS = 5

/** What an engine without fields indexes of a page; the headings stand in the text. */
export function plainText({ title, text }: IndexDocument): string {
  return `${title}\n${text}`
}

export function writeDocuments({ name, folder, first }: DocumentSet, path: string): DocumentFacts {
  const files = globSync('**/*.html', { cwd: folder }).toSorted().slice(0, first)
  if (files.length === 0) throw new Error(`${folder} holds no .html file: name another folder for ${name}`)
  const facts = { documents: files.length, htmlBytes: 0, textBytes: 0, leftOut: 0 }
  const out = openSync(path, 'w')
  for (const file of files) {
    const bytes = readFileSync(join(folder, file))
    const page = readHtml(decodeText(bytes).text)
    const headings = page.headings.map(({ text }) => text.replaceAll('\n', ' ')).join('\n')
    const url = new URL(file, 'https://manual.example/').href
    writeDocument(out, [url, page.title, headings, page.lang ?? '', page.text])
    facts.htmlBytes += bytes.length
    facts.textBytes += Buffer.byteLength(page.title) + 1 + Buffer.byteLength(page.text)
    facts.leftOut += page.overflow.text
  }
  closeSync(out)
  return facts
}

function writeDocument(out: number, fields: readonly string[]): void {
  const parts = fields.flatMap((field) => {
    const bytes = Buffer.from(field)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return [length, bytes]
  })
  writeSync(out, Buffer.concat(parts))
}

/** One after the other, numbered from 0: the memory of a build is its own, not that of the texts. */
export function* readDocuments(path: string): Iterable<IndexDocument> {
  const file = openSync(path, 'r')
  try {
    for (let [key, at] = [0, 0]; ; key++) {
      const fields: string[] = []
      for (let field = 0; field < FIELDS; field++) {
        const length = readBytes(file, at, 4)
        if (length === undefined) return
        const bytes = readBytes(file, at + 4, length.readUInt32BE())
        if (bytes === undefined) throw new Error(`${path} ends within document ${key}: delete it and run again`)
        fields.push(bytes.toString())
        at += 4 + bytes.length
      }
      yield documentOf(key, fields)
    }
  } finally {
    closeSync(file)
  }
}

function readBytes(file: number, at: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length)
  return readSync(file, bytes, 0, length, at) === length ? bytes : undefined
}

function documentOf(key: number, [url, title, headings, language, text]: readonly string[]): IndexDocument {
  return {
    key,
    url: url!,
    title: title!,
    headings: headings === '' ? [] : headings!.split('\n'),
    text: text!,
    anchors: [],
    language: language === '' ? undefined : language,
    type: 'text/html',
    at: 0,
  }
}
