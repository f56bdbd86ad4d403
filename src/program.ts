// What `scripts/bundle.mjs` makes one script of: the command line, and the library for programs that import Carrel.
export { main } from './app/main.js'

export const library = () => import('./index.js')
