import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stemmer } from 'stemmer'
import { parse as parseYaml } from 'yaml'
import { filesBelow, folded, type Page, type Pages, pagesOf, squeezed } from './sets/pages.js'
import { type Question, type QuestionSet, readSet, type SetName, setNames } from './sets/read.js'

const atLeast: Record<SetName, number> = {
  'library-known-items': 120,
  'library-paraphrase': 60,
  'library-typos': 60,
  'docs-known-items': 60,
  'docs-paraphrase': 60,
}

for (const name of setNames) {
  describe(name, () => {
    const set = readSet(name)

    test('parses, is large enough and asks nothing twice', () => {
      assert.ok(set.questions.length >= atLeast[name], `${set.questions.length} questions`)
      const seen = set.questions.map(({ query }) => query)
      assert.deepEqual(
        seen.filter((query, i) => seen.indexOf(query) !== i),
        [],
      )
    })

    test('names documents and headings that exist', { skip: set.missing }, () => {
      const pages = pagesOf(set.folder)
      assert.deepEqual(
        set.questions.filter((question) => !namesAPlace(pages, question)),
        [],
      )
    })

    if (name.endsWith('known-items'))
      test('holds the words of each query in the named document, and points to no other', {
        skip: set.missing,
      }, () => {
        const pages = pagesOf(set.folder)
        assert.deepEqual(
          problems(set, (question) => whatPointsElsewhere(pages, question)),
          [],
        )
      })
    else if (name.endsWith('paraphrase'))
      test('shares no rare word with the section that answers', { skip: set.missing }, () => {
        const pages = pagesOf(set.folder)
        const counts = documentCounts(pages)
        assert.deepEqual(
          problems(set, (question) => sharedRareWord(pages, counts, question)),
          [],
        )
      })
  })
}

describe('the sample library', () => {
  const folder = readSet('library-known-items').folder

  test('stays under 400 kB, in UTF-8 with LF line ends', () => {
    const files = filesBelow(folder)
    const bytes = files.map((file) => readFileSync(file))
    assert.ok(bytes.reduce((sum, { length }) => sum + length, 0) < 400_000)
    const crooked = files.filter((file, i) => !file.endsWith('.pdf') && !isCleanText(bytes[i]!))
    assert.deepEqual(crooked, [])
  })

  test('mentions no address outside the names reserved for examples', () => {
    const addresses = filesBelow(folder)
      .filter((file) => !file.endsWith('.pdf'))
      .flatMap((file) => readFileSync(file, 'utf8').match(/[\w.+-]+@[a-z][\w-]*(\.[a-z][\w-]*)+/g) ?? [])
    assert.ok(addresses.length > 10)
    assert.deepEqual(
      addresses.filter((address) => !/[@.]example\.(com|org|net)$|\.test$/.test(address)),
      [],
    )
  })

  test('has frontmatter and rule blocks that are YAML, and rules that name themselves', () => {
    const texts = filesBelow(folder)
      .filter((file) => /\.mdx?$/.test(file))
      .map((file) => readFileSync(file, 'utf8'))
    const fronts = texts.flatMap((text) => text.match(/^---\n([\s\S]*?)\n---\n/)?.[1] ?? [])
    const rules = texts.flatMap((text) => [...text.matchAll(/^```rule\n([\s\S]*?)^```$/gm)].map((m) => m[1]!))
    assert.ok(fronts.length > 40 && rules.length > 15, `${fronts.length} fronts, ${rules.length} rules`)
    for (const front of fronts) assert.equal(typeof parseYaml(front), 'object', front)
    const ids = rules
      .map((rule) => parseYaml(rule) as Record<string, string>)
      .map((rule) => {
        assert.ok(rule.id && rule.kind && rule.message, JSON.stringify(rule))
        return rule.id
      })
    assert.equal(new Set(ids).size, ids.length)
  })

  test('holds the paper that the script writes, byte for byte', () => {
    const script = fileURLToPath(new URL('../../scripts/sample-pdf.mjs', import.meta.url))
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  })
})

function namesAPlace(pages: Pages, { document, heading }: Question): boolean {
  const page = pages.get(document)
  return page !== undefined && (!heading || page.sections.some((section) => section.heading === heading))
}

function problems(set: QuestionSet, find: (question: Question) => string | null): string[] {
  return set.questions.flatMap((question) => {
    const problem = find(question)
    return problem ? [`${question.kind} "${question.query}" → ${question.document}: ${problem}`] : []
  })
}

/** Whether another document has the same claim to a query, by the measure that fits its kind. */
function whatPointsElsewhere(pages: Pages, question: Question): string | null {
  const claims = claimOf(question)
  const claimants = [...pages].filter(([path, page]) => claims(page, path)).map(([path]) => path)
  if (!claimants.includes(question.document)) return 'the document does not say this'
  const others = claimants.filter((path) => path !== question.document)
  return others.length ? `so does ${others.join(', ')}` : null
}

function claimOf({ query, kind, heading, document }: Question): (page: Page, path: string) => boolean {
  const wanted = folded(query)
  switch (kind) {
    case 'title':
      return (page) => folded(page.title) === wanted
    case 'heading':
      return (page) => page.sections.some((section) => folded(section.heading) === wanted)
    case 'path':
      return (_, path) => path.endsWith(query)
    case 'identifier':
      // A name may be used in many places; the place that declares it, or has a section on it, is meant.
      return (page, path) =>
        path === document ? page.squeezed.includes(squeezed(query)) : declares(page, query)
    case 'error-code':
      return hasHeading(wanted.match(/lnt-\d+/)![0])
    case 'email':
    case 'phrase':
      return (page) => page.folded.includes(wanted)
  }
  const mark = wanted.match(/\d+(\.\d+)+/)?.[0] ?? wanted
  if (heading && folded(heading).includes(mark)) return hasHeading(mark)
  return (page) => wanted.split(' ').every((word) => page.folded.includes(word))
}

function hasHeading(words: string): (page: Page) => boolean {
  return (page) => page.sections.some(({ heading }) => folded(heading).includes(words))
}

function declares(page: Page, query: string): boolean {
  const name = squeezed(query)
  if (page.sections.some(({ heading }) => squeezed(heading) === name)) return true
  const declarations = page.text.matchAll(
    /\b(?:class|const|def|enum|fn|func|function|interface|record|struct|type)\s+(\w+)/gi,
  )
  return [...declarations].some((match) => squeezed(match[1]!) === name)
}

function sharedRareWord(pages: Pages, counts: Map<string, number>, { query, document, heading }: Question) {
  const page = pages.get(document)
  const sections = page?.sections.filter((section) => !heading || section.heading === heading) ?? []
  const answer = new Set(sections.flatMap((section) => wordsOf(`${section.heading} ${section.text}`)))
  const rare = wordsOf(query).filter((word) => answer.has(word) && counts.get(word)! < pages.size * 0.05)
  return rare.length ? `shares ${rare.join(', ')}` : null
}

function documentCounts(pages: Pages): Map<string, number> {
  const counts = new Map<string, number>()
  for (const page of pages.values())
    for (const word of new Set(wordsOf(page.text))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

// Latin words only: Japanese has no spaces to cut at, and pieces of its grammar are in every sentence.
function wordsOf(text: string): string[] {
  return (folded(text).match(/[a-z]{3,}/g) ?? []).map((word) => stemmer(word))
}

function isCleanText(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString('utf8')).equals(bytes) && !bytes.includes(13) && bytes.at(-1) === 10
}
