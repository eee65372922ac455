import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shipDocument } from '@comity/index'
import { DocumentMaker } from './document-maker.ts'
import type { DocumentMakerOptions, MadeDocument } from './document-maker.ts'
import type { Judgement } from './gateway-program.ts'
import type { SeenPage } from './page-words.ts'

const seen = (path: string, type = 'text/html'): SeenPage => ({
  url: `http://a.example/${path}`,
  at: 1_000,
  headers: [['Content-Type', type]],
  body: Buffer.from(`<title>${path}</title>`),
  digest: path.padEnd(64, '0'),
})
const document = shipDocument({
  url: 'http://a.example/other',
  title: 'Other',
  headings: [],
  text: 'words',
  language: undefined,
  type: 'text/html',
  at: 1_000,
  digest: `sha-256:${'0'.repeat(64)}`,
  links: [],
})
const PDF = 'application/pdf'

function made(options: Partial<DocumentMakerOptions>, ...pages: SeenPage[]): Promise<string[]> {
  const maker = new DocumentMaker({ productToken: 'comity', ...options })
  const all: string[] = []
  const told = (one: MadeDocument): void => {
    if (one.kind === 'document') all.push(`${one.isOwn ? 'own' : 'other'} ${one.document.title}`)
    else all.push(one.kind === 'skip' ? one.reason : `fault ${String(one.error)}`)
  }
  for (const page of pages) maker.make(page, told)
  return maker.settle().then(() => all)
}

const judging = (judged: Readonly<Record<string, Judgement>>): Pick<DocumentMakerOptions, 'program'> => ({
  program: { judge: ({ url }) => Promise.resolve(judged[new URL(url).pathname.slice(1)] ?? { kind: 'index' }) },
})

/** Never ends before `opened`. */
function slowReader(): { readonly pdf: NonNullable<DocumentMakerOptions['pdf']>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    pdf: { read: () => promise.then(() => ({ kind: 'bad', reason: 'not-pdf', message: 'no PDF' })) },
    open: resolve,
  }
}

test('without a program a page is what it says', async () => {
  assert.deepEqual(await made({}, seen('one'), seen('two')), ['own one', 'own two'])
})

test('a program leaves out, puts something else in its place, or lets it be', async () => {
  const program = judging({ login: { kind: 'skip', reason: 'program-login' }, b: { kind: 'replace', document } })
  assert.deepEqual(await made(program, seen('login'), seen('b'), seen('c')), ['program-login', 'other Other', 'own c'])
})

test('PDF files that a program lets be are read, so many at a time however many are judged', async () => {
  const { pdf, open } = slowReader()
  const files = Array.from({ length: 18 }, (_, n) => seen(`file-${n}`, PDF))
  const all = made({ pdf, ...judging({ 'file-3': { kind: 'skip', reason: 'program' } }) }, ...files, seen('page'))
  setImmediate(open)
  const counts = Object.entries(Object.groupBy(await all, (one) => one)).map(([name, list]) => [name, list?.length])
  assert.deepEqual(Object.fromEntries(counts), { program: 1, busy: 1, unreadable: 16, 'own page': 1 })
})

test('without a reader of PDF files they are left out', async () => {
  assert.deepEqual(await made({}, seen('file', PDF)), ['busy'])
})

test('a program or a reader that fails costs its own page, which is told', async () => {
  const failing: Partial<DocumentMakerOptions> = {
    program: {
      judge: ({ url }) => (url.endsWith('/bad') ? Promise.reject(new Error('no')) : Promise.resolve({ kind: 'index' })),
    },
    pdf: { read: () => Promise.reject(new Error('torn')) },
  }
  assert.deepEqual(await made(failing, seen('bad'), seen('good'), seen('file', PDF)), [
    'own good',
    'fault Error: no',
    'fault Error: torn',
  ])
})
