/** Request price: what a request and the head of its answer weigh when nothing else comes (002 §6.5.3 measured it). */
export const HEAD_BYTES = 434

/**
 * What a request weighs beside bytes when a site is copied for the first time: for the crawler a rest of some seconds, for the site
 * the work of an answer, whatever it holds. As much as a page of the Web of 2000 (000 §3.4), so that many small pages are taken
 * from a dump even where they would be fewer bytes one by one, and some pages not from one a hundred times their size.
 */
export const REQUEST_BYTES = 13_000
