import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { inspect } from 'node:util'
import type { Clock } from '../http/clock.js'
import type { Embedder } from '../port.js'
import { type OpenAiSettings, openOpenAi } from './openai-compatible.js'

const key = 'sk-very-secret-key'
const dimensions = 4
const closing: (() => unknown)[] = []
after(async () => {
  for (const close of closing) await close()
})

interface Request {
  body: { model: string; input: string[]; dimensions?: number }
  headers: IncomingMessage['headers']
  url: string
}

type Handler = (request: Request, response: ServerResponse, count: number) => unknown

/** A service on this machine that answers as the handler says, and an embedder that asks it. */
async function setUp(handler: Handler, settings: Partial<OpenAiSettings> = {}) {
  const requests: Request[] = []
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const part of incoming) text += part
    const request = { body: JSON.parse(text), headers: incoming.headers, url: incoming.url! }
    requests.push(request)
    const answer = await handler(request, response, requests.length)
    if (answer !== undefined) response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const clock = instantClock()
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const embedder = openOpenAi({ baseUrl, model: 'test-model', dimensions, key, clock, ...settings })
  closing.push(
    embedder.close,
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return {
    requests,
    embedder,
    clock,
    embed: (...texts: string[]) => embedder.embed(texts, { kind: 'passage' }),
  }
}

function instantClock(): Clock & { slept: number[] } {
  const slept: number[] = []
  let now = 0
  return {
    slept,
    now: () => now,
    random: () => 1,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted()
      slept.push(milliseconds)
      now += milliseconds
    },
  }
}

// The vector of a text points along its length, so that mixing up two texts would show.
const vectorOf = (text: string) => [text.length, 1, 0, 0]
const unitOf = (text: string) =>
  Float32Array.from([text.length, 1, 0, 0], (x) => x / Math.hypot(text.length, 1))
const answerTo = ({ body }: Request) => ({
  data: body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })),
})

function near(found: Float32Array[], texts: string[]) {
  assert.equal(found.length, texts.length)
  for (const [i, text] of texts.entries())
    for (const [j, x] of unitOf(text).entries())
      assert.ok(Math.abs(found[i]![j]! - x) < 1e-6, `${text}: ${found[i]}`)
}

const status = (response: ServerResponse, code: number, headers: Record<string, string> = {}) => {
  response.writeHead(code, headers)
  return ''
}

/** What a caller could print of an error. */
const everything = (error: unknown) => inspect(error, { depth: 10, showHidden: true })

async function refused(embedding: Promise<unknown>, code: string, message: RegExp, hint?: RegExp) {
  await assert.rejects(embedding, (error: Error & { code?: string; hint?: string }) => {
    assert.equal(error.code, code, everything(error))
    assert.match(error.message, message)
    if (hint) assert.match(error.hint ?? '', hint)
    assert.ok(!everything(error).includes(key), 'The key shows in the error.')
    return true
  })
}

describe('asking', () => {
  test('sends model, texts and key, and gives unit vectors in order', async () => {
    const { embed, requests, embedder } = await setUp(answerTo)
    near(await embed('a', 'three'), ['a', 'three'])
    assert.deepEqual(requests[0]!.body, { model: 'test-model', input: ['a', 'three'] })
    assert.equal(requests[0]!.headers.authorization, `Bearer ${key}`)
    assert.equal(requests[0]!.url, '/v1/embeddings')
    assert.deepEqual([embedder.model, embedder.dimensions], ['test-model/4', 4])
    assert.deepEqual(await embed(), [])
    assert.equal(requests.length, 1)
  })

  test('sends no authorization without a key', async () => {
    const { embed, requests } = await setUp(answerTo, { key: undefined })
    await embed('a')
    assert.equal(requests[0]!.headers.authorization, undefined)
  })

  test('puts texts together by number and by length', async () => {
    const { embed, requests } = await setUp(answerTo, { batch: { texts: 3, characters: 10 } })
    const texts = ['a', 'b', 'c', 'd', 'eeeeeeeee', 'ff', 'g'.repeat(50), 'h']
    near(await embed(...texts), texts)
    const sizes = requests.map(({ body }) => body.input.join()).sort()
    assert.deepEqual(sizes, ['a,b,c', 'd,eeeeeeeee', 'ff', 'g'.repeat(50), 'h'])
  })

  test('puts prefixes before queries and passages, and names the passages’ one', async () => {
    const { embedder, requests } = await setUp(answerTo, {
      queryPrefix: 'query: ',
      passagePrefix: 'passage: ',
    })
    await embedder.embed(['x'], { kind: 'query' })
    await embedder.embed(['x'], { kind: 'passage' })
    assert.deepEqual(
      requests.map(({ body }) => body.input[0]),
      ['query: x', 'passage: x'],
    )
    assert.match(embedder.model, /^test-model\/4\+[0-9a-f]{8}$/)
  })

  test('asks for dimensions only where the model can shorten its vectors', async () => {
    const plain = await setUp(answerTo)
    await plain.embed('a')
    const openAi = await setUp(answerTo, { model: 'text-embedding-3-small' })
    await openAi.embed('a')
    const dimensions = [plain, openAi].map(({ requests }) => requests[0]!.body.dimensions)
    assert.deepEqual(dimensions, [undefined, 4])
  })

  test('sends a stand-in for a text without words, and no half characters', async () => {
    const { embed, requests } = await setUp(answerTo)
    await embed('', ' \n', '\u0000', 'a\ud800b', 'x'.repeat(100_000))
    const { input } = requests[0]!.body
    assert.deepEqual(input.slice(0, 4), ['.', '.', '.', 'a\ufffdb'])
    assert.ok(requests.at(-1)!.body.input.at(-1)!.length < 40_000)
  })
})

