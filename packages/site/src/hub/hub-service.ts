/**
 * Hub service: the site's own WebSub hub, and its topics.
 *
 *   POST {root}push/hub      a form: subscribe or unsubscribe (202, then the callback is asked), or publish (204)
 *   GET  {root}push/hub      what this is
 *   GET  {root}push/pages …  a topic: says what is sent for it, and which hub to ask (`Link`, rel="hub" and "self")
 */
import { randomBytes } from 'node:crypto'
import {
  FORM_TYPE,
  hubLinks,
  hubMode,
  MAX_FORM_BYTES,
  parsePublishForm,
  parseSubscribeForm,
  sameUrl,
} from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { documentPath } from '../document-paths.ts'
import { callbackPolicy } from '../push/callback-policy.ts'
import { httpPost } from '../post.ts'
import type { PublicView } from '../privacy/public-view.ts'
import { pushSchemes } from '../push-options.ts'
import { isAnswer, methodAnswer, serviceBody, serviceFields } from '../service-request.ts'
import type { ServiceForm } from '../service-request.ts'
import type { SiteSetting } from '../site-options.ts'
import { NO_BODY, sentenceAnswer } from '../site-request.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'
import type { PushScheme, Subscribers } from './subscriber.ts'
import { Subscriptions } from './subscriptions.ts'
import { TOPIC_TYPES, topicDocument } from '../documents/topic-documents.ts'
import { topicHubs } from '../documents/topic-hubs.ts'

const FORM: ServiceForm = {
  type: FORM_TYPE,
  methods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
  maxBytes: MAX_FORM_BYTES,
}

export class HubService implements Disposable {
  /** Undefined when there is no hub here. */
  readonly subscriptions: Subscriptions | undefined
  readonly #view: PublicView
  readonly #setting: SiteSetting
  readonly #hub: string

  constructor(view: PublicView, setting: SiteSetting) {
    this.#view = view
    this.#setting = setting
    this.#hub = view.url(view.paths.hub)
    const subscribers = setting.offered.has('push') ? setting.push?.subscribers : undefined
    this.subscriptions = subscribers === undefined ? undefined : this.#subscriptions(subscribers)
  }

  /** How to answer a request; undefined when it is not for us. */
  route({ path }: SiteRequest): ((request: SiteRequest) => Promise<SiteAnswer>) | undefined {
    const { paths } = this.#view
    const { push = {} } = this.#setting
    const name = documentPath(path)
    const { subscriptions } = this
    if (subscriptions === undefined) return undefined
    if (name === paths.hub) return async (request) => await this.#answer(request, subscriptions)
    const scheme = pushSchemes(push).find((one) => paths.topics[one] === name)
    return scheme === undefined || scheme === 'changes' ? undefined : async (request) => this.#topic(request, scheme)
  }

  /** What a document says of itself as a topic: that it is one, and where to subscribe. */
  links(path: string): HeaderList {
    if (path !== this.#view.paths.topics.changes) return []
    const hubs = topicHubs(this.#view, this.#setting)
    return hubs.length === 0 ? [] : [['Link', hubLinks(hubs, this.#view.url(path))]]
  }

  [Symbol.dispose](): void {
    this.subscriptions?.[Symbol.dispose]()
  }

  #subscriptions(subscribers: Subscribers): Subscriptions {
    const { push = {}, origin, now } = this.#setting
    const { allowPrivate = false, post, random = randomBytes, limits, validate, onOutcome } = push
    return new Subscriptions({
      subscribers,
      hub: this.#hub,
      schemeOf: (topic) => this.#schemeOf(topic),
      post: post ?? httpPost({ allowPrivate }),
      callbacks: callbackPolicy({ origin, allowPrivate }),
      now,
      random,
      journal: this.#view.journal,
      limits,
      validate,
      onOutcome,
    })
  }

  #schemeOf(topic: string): PushScheme | undefined {
    const { paths } = this.#view
    // Who subscribed when the list of changes stood beside the home page renews by the address that it had there.
    const moved = paths.moved(this.#view.pathOf(topic) ?? '')
    const asked = moved === undefined ? topic : this.#view.url(moved)
    return pushSchemes(this.#setting.push ?? {}).find((scheme) => sameUrl(asked, this.#view.url(paths.topics[scheme])))
  }

  async #answer(request: SiteRequest, subscriptions: Subscriptions): Promise<SiteAnswer> {
    const other = methodAnswer(request, FORM)
    if (other !== undefined) return other
    if (request.method !== 'POST') return this.#about(request)
    const body = await serviceBody(request, FORM)
    if (isAnswer(body)) return body
    const form = Buffer.from(body).toString('utf8')
    return hubMode(form) === 'publish' ? this.#publish(form) : this.#subscribe(form, subscriptions)
  }

  #subscribe(form: string, subscriptions: Subscriptions): SiteAnswer {
    const read = parseSubscribeForm(form)
    if ('problem' in read) return refuse(400, `This cannot be subscribed to: ${read.problem}.`)
    const verdict = subscriptions.request(read.request)
    if (verdict.kind === 'accepted') return sentenceAnswer(202, 'The callback is asked now whether it wants this.')
    const { status, reason } = verdict
    return refuse(status, reason, status === 429 || status === 503 ? [['Retry-After', '60']] : [])
  }

  /** The journal knows what changed; whoever says so can only make us look at once. */
  #publish(form: string): SiteAnswer {
    const read = parsePublishForm(form)
    if ('problem' in read) return refuse(400, `This cannot be published: ${read.problem}.`)
    const foreign = read.topics.find((topic) => this.#schemeOf(topic) === undefined)
    if (foreign !== undefined) return refuse(404, `${foreign} is no topic of this hub, which is for one site only.`)
    this.#setting.push?.onPublish?.()
    return { status: 204, headers: [], body: NO_BODY }
  }

  #about(request: SiteRequest): SiteAnswer {
    const { paths } = this.#view
    const topics = pushSchemes(this.#setting.push ?? {}).map((scheme) => this.#view.url(paths.topics[scheme]))
    const answer = sentenceAnswer(
      200,
      `This is the WebSub hub of ${this.#view.url('/')} (https://www.w3.org/TR/websub/). Topics:\n${topics.join('\n')}`,
      serviceFields(FORM),
    )
    return request.method === 'HEAD' ? { ...answer, body: NO_BODY } : answer
  }

  #topic(request: SiteRequest, scheme: Exclude<PushScheme, 'changes'>): SiteAnswer {
    const topic = this.#view.url(this.#view.paths.topics[scheme])
    const body = topicDocument(scheme, topic, this.#hub, this.#view.startedAt)
    return smallDocument(request, TOPIC_TYPES[scheme], body, [['Link', hubLinks([this.#hub], topic)]])
  }
}

function smallDocument(request: SiteRequest, type: string, body: Uint8Array, more: HeaderList): SiteAnswer {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return sentenceAnswer(405, 'Use GET or HEAD here.', [['Allow', 'GET, HEAD']])
  const headers: HeaderList = [
    ['Content-Type', type],
    ['Content-Length', String(body.length)],
    ['Cache-Control', 'no-cache'],
    ...more,
  ]
  return { status: 200, headers, body: request.method === 'HEAD' ? NO_BODY : body }
}

/** In plain text, for whoever writes a subscriber (§5.1.2). */
const refuse = (status: number, sentence: string, headers: HeaderList = []): SiteAnswer =>
  sentenceAnswer(status, sentence, [...serviceFields(FORM), ...headers])
