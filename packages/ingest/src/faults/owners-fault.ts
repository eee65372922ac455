/**
 * Owner's fault: what only who runs the program can mend, such as an option or a plug-in that cannot be. It ends the run,
 * wherever it comes out: every page would meet it again, so none is kept aside for it.
 */
export class OwnersFault extends Error {
  override readonly name: string = 'OwnersFault'
}
