/**
 * How much a test does that could go on for hours: a sample in `npm test`, and all of it by `npm run torture:NAME`, which
 * sets COMITY_TORTURE. Numbers in variables of their own are for whoever looks for something.
 */
export const isTorture: boolean = process.env['COMITY_TORTURE'] !== undefined

export const amount = (sample: number, whole: number): number => (isTorture ? whole : sample)