describe('answers', () => {
  test('in another order or without indexes are understood', async () => {
    const turned = await setUp((request) => ({ data: answerTo(request).data.reverse() }))
    near(await turned.embed('a', 'three'), ['a', 'three'])
    const bare = await setUp(({ body }) => ({
      data: body.input.map((text) => ({ embedding: vectorOf(text) })),
    }))
    near(await bare.embed('a', 'three'), ['a', 'three'])
  })

  const answers: [title: string, answer: unknown, code: string, message: RegExp][] = [
    [
      'of the wrong size',
      { data: [{ embedding: [1, 2, 3] }] },
      'embedder_dimensions',
      /3 dimensions where 4/,
    ],
    ['with null in a vector', { data: [{ embedding: [1, null, 3, 4] }] }, 'embedder_answer', /not a number/],
    ['with text in a vector', { data: [{ embedding: [1, 'NaN', 3, 4] }] }, 'embedder_answer', /not a number/],
    [
      'with infinite numbers',
      '{"data":[{"embedding":[1e999,0,0,0]}]}',
      'embedder_answer',
      /without a direction/,
    ],
    [
      'with bare NaN, which is not JSON',
      '{"data":[{"embedding":[NaN,0,0,0]}]}',
      'embedder_answer',
      /not JSON/,
    ],
    ['of zeros', { data: [{ embedding: [0, 0, 0, 0] }] }, 'embedder_answer', /without a direction/],
    ['with nested vectors', { data: [{ embedding: [[1, 2, 3, 4]] }] }, 'embedder_answer', /not a number/],
    [
      'with too many vectors',
      { data: [{ embedding: [1, 2, 3, 4] }, { embedding: [1, 2, 3, 4] }] },
      'embedder_answer',
      /2 vectors for 1/,
    ],
    ['with too few vectors', { data: [] }, 'embedder_answer', /0 vectors for 1/],
    [
      'with a strange index',
      { data: [{ index: 7, embedding: [1, 2, 3, 4] }] },
      'embedder_answer',
      /which vector/,
    ],
    ['without vectors', { object: 'list' }, 'embedder_answer', /without embeddings/],
    ['that are null', 'null', 'embedder_answer', /without embeddings/],
    ['with null for an item', { data: [null] }, 'embedder_answer', /without embeddings/],
    ['that are a web page', '<!doctype html><p>Hello', 'embedder_answer', /web page/],
    ['that are cut off', '{"data":[{"embe', 'embedder_answer', /not JSON/],
    ['that are empty', '', 'embedder_answer', /not JSON/],
    ['of brackets without end', '['.repeat(8 << 20), 'embedder_answer', /far more than was asked for/],
    [
      'with far longer vectors',
      { data: [{ embedding: Array(100_000).fill(0.125) }] },
      'embedder_answer',
      /far more than was asked for/,
    ],
    [
      'with longer vectors, as usual models give them,',
      { data: [{ embedding: Array.from({ length: 8192 }, (_, i) => Math.sin(i)) }] },
      'embedder_dimensions',
      /8192 dimensions where 4/,
    ],
  ]
  for (const [title, answer, code, message] of answers)
    test(`${title} are refused at once`, async () => {
      const { embed, requests } = await setUp(() => answer)
      await refused(embed('a'), code, message)
      assert.equal(requests.length, 1)
    })
})

