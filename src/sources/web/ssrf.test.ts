// Forbidden addresses. Nothing here opens a connection: names are resolved by the test, and the connector records.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { classOf } from './connect.js'
import { type Endpoint, type Fetched, openFetcher } from './fetch.js'

interface World {
  /** What names lead to: the first list for the first question, and so on; the last one stays. */
  names?: Record<string, string[][]>
  allowPrivateNetwork?: boolean
}

async function attempt(url: string, { names = {}, allowPrivateNetwork = false }: World = {}) {
  const connected: Endpoint[] = []
  const lookups: string[] = []
  const fetcher = openFetcher({
    version: '0',
    allowPrivateNetwork,
    async resolve(host) {
      const answers = names[host] ?? [['93.184.215.14']]
      const answer = answers[Math.min(lookups.filter((one) => one === host).length, answers.length - 1)]!
      lookups.push(host)
      return answer
    },
    async connect(endpoint) {
      connected.push(endpoint)
      throw Object.assign(new Error('recorded'), { code: 'ECONNREFUSED' })
    },
  })
  const fetched = await fetcher.fetch(url, { signal: AbortSignal.timeout(5_000) })
  await fetcher.close()
  return { fetched, connected, lookups }
}

function codeOf(fetched: Fetched): string {
  return fetched.state === 'refused' ? fetched.code : fetched.state
}

async function check(url: string, code: string, world: World = {}) {
  const { fetched, connected } = await attempt(url, world)
  assert.deepEqual({ code: codeOf(fetched), connected }, { code, connected: [] })
  assert.match('reason' in fetched ? fetched.reason : '', /^\S.*\.$/)
}

const literals = [
  'http://127.0.0.1/',
  'http://127.0.0.1:8080/',
  'https://127.0.0.1/',
  'http://127.255.255.254/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0x0.0x0.0x1/',
  'http://0177.0.0.1/',
  'http://0177.0.0.01/',
  'http://017700000001/',
  'http://0x7f.1/',
  'http://127.0x1/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://127.0.0.1./',
  'http://%31%32%37.0.0.1/',
  'http://127%2e0%2e0%2e1/',
  'http:\\\\127.0.0.1\\',
  'http:127.0.0.1/',
  'http:///127.0.0.1/',
  ' \thttp://127.0.0.1/\n',
  'http://12\t7.0.0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  'http://10.0.0.1/',
  'http://167772161/',
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://192.168.257/',
  'http://0xc0a80001/',
  'http://100.64.0.1/',
  'http://100.127.255.255/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.0.1/',
  'http://192.0.0.192/',
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://4294967295/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[::127.0.0.1]/',
  'http://[::7f00:1]/',
  'http://[::a9fe:a9fe]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2002:0a00:0001::1]/',
  'http://[2002:5db8:d70e::1]/',
  'http://[2001::1]/',
  'http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
  'http://[2001:2::1]/',
  'http://[2001:10::1]/',
  'http://[2001:20::1]/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http://[2606:4700::5efe:127.0.0.1]/',
  'http://[2606:4700::200:5efe:10.0.0.1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456:789a::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fd20:ce::254]/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[ff0e::1]/',
  'http://[100::1]/',
  'http://[4000::1]/',
  'http://[5f00::1]/',
  'http://[8000::1]/',
]

const names: string[] = [
  'http://localhost/',
  'http://LOCALHOST/',
  'http://localhost./',
  'http://localhost:3000/',
  'http://a.b.localhost/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
  'http://ｌｏｃａｌｈｏｓｔ/',
  'http://loc\u00adalhost/',
  'http://%6c%6f%63%61%6c%68%6f%73%74/',
  'http://localhoſt/',
  'http://localhost.localdomain/',
  'http://ip6-localhost/',
]

