/**
 * Tolerances: what counts as the same as in a paper, where it says "about", "nearly" or nothing. One table for all experiments,
 * chosen before they were run, each with its reason; reports print it, and every verdict that rests on one leads to it.
 */
import type { Unit } from '../report/model.ts'

interface Tolerance {
  readonly value: number
  readonly unit?: Unit
  /** How it is applied. */
  readonly means: string
  readonly reason: string
}

export type ToleranceName =
  | 'entry-bytes'
  | 'about-a-limit'
  | 'archive-count'
  | 'other-share'
  | 'class-share'
  | 'needless-share'
  | 'media-share'
  | 'not-modified'
  | 'a-fifth'
  | 'freshness-gain'
  | 'processor-seconds'
  | 'about-throughput'
  | 'loss-share'
  | 'same-delay'
  | 'much-longer'
  | 'crawler-share'
  | 'index-size'
  | 'hidden-seen'
  | 'same-direction'
  | 'head-bytes'
  | 'head-savings'
  | 'worth-splitting'
  | 'equally-fresh'
  | 'tier-bytes'
  | 'half'
  | 'core-busy'
  | 'no-correlation'
  | 'fewest-pages'
  | 'share-factor'
  | 'random-speed'
  | 'like-random'
  | 'below-random'
  | 'most-found'
  | 'significance'
  | 'good-fit'
  | 'small-lead'
  | 'overtaken-from'
  | 'nearly-linear'
  | 'pointless'
  | 'largest-site'
  | 'pages-by-day'
  | 'rank-by-day'

