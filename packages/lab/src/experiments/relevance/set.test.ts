import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { tarOf } from '../../testing/graph-tar-sample.ts'
import { LabError } from '../../lab-error.ts'
import { openRelevanceSet } from './set.ts'

const root = mkdtempSync(join(tmpdir(), 'comity-relevance-set-'))
after(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

/** Folders in it are tables, too. */
interface Files {
  readonly [name: string]: string | Uint8Array | Readonly<Record<string, string>>
}

function folderOf(files: Files): string {
  const folder = join(root, String(folders++))
  write(files, folder)
  return folder
}

function write(files: Files, folder: string): void {
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(path, content)
    else write(content, path)
  }
}

const cranfield = {
  'cran.all.1400': '.I 1\n.T\na wing\n.A\nting-yili\n.B\n1958\n.W\na wing\nin a slipstream .\n.I 2\n.T\n.A\n.B\n.W\n',
  'cran.qry':
    '.I 001\r\n.W\r\nwhat wing .\r\n.I 004\r\n.W\r\nwhat\r\nslab .\r\n.I 008\r\n.W\r\nnobody judged this .\r\n',
  cranqrel: '1 1 2 \n2 1 -1\n2 2 3\n',
}

test('Cranfield: fields by their letters, questions as the judgments count them, every listed pair relevant', async () => {
  const { name, documents, questions, unjudged } = await openRelevanceSet(folderOf(cranfield))
  assert.equal(name, 'Cranfield')
  assert.deepEqual(
    documents.map(({ key, title, text }) => [key, title, text]),
    [
      [1, 'a wing', 'a wing\nin a slipstream .'],
      [2, '', ''],
    ],
  )
  assert.deepEqual(questions, [
    { number: 1, text: 'what wing .', relevant: new Set([1]) },
    { number: 2, text: 'what\nslab .', relevant: new Set([1, 2]) },
  ])
  assert.equal(unjudged, 1)
})

const page = (text: string): string => `<html>\n<pre>\n${text}\n</pre>\n</html>\n`
const cacm = {
  'cacm.tar.gz': gzipSync(
    tarOf([
      ['cacm/CACM-0007.html', page('Of robots')],
      ['cacm/README', 'no page'],
    ]),
  ),
  'cacm.query': ' Robots, please\n@\n@\nPrieve, B.\nPooch, U.\n@\n',
  'cacm.rel': '1 Q0 CACM-0007 1\n3 Q0 CACM-0007 0\n',
}

test('CACM: pages from the archive, questions between lines of @, a grade of 0 is not relevant', async () => {
  const { name, documents, questions, unjudged } = await openRelevanceSet(folderOf(cacm))
  assert.equal(name, 'CACM')
  assert.deepEqual(
    documents.map(({ key, text }) => [key, text.trim()]),
    [[7, 'Of robots']],
  )
  assert.deepEqual(questions, [{ number: 1, text: 'Robots, please', relevant: new Set([7]) }])
  assert.equal(unjudged, 2)
})

const beir = {
  'corpus.jsonl':
    '{"_id": "d 1", "title": "Robots", "text": "polite"}\n\n{"_id": "2", "text": "soup", "metadata": {}}\n',
  'queries.jsonl':
    '{"_id": "q1", "text": "who is polite"}\n{"_id": "q2", "text": "soup?"}\n{"_id": "q3", "text": "no"}\n',
  qrels: { 'test.tsv': 'query-id\tcorpus-id\tscore\nq1\td 1\t1\nq2\t2\t2\nq2\td 1\t0\nq9\t2\t1\n' },
}

