import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { tarOf } from '../../testing/graph-tar-sample.ts'
import { LabError } from '../../lab-error.ts'
import { openRelevanceSet } from './set.ts'

const root = mkdtempSync(join(tmpdir(), 'comity-relevance-set-'))
after(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = join(root, String(folders++))
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
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

// oxfmt-ignore
const bad: [sentence: string, files: Readonly<Record<string, string | Uint8Array>>, message: RegExp][] = [
  ['an empty folder',                {},                                                          /Neither cran\.all\.1400 nor cacm\.query is in it\. Name the folder/],
  ['a file that is missing',         { 'cran.all.1400': cranfield['cran.all.1400'] },             /cran\.qry: It cannot be read/],
  ['text before the first entry',    { ...cranfield, 'cran.all.1400': 'hello\n' },                /cran\.all\.1400, line 1: This belongs to no field/],
  ['text before the first field',    { ...cranfield, 'cran.all.1400': '.I 1\nhello\n' },          /cran\.all\.1400, line 2: This belongs to no field/],
  ['an entry that is there twice',   { ...cranfield, 'cran.all.1400': '.I 1\n.W\nx\n.I 1\n' },    /cran\.all\.1400, line 4: Number 1 is there twice/],
  ['no entries',                     { ...cranfield, 'cran.all.1400': '\n' },                     /There are no entries here/],
  ['a judgment that is none',        { ...cranfield, cranqrel: '1 1 2\n1 2\n' },                  /cranqrel, line 2: This is no judgment/],
  ['no archive',                     { 'cacm.query': '@\n' },                                     /There is no archive of the pages here/],
  ['an archive without pages',       { ...cacm, 'cacm.tar.gz': gzipSync(tarOf([['a', 'b']])) },     /It holds no page named as CACM-0123\.html/],
  ['an archive that is none',        { ...cacm, 'cacm.tar.gz': 'x'.repeat(600) },                 /This is no tar archive/],
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
