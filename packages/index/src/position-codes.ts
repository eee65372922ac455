/**
 * The codes that positions are written in, as data; `position-codec.ts` says how they are used. Made once: gaps of six
 * manuals (those of bench/index-sets.ts, each with the same weight) were counted by context, contexts with like counts
 * joined until 64 were left, and for each the best prefix code of at most 11 bits taken. They are a part of the format of
 * segments and must not change.
 */

/** A letter for each code. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-'

/** A line for each mean gap, in it the code of each context. */
const CONTEXTS = `
  ABCCACDEFDDGHDGHIGJIGJIKLMKLMKNMONMONMONMONPQNPQRPSRPSRPSRPSRPSRPSRPS
  ABCCACDEFDDGDDGHIGJIGJIKLMKLMKNMONMONMONMONPQNPQRPSRPSRPSRPSRPSRPSRPS
  ABCCACDEFDDGDDGDDGHIGJIGLMKLMKNMONMONMONMONPQNPQRPSRPSRPSRPSRPSRPSRPS
  AACCACDEFHIGHIGHIGHIGHIGJMGTMGLMONMONMONPONPQNPQRPSRPSRPSRPSRPSRPSRPS
  ABCCACDEFTIGJIGJIGJIGJMGJMGTMGLMGNMONMONPONPQNPQRPSRPSRPSRPSRPSRPSRPS
  AACCACDEFTUKLIKLVKLMKWMKWMKWMKNPKXPOXPOXPQYPQYPQYZQYZSYZSRZSRZSRZSRZS
  abCCACDEFTUONVONVOXMcXMcXPcXBcXZcXZOdZOdZQYZQeZSeZQRZSRZSRZSRZSRZSRZS
  ffagAgDEFRUORVORhOXPiYPjdZjdbjdZjdZjdZjeZQeZSeZSeZSeZSeZSRZSRZSRZSRZS
  kklaaaDEFRUSRhSRhQRPQYPmeZnopnoZnoZnoZnoZqoZSoZSoZrRZrRZrRZrRZrRZrRZr
  sstkkkDEFRUSRhSRhSRPquPqeZqvploZloZloZloZqoZqoZruZruZruZruZrRZrRZrRZr
  wwxsssDEFRUSRhrRhruPruPyvZyvvtvZtvZtvZtvZtvZtvZruZruZruZruZruZruZruZr
  zzxwwwDEFuhruhruhruPruP0uZy1121ZxvZxvZxvZxvZ2vZ2uZruZ0uZ0uZ0uZ0uZ0uZ0
  3343z3DEFuh5uh5uh5uP5uP0uZ01141Z41Z41Z41Z41Z41Z21Z01Z0uZ01Z01Z01Z01Z0
  667666DEFuh5uh5uh5uP5uP0uP01101Z41Z41Z41Z41Z41Z41Z08Z08Z58Z58Z58Z58Z5
  779777EEFuh5uh5uh5uP5uP5uP81181181Z81Z81Z81Z81Z88Z88Z88Z80Z58Z58Z88Z8
  97+969EEFhh5uh5uh5uP5uP5uP81181181P81Z81Z81Z81Z88Z88Z88Z88Z88Z88Z88Z8
  +7-+6+EEFhh5uh5uP5uP5uP5u181181181181Z81Z++Z++Z+8Z+8Z++Z++Z+8Z88Z88Z8
  -7+-6-EEFhh5uh5uh5uP5uP5u181181181181Z81Z81Z+8Z+8Z++Z++Z++Z88Z88Z88Z8
  -7+-6-EEFhh5uh5uh5uP5uP5u181181181181Z81Z81Z+8Z+8Z+8Z++Z++Z+8Z88Z88Z8
  -7+-6-EEFhh5uh5uh5uP5uP5u181181181181Z81Z81Z+8Z+8Z+8Z++Z++Z+8Z88Z88Z8
  -7+-6-EEFhh5uh5uh5uP5uP5u181181181181Z81Z81Z+8Z+8Z+8Z++Z++Z+8Z88Z88Z8
`

