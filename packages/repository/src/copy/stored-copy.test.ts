import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyLimits, pictureType, storedCopy } from './stored-copy.ts'
import type { HeldPart } from './stored-copy.ts'

const place = { url: 'https://a.example/', linkTo: (): undefined => undefined }
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function holding(parts: Record<string, [type: string, bytes: Uint8Array | string]>): {
  asked: string[]
  find: (url: string) => Promise<HeldPart | undefined>
} {
  const asked: string[] = []
  const held = new Map(Object.entries(parts))
  return {
    asked,
    find: async (url) => {
      asked.push(url)
      const found = held.get(new URL(url).pathname)
      return found && { url, type: found[0], bytes: Buffer.from(found[1]) }
    },
  }
}

test('pictures and styles that are held are written into the copy, and nothing is left of the others', async () => {
  const { find, asked } = holding({
    '/a.png': ['image/png', PNG],
    '/s.css': ['text/css', '@import "t.css"; body { background: url(a.png) }'],
    '/t.css': ['text/css', 'p { color: red }'],
  })
  const page = '<link rel=stylesheet href=s.css><img src=a.png><img src=b.png alt=B><p style="background: url(b.png)">'
  const data = `data:image/png;base64,${PNG.toString('base64')}`
  assert.equal(
    await storedCopy(page, place, find),
    `<style>p { color: red } body { background: url("${data}") }</style><img src="${data}"><img alt="B"><p style="background: url(&quot;data:,&quot;)">`,
  )
  assert.equal(asked.length, 4, 'each is looked for once')
})

const refused: [sentence: string, type: string, bytes: string][] = [
  ['a page under the name of a picture', 'image/png', '<svg onload=x()>'],
  ['a drawing, which can run', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'],
  ['a page', 'text/html', '<script>x()</script>'],
]
for (const [sentence, type, bytes] of refused) {
  test(`no picture is ${sentence}`, async () => {
    const { find } = holding({ '/x': [type, bytes] })
    assert.equal(await storedCopy('<img src=x>', place, find), '<img>')
  })
}

test('no style is what was not called one', async () => {
  const { find } = holding({ '/x': ['text/html', 'p { color: red }'] })
  assert.equal(await storedCopy('<link rel=stylesheet href=x>', place, find), '')
})

test('sheets that import each other end', async () => {
  const { find } = holding({ '/s.css': ['text/css', '@import "s.css"; @import "s.css"; a { color: red }'] })
  const copy = await storedCopy('<link rel=stylesheet href=s.css>', place, find)
  assert.equal(copy.split('color: red').length - 1, copyLimits.maxImportDepth)
})

test('so many are looked for, and so much is written, whatever a page asks for', async () => {
  const many = Array.from({ length: copyLimits.maxLookups + 100 }, (_, i) => `<img src=${i}.png>`).join('')
  const none = holding({})
  await storedCopy(many, place, none.find)
  assert.equal(none.asked.length, copyLimits.maxLookups)
  const large = Buffer.alloc(copyLimits.mostPartBytes)
  PNG.copy(large)
  const { find } = holding({ '/l.png': ['image/png', large] })
  const copy = await storedCopy('<img src=l.png>'.repeat(50), place, find)
  assert.ok(copy.length < (copyLimits.maxPartBytes * 4) / 3 + 2_000, `${copy.length}`)
  const long = await storedCopy('x'.repeat(copyLimits.maxPageChars + 1), place, find)
  assert.match(long, /x<p>\(The rest of this page is too long to be shown\.\)<\/p>$/)
})

test('a picture is what its first bytes say', () => {
  const heads: [string, string | undefined][] = [
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF....WEBPVP8 ', 'image/webp'],
    ['\0\0\0\x20ftypavif', 'image/avif'],
    ['<svg', undefined],
    ['', undefined],
  ]
  for (const [head, type] of heads) assert.equal(pictureType(Buffer.from(head, 'latin1')), type)
})
