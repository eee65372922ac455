/**
 * Site topics: the brands and words that generated sites are made of. A table, not logic.
 * Each site writes about one thing in its own words, so that search, topic scoring and near-duplicate detection have
 * something real to hold on to.
 */
export interface Topic {
  /** A host label. */
  readonly name: string
  readonly title: string
  readonly sections: readonly string[]
  readonly nouns: readonly string[]
  readonly adjectives: readonly string[]
}

const words = (line: string): readonly string[] => line.split(' ')

// oxfmt-ignore
const topics: readonly Topic[] = [
  { name: 'lighthouse-almanac', title: 'The Lighthouse Almanac', sections: words('towers keepers lamps storms charts'),
    nouns: words('lighthouse keeper lantern lens beacon headland foghorn stair tower reef signal logbook gale gallery'),
    adjectives: words('whitewashed remote windswept flashing patient brass lonely tall salt-stained automatic') },
  { name: 'river-post', title: 'River Post', sections: words('news floods bridges fishing ferries'),
    nouns: words('river bridge ferry lock weir mill flood heron bank current barge towpath estuary gauge'),
    adjectives: words('rising muddy slow swollen quiet navigable wooded shallow ancient tidal') },
  { name: 'copper-kettle', title: 'Copper Kettle Kitchen', sections: words('bread soups preserves tea tools'),
    nouns: words('kettle dough oven broth marmalade skillet recipe pantry crust yeast thyme lentil ladle teapot'),
    adjectives: words('simmering buttery crisp copper slow-baked peppery golden rustic fermented warm') },
  { name: 'northfield-observatory', title: 'Northfield Observatory', sections: words('planets comets telescopes nights archive'),
    nouns: words('telescope comet nebula eclipse dome mirror orbit spectrum galaxy observer meteor transit moon catalogue'),
    adjectives: words('faint distant northern cloudless red-shifted periodic bright elliptical cold photographic') },
  { name: 'orchard-ledger', title: 'The Orchard Ledger', sections: words('apples grafting seasons soil cider'),
    nouns: words('orchard apple rootstock blossom graft ladder harvest press frost pear branch hedge barrel beehive'),
    adjectives: words('ripe dwarf late-flowering russet espaliered sheltered sweet bitter pruned fragrant') },
  { name: 'slow-trains', title: 'Slow Trains', sections: words('lines stations timetables carriages journeys'),
    nouns: words('train station timetable carriage viaduct signalbox tunnel platform locomotive guard junction ticket sleeper track'),
    adjectives: words('narrow-gauge overnight scenic unhurried rural steam-hauled winding branch electric punctual') },
  { name: 'harbour-and-tide', title: 'Harbour & Tide', sections: words('boats knots weather harbours crews'),
    nouns: words('harbour tide sail anchor mooring hull rope pilot jetty crew compass keel rigging buoy'),
    adjectives: words('leeward wooden seaworthy calm double-ended reefed local weathered deep coastal') },
  { name: 'paper-lantern', title: 'Paper Lantern Books', sections: words('novels poetry essays binding readers'),
    nouns: words('novel poem chapter binding reader margin translator essay shelf publisher paperback preface library letter'),
    adjectives: words('forgotten annotated quiet translated slim unfinished dog-eared marbled early candid') },
  { name: 'beekeepers-notebook', title: 'The Beekeeper’s Notebook', sections: words('hives queens honey swarms forage'),
    nouns: words('hive queen swarm honey comb drone smoker frame colony nectar clover wax apiary pollen'),
    adjectives: words('busy gentle heather-fed capped wintering wild prolific amber hygienic local') },
  { name: 'granite-paths', title: 'Granite Paths', sections: words('ridges huts maps valleys gear'),
    nouns: words('ridge summit hut cairn map valley boot glacier pass trail stream compass meadow scree'),
    adjectives: words('steep granite waymarked exposed snowy alpine lonely cloudy long glaciated') },
  { name: 'clockmakers-row', title: 'Clockmakers’ Row', sections: words('movements pendulums repairs makers bells'),
    nouns: words('pendulum escapement spring dial clock gear bell workshop watch balance hammer chime wheel winder'),
    adjectives: words('precise engraved eight-day striking lacquered brass restored compensated fine silent') },
  { name: 'winter-garden-radio', title: 'Winter Garden Radio', sections: words('concerts records voices instruments schedule'),
    nouns: words('radio concert quartet microphone record cello choir broadcast studio melody listener interval piano encore'),
    adjectives: words('live late-night acoustic baroque intimate crackling orchestral improvised warm seasonal') },
]

export const verbs: readonly string[] = words(
  'crosses guards follows shelters measures repairs outlives describes welcomes replaces steadies surprises',
)
export const closings: readonly string[] = [
  'before the first frost',
  'in the early morning',
  'as the old books say',
  'when nobody is looking',
  'for the third year running',
  'with hardly a sound',
  'on the last day of the month',
  'against all advice',
]

/** The brand of the n-th site. Past the end of the table the brands come again with a number, so names stay unique. */
export function topicOf(index: number): Topic {
  const topic = topics[index % topics.length]!
  const round = Math.floor(index / topics.length) + 1
  return round === 1 ? topic : { ...topic, name: `${topic.name}-${round}`, title: `${topic.title}, volume ${round}` }
}