test('answers printed with room, to many texts at once, are read', async () => {
  const size = 1536
  const long = (text: string) => Array.from({ length: size }, (_, i) => Math.sin(i + text.length) / 1e5)
  const { embed } = await setUp(
    ({ body }) =>
      JSON.stringify({ data: body.input.map((text, index) => ({ index, embedding: long(text) })) }, null, 4),
    { dimensions: size },
  )
  assert.equal((await embed(...Array.from({ length: 32 }, (_, i) => 'x'.repeat(i)))).length, 32)
})

test('a long page of a service that is down is judged by its status', async () => {
  const { embedder } = await setUp((_, response) => {
    status(response, 503)
    return `<html>${'x'.repeat(1 << 20)}`
  })
  await refused(embedder.embed(['a'], { kind: 'query' }), 'embedder_failed', /answered 503/)
})

describe('errors that someone must mend', () => {
  const cases: [
    title: string,
    code: number,
    body: unknown,
    problem: string,
    message: RegExp,
    hint?: RegExp,
  ][] = [
    [
      'a wrong key',
      401,
      { error: { message: `Incorrect API key provided: ${key}` } },
      'embedder_auth',
      /refused the key/,
      /key/,
    ],
    ['a key without rights', 403, 'no', 'embedder_auth', /refused the key/],
    [
      'a model OpenAI does not know',
      404,
      { error: { message: 'The model `x` does not exist', code: 'model_not_found' } },
      'embedder_model',
      /no model "test-model"/,
    ],
    [
      'a model Ollama has not fetched',
      404,
      { error: { message: 'model "test-model" not found, try pulling it first' } },
      'embedder_model',
      /no model/,
      /ollama pull test-model/,
    ],
    [
      'a model vLLM does not serve',
      404,
      { message: 'The model `x` does not exist.', code: 404 },
      'embedder_model',
      /no model/,
    ],
    ['a wrong address', 404, '<html>Not found</html>', 'embedder_url', /nothing at this address/, /\/v1/],
    ['a redirection', 302, '', 'embedder_url', /nothing at this address/],
    [
      'a model that cannot shorten its vectors',
      400,
      { message: 'Model "m" does not support matryoshka representation' },
      'embedder_dimensions',
      /number of dimensions/,
      /own/,
    ],
    [
      'no credit',
      429,
      { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } },
      'embedder_quota',
      /no credit/,
    ],
    [
      'a bad request',
      400,
      { error: `strange ${key} thing` },
      'embedder_failed',
      /answered 400: strange … thing/,
    ],
  ]
  for (const [title, code, body, problem, message, hint] of cases)
    test(`${title} is reported plainly, and not tried again`, async () => {
      const { embed, requests } = await setUp((_, response) => {
        status(response, code, code === 302 ? { location: 'http://127.0.0.1:1/' } : {})
        return body
      })
      await refused(embed('a'), problem, message, hint)
      assert.equal(requests.length, 1)
    })

  test('a key that cannot be sent is refused before anything is', () => {
    const settings = { baseUrl: 'http://127.0.0.1:1/v1', model: 'm', dimensions, key: 'two\nlines-of-secret' }
    assert.throws(
      () => openOpenAi(settings),
      (error: Error & { code: string }) =>
        error.code === 'embedder_auth' && !everything(error).includes('secret'),
    )
  })
})

describe('errors that pass', () => {
  test('500s and resets are tried again with growing delays', async () => {
    const { embed, clock, requests } = await setUp((request, response, count) => {
      if (count === 1) return status(response, 500)
      if (count === 2) return void response.destroy()
      if (count === 3) return status(response, 503)
      return answerTo(request)
    })
    near(await embed('a'), ['a'])
    assert.equal(requests.length, 4)
    assert.deepEqual(clock.slept, [500, 1000, 2000])
  })

  test('a service that limits requests gets the next one at the time that it names', async () => {
    const { embed, clock } = await setUp((request, response, count) => {
      if (count > 1) return answerTo(request)
      status(response, 429, { 'retry-after': '7' })
      return { error: { message: 'slow down' } }
    })
    near(await embed('a'), ['a'])
    assert.deepEqual(clock.slept, [7000])
  })

  test('a query does not wait for that', async () => {
    const { embedder, clock, requests } = await setUp((_, response) => {
      status(response, 429, { 'retry-after': '60' })
      return ''
    })
    const query = () => embedder.embed(['a'], { kind: 'query' })
    await refused(query(), 'embedder_limited', /limiting requests/)
    await refused(query(), 'embedder_limited', /again in 60 seconds/)
    assert.deepEqual([clock.slept, requests.length], [[], 1])
  })

  test('a slow service is given up on and tried again', async () => {
    const { embed, requests } = await setUp(
      (request, _, count) => (count === 1 ? new Promise(() => {}) : answerTo(request)),
      { timeout: 100 },
    )
    near(await embed('a'), ['a'])
    assert.equal(requests.length, 2)
  })

  test('an answer that starts and never ends counts as slow', async () => {
    const { embedder } = await setUp((_, response) => void response.write('{"data":'), { timeout: 50 })
    await refused(embedder.embed(['a'], { kind: 'query' }), 'embedder_down', /no answer within one second/)
  })

  test('a service that is not there is left alone after a while, and found again', async () => {
    let down = true
    const { embed, requests, clock } = await setUp((request, response) => {
      if (!down) return answerTo(request)
      status(response, 502)
      return ''
    })
    await refused(embed('a'), 'embedder_failed', /502/)
    assert.equal(requests.length, 5)
    await refused(embed('a'), 'embedder_down', /left alone.*502/, /again in 15 seconds/)
    assert.equal(requests.length, 5)
    down = false
    await clock.sleep(15_000)
    near(await embed('a'), ['a'])
  })

  test('a closed port is reported as closed', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const embedder = openOpenAi({
      baseUrl: `http://127.0.0.1:${port}`,
      model: 'm',
      dimensions,
      key,
      clock: instantClock(),
    })
    closing.push(embedder.close)
    await refused(
      embedder.embed(['a'], { kind: 'query' }),
      'embedder_down',
      /cannot be reached: .*ECONNREFUSED/,
      /running/,
    )
  })
})

