/**
 * The pushed schemes of 002 Table 6.2, each in the forms that our sites and receiver have. All of them are made and sent by
 * the delivery worker of the site and taken in as the crawler takes in what it is sent; a form says what is sent, by which endpoint it
 * comes, and when.
 */
import type { PushScheme, Subscriber } from '@comity/site'
import type { FormFacts } from './pulled.ts'
import { SENT } from '../../cooperating/rows.ts'

/** Programs of examples/agents. */
export type AgentName = 'visible-text-change' | 'partial-index'

/** `each period`: as often as the others are polled; `agent`: as often as the agent is run. */
type PushTime = 'at once' | 'hourly' | 'daily' | 'each period' | 'agent'

export interface PushTerms {
  readonly scheme: PushScheme
  /** A subscription (HMAC, nothing packed), a push address (signed with the site's key, packed), or IndexNow. */
  readonly by: Subscriber['by']
  readonly when: PushTime
  readonly agent?: AgentName | undefined
}

export interface PushedForm extends FormFacts {
  readonly kind: 'pushed'
  readonly push: PushTerms
}

function form(
  facts: Omit<FormFacts, 'site'>,
  scheme: PushScheme,
  by: Subscriber['by'] = 'websub',
  when: PushTime = 'at once',
  agent?: AgentName,
): PushedForm {
  return { kind: 'pushed', ...facts, site: { door: 'helping' }, push: { scheme, by, when, agent } }
}

export const PUSHED_FORMS: readonly PushedForm[] = [
  form(
    {
      id: 'push-changes',
      name: 'notice',
      about: 'a change notification, then GET',
      row: SENT.metaData,
      isPapers: true,
      isStaleShown: true,
    },
    'changes',
  ),
  form(
    {
      id: 'push-indexnow',
      name: 'notice, IndexNow',
      about: 'addresses by IndexNow, then GET',
      row: SENT.metaData,
      isSeldom: true,
    },
    'changes',
    'indexnow',
  ),
  form(
    {
      id: 'push-differences',
      name: 'sent differences',
      about: 'a WARC with what differs, to a subscription',
      row: SENT.differences,
      isPapers: true,
    },
    'differences',
  ),
  form(
    {
      id: 'push-differences-signed',
      name: 'sent differences, signed',
      about: 'the same, packed, to a push address',
      row: SENT.differences,
    },
    'differences',
    'push',
  ),
  form(
    {
      id: 'push-pages',
      name: 'sent pages',
      about: 'a WARC with whole pages, to a subscription',
      row: SENT.pages,
      isPapers: true,
    },
    'pages',
  ),
  form(
    {
      id: 'push-pages-signed',
      name: 'sent pages, signed',
      about: 'the same, packed, to a push address',
      row: SENT.pages,
    },
    'pages',
    'push',
  ),
  form(
    {
      id: 'push-batches',
      name: 'sent batch, daily',
      about: 'a change dump (ZIP) at midnight',
      row: SENT.batch,
      isPapers: true,
      isStaleShown: true,
    },
    'batches',
    'websub',
    'daily',
  ),
  form(
    {
      id: 'push-batches-hourly',
      name: 'sent batch, hourly',
      about: 'the same every hour',
      row: SENT.batch,
      isSeldom: true,
    },
    'batches',
    'websub',
    'hourly',
  ),
  form(
    {
      id: 'push-site',
      name: 'sent entire site',
      about: 'resource dumps (ZIP), each period',
      row: SENT.site,
      isPapers: true,
      isEntire: true,
    },
    'site',
    'websub',
    'each period',
  ),
  form(
    {
      id: 'agent-text',
      name: 'agent, visible text',
      about: 'pages whose words changed, as differences',
      row: SENT.agent,
      isStaleShown: true,
    },
    'agent',
    'websub',
    'agent',
    'visible-text-change',
  ),
  form(
    {
      id: 'agent-index',
      name: 'agent, partial index',
      about: 'words and links of changed pages, no pages',
      row: SENT.agent,
      // Of the agents the one that needs no page to be read before it begins.
      isPapers: true,
    },
    'agent',
    'websub',
    'agent',
    'partial-index',
  ),
]
