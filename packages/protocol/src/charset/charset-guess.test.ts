import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { test } from 'node:test'
import fc from 'fast-check'
import { declarations } from '../testing/declaration-fixture.ts'
import { encodeLegacy } from '../testing/legacy-encoder.ts'
import { guessCharset } from './charset-guess.ts'
import { decodeAs } from './decoders.ts'

const LIMIT = { timeout: 60_000 }

interface Sample {
  readonly name: string
  readonly charset: string
  readonly bytes: Uint8Array
}

/** Pieces of so many characters that are not ASCII alone; all of a text when none are given. */
function samplesOf(length: number = Infinity, asPage = (text: string): string => text): Sample[] {
  return declarations.flatMap(([language, charsets, text]) =>
    charsets.split(' ').flatMap((charset) =>
      piecesOf(text, length)
        .map((piece) => ({
          name: `${language} ${charset} ${piece}`,
          charset,
          bytes: encodeLegacy(asPage(piece), charset),
        }))
        .filter(({ bytes }) => bytes.some((byte) => byte >= 0x80)),
    ),
  )
}

function piecesOf(text: string, length: number): string[] {
  if (length === Infinity) return [text]
  return Array.from({ length: Math.floor(text.length / length) }, (_, place) =>
    text.slice(place * length, (place + 1) * length),
  )
}

/** It is the text that counts: many charsets agree on all that a text needs. */
const isWrong = ({ bytes, charset }: Sample): boolean =>
  decodeAs(guessCharset(bytes), bytes) !== decodeAs(charset, bytes)
const wrongOf = (samples: readonly Sample[]): string[] => samples.filter(isWrong).map(({ name }) => name)

function page(text: string): string {
  return `<!DOCTYPE html><html><head><title>${text.slice(0, 30)}</title><style>.a:hover{color:#f00}</style>
<script language="JavaScript">var menu=["Home","Products","Contact"]</script></head><body bgcolor="#ffffff">
<a href="/"><img src="/img/logo.gif" alt="Home"></a> <a href="/news/">News</a> | <a href="mailto:webmaster@example.com">Contact us</a>
<p align="justify"><font face="Arial" size="2">${text}</font></p><hr>Copyright &copy; 2003 Example Ltd. All rights reserved.</body></html>`
}

test('some lines are read right in every language and every charset it was written in', LIMIT, () => {
  assert.deepEqual(wrongOf(samplesOf()), [])
})

test('so they are in a page that is mostly markup and English', LIMIT, () => {
  assert.deepEqual(wrongOf(samplesOf(Infinity, page)), [])
})

/** Which differs from windows-1251 in capitals and one letter; so few have it that a line without them is not taken for it. */
const isTold = ({ charset }: Sample): boolean => charset !== 'x-mac-cyrillic'

for (const [length, least, most] of [
  [160, 100, 0],
  [80, 300, 0],
  [40, 600, 3],
] as const) {
  test(
    `of ${least} pieces of ${length} characters at most ${most} are read wrong, and none of a Western language`,
    LIMIT,
    () => {
      const samples = samplesOf(length).filter(isTold)
      const wrong = wrongOf(samples)
      assert.ok(samples.length >= least, `${samples.length} pieces`)
      assert.ok(wrong.length <= most, wrong.join('\n'))
      assert.deepEqual(
        wrong.filter((name) => name.includes('windows-1252')),
        [],
      )
    },
  )
}

// oxfmt-ignore
const western = [
  'café', 'It costs £5', '© 2004 Acme Ltd.', 'naïve résumé', 'don’t', '“quoted”', 'Home » News » Sport', '20°C', '½ cup of milk',
  'Ångström', 'Señor', 'São Paulo', 'Zürich', 'Malmö', 'Århus', 'Øystein', 'Besançon', 'cœur', 'Impressum für Gäste', '5 × 3',
  'a – b', 'Price: €10', '€', '£', '©', 'Acme® Widgets™', '• One\n• Two', 'Loading…', '¿Qué?', '¡Hola!', 'nº 5', '1ª', 'é', 'è', 'à',
  'ü', 'Ñ', 'Ç', 'É', 'È', 'À propos', 'Où ?', 'Ø 5 mm', '10 µF', '±5', 'Gödel, Escher, Bach', 'Björk Guðmundsdóttir', 'Þingvellir',
  'Crème brûlée', 'ÉCOLE NATIONALE', 'MÉXICO', 'Straße', 'L’Haÿ-les-Roses', 'Citroën', 'Zoë', 'Jalapeño', 'Müller & Söhne GmbH',
  'Ça', 'déjà vu', 'Curaçao', 'ñ', 'Tromsø', 'på', 'för', 'är', 'Å', 'å', 'Färöer', 'Føroyar', 'não', 'ação', 'informações', 'perché',
  'città', 'più', 'CITTÀ', 'HÔTEL', 'août', 'maïs', 'Tschüß', 'x²', '§ 5 Abs. 2', 'Œuvre', 'coup d’œil', 'Seán Ó Sé', 'Dún Laoghaire',
  'Gàidhlig', 'N°5', '« Bonjour »', '»Hallo«', '„Hallo“', 'O’Brien', 'rock ’n’ roll', '’90s', 'foo\u00a0bar', '\u00a0', '100\u00a0km',
  'Jyväskylä', 'Mitä kuuluu', 'yö', 'Iñaki', 'L’Hospitalet', 'col·lecció', 'Shqipëria', 'är så', 'België', 'geïnteresseerd', 'wêreld',
  'môre', 'Kõik', 'ülikool', 'Þórshöfn', 'hæ', 'ø', 'Ø',
]

