/** What a road promises, one sentence a test, run on each. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { NoAnswer } from '../road/road.ts'
import type { Road } from '../road/road.ts'

/** A road of a machine, several on one net; undefined when there is none here, and the test says so. */
type MakeRoads = (t: TestContext) => Promise<((machine: string) => Promise<Road>) | undefined>

export function roadSuite(name: string, make: MakeRoads): void {
  const says = (sentence: string, run: (road: (machine: string) => Promise<Road>) => Promise<void>): void =>
    void test(`${name}: ${sentence}`, { timeout: 30_000 }, async (t) => {
      const road = await make(t)
      if (road !== undefined) await run(road)
    })

  says('a question is answered by whoever answers there, until they do not any more', async (road) => {
    const [one, two] = [await road('one'), await road('two')]
    const end = two.answerAt('place.1', (message) => ({ heard: message['word'] }))
    assert.deepEqual(await asked(one, 'place.1', { word: 'tide' }), { heard: 'tide' })
    end()
    await assert.rejects(one.ask('place.1', {}, 100), NoAnswer)
    await assert.rejects(one.ask('nowhere', {}, 100), NoAnswer)
  })

  says('who says nothing leaves the answer to another', async (road) => {
    const [one, two, three] = [await road('one'), await road('two'), await road('three')]
    two.answerAt('place.2', () => undefined)
    three.answerAt('place.2', async () => await Promise.resolve({ mine: true }))
    assert.deepEqual(await asked(one, 'place.2', {}), { mine: true })
  })

  says('a machine asks itself as it asks others', async (road) => {
    const one = await road('one')
    one.answerAt('place.3', () => ({ own: 1 }))
    assert.deepEqual(await asked(one, 'place.3', {}), { own: 1 })
  })

  says('a record is made once, and replaced by who knows its revision alone', async (road) => {
    const [{ register: one }, { register: two }] = [await road('one'), await road('two')]
    assert.equal(await one.read('record.1'), undefined)
    const first = await one.create('record.1', { by: 'one' })
    assert.ok(first !== undefined)
    assert.equal(await two.create('record.1', { by: 'two' }), undefined)
    const second = await two.replace('record.1', { by: 'two' }, first)
    assert.ok(second !== undefined && second > first)
    assert.equal(await one.replace('record.1', { by: 'one' }, first), undefined)
    assert.deepEqual((await one.read('record.1'))?.value, { by: 'two' })
    assert.equal(await one.replace('record.2', { by: 'one' }, first), undefined, 'there is none to be replaced')
  })

  says('of many that replace one record at once one does', async (road) => {
    const { register } = await road('one')
    const first = (await register.create('record.3', { n: 0 }))!
    const done = await Promise.all(Array.from({ length: 20 }, (_, n) => register.replace('record.3', { n }, first)))
    assert.equal(done.filter((revision) => revision !== undefined).length, 1)
  })
}

/** Who answers may not be heard of at once. */
async function asked(road: Road, place: string, message: Readonly<Record<string, unknown>>): Promise<unknown> {
  for (let tries = 0; tries < 20; tries++) {
    const answer = await road.ask(place, message, 500).catch(() => undefined)
    if (answer !== undefined) return answer
  }
  throw new Error(`${place} did not answer`)
}
