// Paths that must never lead to a byte: by class, with what has to be on disk so that a weaker guard would fall for them.

export interface HostilePath {
  class: string
  path: string
}

/** What stands where it must not be read. */
export const marker = 'THIS-MUST-NOT-BE-READ'

const ups = (count: number, up = '../') => up.repeat(count)

const traversal = [
  ...[1, 2, 3, 5, 8, 40].map((count) => `${ups(count)}secret.txt`),
  ...[
    'src/../../secret.txt',
    'src/./../../secret.txt',
    './../secret.txt',
    './/../secret.txt',
    'src//..//../secret.txt',
  ],
  ...[
    'src/auth/../../../secret.txt',
    'missing/../../secret.txt',
    'src/a.ts/../../../secret.txt',
    '..',
    '../',
    'src/..',
    '../project/.env',
  ],
  ...[
    '../project/src/a.ts',
    'src/../.env',
    'src/../.git/config',
    'src/../node_modules/x/index.js',
    '.. /secret.txt',
    ' ../secret.txt',
  ],
  ...[
    '.../secret.txt',
    '..../secret.txt',
    '../../../../../../../../etc/passwd',
    'src/../../../../../../../../etc/hostname',
  ],
]

const backslashes = [
  ...[
    '..\\secret.txt',
    '..\\..\\secret.txt',
    'src\\..\\..\\secret.txt',
    'src/..\\../secret.txt',
    '..\\/secret.txt',
    '..//\\secret.txt',
  ],
  ...[
    '\\etc\\passwd',
    '\\secret.txt',
    'src\\..\\.env',
    '.git\\config',
    'node_modules\\x\\index.js',
    'src\\.env',
    '.\\..\\secret.txt',
  ],
]

// The same climb in other clothes. Nothing here is decoded, so each is a name that is not there.
const climb = 'secret.txt'
const encodings = [
  ...['%2e%2e/', '%2e%2e%2f', '..%2f', '%2E%2E%2F', '.%2e/', '%2e./', '..%5c', '%2e%2e%5c', '%2e%2e\\'].map(
    (up) => up + climb,
  ),
  ...['%252e%252e%252f', '%252e%252e/', '..%252f', '%25252e%25252e%25252f', '..%255c'].map(
    (up) => up + climb,
  ),
  ...[
    '%c0%ae%c0%ae/',
    '%c0%ae%c0%ae%c0%af',
    '..%c0%af',
    '..%c1%9c',
    '%e0%80%ae%e0%80%ae/',
    '%f0%80%80%ae%f0%80%80%ae/',
  ].map((up) => up + climb),
  ...[
    '%uff0e%uff0e/',
    '%u002e%u002e%u2215',
    '..%u2216',
    '&#46;&#46;/',
    '&#x2e;&#x2e;&#x2f;',
    '&period;&period;&sol;',
  ].map((up) => up + climb),
  ...[
    '\\u002e\\u002e/',
    '\\x2e\\x2e\\x2f',
    '0x2e0x2e/',
    '+AC4-+AC4-/',
    '=2E=2E/',
    '..;/',
    '..%00/',
    '..%0d%0a/',
  ].map((up) => up + climb),
  ...[
    '\u00c0\u00ae\u00c0\u00ae/',
    '\ud800../',
    '.\udc00./',
    '%2eenv',
    '%2egit/config',
    '.%65nv',
    'node%5fmodules/x/index.js',
  ].map((up) => (up.endsWith('/') ? up + climb : up)),
]

const lookAlikes = [
  ...[
    '．．/',
    '‥/',
    '․․/',
    '﹒﹒/',
    '.．/',
    '．./',
    '..／',
    '．．／',
    '..＼',
    '..∕',
    '..⁄',
    '..⧸',
    '。。/',
    '⁄..⁄',
    '\u200b../',
    '.\u200d./',
    '..\u2060/',
    '\ufeff../',
  ].map((up) => up + climb),
]

const absolute = [
  ...[
    '/etc/passwd',
    '//etc/passwd',
    '///etc/passwd',
    '/./etc/passwd',
    '/../etc/passwd',
    '/',
    '//',
    '/.env',
    '/src/a.ts',
  ],
  ...[
    'file:///etc/passwd',
    'file:/etc/passwd',
    'file://localhost/etc/passwd',
    'FILE:///etc/passwd',
    'http://localhost/.env',
    'data:,x',
  ],
  ...[
    '~/.ssh/id_rsa',
    '~root/.profile',
    '~',
    '$HOME/.profile',
    `$\{HOME}/.profile`,
    '%USERPROFILE%\\x',
    '%HOME%/.profile',
    '`id`',
    '$(id)',
    '|id',
  ],
]

