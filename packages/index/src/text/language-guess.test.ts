import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FUNCTION_WORDS } from './function-words.ts'
import { languageOf, primaryLanguage } from './language-guess.ts'

const tags: [tag: string | undefined, language: string | undefined][] = [
  ['en', 'en'],
  ['de-AT', 'de'],
  ['PT_br', 'pt'],
  [' fr ', 'fr'],
  ['eng', 'en'],
  ['iw', 'he'],
  ['nb-NO', 'no'],
  ['nn', 'no'],
  ['zh-Hant-TW', 'zh'],
  ['cmn', 'zh'],
  ['tlh', 'tlh'],
  ['und', undefined],
  ['mul', undefined],
  ['x-klingon', undefined],
  ['english', undefined],
  ['', undefined],
  ['{{lang}}', undefined],
  [undefined, undefined],
  ['e'.repeat(1_000_000), undefined],
]
for (const [tag, language] of tags) {
  test(`the tag ${tag?.slice(0, 20)} names ${language ?? 'no language'}`, () => {
    assert.equal(primaryLanguage(tag), language)
  })
}

const texts: [language: string, text: string][] = [
  ['en', 'The frontier is the part of a crawler that knows which page should be fetched next, and it is not small.'],
  [
    'de',
    'Der Rand ist der Teil eines Sammlers, der weiß, welche Seite als nächste geholt wird, und er ist nicht klein.',
  ],
  ['fr', 'La frontière est la partie du robot qui sait quelle page est la prochaine, et elle est dans la mémoire.'],
  ['es', 'La frontera es la parte que sabe qué página se debe pedir después, y no es pequeña para los sitios grandes.'],
  [
    'it',
    'La frontiera è la parte del programma che sa quale pagina chiedere, e non è piccola per gli utenti della rete.',
  ],
  ['pt', 'A fronteira é a parte do programa que sabe qual página será pedida, e não é pequena para os sítios da rede.'],
  [
    'nl',
    'De grens is het deel van een programma dat weet welke pagina wordt opgehaald, en het is niet klein voor de site.',
  ],
  [
    'sv',
    'Det är den del av programmet som vet vilken sida som ska hämtas, och den är inte liten för att vara på nätet.',
  ],
  [
    'da',
    'Det er den del af programmet, der ved, hvilken side der skal hentes, og den er ikke lille, efter hvad vi ved.',
  ],
  [
    'no',
    'Det er den delen av programmet som vet hvilken side som skal hentes, og den er ikke liten etter å ha blitt lest.',
  ],
  ['fi', 'Se on ohjelman osa, joka tietää, mikä sivu haetaan seuraavaksi, ja se ei ole pieni, kun sivuja on paljon.'],
  [
    'pl',
    'To jest część programu, która wie, jaka strona ma być pobrana, i nie jest mała, bo w sieci są strony na lata.',
  ],
  [
    'cs',
    'To je část programu, která ví, jaká stránka se má stáhnout, a není malá, protože v síti je to pro nás nebo ne.',
  ],
  ['hu', 'Ez az a rész, amely tudja, hogy melyik oldal jön, és nem kicsi, mert a háló nagy, de csak egy van.'],
  ['ro', 'Este o parte din program care știe ce pagină să ceară și nu este mică pentru că sunt multe pagini în rețea.'],
  ['tr', 'Bu, hangi sayfanın alınacağını bilen bir bölüm ve çok daha büyük olan siteler için küçük gibi değil.'],
  ['ru', 'Это часть программы, которая знает, какую страницу взять, и она не так мала, как можно подумать.'],
  ['uk', 'Це частина програми, яка знає, що взяти, і вона не мала, як це є для сторінок, які ми маємо від них.'],
  ['el', 'Είναι το μέρος του προγράμματος που ξέρει ποια σελίδα θα ζητηθεί.'],
  ['ja', 'これは次にどのページを取るかを知っている部分です。'],
  ['zh', '这是知道下一个要抓取哪个页面的部分,并不小。'],
  ['ko', '이것은 다음에 가져올 페이지를 아는 부분이다.'],
  ['th', 'นี่คือส่วนที่รู้ว่าจะดึงหน้าใดต่อไป'],
  ['he', 'זה החלק שיודע איזה דף יבוא אחר כך'],
  ['ar', 'هذا هو الجزء الذي يعرف أي صفحة من الشبكة التي لا بد أن تطلب إلى هذا اليوم'],
  ['fa', 'این بخشی است که می داند کدام صفحه را از شبکه با نام آن برای ما بیاورد'],
]
for (const [language, text] of texts) {
  test(`a text in ${language} is known without a word from the page, and confirmed with one`, () => {
    assert.equal(languageOf(undefined, text), language)
    assert.equal(languageOf(language, text), language)
  })
}

const german =
  'Wer sammelt, muss auch warten können. Die Seiten werden nacheinander geholt, und der Rand ist für das Warten da. ' +
  'Mit der Zeit lernt er, wie sich eine Seite ändert; das ist nicht von den Servern zu verlangen, die sie halten. ' +
  'Auf dem Rand steht auch, wann des Nachts zu ruhen ist, und mit wem er zu sprechen hat, ehe sie gesehen werden.'

const doubtful: [sentence: string, declared: string | undefined, text: string, language: string][] = [
  ['a page without words is of unknown language', undefined, '', 'und'],
  ['a page without words is what it says', 'sv', '', 'sv'],
  ['numbers are of unknown language', undefined, '1 2 3 4.5 6 7', 'und'],
  ['one word is not enough', undefined, 'the parser', 'und'],
  ['a letter again and again is not enough', undefined, 'e x e y e z e w e '.repeat(50), 'und'],
  ['Russian is not English, whatever it says', 'en', texts.find(([language]) => language === 'ru')![1], 'ru'],
  ['Japanese is not English', 'en', texts.find(([language]) => language === 'ja')![1], 'ja'],
  ['Chinese letters may be Japanese', 'ja', '東京都 大阪府 京都府 北海道 東京都 大阪府', 'ja'],
  ['a Greek page may be all code', 'el', 'int main(void) { return 0; }', 'el'],
  ['long German under the English of a template is German', 'en', german, 'de'],
  ['a little German on an English page leaves it English', 'en', `${texts[0]![1]} `.repeat(3) + texts[1]![1], 'en'],
  ['a language we know no words of is believed', 'gl', `${texts[3]![1]} `.repeat(8), 'gl'],
]
for (const [sentence, declared, text, language] of doubtful) {
  test(sentence, () => assert.equal(languageOf(declared, text), language))
}

test('whatever a page says and holds, its language is a primary subtag', () => {
  const property = fc.property(
    fc.option(fc.string(), { nil: undefined }),
    fc.string({ unit: 'binary' }),
    (tag, text) => {
      assert.match(languageOf(tag, text), /^[a-z]{2,3}$/)
    },
  )
  fc.assert(property)
})

test('a function word is a word of at most eight letters', () => {
  for (const words of Object.values(FUNCTION_WORDS)) assert.match(words, /^[\p{L}\p{M}]{1,8}( [\p{L}\p{M}]{1,8})+$/u)
})
