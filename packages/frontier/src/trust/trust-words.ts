/** Trust words: what is believed of a channel, and why, in a sentence. */
import type { Instant } from '@comity/protocol'
import type { ChannelState } from './site-trust.ts'

interface ChannelFacts {
  readonly now: Instant
  readonly dayMs: number
  /** Changes that were found, by whether the channel had told. */
  readonly told: number
  readonly missed: number
  /** Samples that a mass announcement needs. */
  readonly samples: number
}

export function channelSentence(state: ChannelState, { now, dayMs, told, missed, samples }: ChannelFacts): string {
  const right = `${Math.round(state.confirmed)} of ${Math.round(state.heard)} announced pages had changed`
  const parts = [`${state.channel}: ${right}`]
  if (told + missed >= 0.5)
    parts.push(`it had told of ${Math.round(told)} of ${Math.round(told + missed)} changes found`)
  const { quarantine, mass, contentDoubtedUntil } = state
  if (quarantine !== undefined && quarantine.until > now) {
    parts.push(`not believed for ${timeUntil(quarantine.until, now, dayMs)} because of ${quarantine.reason}`)
  } else if (mass !== undefined && !mass.cleared) {
    parts.push(
      `it announced much of the site at once: not believed before ${samples} samples are in, now ${mass.sampled}`,
    )
  } else parts.push('believed')
  if (contentDoubtedUntil > now) {
    const time = timeUntil(contentDoubtedUntil, now, dayMs)
    parts.push(`content from it is only a hint for ${time}, as some was not what the site serves`)
  }
  return `${parts.join('; ')}.`
}

export function timeUntil(until: Instant, now: Instant, dayMs: number): string {
  const days = (until - now) / dayMs
  return days < 2 ? `${Math.max(1, Math.ceil(days * 24))} hours` : `${Math.ceil(days)} days`
}