const system = [
  ...[
    '/proc/self/environ',
    '/proc/self/cmdline',
    '/proc/1/root/etc/passwd',
    '/proc/self/cwd/.env',
    '/proc/self/root/etc/passwd',
  ],
  ...[
    '/proc/self/fd/0',
    '/proc/self/mem',
    '/proc/kcore',
    '/proc/thread-self/environ',
    '/sys/kernel/notes',
    '/dev/zero',
    '/dev/random',
  ],
  ...[
    '/dev/stdin',
    '/dev/fd/0',
    '/dev/tty',
    '/dev/null',
    '/dev/mem',
    '/dev/shm',
    '/run/secrets/token',
    'proc/self/environ',
    'dev/zero',
  ],
]

const windows = [
  ...[
    'C:\\Windows\\win.ini',
    'C:/Windows/win.ini',
    'c:secret.txt',
    'C:..\\secret.txt',
    'C:',
    'C:\\',
    'Z:/x',
    '/C:/Windows/win.ini',
  ],
  ...[
    '\\\\server\\share\\x',
    '//server/share/x',
    '\\\\?\\C:\\Windows\\win.ini',
    '//?/C:/Windows/win.ini',
    '\\\\.\\C:\\x',
    '\\\\.\\PhysicalDrive0',
  ],
  ...[
    '\\??\\C:\\x',
    '\\\\?\\UNC\\server\\share\\x',
    '\\\\.\\pipe\\x',
    '\\\\?\\GLOBALROOT\\Device\\HarddiskVolume1\\x',
    '\\\\localhost\\c$\\x',
  ],
  ...[
    '\\\\127.0.0.1\\admin$\\x',
    '//./C:/x',
    '\\\\;LanmanRedirector\\server\\share',
    '\\Device\\HarddiskVolume1\\x',
  ],
  ...[
    '.env::$DATA',
    '.env:x',
    '.env.local::$DATA',
    '.git::$INDEX_ALLOCATION/config',
    '.git:$I30:$INDEX_ALLOCATION\\config',
  ],
  ...[
    'node_modules::$INDEX_ALLOCATION/x/index.js',
    'src/.env:stream:$DATA',
    'GIT~1/config',
    'git~1\\config',
    'NODE_M~1/x/index.js',
    'ENV~1',
  ],
  ...[
    '.env.',
    '.env ',
    '.env. .',
    '.env\t',
    '.git./config',
    '.git /config',
    '.git . ./config',
    'node_modules./x/index.js',
    'node_modules /x/index.js',
    ' .env',
    ' .git/config',
  ],
]

/** Names that only Windows takes for something else: refused there, missing here. */
export const windowsNames = [
  ...[
    'CON',
    'con',
    'PRN',
    'AUX',
    'NUL',
    'nul.txt',
    'COM1',
    'com9.log',
    'LPT1',
    'lpt9',
    'CONIN$',
    'CONOUT$',
    'COM¹',
    'aux.c',
    'src/nul',
    'src/con.ts',
  ],
  ...[
    'a.txt:b',
    'a.txt::$DATA',
    'a.txt.',
    'a.txt ',
    'a?.txt',
    'a*.txt',
    'a<b',
    'a>b',
    'a|b',
    'a"b',
    'LONGNA~1.TXT',
    'nul .txt',
  ],
]

const cases = [
  ...[
    '.ENV',
    '.Env',
    '.eNV',
    '.ENV.LOCAL',
    '.Env.Production',
    '.env.local',
    '.env.production',
    '.env.example',
    '.env.test.local',
    '.env..',
  ],
  ...[
    '.GIT/config',
    '.Git/config',
    '.giT/HEAD',
    '.git',
    '.git/',
    '.git/config',
    '.git/hooks/pre-commit',
    '.git/objects/aa/bb',
    '.git/refs/heads/main',
  ],
  ...[
    'NODE_MODULES/x/index.js',
    'Node_Modules/x/index.js',
    'node_modules',
    'node_modules/',
    'node_modules/x/index.js',
    'node_modules/.package-lock.json',
  ],
  ...[
    'src/.env',
    'src/auth/.env.local',
    'src/.git/config',
    'packages/a/node_modules/x/index.js',
    'packages/a/.env',
    'vendor/repo/.git/config',
  ],
  ...['./.env', './/.env', 'src/./.env', '././.git/config', 'src//.env', './node_modules//x/index.js'],
]

