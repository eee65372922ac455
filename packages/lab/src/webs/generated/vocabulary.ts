/**
 * Generated vocabulary: the words generated pages are written in. A table, not logic.
 * Each topic has a head word that stands for it in queries (003 §7 asks for `computer` and `admission`) and words of
 * its own; common words belong to none. Twelve topics of equal share put about 8 % of the pages on each.
 */
export interface GeneratedTopic {
  readonly head: string
  readonly words: readonly string[]
}

const words = (line: string): readonly string[] => line.split(' ')

// oxfmt-ignore
export const generatedTopics: readonly GeneratedTopic[] = [
  { head: 'computer', words: words('software network program compiler keyboard server algorithm database memory processor robotics protocol') },
  { head: 'admission', words: words('student application deadline tuition faculty degree campus graduate transcript scholarship enrolment interview') },
  { head: 'music', words: words('concert violin orchestra melody rhythm singer festival recording harmony choir guitar rehearsal') },
  { head: 'medicine', words: words('patient hospital treatment diagnosis surgery nurse vaccine clinic therapy symptom dose physician') },
  { head: 'football', words: words('league goal referee stadium keeper season coach striker penalty transfer supporter derby') },
  { head: 'travel', words: words('hotel island luggage passport itinerary museum airport ferry guidebook mountain beach timetable') },
  { head: 'cooking', words: words('recipe oven garlic dough saucepan spice butter kitchen flavour harvest pastry broth') },
  { head: 'physics', words: words('electron quantum energy particle magnet laser gravity momentum laboratory spectrum vacuum neutrino') },
  { head: 'law', words: words('court statute contract judge appeal attorney verdict evidence licence treaty tribunal clause') },
  { head: 'garden', words: words('seed compost orchard pruning tulip hedge greenhouse soil blossom shrub irrigation meadow') },
  { head: 'finance', words: words('market interest bank portfolio loan currency audit dividend budget insurance pension ledger') },
  { head: 'history', words: words('archive empire century manuscript castle revolution dynasty chronicle settlement inscription monument excavation') },
]

export const topicCount: number = generatedTopics.length

export const commonWords: readonly string[] = words(
  'about after again all also another any area because before between both change city common day different early ' +
    'every example few first form general good great group hand help high home idea important information interest ' +
    'keep kind large last later less letter life line list little local long look main make many matter member method ' +
    'month more most name national need new note number office often open order other page part people place plan ' +
    'point present problem project public question read reason report result right room same school second section ' +
    'service several short side small some special state still story study such system table team term thing time ' +
    'together town turn under usual view visit water way week while whole without word work world write year young',
)
