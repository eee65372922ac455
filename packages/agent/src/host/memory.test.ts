import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AgentMemory } from './memory.ts'

test('what was written is read back', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.webUrl(), fc.json()), (values) => {
      const normal = Object.entries(values).map(([url, json]) => [url, JSON.stringify(JSON.parse(json))] as const)
      const memory = new AgentMemory(new Map(normal))
      const read = AgentMemory.read(memory.write())
      assert.equal(read?.write(), memory.write())
      assert.equal(read?.bytes, memory.bytes)
      for (const [url, json] of normal) assert.equal(read?.get(url), json)
    }),
  )
})

test('a draft reads what was before, and counts what will be', () => {
  const memory = new AgentMemory(new Map([['https://a.example/', '1']]))
  const draft = memory.draft()
  draft.set('https://a.example/', '22')
  draft.set('https://a.example/b', '333')
  assert.equal(draft.get('https://a.example/'), '1')
  assert.equal(draft.bytes, 18 + 2 + 19 + 3)
  draft.forget('https://a.example/b')
  draft.forget('https://a.example/none')
  assert.equal(draft.bytes, 18 + 2)
  assert.equal(draft.kept().get('https://a.example/'), '22')
  assert.equal(memory.get('https://a.example/'), '1')
})

test('what is no memory is not read as one', () => {
  for (const text of ['x', '{}', '["a"]', '[1,2]', '["a",1,2]']) assert.equal(AgentMemory.read(text), undefined, text)
  assert.equal(AgentMemory.read('')?.size, 0)
})