// What HFS+ passes over, one at a time, and letters that fold to plain ones.
const excludedPaths = [
  0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x206a, 0x206b, 0x206c, 0x206d,
  0x206e, 0x206f, 0xfeff,
]
const folded = [
  ...excludedPaths.flatMap((code) => {
    const sign = String.fromCodePoint(code)
    return [`.g${sign}it/config`, `.en${sign}v`, `node_${sign}modules/x/index.js`]
  }),
  ...[
    '.g\u0131t/config',
    '.g\u0130t/config',
    '\uff0eenv',
    '.\uff45\uff4e\uff56',
    '.\u{1d41e}\u{1d427}\u{1d42f}',
    'node_module\u017f/x/index.js',
    '\u24dd\u24de\u24d3\u24d4_modules/x/index.js',
  ],
  ...[
    '.env\u2024local',
    '.\u24d6\u24d8\u24e3/config',
    '\u00ad.env',
    '.e\u00adnv',
    '.env\ufe0f',
    '.g\ufe0fit/config',
    '\u3164.env',
  ],
]

const nul = [
  '\0',
  '.env\0',
  '.env\0.ts',
  'src/a.ts\0',
  'src/a.ts\0.txt',
  'src\0/a.ts',
  '../secret.txt\0',
  '\0../secret.txt',
  'src/a.ts\n../../secret.txt',
  '\r\n',
  '\u0007',
  'src/\u001b[2J',
]

const long = [
  `${'a/'.repeat(3_000)}x`,
  `${ups(3_000)}etc/passwd`,
  'x'.repeat(10_000),
  `src/${'y'.repeat(300)}.ts`,
  `${'./'.repeat(5_000)}.env`,
  `${'src/../'.repeat(1_000)}.env`,
]

const aliased = [
  ...[
    'all:../secret.txt',
    'all:/etc/passwd',
    'all:.env',
    'all:src/.env',
    'all:.git/config',
    'all:node_modules/x/index.js',
    'all:..\\secret.txt',
    'all:',
    'all:.',
  ],
  ...[
    'all:all:.env',
    'docs:../.env',
    'docs:../src/a.ts',
    'docs:../../secret.txt',
    'docs:C:\\x',
    'docs:\0',
    'all:.ENV',
    'all:C:secret.txt',
    'nobody:.env',
    ':.env',
    '::',
  ],
]

/** Links and special files that the test makes. */
export const links: Record<string, string> = {
  'out.txt': '../secret.txt',
  'out-absolute.txt': '{outside}/secret.txt',
  'out-folder': '..',
  'out-root': '/',
  'to-env.txt': '.env',
  'to-env-local': 'src/auth/.env.local',
  'to-git': '.git',
  'to-modules': 'node_modules',
  'to-proc': '/proc/self',
  'to-environ': '/proc/self/environ',
  'to-zero': '/dev/zero',
  'to-random': '/dev/random',
  'to-stdin': '/dev/stdin',
  'to-tty': '/dev/tty',
  'to-fd': '/proc/self/fd',
  'src/up': '../..',
  'src/innocent.ts': '../.env',
  'chain-1': 'chain-2',
  'chain-2': 'src/chain-3',
  'src/chain-3': '../chain-4',
  'chain-4': 'out-folder/secret.txt',
  'loop-a': 'loop-b',
  'loop-b': 'loop-a',
  self: 'self',
  nowhere: 'missing/file.ts',
  'to-pipe': 'pipe',
  'to-socket': 'socket',
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`deep-${i}`, i === 29 ? 'out.txt' : `deep-${i + 1}`]),
  ),
}

const linked = [
  ...Object.keys(links).filter((name) => !name.startsWith('deep-')),
  ...['deep-0', 'deep-15', 'deep-29'],
  ...[
    'out-folder/secret.txt',
    'out-root/etc/passwd',
    'to-git/config',
    'to-modules/x/index.js',
    'to-proc/environ',
    'to-proc/cwd/package.json',
  ],
  ...[
    'to-proc/root/etc/passwd',
    'to-fd/0',
    'src/up/secret.txt',
    'src/up/project/.env',
    'src/up/project/.git/config',
    'out-folder/project/.env',
    'to-modules/.package-lock.json',
  ],
  ...['pipe', 'socket', 'src', 'src/', '.', './', 'out-folder', 'src/a.ts/', 'src/a.ts/x', 'empty'],
]

export const hostilePaths: HostilePath[] = Object.entries({
  traversal,
  backslashes,
  encodings,
  lookAlikes,
  absolute,
  system,
  windows,
  cases,
  folded,
  nul,
  long,
  aliased,
  linked,
}).flatMap(([name, paths]) => paths.map((path) => ({ class: name, path })))
