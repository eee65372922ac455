/** Pages as browsers see them, for tests: white space between tags is nothing, and elsewhere one space is as good as many. */
export const flat = (page: string): string =>
  page
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?\/?>/g, '>')
    .replaceAll('> <', '><')

/** The words alone. */
export const wordsOf = (page: string): string =>
  page
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
