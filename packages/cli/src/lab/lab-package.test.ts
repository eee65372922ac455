/** Whoever calls the lab without having it is told how to get it; any other fault is told as it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labPackage } from './lab-package.ts'
import { UsageError } from '../usage-error.ts'

const missing = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /somewhere/lab-package.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  })

test('where the lab is installed it is loaded', async () => {
  assert.ok((await labPackage()).EXPERIMENTS.length > 0)
})

test('a lab that is not installed is asked for by a line that can be typed', async () => {
  await assert.rejects(
    labPackage(() => Promise.reject(missing('@comity/lab'))),
    (error: unknown) => error instanceof UsageError && /npm install @comity\/lab@\d+\.\d+\.\d+/.test(error.message),
  )
})

test('a part of the lab that is missing is no lab that is not installed', async () => {
  const fault = missing('@observablehq/plot')
  await assert.rejects(
    labPackage(() => Promise.reject(fault)),
    (error: unknown) => error === fault,
  )
})
