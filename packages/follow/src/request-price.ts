/** Request price: what a request and the head of its answer weigh when nothing else comes (002 §6.5.3 measured it). */
export const HEAD_BYTES = 434