export const TOLERANCES: Readonly<Record<ToleranceName, Tolerance>> = {
  // 000
  'entry-bytes': {
    value: 10,
    unit: 'bytes',
    means: 'more or less than 64 bytes an entry',
    reason: 'The paper’s entry has a path of 30 characters, and paths of real sites are ten longer or shorter.',
  },
  'about-a-limit': {
    value: 0.05,
    unit: 'share',
    means: 'above what the paper gives as a limit',
    reason: 'A limit that is printed with two digits may have been rounded by as much.',
  },
  'archive-count': {
    value: 0.1,
    unit: 'share',
    means: 'more archives than 250 for 100,000 pages',
    reason: '“About 250” is 50 segments of five types; the last segment and type are not full.',
  },
  'other-share': {
    value: 0.05,
    unit: 'share',
    means: 'around the 15 % that “other” is',
    reason: 'Types below 5 % are merged, so one type more or less moves it by up to that.',
  },
  'class-share': {
    value: 0.05,
    unit: 'share',
    means: 'around the share of pages that change daily',
    reason: 'Figure 2 is read to whole points, and one site differs from 270 by more than that.',
  },
  'needless-share': {
    value: 0.03,
    unit: 'share',
    means: 'around the 77 % of daily visits that are needless',
    reason:
      'It is one less the 23 % above; 22 and 23 % both stand in the paper, and rounding adds another point or two.',
  },
  'media-share': {
    value: 0.1,
    unit: 'share',
    means: 'around the shares of requests and bytes that are not images',
    reason: 'The paper adds up eight sites; one site’s mix differs from another’s by tens of points.',
  },
  'not-modified': {
    value: 0.05,
    unit: 'share',
    means: 'around the 13 % of crawlers that ever got a 304',
    reason: 'Of the hundred addresses or so that a log has, one standard error is 3 to 4 points.',
  },
  'a-fifth': {
    value: 0.25,
    unit: 'share',
    means: 'at most, for “about a fifth”',
    reason: 'A quarter would have been called a quarter; less than a fifth only makes the claim stronger.',
  },
  'freshness-gain': {
    value: 0.05,
    unit: 'share',
    means: 'around the 25 % gained, the 0.22 where it turns, and the 62 % saved',
    reason: 'Figures are read to about a point; the classes of Figure 2 that the text does not give add some.',
  },
  'processor-seconds': {
    value: 0.01,
    unit: 's',
    means: 'at most, for a file of 42 KB',
    reason: 'The paper’s own figure on a machine of 2000, which today’s must not exceed.',
  },
  // 001
  'about-throughput': {
    value: 0.05,
    unit: 'share',
    means: 'of the throughput or share without, for “about” and “alike”',
    reason:
      'The plots are read to 5 of 220 bits a tick. The interval of the runs has to lie inside, or it is not told.',
  },
  'loss-share': {
    value: 0.1,
    unit: 'share',
    means: 'of throughput or of completed requests, around the loss in the paper',
    reason: 'Where a network saturates depends on buffers and timeouts that the paper does not print.',
  },
  'same-delay': {
    value: 0.2,
    unit: 'share',
    means: 'longer or shorter at every single rate, for “nearly identical”; around twice the throughput',
    reason: 'Below a fifth two curves cannot be told apart in a plot over ten to one. No mean over rates is taken.',
  },
  'much-longer': {
    value: 1.5,
    means: 'times as long or longer',
    reason: '“Much longer” is clear in a plot; half as long again is the least that is.',
  },
  'crawler-share': {
    value: 0.05,
    unit: 'share',
    means: 'around the share of crawlers in hits and bytes',
    reason: 'As for other shares of 000 and 001. It is the figure of one server in one week, and others have others.',
  },
  'index-size': {
    value: 0.02,
    unit: 'share',
    means: 'of the HTML, around “consistently about 7 %”',
    reason: 'Texts of one kind differ by a point or two in words a byte of HTML.',
  },
  'hidden-seen': {
    value: 0.5,
    unit: 'share',
    means: 'of the hidden pages are seen in the time told',
    reason: '“Will see all pages fetched” needs readers; more than half is what we ask of a month.',
  },
  // 002
  'same-direction': {
    value: 0.1,
    unit: 'share',
    means: 'dearer or cheaper than no cooperation in bytes; 0.3 less and 0.4 more in processor time',
    reason:
      'The table has signs and no figures. Bytes repeat exactly, processor times differ by a fifth from run to run.',
  },
  'head-bytes': {
    value: 0.1,
    unit: 'share',
    means: 'more or fewer bytes a page',
    reason: 'Heads of HTTP name programs and dates, and those of 2004 were not ours.',
  },
  'head-savings': {
    value: 0.4,
    unit: 'share',
    means: 'or more saved',
    reason: 'The paper’s own “more than 40 %”.',
  },
  'worth-splitting': {
    value: 0.5,
    unit: 'share',
    means: 'of the packed whole, at most',
    reason: 'Parts that cost more than half of the whole are not worth their upkeep.',
  },
  'equally-fresh': {
    value: 0.001,
    unit: 'share',
    means: 'staler, at most',
    reason: 'A page out of a thousand is what a minute’s period leaves at the usual rate of change.',
  },
  'tier-bytes': {
    value: 0.02,
    unit: 'share',
    means: 'fewer bytes saved than by the tier before',
    reason: 'The best of a tier is chosen by money, and two schemes may be as cheap with a little more bytes.',
  },
  half: {
    value: 0.1,
    unit: 'share',
    means: 'around one half',
    reason: 'The source of the quotation watched 154 sites; one site is less regular.',
  },
  'core-busy': {
    value: 0.5,
    unit: 'share',
    means: 'of one processor, at most, to take notices without being overloaded',
    reason: 'Queues grow fast past half of a server’s capacity, when changes come in bursts.',
  },
  'no-correlation': {
    value: 0.2,
    means: 'either way, of Pearson’s r over logarithms',
    reason: 'Less explains under a twenty-fifth of what varies, which no plot shows.',
  },
  'fewest-pages': {
    value: 2,
    unit: 'pages',
    means: 'or more, on sites that are counted',
    reason: 'A graph that was cut off at its border has sites of one page, which say nothing of sites.',
  },
  // 003
  'share-factor': {
    value: 1.5,
    means: 'times as large or as small',
    reason: 'The shares of two webs of one kind differ by so much: 0.8 and 1.2 % are both a rare page.',
  },
  'random-speed': {
    value: 0.5,
    means: 'less or more than the speed of random, as a part of it',
    reason: '“Roughly the same rate” in a plot: a line half as steep again can be told.',
  },
  'like-random': {
    value: 0.05,
    unit: 'share',
    means: 'of the plot, above or below the line of random',
    reason: 'One twentieth of the axis is what can be read off the paper’s plots.',
  },
  'below-random': {
    value: 0.01,
    unit: 'share',
    means: 'below the line of random, at some moment',
    reason: 'A hundredth of the axis is a dot’s height; less may be one page.',
  },
  'most-found': {
    value: 0.9,
    unit: 'share',
    means: 'or more, for “most of the hot pages have been gathered”',
    reason: 'The sentence before says over 80 %, so most is more.',
  },
  significance: {
    value: 0.05,
    means: 'is the level at which paired differences over start pages are told from chance',
    reason: 'Wilcoxon’s signed ranks from six start pages on; with fewer all have to point the same way.',
  },
  // 004
  'good-fit': {
    value: 0.1,
    means: 'Kolmogorov and Smirnov’s distance from the law, at most',
    reason: 'Good enough to plan with; a test of significance rejects every law on large data.',
  },
  'small-lead': {
    value: 0.03,
    unit: 'share',
    means: 'of the area under the line, for “similar”, “small difference” and “close to”',
    reason: 'Lines nearer than that lie on each other in a plot.',
  },
  'overtaken-from': {
    value: 0.65,
    unit: 'share',
    means: 'of the pages, or later, for “more than 75 %”',
    reason: 'The paper reads it off a plot; ten points before is as near as that goes.',
  },
  'nearly-linear': {
    value: 0.75,
    unit: 'share',
    means: 'of the number of robots, at least',
    reason: 'The paper’s 54.6 of 64 and 220.1 of 256 are 85 and 86 %.',
  },
  pointless: {
    value: 0.1,
    unit: 'share',
    means: 'of the number of robots, at most',
    reason: 'The paper’s 1.6 of 64 and 3.0 of 256 are 2.5 and 1.2 %; a tenth still pays nobody.',
  },
  'largest-site': {
    value: 0.01,
    unit: 'share',
    means: 'of the web, at most, in its largest site, for speed-ups to be compared',
    reason:
      'The rests of the largest site bound every speed-up; the paper’s has at most 25,000 of 3,500,000 pages, 0.7 %.',
  },
  'pages-by-day': {
    value: 0.1,
    unit: 'share',
    means: 'around the pages there are by a day',
    reason: 'A day is an eighth of a crawl, so a crawl moves by more than that in one.',
  },
  'rank-by-day': {
    value: 0.05,
    unit: 'share',
    means: 'less than the “about 80 %” of PageRank; the 95 % is a limit',
    reason: '“About” allows a step of the plot’s axis.',
  },
}

export const toleranceOf = (name: ToleranceName): number => TOLERANCES[name].value
