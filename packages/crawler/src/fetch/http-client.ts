/**
 * The client of undici, without the rest of it: to import all of undici, with its `fetch`, its caches and its mocks, takes half of
 * the time that any command that crawls needs to begin. A test holds it beside the one that it exports.
 */
import { createRequire } from 'node:module'
import type * as undici from 'undici'

const load = createRequire(import.meta.url)
export const Client: typeof undici.Client = load('undici/lib/dispatcher/client.js')
