import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declarations } from '../testing/declaration-fixture.ts'
import { encodeLegacy } from '../testing/legacy-encoder.ts'
import { byteReadings, bytePairs, costOfPairs } from './byte-readings.ts'
import { decodeAs } from './decoders.ts'
import { languages, wideLanguages } from './languages.ts'
import { classCount, letterClasses } from './letter-classes.ts'
import { wideCosts } from './letter-costs.ts'
import { letterModels, wideModel } from './letter-model.ts'
import { textSample } from './text-sample.ts'

test('every letter of a language can be written in a charset of it, and stands there once', () => {
  for (const { name, letters, charsets } of languages) {
    assert.equal(new Set(letters).size, Array.from(letters).length, name)
    for (const letter of letters) {
      assert.equal(letter.normalize('NFC'), letter, name)
      assert.ok(
        charsets.some((charset) => encodeLegacy(letter, charset).length === 1),
        `${name} ${letter}`,
      )
    }
  }
})

test('every charset of a language is one, of one byte a character', () => {
  for (const charset of new Set(languages.flatMap(({ charsets }) => charsets)))
    assert.equal(decodeAs(charset, Uint8Array.of(0x41, 0xfe)).length, 2, charset)
})

test('the costs are of these languages: some for each pair of classes, and each following must come of something', () => {
  for (const { language, size, costs } of letterModels()) {
    assert.equal(size, classCount(language), language.name)
    assert.equal(Math.max(...letterClasses(language).values()), size - 2, language.name)
    assert.equal(costs.length, size * size, language.name)
    // To a language of another script a to z are one letter, which it can spare.
    for (let before = language.isLatin ? 0 : 2; before < size - 1; before++) {
      const chance = costs.subarray(before * size, (before + 1) * size).reduce((sum, bits) => sum + 2 ** -bits, 0)
      assert.ok(chance > 0.4 && chance < 2.5, `${language.name} ${before}: ${chance}`)
    }
  }
})

/** Bytes of words with other letters than a to z. */
const ENOUGH = 100

test('a text costs least in its own language', () => {
  const readings = byteReadings().filter(({ isVisual }) => !isVisual)
  const found = declarations.flatMap(([name, charsets, text]) => {
    const charset = charsets.split(' ', 1)[0]!
    const able = readings.filter((reading) => reading.charset === charset)
    const { words } = textSample(encodeLegacy(text, charset))
    if (words.length < ENOUGH || !able.some(({ model }) => model.language.name === name)) return []
    const costs = able.map((reading) => ({
      language: reading.model.language.name,
      bits: costOfPairs(reading, bytePairs(words), Infinity) - reading.start,
    }))
    return [[name, costs.toSorted((a, b) => a.bits - b.bits)[0]!.language]]
  })
  assert.ok(found.length >= 25, `${found.length} languages`)
  for (const [name, cheapest] of found) assert.equal(cheapest, name)
})

test('the commonest characters cost less than all others, each once', () => {
  assert.equal(wideCosts.length, wideLanguages.length)
  for (const language of wideLanguages) {
    const model = wideModel(language)
    assert.equal(model.size, 300, language)
    assert.ok(
      model.values().every((bits) => bits >= 4 && bits <= 12),
      language,
    )
  }
})