describe('forbidden addresses', () => {
  for (const url of literals) test(`refuses ${JSON.stringify(url)}`, () => check(url, 'address'))
  for (const url of names) test(`refuses ${JSON.stringify(url)} by its name`, () => check(url, 'address'))

  for (const [url, code] of [
    ['http://[fe80::1%25eth0]/', 'bad_url'],
    ['http://[fe80::1%eth0]/', 'bad_url'],
    ['http://127.0.0.1%00.example.org/', 'bad_url'],
    ['http://256.1.1.1/', 'bad_url'],
    ['http://1.2.3.4.5/', 'bad_url'],
    ['http://0x100000000/', 'bad_url'],
    ['http://[::1/', 'bad_url'],
    ['http://exa mple.org/', 'bad_url'],
    ['http://', 'bad_url'],
    ['', 'bad_url'],
    ['example.org', 'bad_url'],
    ['//example.org/', 'bad_url'],
    [`http://example.org/${'a'.repeat(9_000)}`, 'bad_url'],
    ['http://user:pass@example.org/', 'credentials'],
    ['http://user@example.org/', 'credentials'],
    ['http://:pass@example.org/', 'credentials'],
    ['http://example.org%40@127.0.0.1/', 'credentials'],
    ['http://example.org:80@127.0.0.1/', 'credentials'],
    ['file:///etc/passwd', 'scheme'],
    ['FILE:///etc/passwd', 'scheme'],
    ['ftp://example.org/', 'scheme'],
    ['gopher://127.0.0.1:6379/_INFO', 'scheme'],
    ['dict://127.0.0.1:11211/', 'scheme'],
    ['ldap://127.0.0.1/', 'scheme'],
    ['ws://example.org/', 'scheme'],
    ['data:text/html,hello', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['blob:http://example.org/1', 'scheme'],
    ['about:blank', 'scheme'],
    ['view-source:http://example.org/', 'scheme'],
    ['unix:/var/run/docker.sock', 'scheme'],
    ['http+unix://%2Fvar%2Frun%2Fdocker.sock/', 'scheme'],
    ['jar:http://example.org!/', 'scheme'],
    ['http://example.org:22/', 'port'],
    ['http://example.org:25/', 'port'],
    ['https://example.org:6667/', 'port'],
    ['http://example.org:0/', 'port'],
  ] as const)
    test(`refuses ${JSON.stringify(url.slice(0, 60))} as ${code}`, () => check(url, code))

  test('a password is not repeated in messages', async () => {
    const { fetched } = await attempt('http://user:hunter2@example.org/')
    assert.doesNotMatch(JSON.stringify(fetched), /hunter2/)
  })
})

describe('names that lead to forbidden addresses', () => {
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.9.9',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'ff02::1',
    '0177.0.0.1',
    '127.1',
    'nonsense',
    '',
  ])
    test(`refuses a name that leads to ${JSON.stringify(address)}`, () =>
      check('http://rebind.example/', 'address', { names: { 'rebind.example': [[address]] } }))

  for (const mixed of [
    ['93.184.215.14', '127.0.0.1'],
    ['10.0.0.1', '93.184.215.14'],
    ['2606:4700::1', '::1'],
    ['93.184.215.14', '2606:4700::1', '169.254.169.254'],
  ])
    test(`refuses a name with ${mixed.join(' and ')}`, () =>
      check('http://mixed.example/', 'address', { names: { 'mixed.example': [mixed] } }))

  test('a name is resolved once, and the checked address is the one that is contacted', async () => {
    const changing = { 'rebind.example': [['93.184.215.14'], ['127.0.0.1']] }
    const { fetched, connected, lookups } = await attempt('https://rebind.example:8443/', { names: changing })
    assert.equal(fetched.state, 'failed')
    assert.deepEqual(lookups, ['rebind.example'])
    assert.deepEqual(connected, [
      { address: '93.184.215.14', port: 8443, host: 'rebind.example', tls: { servername: 'rebind.example' } },
    ])
  })

  test('a name that changed between two fetches is refused at the second', async () => {
    const connected: string[] = []
    const answers = [['93.184.215.14'], ['127.0.0.1']]
    const fetcher = openFetcher({
      version: '0',
      allowPrivateNetwork: false,
      resolve: async () => answers.shift()!,
      async connect({ address }) {
        connected.push(address)
        throw Object.assign(new Error('recorded'), { code: 'ECONNREFUSED' })
      },
    })
    const signal = AbortSignal.timeout(5_000)
    const states = [
      codeOf(await fetcher.fetch('http://rebind.example/', { signal })),
      codeOf(await fetcher.fetch('http://rebind.example/', { signal })),
    ]
    await fetcher.close()
    assert.deepEqual({ states, connected }, { states: ['failed', 'address'], connected: ['93.184.215.14'] })
  })

  test('every address is tried in turn, and the name is kept for the certificate', async () => {
    const two = { 'two.example': [['2606:4700::1', '93.184.215.14']] }
    const { connected } = await attempt('https://two.example/', { names: two })
    assert.deepEqual(
      connected.map(({ address, port, tls }) => [address, port, tls?.servername]),
      [
        ['2606:4700::1', 443, 'two.example'],
        ['93.184.215.14', 443, 'two.example'],
      ],
    )
  })

  test('a name that leads nowhere is a failure, not a refusal', async () => {
    const { fetched } = await attempt('http://none.example/', { names: { 'none.example': [[]] } })
    assert.deepEqual([fetched.state, 'code' in fetched && fetched.code], ['failed', 'dns'])
  })
})

describe('with private networks allowed', () => {
  const allowed = { allowPrivateNetwork: true }
  for (const url of [
    'http://127.0.0.1/',
    'http://localhost/',
    'http://10.0.0.1/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fd12::1]/',
  ])
    test(`asks ${url}`, async () => {
      const { fetched, connected } = await attempt(url, { ...allowed, names: { localhost: [['127.0.0.1']] } })
      assert.deepEqual([fetched.state, connected.length], ['failed', 1])
    })

  for (const url of [
    'http://169.254.169.254/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://[fd00:ec2::254]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[::]/',
    'http://0.0.0.0/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://240.0.0.1/',
    'http://[ff02::1]/',
    'http://[::127.0.0.1]/',
  ])
    test(`still refuses ${url}`, () => check(url, 'address', allowed))

  test('still refuses a name that leads to a metadata address', () =>
    check('http://meta.example/', 'address', {
      ...allowed,
      names: { 'meta.example': [['127.0.0.1', '169.254.169.254']] },
    }))
})

describe('the classes of addresses', () => {
  for (const address of [
    '93.184.215.14',
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])
    test(`${address} is public`, () => assert.equal(classOf(address).reach, 'public'))

  test('an address inside another is never more public than itself', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), ([a, b, c, d]) => {
        const plain = classOf(`${a}.${b}.${c}.${d}`).reach
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
        assert.equal(classOf(`::ffff:${hex}`).reach, plain)
        for (const wrapped of [`64:ff9b::${hex}`, `2606:4700::5efe:${hex}`])
          assert.equal(classOf(wrapped).reach, plain === 'public' ? 'public' : 'never')
        for (const tunnel of [`2002:${hex}::1`, `2001:0:${hex}::1`, `::${hex}`])
          assert.notEqual(classOf(tunnel).reach, 'public')
      }),
      { seed: 20261115, numRuns: 500 },
    )
  })
})
