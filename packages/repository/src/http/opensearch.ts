/** OpenSearch description 1.1: how a browser can search here from its address bar, with suggestions. */

/** `base` is where the server is, as the browser sees it. */
export function openSearchDescription(base: string): string {
  const at = escaped(base)
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>Comity</ShortName>
  <Description>Search the pages of this collection</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="64" height="64" type="image/svg+xml">${at}/static/icon.svg</Image>
  <Url type="text/html" template="${at}/search?q={searchTerms}&amp;offset={startIndex?}" indexOffset="0"/>
  <Url type="application/json" template="${at}/api/v1/search?q={searchTerms}&amp;offset={startIndex?}&amp;limit={count?}" indexOffset="0"/>
  <Url type="application/x-suggestions+json" template="${at}/api/v1/suggest?q={searchTerms}&amp;format=opensearch"/>
  <Url type="application/opensearchdescription+xml" rel="self" template="${at}/opensearch.xml"/>
</OpenSearchDescription>
`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
