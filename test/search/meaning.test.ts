import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Library } from '../../src/answer/library.js'
import { type SearchRequest, search } from '../../src/answer/search.js'
import { coverage, fillVectors } from '../../src/answer/vectors.js'
import { indexAll } from '../../src/app/index-all.js'
import { status } from '../../src/app/status.js'
import type { Embedder } from '../../src/embed/port.js'
import { Problem } from '../../src/model/problem.js'
import { auditIndex } from '../../src/store/sqlite/repair.js'
import { fakeEmbedder } from '../support/fake-embedder.js'
import { type Files, projectRoot, settingsFor, world, write } from '../support/world.js'

/** A library with an embedder of the test's own. */
async function indexed(t: TestContext, files: Files, embedder: Embedder | null = fakeEmbedder()) {
  const w = await world(t, files)
  const library: Library = { ...w.library, embedder }
  await indexAll(library, {})
  const ask = (query: string, more: Partial<SearchRequest> = {}) => search(library, { query, ...more })
  const codes = async (query: string, more: Partial<SearchRequest> = {}) =>
    (await ask(query, more)).notes.map(({ code }) => code)
  return { ...w, library, ask, codes }
}

/** An embedder that does something else with each call. */
function embedderThat(embed: Embedder['embed'], model = 'odd'): Embedder {
  return { model, dimensions: 64, embed, close: async () => {} }
}

/** A vector this near to that of a question. */
function at(cosine: number): Float32Array {
  return Float32Array.from({ length: 64 }, (_, i) => [cosine, Math.sqrt(1 - cosine * cosine)][i] ?? 0)
}

const pages = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => [
    `p${i}.md`,
    `# Page ${i}\n\nlantern number ${i} and wick ${i % 4}\n`,
  ]),
)

test('a word that one passage has is found, however many are nearer in meaning', async (t) => {
  // As models have it of words that they do not know: all passages are about as near, and others a little nearer.
  const model = embedderThat(async (texts, { kind }) =>
    texts.map((text) => at(kind === 'query' ? 1 : text.includes('zanzibar') ? 0.15 : 0.35)),
  )
  const prose = 'Lamps are trimmed at dusk, and the wick is cut straight. '.repeat(8)
  const files: Files = { 'rare.md': `${prose}The zanzibar pattern is mentioned nowhere else.` }
  for (let i = 0; i < 200; i++) files[`p${i}.md`] = `${prose}Keeper number ${i} is on watch.`
  const { library, ask } = await indexed(t, files, model)
  await fillVectors(library)
  for (const question of ['zanzibar', 'what is zanzibar', 'how do we cut zanzibar']) {
    const { hits } = await ask(question)
    assert.equal(hits[0]?.document, 'rare.md', question)
  }
})

test('a section shown for a block in it is as near as the block that earned its score', async (t) => {
  const model = embedderThat(async (texts, { kind }) =>
    texts.map((text) =>
      at(kind === 'query' ? 1 : !text.includes('trim(') ? 0.2 : text.includes('dusk') ? 0.5 : 0.8),
    ),
  )
  const page = `# Lamps\n\nThey are trimmed at dusk.\n\n\`\`\`js\nfunction trim(wick) { return wick.slice(1) }\nexport const all = lamps.map(trim)\nexport const short = all.filter((wick) => wick.length < 3)\nexport default short\n\`\`\`\n`
  const { library, ask } = await indexed(t, { 'lamps.md': page, 'other.md': '# Other\n\nNothing.\n' }, model)
  await fillVectors(library)
  const { hits } = await ask('cutting', { mode: 'vector', explain: true })
  const [first] = hits
  assert.match(first!.text, /at dusk/)
  assert.ok(Math.abs(first!.distance! - 0.2) < 0.01, `${first!.distance}`)
  assert.ok(Math.abs(first!.explain!.score - first!.score) < 0.0001)
})

