/** For siblings alone: what a thread that reads pages needs, without the database that the package opens. */
export { packAnchors } from './rows/link-list.ts'
export { notedWork } from './faults/attempts.ts'
