/**
 * Generated words: address, title, body and anchors of the pages of a generated web, written when they are asked for.
 * Every text is drawn from a seed of its own, so it is the same whenever and in whatever order it is asked.
 *
 * A page on the topic of a word has it in its title, or else more than ten times in its body; any other page has it
 * never in the title and at most twice in the body. So "hot" of 003 §7 means the topic, by the prose (more than 10) and
 * by Figure 5 (10 or more) alike.
 */
import type { PageTrees } from './trees.ts'
import { commonWords, generatedTopics, topicCount } from './vocabulary.ts'
import type { GeneratedTopic } from './vocabulary.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'
import type { WebWords } from '../graph/web-graph.ts'

interface WordsPlan {
  readonly pageStarts: Uint32Array
  readonly siteOf: Uint32Array
  readonly trees: PageTrees
  readonly targets: Uint32Array
}

/** Of the pages on a topic: those whose title says so. */
const titleNames = 0.6
/** Anchors with the head word of the target's topic; and, for each other topic, anchors that carry its word astray. */
const [anchorNames, anchorStrays] = [0.3, 0.01]
/** Parts of an address with the head word of their page's topic. Lower than for anchors: addresses are for machines. */
const addressNames = 0.08

export function createWords(seed: number, plan: WordsPlan): WebWords {
  const { trees, targets } = plan
  const topicOf = (page: number): GeneratedTopic => generatedTopics[trees.topics[page]!]!
  const hasName = (page: number): boolean => createRandom(seedOf(seed, 'title', page)).chance(titleNames)
  return {
    urlOf: (page) => urlOf(seed, plan, page),
    titleOf: (page) => {
      const random = createRandom(seedOf(seed, 'title', page))
      const { head, words } = topicOf(page)
      const name = random.chance(titleNames) ? head : random.pick(words)
      return capitalised(`${name} ${random.pick(words)} ${random.pick(commonWords)}`)
    },
    bodyOf: (page) => {
      const random = createRandom(seedOf(seed, 'body', page))
      return bodyText(random, trees.topics[page]!, hasName(page) ? random.between(2, 14) : random.between(11, 20))
    },
    anchorOf: (link) => anchorText(createRandom(seedOf(seed, 'anchor', link)), trees.topics[targets[link]!]!),
  }
}

function bodyText(random: Random, topic: number, names: number): string {
  const { head, words } = generatedTopics[topic]!
  const text = Array.from({ length: random.between(60, 160) }, () =>
    random.pick(random.chance(0.35) ? words : commonWords),
  )
  // The word that stood there moves to the end: as mixed as a shuffle, and much cheaper.
  const slipIn = (word: string): void => {
    const place = random.int(text.length)
    text.push(text[place]!)
    text[place] = word
  }
  // Other subjects are mentioned in passing, once or twice: fewer than would make the page belong to them.
  for (let times = random.int(3); times > 0; times -= 1) slipIn(generatedTopics[otherTopic(random, topic)]!.head)
  for (let times = names; times > 0; times -= 1) slipIn(head)
  return text.join(' ')
}

function anchorText(random: Random, topic: number): string {
  const { head, words } = generatedTopics[topic]!
  const mark = random.next()
  const isStray = mark >= anchorNames && mark < anchorNames + anchorStrays * (topicCount - 1)
  const name = mark < anchorNames ? head : isStray ? generatedTopics[otherTopic(random, topic)]!.head : ''
  return `${name} ${random.pick(random.chance(0.3) ? words : commonWords)}`.trimStart()
}

const otherTopic = (random: Random, topic: number): number => (topic + 1 + random.int(topicCount - 1)) % topicCount

/** One part of the path for each level: pages with others below them are folders. The number keeps parts apart. */
function urlOf(seed: number, { pageStarts, siteOf, trees }: WordsPlan, page: number): string {
  const site = siteOf[page]!
  const home = pageStarts[site]!
  let path = ''
  for (let step = page; step !== home; step = trees.parents[step]!) {
    const random = createRandom(seedOf(seed, 'address', step))
    const { head, words } = generatedTopics[trees.topics[step]!]!
    const word = random.chance(addressNames) ? head : random.pick(random.chance(0.3) ? words : commonWords)
    path = `${word}-${(step - home).toString(36)}${trees.branchSizes[step] === 1 ? '.html' : '/'}${path}`
  }
  return `http://s${site}.example/${path}`
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
