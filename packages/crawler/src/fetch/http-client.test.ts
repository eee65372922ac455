import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as undici from 'undici'
import { Client } from './http-client.ts'

test('the client is the one that undici exports', () => assert.equal(Client, undici.Client))
