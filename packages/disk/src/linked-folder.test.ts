import assert from 'node:assert/strict'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { LINK_MARK, sharedFile, unclaimedLink } from './linked-folder.ts'

interface Place {
  readonly home: string
  /** Another folder beside it. */
  readonly away: string
}

function place(t: TestContext): Place {
  const above = realpathSync(mkdtempSync(join(tmpdir(), 'comity-linked-')))
  t.after(() => rmSync(above, { recursive: true }))
  const [home, away] = [join(above, 'home'), join(above, 'away')]
  for (const folder of [home, away, join(home, 'plain')]) mkdirSync(folder)
  return { home, away }
}

const claim = ({ away }: Place, says: string): void => writeFileSync(join(away, LINK_MARK), says)
const link = ({ home, away }: Place): void => symlinkSync(away, join(home, 'large'))

// oxfmt-ignore
const links: [sentence: string, make: (place: Place) => void, found: 'claimed' | 'unclaimed' | 'nowhere'][] = [
  ['a folder that is none is claimed by nobody',         () => undefined,                                                          'claimed'],
  ['a plain folder needs no claim',                      ({ home }) => mkdirSync(join(home, 'large')),                             'claimed'],
  ['a link within the folder leads nowhere else',        ({ home }) => symlinkSync('plain', join(home, 'large')),                  'claimed'],
  ['a link to a folder that says nothing is unclaimed',  (at) => link(at),                                                         'unclaimed'],
  ['one that says for whom it is, is claimed',           (at) => { link(at); claim(at, `${at.home}\n`) },                          'claimed'],
  ['so is one that names it another way',                (at) => { link(at); claim(at, `${at.home}/plain/..`) },                   'claimed'],
  ['one that is for another folder is unclaimed',        (at) => { link(at); claim(at, join(at.home, 'plain')) },                  'unclaimed'],
  ['one that is for a folder that is gone is unclaimed', (at) => { link(at); claim(at, '/nowhere/at/all') },                       'unclaimed'],
  ['one that says nothing in many words is unclaimed',   (at) => { link(at); claim(at, at.home.padEnd(10_000)) },                  'unclaimed'],
  ['a link to a link is followed to its end',            (at) => { symlinkSync(at.away, join(at.home, 'plain', 'x')); symlinkSync('plain/x', join(at.home, 'large')) }, 'unclaimed'],
  ['a link that leads nowhere is unclaimed',             ({ home }) => symlinkSync('/nowhere/at/all', join(home, 'large')),        'nowhere'],
  ['a link to itself leads nowhere',                     ({ home }) => symlinkSync('large', join(home, 'large')),                  'nowhere'],
]
for (const [sentence, make, found] of links) {
  test(sentence, (t) => {
    const at = place(t)
    make(at)
    const path = join(at.home, 'large')
    const expected = found === 'claimed' ? undefined : { path, target: found === 'nowhere' ? undefined : at.away }
    assert.deepEqual(unclaimedLink(at.home, ['large']), expected)
  })
}

const mayBe = (name: string): boolean => name === 'free' || name === 'a.lock'

test('a file with another name somewhere is found, in the folder and in its folders, but where that may be', (t) => {
  const { home, away } = place(t)
  mkdirSync(join(home, 'free'))
  for (const [n, path] of ['a.lock', 'free/x', 'own', 'plain/own'].entries()) {
    writeFileSync(join(home, path), '')
    if (n < 2) linkSync(join(home, path), join(away, String(n)))
  }
  assert.equal(sharedFile(home, mayBe), undefined)
  linkSync(join(home, 'plain', 'own'), join(away, 'shared'))
  assert.equal(sharedFile(home, mayBe), join(home, 'plain', 'own'))
  linkSync(join(home, 'own'), join(away, 'also'))
  assert.equal(sharedFile(home, mayBe), join(home, 'own'))
})
