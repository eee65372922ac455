/**
 * Prelude: the first program in a sandbox, before the agent's. It makes the `agent` object out of one function of the host,
 * and takes away what would make two runs differ: there is no `Date` (the context is made without), no `Math.random`, no
 * memory shared with anybody. It keeps the functions it needs for itself, so that an agent which replaces `JSON.parse` or
 * the like harms nobody but itself.
 *
 * It is a text because it runs elsewhere: in QuickJS, where nothing of this process is known.
 */
import { MAX_RECORD_CHARS } from '../bundle/record.ts'

/** A script whose value is a function of (host, bytesOf) that gives { describe, run, hasRoom }. */
export const PRELUDE: string = `'use strict';
(host, bytesOf) => {
  const { parse, stringify } = JSON
  const { freeze } = Object
  const Buffer = ArrayBuffer
  const isFunction = (value) => typeof value === 'function'
  delete Math.random
  delete globalThis.SharedArrayBuffer

  const FLUSH_UNITS = 65536
  let lines = ''
  const flush = () => {
    const text = lines
    lines = ''
    if (text !== '') host('put', text)
  }
  const put = (kind, text) => {
    lines += text.length > ${MAX_RECORD_CHARS} ? 'x\\n' : kind + text + '\\n'
    if (lines.length >= FLUSH_UNITS) flush()
  }
  const ask = (question, argument) => parse(host(question, stringify(argument === undefined ? null : argument)))
  const urlOf = (page) => '' + (typeof page === 'object' && page !== null ? page.url : page)
  // Of the page handed out last, what was remembered.
  let recent = { url: null, previous: null }
  function* batches(question) {
    for (let from = 0; ; ) {
      const batch = ask(question, from)
      if (batch.length === 0) return
      for (let i = 0; i < batch.length; i++) yield batch[i]
      from += batch.length
    }
  }

  const agent = freeze({
    *pages() {
      for (const row of batches('pages')) {
        const page = freeze(row[0])
        if (row.length > 1) recent = { url: page.url, previous: row[1] }
        yield page
      }
    },
    gone: () => batches('gone'),
    read: (page) => ask('text', urlOf(page)),
    html: (page) => ask('html', urlOf(page)),
    bytes(page) {
      const buffer = bytesOf(stringify(urlOf(page)))
      return buffer === null ? null : new Uint8Array(buffer)
    },
    log: () => ask('log'),
    previous(page) {
      const url = urlOf(page)
      return recent.url === url ? recent.previous : ask('previous', url)
    },
    remember: (page, value) => put('r', stringify([urlOf(page), value === undefined ? null : value])),
    emit: (record) => put('e', stringify(record === undefined ? null : record) || 'null'),
    note: (text) => put('n', stringify('' + text)),
    digest: (text) => parse(host('digest', stringify('' + text))),
  })

  const refusePromise = (value) => {
    if (value !== null && typeof value === 'object' && isFunction(value.then))
      host('bad-program', 'an agent must not be asynchronous: its function gave a promise')
  }
  const run = (exports, perPage) => {
    const entry = perPage ? exports.onPage : exports.default
    if (!isFunction(entry)) host('bad-program', 'it must export a function ' + (perPage ? 'onPage(page, agent)' : 'default (agent)'))
    if (!perPage) refusePromise(entry(agent))
    else {
      for (const page of agent.pages()) refusePromise(entry(page, agent))
      if (isFunction(exports.onGone)) for (const url of agent.gone()) refusePromise(exports.onGone(url, agent))
    }
    flush()
  }
  const describe = (exports) => {
    const manifest = exports.manifest
    const isRunnable = isFunction(exports.onPage) || isFunction(exports.default)
    if (!isRunnable) host('bad-program', 'it exports neither a function onPage(page, agent) nor a default function (agent)')
    return manifest === undefined ? 'null' : stringify(manifest)
  }
  /** Asked before the host hands something over: there, nobody would notice that memory is used up. */
  const hasRoom = (bytes) => {
    try {
      new Buffer(bytes)
      return true
    } catch {
      return false
    }
  }
  return { describe, run, hasRoom }
}`
