import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stemmerOf, STEMMERS } from './stems.ts'

// What `stemwords` of libstemmer 2.2.0, Snowball's own program, answers. Czech and Slovene are not in that version.
const exact: Readonly<Record<string, string>> = {
  ar: 'الكتابات>كتاب والمدرسة>والمدرس يكتبون>يكتب',
  ca: 'paraules>par col·legis>col.leg generositat>gener',
  da: 'undersøgelserne>undersøg bøgerne>bøg lykkelige>lyk',
  de: 'aufeinanderfolgenden>aufeinanderfolg häuser>haus bücher>buch kategorischer>kategor',
  el: 'ανθρώπους>ανθρωπ δρόμοι>δρομ εργασίες>εργασι',
  en: 'generalizations>general skies>sky dying>die particularly>particular this>this one>one solution>solut communism>communism proceed>proceed exceeding>exceed happily>happili',
  es: 'generalizaciones>generaliz ciudades>ciudad rápidamente>rapid cheques>chequ',
  eu: 'etxearen>etxearen liburuak>liburu mendietan>mendi',
  fi: 'taloissamme>talo kirjojen>kirj edistyksellisesti>edistyksellis',
  fr: 'continuellement>continuel généralités>général ambiguïté>ambigu chevaux>cheval majestueusement>majestu',
  ga: 'bhfear>fear leabharlanna>leabharlanna fhuinneog>fuinneog',
  hi: 'लड़कियों>लड़क किताबें>किताब',
  hu: 'házaknak>ház könyvekből>könyv legszebb>legszebb',
  hy: 'մարդիկ>մարդ գրքերի>գրքերի',
  id: 'pembelajaran>ajar mempermainkan>main bukunya>buku',
  it: 'generalizzazioni>generalizz pronunciarono>pronunc città>citt abbandonata>abbandon',
  lt: 'namuose>nam knygomis>knyg gražiausias>graž',
  ne: 'केटाहरू>केटा किताबहरूको>किताब',
  nl: 'lichaamsbeweging>lichaamsbeweg mogelijkheden>mogelijk boeken>boek',
  no: 'bøkene>bøk havnedistriktene>havnedistrikt opplysningen>opplysning',
  pt: 'generalizações>generaliz quilométricas>quilométr rapidamente>rapid',
  ro: 'abruptă>abrupt cărţilor>cărţ naţiunilor>naţiun',
  ru: 'вавиловка>вавиловк углублённое>углублен книгами>книг красивейших>красив',
  sr: 'књигама>knjig knjigama>knjig lepotom>lepot',
  sv: 'jaktkarlarne>jaktkarl böckerna>böck möjligheter>möj',
  ta: 'மரங்கள்>மரங் புத்தகங்கள்>புத்தகம்',
  tr: 'kitaplarımızdan>kitap evlerin>ev gözlükçüler>gözlükçü',
  cs: 'knihami>knih městech>měst',
  sl: 'knjigami>knjig',
}
for (const [language, pairs] of Object.entries(exact)) {
  test(`${language} words have the stems of Snowball`, () => {
    const stem = stemmerOf(language)!
    for (const pair of pairs.split(' ')) {
      const [word, expected] = pair.split('>') as [string, string]
      assert.equal(stem(word), expected)
    }
  })
}

test('every language of the table has its cases', () => {
  assert.deepEqual([...STEMMERS.keys()].toSorted(), Object.keys(exact).toSorted())
})

test('a stem depends on its word alone', () => {
  const words = Object.values(exact).flatMap((pairs) => pairs.split(' ').flatMap((pair) => pair.split('>')))
  for (const language of STEMMERS.keys()) {
    const stem = stemmerOf(language)!
    const forwards = words.map(stem)
    assert.deepEqual(words.toReversed().map(stem).toReversed(), forwards, language)
  }
})

test('a language without a stemmer has none', () => {
  for (const language of ['und', 'zh', 'bg', 'uk', '', 'constructor']) assert.equal(stemmerOf(language), undefined)
})
