// Pairs of ends: who stands at one cannot stand at the other on the same matter.

/** At which end of which axes a text stands; an axis of which it names both ends is left out. */
export function endsIn(text: string): Map<string, 1 | -1> {
  const found = new Map<string, 1 | -1>()
  const plain = text.toLowerCase()
  for (const [name, one, other] of ends) {
    const [has, hasOther] = [one.test(plain), other.test(plain)]
    if (has !== hasOther) found.set(name, has ? 1 : -1)
  }
  return found
}

// Small letters and plain classes: ignoring case and reading Unicode made the first comparison a tenth of a second late.
const end = (words: string) => new RegExp(`(?<![a-z0-9-])(?:${words})(?![a-z0-9])`)

const ends: readonly (readonly [name: string, one: RegExp, other: RegExp])[] = [
  [
    'one or several',
    end(
      'one|single|shared?|shares|sharing|same|together|central(?:i[sz]ed)?|common|combined?|merged?|monolith(?:ic)?|unified|monorepo|a pool|side by side in|consolidat(?:e|ed)|jointly|everything in|at once',
    ),
    end(
      'multi|multiple|many|several|separate(?:d|ly)?|per|each|own|dedicated|split(?:ting|s)?|apart|individual|isolated?|distributed|independent(?:ly)?|multirepo|polyrepo|more than one|two|three|of its own|to itself|respective|federated|break(?:ing)? (?:it )?up|divided?',
    ),
  ],
  [
    'public or private',
    end(
      'public(?:ly)?|internet|expos(?:e|ed|es|ing)|anyone|anybody|everyone|everybody|open|outside world|unauthenticated|anonymous(?:ly)?|visible to all',
    ),
    end(
      'private(?:ly)?|restrict(?:s|ed|ing)?|internal(?:ly)?|closed|locked|lock(?:s|ing)?(?=(?: \\w+){0,3} down)|vpn|authenticated|hidden|confidential|only its own|secret|behind (?:a )?login|not reachable',
    ),
  ],
  [
    'ours or theirs',
    end(
      'self[- ]?(?:hosted|managed|host|hosting|built)|in[- ]house|on[- ]prem(?:ises)?|our own|of our own|ourselves|home[- ]?grown|from scratch|custom(?:-built)?|bespoke|hand-rolled|roll our own',
    ),
    end(
      'managed|saas|hosted by|third[- ]party|off[- ]the[- ]shelf|vendor(?:ed)?|existing|ready-made|registry|provided by|upstream|open[- ]source|external(?:ly)?|bought|buy|delegat(?:e|ed)',
    ),
  ],
  [
    'by hand or automatic',
    end(
      'manual(?:ly)?|by hand|hand-?written|hand-?crafted|hand-?coded|by somebody|a person|a human|click(?:ing)?|themselves|explicit(?:ly)?',
    ),
    end(
      'automatic(?:ally)?|automat(?:e|ed|es|ion)|auto-?\\w+|generat(?:e|ed|es|ing|or)|scripted|implicit(?:ly)?|by a bot|scheduled|derived',
    ),
  ],
  [
    'old or new',
    end(
      'old|older|outdated|pin|pins|pinned|previous|earlier|legacy|lag(?:s|ging)?|fall behind|former|deprecated|stale|stay on',
    ),
    end('latest|newest|up[- ]to[- ]date|newer|modern|upgraded?|always upgrade|current version|keep up'),
  ],
  [
    'before or after',
    end(
      'before|precedes?|ahead of|prior to|in front of|on top|above|first|begins?|beginning|early|up front|upfront',
    ),
    end(
      'after|follows|behind|below|underneath|under|at the end|last|finally|late|later|afterwards|bottom|end with',
    ),
  ],
  [
    'global or local',
    end('global(?:ly)?|system-wide|organi[sz]ation-wide|everywhere|worldwide|universal(?:ly)?'),
    end('local(?:ly)?|per project|dev ?dependenc(?:y|ies)|project-level|in each project|scoped|namespaced?'),
  ],
  [
    'at least or at most',
    end(
      'at least|minimum|no (?:less|fewer) than|or more|or higher|or above|unlimited|unbounded|no limit|as many as|any number',
    ),
    end(
      'at most|maximum|no more than|up to|exactly|or (?:less|fewer)|limit(?:ed|s)?|bounded|cap(?:s|ped)?|only one|never more',
    ),
  ],
  [
    'fixed or open to change',
    end(
      'immutable|frozen|cannot (?:be )?change[ds]?|read-?only|append-?only|never changes?|never reused?|permanent(?:ly)?|final|unchanged|static(?:ally)?|hard-?coded|fixed|constant|same for all|flat rate|whatever',
    ),
    end(
      'mutable|chang(?:e|es|ed|ing) in place|in place|edit(?:s|ed|able)?|updat(?:e|es|ed|able|ing)|rotat(?:e|es|ed|ing|ion)|amend(?:ed)?|reus(?:e|ed|able)|dynamic(?:ally)?|configurable|variable|proportional|adjust(?:s|ed|able)?|extend(?:able|ed|s)?|flexible|depends on|scales? with|modif(?:y|ied|iable)',
    ),
  ],
  [
    'waiting or not',
    end(
      'synchronous(?:ly)?|blocking|blocks until|wait(?:s|ing)? for|immediate(?:ly)?|at once|right away|instant(?:ly)?|real[- ]time|straight away|inline|live',
    ),
    end(
      'asynchronous(?:ly)?|async|non-blocking|background|queue[ds]?|queuing|batch(?:es|ed)?|deferred?|later|periodic(?:ally)?|nightly|buffer(?:ed|ing|s)?|eventual(?:ly)?|epochs?|end of (?:the|each)',
    ),
  ],
  [
    'when built or when run',
    end(
      'build[- ]time|at build|compil(?:e|ed|ation)(?:[- ]time)?|static site|prerender(?:ed)?|ahead of time|precomputed|during the build|static(?:ally)?',
    ),
    end(
      'run[- ]?time|at run time|on the fly|on demand|dynamic(?:ally)?|on every request|on each request|at start-?up|when requested|server[- ]rendered',
    ),
  ],
  [
    'client or server',
    end('client(?:[- ]side)?|in the browser|front-?end|browser'),
    end('server(?:[- ]side)?|back-?end|on the server'),
  ],
  [
    'must or may',
    end(
      'mandatory|required|must|always|enforc(?:e|ed|es)|compulsory|without exception|oblig(?:ed|atory)|have to|has to|strictly',
    ),
    end(
      "optional(?:ly)?|voluntary|anywhere|may|if they (?:like|want|wish)|when they (?:like|want)|free to|up to (?:each|the|every)|recommended|opt[- ]in|at their own discretion|needn't|need not|not required|whoever|as they (?:like|please|see fit)|can choose|wherever|nice to have|advisory",
    ),
  ],
  [
    'block or warn',
    end(
      'block(?:s|ed)?|enforc(?:e|ed|es)|fail(?:s|ed)? the|break(?:s)? the build|reject(?:s|ed)?|halt(?:s|ed)?|deny',
    ),
    end(
      'audit(?: mode)?|warn(?:s|ing|ings)?|report only|dry[- ]run|log only|alert only|advisory|ignore[ds]?|tolerat(?:e|ed)|best[- ]effort',
    ),
  ],
  [
    'keeps or forgets',
    end(
      'persist(?:s|ed|ent)?|on disk|stored?|kept|keep(?:s)?|retain(?:s|ed)?|forever|long-lived|durable|archive[ds]?|indefinitely|permanent',
    ),
    end(
      'ephemeral|in[- ]memory|temporary|transient|short-lived|expir(?:e|es|ed|y)|delet(?:e|es|ed)|prun(?:e|es|ed)|discard(?:ed)?|throw(?:n)? away|stateless|wiped?|clean(?:ed)? up|volatile',
    ),
  ],
  ['stateful or not', end('stateful|sessions?'), end('stateless')],
  ['eager or lazy', end('eager(?:ly)?|preload(?:ed)?|up front'), end('lazy|lazily|on demand|when needed')],
  [
    'push or pull',
    end('push(?:es|ed)?|stream(?:s|ed|ing)?|webhooks?|notif(?:y|ied|ies)|subscribe'),
    end('pull(?:s|ed)?|poll(?:s|ed|ing)?|fetch(?:es|ed)?|scrap(?:e|es|ed|ing)'),
  ],
  [
    'strict or loose',
    end('strict(?:ly)?|typed|type-safe|validat(?:e|ed|es)|schema|structured|well-defined|checked'),
    end(
      'loose(?:ly)?|untyped|any type|free[- ]form|schemaless|schema-less|unstructured|unchecked|arbitrary|plain strings?|stringly|lenient|skip validation',
    ),
  ],
  [
    'more or less',
    end(
      'increas(?:e|ed|es)|rais(?:e|ed|es)|more|longer|larger|bigger|higher|widen|expand(?:ed)?|extend(?:ed)?|double',
    ),
    end(
      'decreas(?:e|ed|es)|lower(?:ed|s)?|fewer|shorter|smaller|reduc(?:e|ed|es)|narrow|shrink|minim(?:al|i[sz]e)|short|small|halve',
    ),
  ],
  [
    'whole or part',
    end('whole|entire(?:ly)?|full(?:y)?|complete(?:ly)?|all of|everything|end-to-end|from scratch'),
    end(
      'part(?:ly|ial|ially|s)?|subset|minimal|only the|just the|incremental(?:ly)?|affected|some of|a few|selective(?:ly)?|half',
    ),
  ],
  [
    'gradual or at once',
    end(
      'gradual(?:ly)?|phased?|phases|step by step|incremental(?:ly)?|canary|little by little|slowly|one by one|as we go|in stages|roll(?:ed)? out|audit',
    ),
    end(
      'big bang|all at once|in one go|overnight|from (?:the first day|day one)|straight away|in a single|immediately|flag day',
    ),
  ],
  [
    'inside or outside',
    end(
      'inside|within|part of|belongs to|built[- ]in|embedded|in the core|bundled|included?|in[- ]tree|merged? into',
    ),
    end(
      'outside|out of|not part of|plugins?|extensions?|add-ons?|standalone|separate(?:ly)?|external(?:ly)?|excluded?|out[- ]of[- ]tree|third[- ]party',
    ),
  ],
  [
    'encrypted or plain',
    end('encrypt(?:ed|s|ion)?|tls|https|hashed|signed|masked|ciphertext'),
    end('plain ?text|unencrypted|clear ?text|http|unsigned|in the clear|raw'),
  ],
  [
    'ordered or not',
    end(
      'order(?:ed|ing)?|sequential(?:ly)?|sequence|sorted|numbered|monotonic(?:ally)?|in order|one after the other|serial(?:ly)?|nonce',
    ),
    end(
      'unordered|parallel|concurrent(?:ly)?|any order|unsorted|unnumbered|out of order|random(?:ly)?|shuffled',
    ),
  ],
  [
    'copied or referred to',
    end(
      'copy|copies|copied|duplicat(?:e|ed|es|ion)|inline[ds]?|embed(?:ded|s)?|repeat(?:ed|s)?|vendored|fork(?:ed)?',
    ),
    end(
      'link(?:s|ed)?|refer(?:s|ence|enced|ences)?|point(?:s|er)? to|import(?:ed|s)?|shared|dependency|submodule',
    ),
  ],
  [
    'real or mocked',
    end('real|whole app|full app|actual|production|live|end-to-end|integration'),
    end('mock(?:s|ed|ing)?|stub(?:s|bed)?|fakes?|simulat(?:e|ed|ion|or)|in isolation|unit|dummy|sandbox'),
  ],
  [
    'specific or general',
    end('specific|speciali[sz]ed|dedicated|custom|tailored|hard-?coded|per-\\w+|particular'),
    end(
      'generic|general(?:i[sz]ed)?|abstract(?:ion|ions)?|universal|extensible|pluggable|any|arbitrary|agnostic|common',
    ),
  ],
  [
    'stable or moving',
    end('stable|lts|released?|tagged|locked|pinned|versioned|fixed version'),
    end('unstable|nightly|snapshot|main branch|floating|latest|bleeding edge|head|unversioned|range'),
  ],
]
