/**
 * Road: how machines reach each other. Questions with an answer, which may be lost, doubled or late; and a register of small records
 * that are replaced only by who knows what stands there. Nothing else crosses, and nothing is kept on the way: the sender's own disk is
 * the truth, and whoever needs something asks for it again.
 */

/** What is sent: JSON. */
export type Message = Readonly<Record<string, unknown>>

export interface Road extends AsyncDisposable {
  /** Ask whoever answers at `to`. Rejects with a `NoAnswer` when nobody does in time. */
  ask(to: string, message: Message, timeoutMs: number): Promise<Message>
  /** Answer at a place until the returned function is called. An answer of undefined is none: the question is for somebody else. */
  answerAt(place: string, answer: Answer): () => void
  readonly register: Register
}

export type Answer = (message: Message) => Message | undefined | Promise<Message | undefined>

export interface Entry {
  readonly value: Message
  readonly revision: number
}

/** Nothing is decided by what was read here, which may be old: only by `create` and `replace`. */
export interface Register {
  read(key: string): Promise<Entry | undefined>
  /** The revision, or undefined when there is one already. Rejects when nobody knows whether it was done. */
  create(key: string, value: Message): Promise<number | undefined>
  /** The same for a record whose revision is known; undefined when it has another one by now. */
  replace(key: string, value: Message, revision: number): Promise<number | undefined>
}

export class NoAnswer extends Error {
  override readonly name: string = 'NoAnswer'
}