describe('vectors', () => {
  test('fill in behind the words, which are searchable at once', async (t) => {
    const { library, ask, codes } = await indexed(t, pages)
    assert.ok((await ask('lantern number 7')).hits.length > 0)
    assert.deepEqual(await codes('lantern'), ['vectors_pending'])
    const { model } = library.embedder!
    assert.deepEqual((await status(library)).vectors, [{ model, count: 0 }])
    const progress: number[] = []
    const { embedded } = await fillVectors(library, { onProgress: ({ done }) => progress.push(done) })
    assert.equal(embedded, 30)
    assert.ok(progress.length > 0 && progress.every((done, i) => i === 0 || done >= progress[i - 1]!))
    assert.deepEqual(await codes('lantern'), [])
    const [first] = (await ask('lantern number 7')).hits
    assert.equal(first!.by, 'both')
    assert.ok(first!.distance! >= 0 && first!.distance! < 1)
  })

  test('go on where they were stopped', async (t) => {
    const stop = new AbortController()
    const fake = fakeEmbedder()
    let calls = 0
    const slow: Embedder = {
      ...fake,
      embed: async (texts, options) => {
        if (options.kind === 'passage' && ++calls === 2) stop.abort(new Error('enough'))
        return fake.embed(texts, options)
      },
    }
    const files = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}.md`, `lantern ${i}`]))
    const { library } = await indexed(t, files, slow)
    await assert.rejects(fillVectors(library, { signal: stop.signal }))
    const { missing } = await coverage(library.store, slow.model)
    assert.ok(missing > 0 && missing < 100, `${missing} left`)
    assert.equal((await fillVectors(library)).embedded, missing)
  })

  test('are kept by passages that did not change, and follow a file that was moved', async (t) => {
    const { library, root } = await indexed(t, {
      'a.md': '# Wick\n\nlantern one',
      'b.md': '# Glow\n\nlantern two',
    })
    await fillVectors(library)
    const { renameSync } = await import('node:fs')
    renameSync(join(root, 'a.md'), join(root, 'moved.md'))
    write(root, { 'b.md': '# Glow\n\nlantern two, changed' })
    await indexAll(library, {})
    assert.equal((await fillVectors(library)).embedded, 1, 'only the changed one')
    assert.deepEqual(auditIndex(library.settings.data), [])
  })

  test('of passages that were shown come first', async (t) => {
    const order: string[] = []
    const fake = fakeEmbedder()
    const noting: Embedder = {
      ...fake,
      embed: (texts, options) => {
        if (options.kind === 'passage') order.push(...texts)
        return fake.embed(texts, options)
      },
    }
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`p${i}.md`, `lantern ${i}`]))
    const { library, ask } = await indexed(t, { ...files, 'zz.md': 'rare gannet' }, noting)
    await ask('gannet')
    await fillVectors(library)
    assert.match(order[0]!, /gannet/)
  })

  test('of another model fill in while the old ones answer, then take over', async (t) => {
    const old = fakeEmbedder({ model: 'old' })
    const w = await indexed(t, pages, old)
    await fillVectors(w.library)
    const next = fakeEmbedder({ model: 'new' })
    const library: Library = {
      ...w.library,
      embedder: next,
      earlier: (models) => (models.includes(old.model) ? old : null),
    }
    const during = await search(library, { query: 'lantern number 3' })
    assert.deepEqual(
      during.notes.map(({ code }) => code),
      ['reembedding'],
    )
    assert.notEqual(during.hits[0]!.distance, null)
    await fillVectors(library)
    assert.deepEqual(await library.store.vectors.counts(), { [next.model]: 30 })
    assert.deepEqual((await search(library, { query: 'lantern number 3' })).notes, [])
  })

  test('are not made twice by two processes at once', async (t) => {
    const fake = fakeEmbedder()
    let texts = 0
    const counting: Embedder = {
      ...fake,
      embed: async (list, options) => {
        if (options.kind === 'passage') texts += list.length
        await sleep(2)
        return fake.embed(list, options)
      },
    }
    const { library } = await indexed(t, pages, counting)
    const two = await Promise.all([fillVectors(library), fillVectors(library)])
    assert.equal(two[0].embedded + two[1].embedded, 30)
    assert.equal(texts, 30)
  })

  test('survive kill -9 in the middle: nothing lost, nothing doubled, no orphan', async (t) => {
    const w = await world(
      t,
      Object.fromEntries(
        Array.from({ length: 200 }, (_, i) => [`p${i}.md`, `lantern ${i} ${'word '.repeat(i % 20)}`]),
      ),
    )
    await indexAll(w.library, {})
    for (let round = 0; round < 4; round++) {
      const child = spawn(process.execPath, [join(projectRoot, 'dist/test/search/embed-child.js'), w.root], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await printed(child, round + 1)
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
    }
    const library: Library = { ...w.library, embedder: fakeEmbedder() }
    const before = await coverage(library.store, library.embedder!.model)
    assert.ok(before.missing < 200 && before.missing > 0, `${before.missing} missing`)
    assert.equal((await fillVectors(library)).embedded, before.missing)
    assert.deepEqual(auditIndex(w.settings.data), [])
  })
})

/** Resolves when the child has stored so many batches. */
function printed(child: ChildProcess, times: number): Promise<void> {
  let count = 0
  return new Promise((resolve) => {
    child.stdout!.on('data', (data: Buffer) => {
      count += String(data).split('\n').length - 1
      if (count >= times) resolve()
    })
    child.once('exit', () => resolve())
  })
}

describe('a model that misbehaves', () => {
  const ways: Record<string, Embedder['embed']> = {
    'is down': async () => {
      throw new Problem('embedder_down', 'The embedding service does not answer.', 'Start it.')
    },
    'gives vectors of another size': async (texts) => texts.map(() => new Float32Array(7).fill(0.1)),
    'fails with a bug': async () => {
      throw new TypeError('undefined is not a vector')
    },
  }
  for (const [what, embed] of Object.entries(ways))
    test(`and ${what} leaves the search by words, with a note`, async (t) => {
      const { ask } = await indexed(t, pages, embedderThat(embed))
      const { hits, notes } = await ask('lantern number 7')
      assert.ok(hits.length > 0)
      assert.ok(notes.length > 0)
    })

  test('and never answers costs the deadline and nothing more', async (t) => {
    const { ask } = await indexed(
      t,
      pages,
      embedderThat(() => new Promise(() => {})),
    )
    const { hits, notes, stages } = await ask('lantern number 7', { deadlineMs: 80 })
    assert.ok(hits.length > 0)
    assert.ok(notes.some(({ code }) => code === 'words_only'))
    assert.deepEqual(stages.find(({ name }) => name === 'meaning')?.state, 'cut')
  })

  test('is not used for a search by words', async (t) => {
    const { ask } = await indexed(
      t,
      pages,
      embedderThat(() => Promise.reject(new Error('asked'))),
    )
    assert.deepEqual((await ask('lantern', { mode: 'text' })).notes, [])
  })
})

describe('hybrid search', () => {
  test('finds passages without a common word by meaning, and passages without a vector by words', async (t) => {
    const axis = (i: number) => Float32Array.from({ length: 64 }, (_, j) => (i === j ? 1 : 0))
    const about = (text: string) => axis(/feline|cat/.test(text) ? 0 : /stock|share/.test(text) ? 1 : 2)
    const meaning = embedderThat(async (texts) => texts.map(about))
    const { library, ask, root } = await indexed(
      t,
      { 'a.md': 'the cat sleeps', 'b.md': 'share prices fell', 'c.md': 'rain' },
      meaning,
    )
    await fillVectors(library)
    const [first] = (await ask('feline')).hits
    assert.deepEqual([first!.document, first!.by, first!.distance], ['a.md', 'meaning', 0])
    write(root, { 'new.md': 'feline without a vector' })
    await indexAll(library, {})
    assert.ok(
      (await ask('feline')).hits.some(({ document, distance }) => document === 'new.md' && distance === null),
    )
  })

  test('keeps a quoted phrase a demand', async (t) => {
    const { library, ask } = await indexed(t, pages)
    await fillVectors(library)
    const { hits } = await ask('"number 7"')
    assert.deepEqual(
      hits.map(({ document }) => document),
      ['p7.md'],
    )
  })

  test('requires a quoted phrase even by meaning alone, and says if it is nowhere', async (t) => {
    const { root, library, ask, codes } = await indexed(t, pages)
    await fillVectors(library)
    const { hits, notes } = await ask('harbour "WICK 3"', { mode: 'vector', limit: 5 })
    assert.equal(hits.length, 5)
    assert.ok(hits.every(({ text, by, distance }) => text.includes('wick 3') && by === 'meaning' && distance))
    assert.deepEqual(notes, [])
    const scores = hits.map(({ score }) => score)
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    )
    assert.deepEqual(await codes('"wick lantern"', { mode: 'vector' }), ['phrase_missed'])
    write(root, { 'new.md': 'the gannet wick 3 was trimmed' })
    await indexAll(library, {})
    const late = await ask('"gannet wick 3"', { mode: 'vector' })
    assert.deepEqual(
      late.hits.map(({ document, distance }) => [document, distance]),
      [['new.md', null]],
    )
  })

  test('scopes both arms before ranking', async (t) => {
    const { library, ask } = await indexed(t, { ...pages, 'deep/x.md': 'something about a gannet' })
    await fillVectors(library)
    assert.deepEqual(
      (await ask('lantern number 3', { under: ['deep'], weak: true })).hits.map(({ document }) => document),
      ['deep/x.md'],
    )
  })

  test('answers questions that are empty, blank, enormous or in no language', async (t) => {
    const { library, ask } = await indexed(t, pages)
    await fillVectors(library)
    for (const query of ['', ' \n', 'x'.repeat(100_000), '提灯の芯', '🏮🏮🏮', '\0'])
      for (const mode of ['hybrid', 'vector'] as const)
        assert.ok(Array.isArray((await ask(query, { mode })).hits))
  })

  test('gives the same bytes again', async (t) => {
    const { library, ask } = await indexed(t, pages)
    await fillVectors(library)
    const bytes = async () => JSON.stringify((await ask('lantern wick 2')).hits)
    assert.equal(await bytes(), await bytes())
  })

  test('reports a search by meaning alone without a model as a search by words', async (t) => {
    const { codes } = await indexed(t, pages, null)
    assert.deepEqual(await codes('lantern', { mode: 'vector' }), ['words_only'])
    assert.equal(settingsFor('/x').embedding.provider, 'none')
  })
})

describe('reranking', () => {
  const reranker = (score: (passage: string) => number | Promise<number>) => ({
    model: 'test',
    score: async (_query: string, passages: readonly string[]) => Promise.all(passages.map(score)),
    close: async () => {},
  })
  const found = async (
    w: Awaited<ReturnType<typeof indexed>>,
    second: Library['reranker'],
    more: Partial<SearchRequest> = {},
  ) => {
    const library: Library = { ...w.library, reranker: second }
    return search(library, { query: 'lantern wick', mode: 'rerank', limit: 5, ...more })
  }

  test('looks at the best again and moves them, with scores that still fall', async (t) => {
    const w = await indexed(t, pages)
    await fillVectors(w.library)
    const last = (await w.ask('lantern wick', { limit: 15 })).hits.at(-1)!
    const { hits, stages } = await found(
      w,
      reranker((text) => (text.includes(last.text) ? 9 : 0)),
    )
    assert.equal(hits[0]!.document, last.document)
    assert.equal(hits[0]!.by, 'rerank')
    assert.ok(hits.every(({ score }, i) => i === 0 || score <= hits[i - 1]!.score))
    assert.equal(stages.find(({ name }) => name === 'rerank')!.state, 'ran')
  })

  const silent: Record<string, [Library['reranker'], Partial<SearchRequest>]> = {
    fails: [reranker(() => Promise.reject(new Problem('reranker_down', 'It is down.'))), {}],
    'is too slow': [reranker(() => new Promise(() => {})), { deadlineMs: 100 }],
  }
  for (const [what, [second, more]] of Object.entries(silent))
    test(`that ${what} leaves the hybrid order, with a note`, async (t) => {
      const w = await indexed(t, pages)
      await fillVectors(w.library)
      const { hits, notes } = await found(w, second, more)
      const plain = await w.ask('lantern wick', { limit: 5 })
      assert.deepEqual(
        hits.map(({ document }) => document),
        plain.hits.map(({ document }) => document),
      )
      assert.ok(hits.every(({ by }) => by !== 'rerank'))
      // Files this young are compared with the index, for which a busy machine has no time before the deadline.
      const codes = notes.map(({ code }) => code).filter((code) => code !== 'stale')
      assert.deepEqual(codes, ['not_reranked'])
    })

  test('that is not set up compares the vectors of the best passages, and with none says so', async (t) => {
    const w = await indexed(t, pages)
    const before = await found(w, null)
    assert.ok(before.notes.some(({ code }) => code === 'not_reranked'))
    assert.ok(before.hits.every(({ by }) => by !== 'rerank'))
    await fillVectors(w.library)
    const { hits, notes, stages } = await found(w, null)
    assert.ok(hits.every(({ by }) => by === 'rerank'))
    assert.ok(hits.every(({ score }, i) => i === 0 || score <= hits[i - 1]!.score))
    assert.ok(!notes.some(({ code }) => code === 'not_reranked'))
    assert.equal(stages.find(({ name }) => name === 'rerank')!.state, 'ran')
  })

  test('is not reported for a single passage, which is not judged again', async (t) => {
    const w = await indexed(t, { 'only.md': 'A lantern with a wick.' })
    await fillVectors(w.library)
    const { hits, stages } = await found(
      w,
      reranker(() => Promise.reject(new Error('asked'))),
    )
    assert.deepEqual(
      hits.map(({ by }) => by),
      ['both'],
    )
    assert.equal(stages.find(({ name }) => name === 'rerank')!.state, 'skipped')
  })

  test('is only done on request', async (t) => {
    const w = await indexed(t, pages)
    const library: Library = { ...w.library, reranker: reranker(() => Promise.reject(new Error('asked'))) }
    assert.ok((await search(library, { query: 'lantern' })).hits.length > 0)
  })
})
