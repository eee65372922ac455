/**
 * Topic documents: what a GET of something that can be subscribed to answers. A topic has the media type of what is sent for
 * it (WebSub §7), so that a subscriber knows beforehand what it will get; what it holds otherwise only says what it is:
 * a WARC stream of nothing but its first record, a ZIP archive of nothing but its comment.
 */
import { hash } from 'node:crypto'
import { encodeRecord, NOTIFICATION_TYPE, WARC_TYPE, warcinfoRecord } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { PushScheme } from '../hub/subscriber.ts'

/** All but `changes`, which is the change list itself. */
type TopicScheme = Exclude<PushScheme, 'changes'>

const ZIP_TYPE = 'application/zip'

/** The media type of what is sent. */
export const TOPIC_TYPES: Readonly<Record<PushScheme, string>> = {
  changes: NOTIFICATION_TYPE,
  differences: WARC_TYPE,
  pages: WARC_TYPE,
  batches: ZIP_TYPE,
  site: ZIP_TYPE,
  agent: 'application/x-ndjson',
}

const SENTENCES: Readonly<Record<TopicScheme, string>> = {
  differences: 'Whoever subscribes is sent what differs in pages that changed (RFC 3229, vcdiff), or the whole page.',
  pages: 'Whoever subscribes is sent the pages that changed, as HTTP answers in WARC records.',
  batches: "Whoever subscribes is sent ResourceSync change dumps, on the site's own schedule.",
  site: 'Whoever subscribes is sent the whole site, as ResourceSync resource dumps.',
  agent: 'Whoever subscribes is sent what its agent at this site has to tell.',
}

export function topicDocument(scheme: TopicScheme, topic: string, hub: string, at: Instant): Uint8Array {
  const text = `${SENTENCES[scheme]} Topic: ${topic} Hub: ${hub}`
  if (TOPIC_TYPES[scheme] === ZIP_TYPE) return emptyZip(text)
  if (scheme === 'agent') return Buffer.from(`${JSON.stringify({ about: text })}\n`)
  const fields = [['description', text]] as const
  // Follows from the topic: whoever asks twice gets the same bytes.
  const recordId = hash('sha256', topic).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')
  return encodeRecord(warcinfoRecord({ at, recordId, filename: `${scheme}.warc`, software: 'comity', fields }))
}

/** The end of a central directory without entries, and a comment behind it (APPNOTE.TXT §4.3.16). */
function emptyZip(comment: string): Buffer {
  const text = Buffer.from(comment)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06_05_4b_50, 0)
  end.writeUInt16LE(text.length, 20)
  return Buffer.concat([end, text])
}
