import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FILE_LETTERS, FrameSums, newFileName } from './frame-sums.ts'

const bytes = fc.uint8Array({ maxLength: 200 })

test('a sum says whether its frame is sealed, of bytes and of the same as text', () => {
  const sums = new FrameSums('one')
  for (const isSealed of [true, false]) {
    assert.equal(sums.sealOf(Buffer.from('é\n'), sums.of('é\n', isSealed)), isSealed)
    assert.equal(sums.sealOf('é\n', sums.of(Buffer.from('é\n'), isSealed)), isSealed)
  }
})

test('a frame of which a byte is another, or that is of another file, has no seal', () => {
  const [one, other] = [new FrameSums(newFileName()), new FrameSums(newFileName())]
  const changed = fc.tuple(bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean())
  fc.assert(
    fc.property(changed, ([frame, at, by, isSealed]) => {
      const sum = one.of(frame, isSealed)
      const isOther = other.sealOf(frame, sum) === undefined
      if (frame.length === 0) return isOther
      const spoilt = frame.with(at % frame.length, frame[at % frame.length]! ^ by)
      return isOther && one.sealOf(spoilt, sum) === undefined
    }),
  )
})

test('no two files have one name, and all have as many letters', () => {
  const names = Array.from({ length: 100 }, newFileName)
  assert.equal(new Set(names).size, 100)
  for (const name of names) assert.match(name, new RegExp(`^[0-9a-f]{${FILE_LETTERS}}$`, 'u'))
})
