/**
 * The codes that positions are written in, as data; `format/position-codec.ts` says how they are used. Made once by
 * `position-training.ts` from the gaps of six manuals, those of `bench/index/sets.ts`. They are a part of the format of
 * segments and must not change.
 */

/** A letter for each code. */
export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-'

/** A line for each mean gap, in it the code of each context. */
const CONTEXTS = `
  ABCDADEFGEEHIEHIFHJFHJKLMKLMNOMNOPNOPNQPNRPSRPSRTSRTSRTSRTSRTSRTSRTSR
  ABCDADEFGEEHEEHIFHJFHJKLMKLMNOMNOPNOPNQPNRPSRPSRTSRTSRTSRTSRTSRTSRTSR
  ABCCADEFGEEHEEHEEHIFHJKHMKLMNOMNOPNOPNQPNRPSRPSRTSRTSRTSRTSRTSRTSRTSR
  CACCADEEGUFHIFHIFHIFHIKHJNHUKHMNOPNOPNQPNRPSRPSRTSRTSRTSRTSRTSRTSRTSR
  ABCCADEFGUVHJFHJFHJKHJKHJNHUNHMNHPNOPNQPWRPSRPSRPSRTSRTSRTSRTSRTSRTSR
  AADCADEXGUVOMVLMVLMNLYNLZNLPNLPWLPWOPWRPWRaWRaWRaWRaWRaWRTWRTWRTWRTWR
  bADDADEFGTVOPVOPVOPNcPNcdWcdBcdWcdWQeWReWRaWRfWRfWgfWgfWgfWgfWgfWgfWg
  hhbiAiEFGTVRTVRTXQPSQaWjeWjeWjeWjeWjeWRfkRfkRfkgfkgfkgfkgfklfklfklfkl
  mmnbbbEFGTXRTXRTXRoSpaWqfWrskrskrskrskrfkgfkgfklfkloklokloklokloklokl
  ttummmEFGTXloXloXloSgoSgfknvknsknsknsknsknvkgoklokloklokloklokloklokl
  wwxtttEFGoXloXloXloSloSyvkzvkzvkuvkuvkuvkzvkzvkloklok0ok0ok0ok0ok0ok0
  11xwwwEFGoX2oX2oXloS0oS03ky33y3kxvkxvkxvkxvkyvkyok0ok0ok0ok0ok0ok0ok0
  445414EFGoX2oX2oX2oS0oS03S03353k53k53k53k53k53ky3k03k03k03k03k03k03k0
  667666EFGoX2oX2oS2oS8oS83S03353S53k53k53k53k53k53k25k28k88k88k88k88k8
  777767EFGSS23S8SS8oS83S83S83383S83S83k83k83k83k83k85k85k85k88k88k88k8
  96+969EFGSS23S8SS8SS8SS83S83383383S83k83k+3k+3k++k+8k+8k88k88k88k88k8
  -6--6-XFGSS83S8SS8oS8SS83S83383383S83S+3k++k++k++k++k++k++k++k8+k++k+
  -6--6-XFGSS83S8SS8SS8SS83S83383383S83S+3k+3k++k++k++k++k++k++k8+k8+k8
  -6--6-XFGSS83S8SS8SS8SS83S83383383S83S+3k+3k++k++k++k++k++k++k8+k8+k8
  -6--6-XFGSS83S8SS8SS8SS83S83383383S83S+3k+3k++k++k++k++k++k++k8+k8+k8
  -6--6-XFGSS83S8SS8SS8SS83S83383383S83S+3k+3k++k++k++k++k++k++k8+k8+k8
`