test('a word of a Western language is one, alone and in a page of English', LIMIT, () => {
  const around = 'Some plain English text to read here, and to think about. '.repeat(5)
  const charset = 'windows-1252'
  const samples = western.flatMap((word) =>
    [word, page(word), `<title>${word}</title><p>${around}`].map((text) => ({
      name: text,
      charset,
      bytes: encodeLegacy(text, charset),
    })),
  )
  assert.deepEqual(wrongOf(samples), [])
})

test('no word begins with a closing quote: in the one Greek charset that is what the other has for a capital', () => {
  for (const text of [
    'Πληροφορίες για τις Άδειες Χρήσης του προγράμματος',
    'Σημειώσεις για την Άδεια και τις Άλλες δημοσιεύσεις',
  ])
    for (const charset of ['windows-1253', 'iso-8859-7'])
      assert.equal(guessCharset(encodeLegacy(page(text), charset)), charset, text)
})

test('a table of letters says nothing', () => {
  const letters = Array.from({ length: 64 }, (_, place) => String.fromCharCode(0xc0 + place))
  for (const table of [letters, letters.slice(0, 9)])
    assert.equal(guessCharset(encodeLegacy(page(table.join(' ')), 'windows-1252')), 'windows-1252')
})

test('the words in attributes count where there are no others, and what a feed has in CDATA', () => {
  const russian = 'Все люди рождаются свободными'
  for (const text of [`<img alt="${russian}"><p>`, `<description><![CDATA[<p>${russian}</p>]]></description>`])
    assert.equal(guessCharset(encodeLegacy(text, 'koi8-r')), 'koi8-r')
})

test('scripts, styles and comments do not count', () => {
  const german = 'Übung in Köln für größere Häuser'
  const russian = 'Все люди рождаются свободными и равными в своем достоинстве. '.repeat(20)
  for (const [open, close] of [
    ['<!--', '-->'],
    ['<script>', '</SCRIPT >'],
    ['<style type=a>', '</style>'],
  ] as const) {
    const bytes = Buffer.concat([
      Buffer.from(open),
      encodeLegacy(russian, 'windows-1251'),
      Buffer.from(close),
      encodeLegacy(german, 'windows-1252'),
    ])
    assert.equal(guessCharset(bytes), 'windows-1252', open)
  }
})

const bytesOf = (text: string, encoding: BufferEncoding = 'latin1'): Uint8Array => Buffer.from(text, encoding)

const cases: [sentence: string, bytes: Uint8Array, charset: string][] = [
  ['nothing is UTF-8', bytesOf(''), 'utf-8'],
  ['ASCII is UTF-8', bytesOf('a'), 'utf-8'],
  ['UTF-8 with a byte that is none stays UTF-8', bytesOf('gr\xc3\xbc\xc3\x9fe an alle in K\xc3\xb6ln \xe4 '), 'utf-8'],
  ['UTF-8 cut at both ends is UTF-8', Buffer.from('Все люди рождаются свободными', 'utf8').subarray(1, -1), 'utf-8'],
  ['half a character and no whole one is no UTF-8', bytesOf('caf\xe9'), 'windows-1252'],
  ['an escape into Japanese', bytesOf('\x1b$B$"\x1b(B'), 'iso-2022-jp'],
  ['an escape to something else', bytesOf('\x1b[1mbold\x1b[0m'), 'utf-8'],
  ['UTF-16 without its mark', bytesOf('<p>Grüße</p>', 'utf16le'), 'utf-16le'],
  ['and the other', Buffer.from('<p>Grüße</p>', 'utf16le').swap16(), 'utf-16be'],
  ['UTF-16 in Cyrillic alone', bytesOf('Вселюдирождаются', 'utf16le'), 'utf-16le'],
  ['UTF-16 in Japanese alone', bytesOf('すべての人間は、生まれながらにして自由であり', 'utf16le'), 'utf-16le'],
  ['zeros are not yet UTF-16', bytesOf('a\0\0b\0\0c\0'), 'utf-8'],
  ['nor are small numbers', bytesOf('\x01\0\x02\0\x07\0\x0b\0'), 'utf-8'],
  ['digits before letters are not kana', bytesOf('0a0b0c0d0e0f0g0h0i0j'), 'utf-8'],
]
for (const [sentence, bytes, charset] of cases) test(sentence, () => assert.equal(guessCharset(bytes), charset))

test('what is no text is not taken for any', () => {
  const random = Uint8Array.from({ length: 3_000 }, (_, place) => (Math.imul(place + 1, 0x9e3779b1) >>> 17) & 0xff)
  const high = random.map((byte) => byte | 0x80)
  const [empty, line] = [new Uint8Array(3_000).fill(0xff), bytesOf(`Title\n${'\xc4'.repeat(70)}\n`)]
  for (const bytes of [gzipSync(random), random, high, empty, line]) assert.equal(guessCharset(bytes), 'windows-1252')
})

test('any bytes are read in some charset, always the same', LIMIT, () => {
  const parts = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .constantFrom('<', '<!--', '-->', '<script', '</script>', '<![CDATA[', '&', ' ', '\x1b$B', '\0')
      .map((text) => bytesOf(text)),
    fc.constantFrom(...samplesOf(20).map(({ bytes }) => bytes)),
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (pieces) => {
      const bytes = Buffer.concat(pieces)
      const charset = guessCharset(bytes)
      assert.equal(typeof decodeAs(charset, bytes), 'string')
      assert.equal(guessCharset(Uint8Array.from(bytes)), charset)
    }),
  )
})