/** A line for each code, in it the number of bits of each symbol, to base 36. */
const LENGTHS = `
  bbbbbbbbbbbb333457899abbbbbbbbbbbbbbbbbb1
  ba8877666655334679aaabbbbbbbbbbbbbbbbbbb1
  899aabbbbbbb222446688aabbbbbbbbbbbbbbbbb4
  33333457899b9bbbbbbbbbbbbbbbbbbbbbbbbbbb2
  544434477abbbbbbbbbbbbbbbbbbbbbbbbbbbbbb1
  322334577bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
  65443333344657799bbbbbbbbbbbbbbbbbbbbbbbb
  65443334456779aabbbbbbbbbbbbbbbbbbbbbbbb2
  8655444445576899bbbbbbbbbbbbbbbbbbbbbbbb1
  8744343334466899bbbbbbbbbbbbbbbbbbbbbbbb3
  75554433343445578bbbbbbbbbbbbbbbbbbbbbbbb
  76554433344545678abbbbbbbbbbbbbbbbbbbbbb3
  a877654444455667899babbbbbbbbbbbbbbbbbbb1
  86554434344445567889bbbbbbbbbbbbbbbbbbbb3
  655544343444454556689bbbbbbbbbbbbbbbbbbbb
  a98866554555555656666778899a9abbbbbbbbbb1
  7665443444444545455667899bbbbbbbbbbbbbbbb
  6555444445555556566667788abbbbbbbbbbbbbb2
  6544444445454545555556688bbbbbbbbbbbbbbbb
  644544444445467888aabbbbbbbbbbbbbbbbbbbb2
  65665655565636676778898aababbbbbbbbbbbbb1
  976545555555455778899abbbbbbbbbbbbbbbbbb1
  97654444333445679abbbbbbbbbbbbbbbbbbbbbb3
  966655443434444567799abbbbbbbbbbbbbbbbbb3
  8777664434454545566778899abbbbbbbbbbbbbb2
  a99888776655555545555667789a9abbbbbbbbbb1
  bbbbbbbbbbbb443224466779bbbbbbbbbbbbbbbb4
  bba997776666454345688abbbbbbbbbbbbbbbbbb1
  7666554433343445678aabbbbbbbbbbbbbbbbbbbb
  977766554434344445678abbbbbbbbbbbbbbbbbb3
  8776665545444545455557799abbbbbbbbbbbbbb2
  9bbbbbbbbbbb77512567899bbbbbbbbbbbbbbbbb3
  bbbbbbbbbbbb422334577abbbbbbbbbbbbbbbbbb4
  87654556566656665666677778898bbbbabbbbbb1
  7666443434444445556789abbbbbbbbbbbbbbbbbb
  7666554444343444456789abbbbbbbbbbbbbbbbbb
  bbbbbbbbbbbb55343324466779ababbbbbbbbbbb4
  8777665545454444443445678bbbbbbbbbbbbbbbb
  97665544344444444546678aabbbbbbbbbbbbbbbb
  87665545444444344446679aabbbbbbbbbbbbbbbb
  8777665545444444444556799abbbbbbbbbbbbbb3
  bbb99777676656554444577a9bbbbbbbbbbbbbbb1
  7766554444444544444556688bbbbbbbbbbbbbbbb
  655544444545555555555555566889abbbbbbbbbb
  bbbbbbbbbbbb55443333344779aabbbbbbbbbbbb5
  87776655555545444444344678abbbbbbbbbbbbbb
  8766554434565666666656666767789aaabbbbbb2
  9887666656565555454444466899bbbbbbbbbbbb2
  bbbbbbbbbbbb7655443423355799bbbbbbbbbbbb6
  87776666565655554544343446789bbbbbbbbbbbb
  876655553444455555454555578aabbbbbbbbbbbb
  bbbbbbbbbbbb8866554433234799bbbbbbbbbbbb4
  766655443445565656555555555667799bbbbbbbb
  988767665666665655554544455667889babbbbb2
  77665555455545554544444556679bbbbbbbbbbbb
  bbbbbbbbbbbb77665544342335678abbbbbbbbbb7
  7777665655565656555544443445679aabbbbbbbb
  6555444434566667666666565555566778abbbbbb
  bbbbbbbbbbbb88776655443423366789bbbbbbbb6
  bbbbbbbbbbbb9a89776655443323466789bbbbbb6
  76675555455666666666565545444446678abbbba
  bbbbbbbbbbbbab999977665544332345678bbbbb9
  989a88766778898888887766554434333459bbbba
  bbbbbbbbbbbbbbbbab999987765544333237bbbbb
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