test("BEIR: lines of JSON, ids of any text, a grade above 0 is relevant, and the name is the folder's", async () => {
  const folder = folderOf(beir)
  const { name, documents, questions, unjudged } = await openRelevanceSet(folder)
  assert.equal(name, basename(folder))
  assert.deepEqual(
    documents.map(({ key, url, title, text }) => [key, url, title, text]),
    [
      [1, 'https://set.example/d%201', 'Robots', 'polite'],
      [2, 'https://set.example/2', '', 'soup'],
    ],
  )
  assert.deepEqual(questions, [
    { number: 1, text: 'who is polite', relevant: new Set([1]) },
    { number: 2, text: 'soup?', relevant: new Set([2]) },
  ])
  assert.equal(unjudged, 1)
})

// oxfmt-ignore
const bad: [sentence: string, files: Files, message: RegExp][] = [
  ['an empty folder',                {},                                                          /None of cran\.all\.1400, cacm\.query, corpus\.jsonl is in it\. Name the folder/],
  ['a file that is missing',         { 'cran.all.1400': cranfield['cran.all.1400'] },             /cran\.qry: It cannot be read/],
  ['text before the first entry',    { ...cranfield, 'cran.all.1400': 'hello\n' },                /cran\.all\.1400, line 1: This belongs to no field/],
  ['text before the first field',    { ...cranfield, 'cran.all.1400': '.I 1\nhello\n' },          /cran\.all\.1400, line 2: This belongs to no field/],
  ['an entry that is there twice',   { ...cranfield, 'cran.all.1400': '.I 1\n.W\nx\n.I 1\n' },    /cran\.all\.1400, line 4: Number 1 is there twice/],
  ['no entries',                     { ...cranfield, 'cran.all.1400': '\n' },                     /There are no entries here/],
  ['a judgment that is none',        { ...cranfield, cranqrel: '1 1 2\n1 2\n' },                  /cranqrel, line 2: This is no judgment/],
  ['no archive',                     { 'cacm.query': '@\n' },                                     /There is no archive of the pages here/],
  ['an archive without pages',       { ...cacm, 'cacm.tar.gz': gzipSync(tarOf([['a', 'b']])) },     /It holds no page named as CACM-0123\.html/],
  ['an archive that is none',        { ...cacm, 'cacm.tar.gz': 'x'.repeat(600) },                 /This is no tar archive/],
  ['a line that is no JSON',         { ...beir, 'corpus.jsonl': '{"_id": "1", "text": "x"}\n{' },  /corpus\.jsonl, line 2: This is no entry/],
  ['a document without text',        { ...beir, 'corpus.jsonl': '{"_id": "1"}' },                 /corpus\.jsonl, line 1: This is no entry/],
  ['a list for a document',          { ...beir, 'corpus.jsonl': '[1]' },                          /corpus\.jsonl, line 1: This is no entry/],
  ['null for a document',            { ...beir, 'corpus.jsonl': 'null' },                         /corpus\.jsonl, line 1: This is no entry/],
  ['no documents',                   { ...beir, 'corpus.jsonl': '' },                             /There are no entries here: each is a line of JSON/],
  ['a question that is there twice', { ...beir, 'queries.jsonl': '{"_id":"q","text":""}\n'.repeat(2) }, /queries\.jsonl, line 2: q is there twice/],
  ['a judgment without tabs',        { ...beir, qrels: { 'test.tsv': 'q1\td 1\t1\nq1 d 1' } },     /test\.tsv, line 2: This is no judgment/],
  ['a judgment of no document',      { ...beir, qrels: { 'test.tsv': 'q1\td9\t1' } },              /test\.tsv, line 1: There is no document d9/],
]
for (const [sentence, files, message] of bad) {
  test(`${sentence} is told by its place`, async () => {
    await assert.rejects(
      openRelevanceSet(folderOf(files)),
      (error) => error instanceof LabError && message.test(error.message),
    )
  })
}

test('a set that is not here is told how to get', async () => {
  await assert.rejects(
    openRelevanceSet(join(root, 'nowhere')),
    /no such folder.*--web.*ir\.dcs\.gla\.ac\.uk.*COMITY_SHARED/s,
  )
})