describe('texts too long for the model', () => {
  const within =
    (most: number): Handler =>
    (request, response) => {
      if (request.body.input.join('').length <= most) return answerTo(request)
      status(response, 413)
      return { error: 'Input validation error: `inputs` must have less than 512 tokens' }
    }

  test('go in smaller batches, and at last shortened', async () => {
    const { embed, requests } = await setUp(within(1000))
    const found = await embed('a', 'b'.repeat(900), 'c'.repeat(3000), 'd')
    near(found, ['a', 'b'.repeat(900), 'c'.repeat(750), 'd'])
    assert.ok(requests.length > 4)
  })

  test('fail when even a little is too much', async () => {
    const { embed } = await setUp(within(0))
    await refused(embed('a'.repeat(1000)), 'embedder_too_long', /too long/)
  })
})

describe('giving up', () => {
  test('a signal ends a request that is under way, and those not begun', async () => {
    const { embedder, requests } = await setUp(() => new Promise(() => {}), { batch: { texts: 1 } })
    const gone = new AbortController()
    const embedding = embedder.embed(['a', 'b', 'c', 'd'], { kind: 'passage', signal: gone.signal })
    setTimeout(() => gone.abort(), 50)
    await assert.rejects(embedding, { name: 'AbortError' })
    assert.equal(requests.length, 2)
    await assert.rejects(embedder.embed(['a'], { kind: 'query', signal: gone.signal }), {
      name: 'AbortError',
    })
  })

  /** A service that never answers, after several requests that were given up. */
  async function afterFailures(waited: number, times: number) {
    const { embedder, requests, clock } = await setUp(() => new Promise(() => {}), { timeout: 5000 })
    for (let i = 0; i < times; i++) {
      const gone = new AbortController()
      const asking = embedder.embed(['a'], { kind: 'query', signal: gone.signal })
      while (requests.length === i) await new Promise((resolve) => setTimeout(resolve, 2))
      await clock.sleep(waited)
      gone.abort()
      await assert.rejects(asking, { name: 'AbortError' })
    }
    return { embedder, requests }
  }

  test('a service that lets every deadline pass is left alone', async () => {
    const { embedder, requests } = await afterFailures(6000, 5)
    const request = embedder.embed(['a'], { kind: 'query' })
    await refused(request, 'embedder_down', /left alone.*no answer within 6 seconds/, /again in/)
    assert.equal(requests.length, 5)
  })

  test('a question given up early says nothing about the service', async () => {
    const { requests } = await afterFailures(500, 7)
    assert.equal(requests.length, 7)
  })

  test('a failing batch ends the whole', async () => {
    const { embedder, requests }: { embedder: Embedder; requests: Request[] } = await setUp(
      (_, response) => {
        status(response, 400)
        return ''
      },
      { batch: { texts: 1 }, concurrency: 1 },
    )
    await refused(embedder.embed(['a', 'b', 'c'], { kind: 'passage' }), 'embedder_failed', /400/)
    assert.equal(requests.length, 1)
  })

  test('limits a minute are kept', async () => {
    const { embed, clock } = await setUp(answerTo, {
      requestsPerMinute: 2,
      batch: { texts: 1 },
      concurrency: 1,
    })
    await embed('a', 'b', 'c')
    assert.deepEqual(clock.slept, [30_000])
  })
})
