/** The texts around the debug tools. */

export const debugTools = {
  show: 'Show Debug Tools',
  hide: 'Hide Debug Tools',
  region: 'Debug tools',
}
