/** Pages in several languages, made from a seed: words, headings, links, entities and markup as sites have them. */
import { createRandom } from '../../packages/testbed/src/seeded-random.ts'

const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Two cats sat on the mat, running wild.',
    "Dogs don't like C++ or C#; they prefer 3.14 pies.",
    'See java.util.HashMap &amp; its 1,000 friends.',
  ],
  de: [
    'Die Katze saß auf der Straße und schlief.',
    'Zwei Hunde liefen um das Haus.',
    'Übermäßig große Wörter wie Donaudampfschifffahrt.',
  ],
  fr: ["L'été est chaud, et les chats dorment.", "Aujourd'hui, les chiens courent.", 'Où est la bibliothèque&nbsp;?'],
  ru: ['Кошка сидела на окне.', 'Две собаки бежали по улице.', 'Это всё, что нужно.'],
  ja: ['猫が窓に座っていた。', '犬は走るのが好きです。', '図書館はどこですか。'],
}

/** By URL. Some say their language, some do not. */
export function randomPages(seed: number, count: number): Map<string, string> {
  const random = createRandom(seed)
  const pages = new Map<string, string>()
  for (let i = 0; i < count; i++) {
    const language = random.pick(Object.keys(SENTENCES))
    const sentences = Array.from({ length: 3 + random.int(60) }, () => random.pick(SENTENCES[language]!))
    const paragraphs = sentences.map((text) =>
      random.chance(0.1) ? `<h2>${text}</h2>` : `<p>${random.chance(0.2) ? text.replace(' ', ' <b>') : text}`,
    )
    const links = Array.from(
      { length: 4 },
      () => `<li><a href="/${random.int(count)}">links to ${random.pick(['cats', 'dogs'])}</a>`,
    )
    const lang = random.chance(0.6) ? ` lang="${language}"` : ''
    pages.set(
      `https://a.example/${i}`,
      `<!doctype html><html${lang}><head><meta charset=utf-8><title>Page ${i} &mdash; ${random.pick(['Cats', 'Dogs'])}</title></head><body>${paragraphs.join('\n')}<ul>${links.join('')}</ul></body></html>`,
    )
  }
  return pages
}
