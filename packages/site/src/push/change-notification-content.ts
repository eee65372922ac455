/**
 * Change notification content: scheme 7, "send meta-data of updates" (002 §6.3), in the form that the subscriber takes:
 *
 *   a subscription, or a push address      ResourceSync change notification
 *   an outside hub                         the same, or that the topic changed and nothing more (`push/outside-hub.ts`)
 *   an IndexNow endpoint                   addresses (`push/indexnow-sender.ts`)
 */
import { FORM_TYPE, NOTIFICATION_TYPE, writeChangeNotification, writePublishForm } from '@comity/protocol'
import { hubFields } from './hub-fields.ts'
import { indexNowContent } from './indexnow-sender.ts'
import type { Change } from '../journal/journal.ts'
import type { PublicView } from '../privacy/public-view.ts'
import type { ContentMaker, PushContent, Subscriber } from '../hub/subscriber.ts'

/** As many as one IndexNow request may have; of a notification that is some megabytes. */
const MAX_CHANGES = 10_000

interface ChangeContentOptions {
  /** Of IndexNow. */
  readonly indexNowKey?: string | undefined
  /** Whether ResourceSync is offered: a notification leads up to the capability list. */
  readonly hasCapabilityList: boolean
}

export class ChangeNotificationContent implements ContentMaker {
  readonly maxChanges: number = MAX_CHANGES
  readonly #view: PublicView
  readonly #options: ChangeContentOptions

  constructor(view: PublicView, options: ChangeContentOptions) {
    this.#view = view
    this.#options = options
  }

  async make(changes: readonly Change[], subscriber: Subscriber): Promise<PushContent | undefined> {
    const told = changes.filter(({ path }) => this.#view.isPublic(path))
    if (told.length === 0) return undefined
    if (subscriber.by === 'indexnow') return this.#indexNow(told)
    const topic = subscriber.topic ?? this.#view.url(this.#view.paths.topics.changes)
    if (subscriber.isPing === true) {
      const body = Buffer.from(writePublishForm([topic]))
      return { type: FORM_TYPE, body, headers: [] }
    }
    const body = Buffer.from(this.#notification(told))
    return { type: NOTIFICATION_TYPE, body, headers: hubFields({ ...subscriber, topic }, body) }
  }

  #indexNow(changes: readonly Change[]): PushContent | undefined {
    const { indexNowKey: key } = this.#options
    const urls = changes.map(({ path }) => this.#view.url(path))
    return key === undefined ? undefined : indexNowContent(urls, key)
  }

  #notification(changes: readonly Change[]): string {
    const { paths } = this.#view
    // Whoever begins anew is told of all pages by path; a notification is in order of time.
    const ordered = changes.toSorted((a, b) => a.at - b.at).map((change) => this.#view.change(change))
    const capabilityList = this.#options.hasCapabilityList ? this.#view.url(paths.capabilityList) : undefined
    return writeChangeNotification({ changes: ordered, capabilityList })
  }
}
