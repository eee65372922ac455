/**
 * Languages whose letters are known to the guess of a charset, and the charsets that their pages were written in before
 * UTF-8. What follows what in them stands in `letter-costs.ts`, in this order; `training/letter-training.ts` makes that anew.
 */
export interface Language {
  readonly name: string
  /** Besides a to z: what it is written with, in lower case. Other letters are foreign to it. */
  readonly letters: string
  /** Written with a to z as well. */
  readonly isLatin: boolean
  /** By the names of the Encoding standard. */
  readonly charsets: readonly string[]
}

const WESTERN = 'windows-1252'
/** With other letters where that has signs. */
const LATIN_9 = `${WESTERN} iso-8859-15`
const CENTRAL = 'windows-1250 iso-8859-2'
const BALTIC = 'windows-1257 iso-8859-13 iso-8859-4'
const CYRILLIC = 'windows-1251 iso-8859-5'
const OLD_CYRILLIC = `${CYRILLIC} ibm866 x-mac-cyrillic`

// oxfmt-ignore
const rows: readonly (readonly [name: string, letters: string, charsets: string])[] = [
  ['en', '', WESTERN],
  ['fr', 'àâæçèéêëîïôœùûüÿ', LATIN_9],
  ['de', 'äöüßé', WESTERN],
  ['es', 'áéíñóúüïç', WESTERN],
  ['pt', 'àáâãçéêíóôõúü', WESTERN],
  ['it', 'àèéìíîòóù', WESTERN],
  ['ca', 'àçèéíïòóúü', WESTERN],
  ['eu', 'ñçü', WESTERN],
  ['nl', 'áäéèêëïíóöüú', WESTERN],
  ['sv', 'åäöéàü', WESTERN],
  ['da', 'æøåéäö', WESTERN],
  ['no', 'æøåéòôäó', WESTERN],
  ['fi', 'äöåšž', LATIN_9],
  ['is', 'áðéíóúýþæö', WESTERN],
  ['sq', 'çë', WESTERN],
  ['et', 'äõöüšž', `${LATIN_9} ${BALTIC}`],
  ['lt', 'ąčęėįšųūž', BALTIC],
  ['lv', 'āčēģīķļņōŗšūž', BALTIC],
  ['pl', 'ąćęłńóśźż', CENTRAL],
  ['cs', 'áčďéěíňóřšťúůýž', CENTRAL],
  ['sk', 'áäčďéíĺľňóôŕšťúýž', CENTRAL],
  ['hu', 'áéíóöőúüű', CENTRAL],
  ['ro', 'ăâîşţ', CENTRAL],
  ['hr', 'čćđšž', CENTRAL],
  ['sl', 'čšž', CENTRAL],
  ['tr', 'âçğıîöşüû', 'windows-1254'],
  ['vi', 'àáâèéêíóôùúăđơư\u0300\u0301\u0303\u0309\u0323', 'windows-1258'],
  ['ru', 'абвгдежзийклмнопрстуфхцчшщъыьэюяё', `${OLD_CYRILLIC} koi8-r`],
  ['bg', 'абвгдежзийклмнопрстуфхцчшщъьюя', `${OLD_CYRILLIC} koi8-r`],
  ['uk', 'абвгдежзийклмнопрстуфхцчшщьюяєіїґ', `${OLD_CYRILLIC} koi8-u`],
  ['sr', 'абвгдежзиклмнопрстуфхцчшђјљњћџ', CYRILLIC],
  ['el', 'άέήίαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώΐΰ', 'windows-1253 iso-8859-7'],
  ['he', 'אבגדהוזחטיךכלםמןנסעףפץצקרשת', 'windows-1255 iso-8859-8'],
  ['ar', 'ءآأؤإئابةتثجحخدذرزسشصضطظعغـفقكلمنهوىيًٌٍَُِّْ', 'windows-1256 iso-8859-6'],
  ['fa', 'آئابتثجحخدذرزسشصضطظعغـفقكلمنهويًُِپچژکگ', 'windows-1256'],
  ['th', 'กขฃคฅฆงจฉชซญฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหอฮะัาำิีึืุูเแโใไๆ็่้๊๋์', 'windows-874'],
]

const NOT_LATIN = /[^\p{Script=Latin}\p{M}]/u

export const languages: readonly Language[] = rows.map(([name, letters, charsets]) => ({
  name,
  letters,
  isLatin: !NOT_LATIN.test(letters),
  charsets: charsets.split(' '),
}))

/** Characters of a script without an alphabet: as many bits as each costs, and those that cost so much. */
export const wideLanguages = ['ja', 'zh-Hans', 'zh-Hant', 'ko'] as const
export type WideLanguage = (typeof wideLanguages)[number]
