import { checkDeclarations as check } from '../../../test/support/check-declarations.js'

check(
  'TypeScript: functions, classes with their members, types, exported constants',
  'typescript',
  `
import { a } from './a.js'

/** Waits longer each time. */
export function backoff(attempt: number): number {
  const factor = () => 2
  function capped(ms: number) {
    return Math.min(ms, 1000)
  }
  return capped(factor() ** attempt)
}

export interface Options { retries: number; delay(attempt: number): number }
export type Outcome = 'done' | 'failed'
export enum Colour { Red, Green }
export const limits = { most: 3 }, first = 1
let counter: number

@Injectable()
export class RetryPolicy<T> extends Base {
  private count = 0
  onError = (error: Error) => {
    this.count++
  }
  constructor(readonly options: Options) { super() }
  // Runs it.
  async run(work: () => Promise<T>): Promise<T>
  async run(work: any): Promise<T> {
    return work()
  }
  get left(): number { return 1 }
  static #secret() {}
}
abstract class Base { abstract run(): void }
export default function () {}
`,
  [
    'function backoff 3-10',
    'function backoff.capped 6-8',
    'interface Options 12-12',
    'method Options.delay 12-12',
    'type Outcome 13-13',
    'enum Colour 14-14',
    'constant limits 15-15',
    'constant first 15-15',
    'variable counter 16-16',
    'class RetryPolicy 18-32',
    'method RetryPolicy.onError 21-23',
    'method RetryPolicy.constructor 24-24',
    'method RetryPolicy.run 25-26',
    'method RetryPolicy.run 27-29',
    'method RetryPolicy.left 30-30',
    'method RetryPolicy.#secret 31-31',
    'class Base 33-33',
    'method Base.run 33-33',
    'function default 34-34',
  ],
)

check(
  'TypeScript: declaration files, namespaces and modules',
  'typescript',
  `
declare namespace App.Config {
  function load(path: string): void
  export const version = 1
}
declare module 'left-pad' {
  export function pad(text: string): string
}
declare global {
  interface Window { app: unknown }
}
export declare const ready: boolean
declare function start(): void
export declare class Server { listen(port: number): void }
`,
  [
    'namespace App.Config 1-4',
    'function App.Config.load 2-2',
    'module left-pad 5-7',
    'function left-pad.pad 6-6',
    'interface Window 9-9',
    'constant ready 11-11',
    'function start 12-12',
    'class Server 13-13',
    'method Server.listen 13-13',
  ],
)

check(
  'TSX: components are functions, chosen by the path',
  'typescript',
  `
export const Button = ({ label }: { label: string }) => <button onClick={() => go()}>{label}</button>
export function App() {
  const press = () => {
    console.log('pressed')
  }
  return <Button label="<T>" />
}
`,
  ['function Button 1-1', 'function App 2-7', 'function App.press 3-5'],
  'web/app.tsx',
)

check(
  'JavaScript: every way to export and assign a function, but no imports',
  'javascript',
  `
var path = require('path');
exports.read = function (file) { return file };
module.exports.write = async () => {};
module.exports = class Store {};
Store.prototype.open = function open(name) {};
Store.create = function () {};
const api = {
  get(url) { return url },
  post: async (url) => url,
  timeout: 3,
};
class Queue {
  push = (item) => item;
  #drain = function () {};
  static *[Symbol.iterator]() {}
  'quoted.name'() {}
}
function* walk() {}
(function () {
  function inner() {}
})();
export default class extends Queue {}
`,
  [
    'function read 2-2',
    'function write 3-3',
    'class Store 4-4',
    'method Store.open 5-5',
    'method Store.create 6-6',
    'constant api 7-11',
    'method api.get 8-8',
    'method api.post 9-9',
    'class Queue 12-17',
    'method Queue.push 13-13',
    'method Queue.#drain 14-14',
    'method Queue.[Symbol.iterator] 15-15',
    'method Queue.quoted.name 16-16',
    'function walk 18-18',
    'function inner 20-20',
    'class default 22-22',
  ],
)

check(
  'TypeScript: what is taken out of an object and exported',
  'typescript',
  'export const { a, b: c } = slice.actions\nexport const {\n  d,\n  e,\n} = slice.actions\nconst { no } = x\n',
  ['constant a 1-1', 'constant c 1-1', 'constant d 2-3', 'constant e 4-5'],
)

check('an unknown language has no declarations', 'klingon', 'function a() {}', [])

check('an empty file has none either', 'typescript', '', [])
