/**
 * The thread that indexes, with a bug, for tests: it is gone at once, without a word, at a page that says "mortal", as a thread
 * is that runs out of memory; and at one that says "fatal", when the work on that page is done.
 */
import { IndexWriter } from '@comity/index'
import type { IndexDocument } from '@comity/index'

// oxlint-disable-next-line typescript/unbound-method -- they are called as the methods that they are.
const { put, commit } = IndexWriter.prototype
let isFatal = false

IndexWriter.prototype.put = function (this: IndexWriter, document: IndexDocument): void {
  if (document.text.includes('mortal')) process.exit(1)
  isFatal ||= document.text.includes('fatal')
  Reflect.apply(put, this, [document])
}
IndexWriter.prototype.commit = function (this: IndexWriter, position: number): void {
  if (isFatal) process.exit(1)
  Reflect.apply(commit, this, [position])
}

await import('../indexing/indexing-worker.ts')
