import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { UploadState } from './delivery-worker-row.ts'
import { httpPost, PostError } from '../post.ts'
import type { PostAnswer } from '../post.ts'
import { UploadReceiver } from '../testing/upload-receiver-fixture.ts'
import { upload } from './upload.ts'

const post = httpPost({ allowPrivate: true })
const bytesOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, i) => (i * 31) % 251))

/** One sender, with what it saved. */
class Sender {
  readonly body: Buffer
  state: UploadState | undefined

  constructor(body: Buffer) {
    this.body = body
  }

  async send(address: string, partBytes = 100): Promise<PostAnswer> {
    const content = { type: 'application/zip', body: this.body, headers: [] }
    const save = async (state: UploadState | undefined): Promise<void> => void (this.state = state)
    return await upload({ post, address, isOwners: false, content, state: this.state, save, partBytes })
  }

  /** As often as it is cut. */
  async sendUntilTaken(address: string, partBytes?: number): Promise<PostAnswer> {
    for (let tries = 0; tries < 50; tries++) {
      try {
        return await this.send(address, partBytes)
      } catch (error) {
        assert.ok(error instanceof PostError, String(error))
      }
    }
    throw new Error('never taken')
  }
}

test('a body goes in parts, and the last answer is the one that counts', async () => {
  await using receiver = await UploadReceiver.listen()
  const sender = new Sender(bytesOf(250))
  const answer = await sender.send(receiver.url)
  assert.equal(answer.status, 200)
  assert.deepEqual(receiver.requests, ['OPTIONS /push', 'POST /push', 'PATCH /uploads/1', 'PATCH /uploads/1'])
  assert.deepEqual(receiver.taken, [sender.body])
})

test('a receiver that knows nothing of parts gets it in one request', async () => {
  await using receiver = await UploadReceiver.listen()
  receiver.behaviour.limits = undefined
  const sender = new Sender(bytesOf(250))
  assert.equal((await sender.send(receiver.url)).status, 200)
  assert.deepEqual(receiver.requests, ['OPTIONS /push', 'POST /push'])
  assert.deepEqual(receiver.taken, [sender.body])
})

test('what is cut goes on where it was, also for a sender that was started anew', async () => {
  await using receiver = await UploadReceiver.listen()
  receiver.behaviour.cuts = [40, Infinity]
  const sender = new Sender(bytesOf(250))
  await assert.rejects(sender.send(receiver.url, 1_000), PostError)
  assert.ok(sender.state)
  const second = new Sender(sender.body)
  second.state = JSON.parse(JSON.stringify(sender.state))
  assert.equal((await second.send(receiver.url, 1_000)).status, 200)
  assert.deepEqual(receiver.requests, ['OPTIONS /push', 'POST /push', 'HEAD /uploads/1', 'PATCH /uploads/1'])
  assert.deepEqual(receiver.taken, [sender.body])
})

test('without a 104 the place is learnt from the answer to the first part', async () => {
  await using receiver = await UploadReceiver.listen()
  receiver.behaviour.isSilent = true
  receiver.behaviour.cuts = [Infinity, 30]
  const sender = new Sender(bytesOf(250))
  assert.equal((await sender.sendUntilTaken(receiver.url)).status, 200)
  assert.deepEqual(receiver.taken, [sender.body])
  assert.equal(receiver.requests.filter((line) => line.startsWith('POST')).length, 1)
})

test("the receiver's limits are kept, and a body that is too large is not sent at all", async () => {
  await using receiver = await UploadReceiver.listen()
  receiver.behaviour.limits = { maxSize: 300, maxAppendSize: 60 }
  const sender = new Sender(bytesOf(250))
  assert.equal((await sender.send(receiver.url)).status, 200)
  assert.equal(receiver.requests.filter((line) => line.startsWith('PATCH')).length, 4)
  const larger = new Sender(bytesOf(301))
  assert.equal((await larger.send(receiver.url)).status, 413)
  assert.equal(receiver.requests.at(-1), 'OPTIONS /push')
})

test('an upload that the receiver has forgotten is begun anew', async () => {
  await using receiver = await UploadReceiver.listen()
  receiver.behaviour.cuts = [40]
  const sender = new Sender(bytesOf(250))
  await assert.rejects(sender.send(receiver.url), PostError)
  receiver.forgetAll()
  assert.equal((await sender.send(receiver.url)).status, 200)
  assert.deepEqual(receiver.taken, [sender.body])
  assert.equal(receiver.requests.filter((line) => line.startsWith('POST')).length, 2)
})

test('other bytes are never appended to what was begun: that is taken back', async () => {
  await using receiver = await UploadReceiver.listen()
  receiver.behaviour.cuts = [40]
  const sender = new Sender(bytesOf(250))
  await assert.rejects(sender.send(receiver.url), PostError)
  const changed = new Sender(Buffer.alloc(250, 7))
  changed.state = sender.state
  assert.equal((await changed.send(receiver.url)).status, 200)
  assert.deepEqual(receiver.taken, [changed.body])
  assert.ok(receiver.requests.includes('DELETE /uploads/1'))
  assert.equal(receiver.open, 0)
})

test('an answer that was lost is asked for once more', async () => {
  await using receiver = await UploadReceiver.listen()
  const sender = new Sender(bytesOf(90))
  assert.equal((await sender.send(receiver.url)).status, 200)
  assert.ok(sender.state)
  assert.equal((await sender.send(receiver.url)).status, 200)
  assert.deepEqual(receiver.requests.slice(2), ['HEAD /uploads/1', 'PATCH /uploads/1'])
  assert.equal(receiver.taken.length, 1)
})

test('what the receiver says of the whole is the answer, also when it is no', async () => {
  await using receiver = await UploadReceiver.listen()
  receiver.behaviour.answers = [422]
  assert.equal((await new Sender(bytesOf(250)).send(receiver.url)).status, 422)
})

test('nobody is led to another origin', async () => {
  await using receiver = await UploadReceiver.listen()
  await using other = await UploadReceiver.listen()
  receiver.behaviour.place = () => `${new URL(other.url).origin}/uploads/9`
  await assert.rejects(new Sender(bytesOf(250)).send(receiver.url), /does not say where the upload goes on/)
  assert.deepEqual(other.requests, [])
})

test('wherever it is cut and however large the parts are, what arrives is what was sent, and little is sent twice', async () => {
  const cuts = fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 1, max: 300 }),
      cuts,
      async (length, part, given) => {
        await using receiver = await UploadReceiver.listen()
        receiver.behaviour.cuts = [...given]
        const sender = new Sender(bytesOf(length))
        const answer = await sender.sendUntilTaken(receiver.url, Math.max(part, Math.ceil(length / 40)))
        assert.equal(answer.status, 200)
        assert.deepEqual(receiver.taken, [sender.body])
      },
    ),
    { numRuns: 60 },
  )
})
