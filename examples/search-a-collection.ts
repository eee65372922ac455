/**
 * Search what a crawl has stored, by the words of its pages. `comity crawl` indexes as it goes, and so does `crawl()`
 * with `index: true`; searching is safe beside a crawl that is still writing.
 *
 *   npx node examples/search-a-collection.ts /tmp/first 'polite crawl* -"too fast" type:html'
 */
import { Collection } from '@comity/collection'
import { openSearch } from '@comity/search'

const [dir = 'collection', ...words] = process.argv.slice(2)

await using collection = Collection.openReadOnly(dir)
// The words are in the index; titles and texts are read back from the archive, for the pages shown and no others.
await using search = openSearch(dir, () => collection)

const { results, matches, suggestion, problems } = await search.engine.search({ query: words.join(' '), limit: 5 })

for (const { url, title, score, snippet } of results) {
  console.log(`${score.toFixed(2)} ${url} "${title}"`)
  // A snippet is plain text with the places of the words; whoever shows it in a page escapes it first.
  const found = snippet.marks.map(([start, end]) => snippet.text.slice(start, end))
  console.log(`  ${snippet.text.replaceAll(/\s+/g, ' ')} [${found.join(', ')}]`)
}
console.log(`${matches} page(s) match`)
if (suggestion !== undefined) console.log(`did you mean: ${suggestion}`)
for (const problem of problems) console.log(problem)