/** A line for each code, in it the number of bits of each symbol, to base 36. */
const LENGTHS = `
  bbbbbbbbbbbb333457899abbbbbbbbbbbbbbbbbb1
  ba8877666655334679aaabbbbbbbbbbbbbbbbbbb1
  89abbbbbbbbb22245889abbbbbbbbbbbbbbbbbbb3
  9aaaabbbbbbb322336678aabbbbbbbbbbbbbbbbb4
  33333457899b9bbbbbbbbbbbbbbbbbbbbbbbbbbb2
  76544444466769aabbbbbbbbbbbbbbbbbbbbbbbb1
  322334577bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
  65443333344657799bbbbbbbbbbbbbbbbbbbbbbbb
  8643333446789abbbbbbbbbbbbbbbbbbbbbbbbbb2
  8744343334466899bbbbbbbbbbbbbbbbbbbbbbbb3
  a86545443556789abbbbbbbbbbbbbbbbbbbbbbbb1
  75554434333445578bbbbbbbbbbbbbbbbbbbbbbbb
  76554433344545678abbbbbbbbbbbbbbbbbbbbbb3
  a877654444455667899babbbbbbbbbbbbbbbbbbb1
  7555443434344456678aabbbbbbbbbbbbbbbbbbbb
  866544443434455667889abbbbbbbbbbbbbbbbbb3
  7665443434444445566789abbbbbbbbbbbbbbbbbb
  65554444444444454556689aabbbbbbbbbbbbbbbb
  a9886654455656566667677778888899aabbbbbb1
  655544444555455656677899bbbbbbbbbbbbbbbb2
  64444434445657799abbbbbbbbbbbbbbbbbbbbbb2
  755545555556466778898abbbbbbbbbbbbbbbbbb1
  a9887766455545455667778abbbbbbbbbbbbbbbb1
  765545565666566666666778799aaabbbbbbbbbb1
  976655442334566889aabbbbbbbbbbbbbbbbbbbb3
  97655544432345679abbbbbbbbbbbbbbbbbbbbbb4
  8777664434454545566778899abbbbbbbbbbbbbb2
  bbbbbbbbbbbb443224466779bbbbbbbbbbbbbbbb4
  7666554433343445678aabbbbbbbbbbbbbbbbbbbb
  a876654434343446688abbbbbbbbbbbbbbbbbbbb3
  977766554434344445678abbbbbbbbbbbbbbbbbb3
  8776665545444545455557799abbbbbbbbbbbbbb2
  76665544344545454545556788abbbbbbbbbbbbbb
  9bbbbbbbbbbb77512567899bbbbbbbbbbbbbbbbb3
  bbbbbbbbbbbb422334577abbbbbbbbbbbbbbbbbb4
  7666554444343444456789abbbbbbbbbbbbbbbbbb
  baa998776766565545455557789aabbbbbbbbbbb1
  655544444545455555554556688aabbbbbbbbbbbb
  bbbbbbbbbbbb55343324466779ababbbbbbbbbbb4
  8766565545444444444445678bbbbbbbbbbbbbbbb
  76554544455656565656566668789abbbbbbbbbb2
  7666553434444545455567899bbbbbbbbbbbbbbbb
  97665544344444444546678aabbbbbbbbbbbbbbbb
  87665545444444344446679aabbbbbbbbbbbbbbbb
  8777665545444444444556799abbbbbbbbbbbbbb3
  bbbbbbbbbbbb55443333344779aabbbbbbbbbbbb5
  87776655555555454434344678abbbbbbbbbbbbbb
  9887666655555555454445466899bbbbbbbbbbbb2
  bbbbbbbbbbbb7655443423355799bbbbbbbbbbbb6
  87776666565655554544343446789bbbbbbbbbbbb
  87665655444545554545444556789bbbbbbbbbbbb
  776655554545454544444546688aabbbbbbbbbbbb
  7666554434455556565555555556779aabbbbbbbb
  bbbbbbbbbbbb8866554433234799bbbbbbbbbbbb4
  5445454445565666665655554556679aabbbbbbbb
  988767665656565655555544455667889babbbbb2
  bbbbbbbbbbbb77665544342335678abbbbbbbbbb7
  7777665555565656565544443445679aabbbbbbbb
  bbbbbbbbbbbb88776655443423366789bbbbbbbb6
  bbbbbbbbbbbb9a89876655443323456789bbbbbb8
  7766554434566666666666555545455678abbbbbb
  bbbbbbbbbbbbab999977665544332345678bbbbb9
  87776665556777777767666655454434346abbbba
  bbbbbbbbbbbbbbbbab998866555534333337bbbbb
`

export const CODES_BY_CONTEXT: readonly number[] = linesOf(CONTEXTS).flatMap((line) =>
  Array.from(line, (letter) => LETTERS.indexOf(letter)),
)

export const CODE_LENGTHS: readonly (readonly number[])[] = linesOf(LENGTHS).map((line) =>
  Array.from(line, (digit) => Number.parseInt(digit, 36)),
)

function linesOf(text: string): string[] {
  return text.trim().split(/\s+/)
}
