// Every link in README, docs, help texts and error messages leads somewhere, and every code has an entry in the reference.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '../support/world.js'
import { errorCodes, noteCodes, serviceCodes } from './codes.js'

interface Text {
  kind: string
  where: string
  code?: string
  text: string
}

let texts: Text[] = []
before(async () => {
  const words = pathToFileURL(join(projectRoot, 'scripts/words.mjs')).href
  texts = await ((await import(words)) as { collectTexts(): Promise<Text[]> }).collectTexts()
})

const isPage = (name: string) => name.endsWith('.md')
const pages = [
  ...readdirSync(projectRoot).filter(isPage),
  ...readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(isPage)
    .map((name) => join('docs', name)),
]

describe('links', () => {
  for (const page of pages)
    test(`of ${page} resolve`, () => {
      const path = join(projectRoot, page)
      assert.deepEqual(
        linksIn(readFileSync(path, 'utf8')).flatMap((link) => brokenLink(path, link)),
        [],
      )
    })

  test('report a missing page and a missing heading', () => {
    const path = join(projectRoot, 'README.md')
    assert.deepEqual(brokenLink(path, 'docs/nope.md'), ['docs/nope.md'])
    assert.deepEqual(brokenLink(path, 'docs/GLOSSARY.md#nope'), ['docs/GLOSSARY.md#nope'])
  })

  test('of help texts, errors and notes name pages that exist', () => {
    const named = texts.flatMap(({ where, text }) =>
      [...text.matchAll(/(?<![\w/.])(?:docs\/[\w./-]+|README|CONTRIBUTING|SECURITY)\.md\b/g)].map(
        ([file]) => ({ where, file }),
      ),
    )
    // These are names of a user's own files, in examples.
    const examples = ['docs/conventions.md']
    const missing = named.filter(
      ({ file }) => !examples.includes(file) && !existsSync(join(projectRoot, file)),
    )
    assert.deepEqual(missing, [])
  })
})

describe('codes', () => {
  test('of every error have an entry', () => {
    const known = new Set(Object.keys(errorCodes))
    const service = new Set(Object.keys(serviceCodes).map((code) => `…_${code}`))
    const used = texts.filter(({ kind, code }) => kind === 'error' && code)
    assert.ok(used.length > 200, 'the errors were found')
    const missing = used.filter(({ code }) => !known.has(code!) && !service.has(code!))
    assert.deepEqual(
      missing.map(({ where, code }) => `${where} ${code}`),
      [],
      'add it to test/docs/codes.ts',
    )
  })

  test('of every note have an entry', () => {
    const used = texts.filter(({ kind, code }) => kind === 'note' && code)
    assert.ok(used.length > 20, 'the notes were found')
    const missing = used.filter(({ code }) => !Object.hasOwn(noteCodes, code!))
    assert.deepEqual(
      missing.map(({ where, code }) => `${where} ${code}`),
      [],
      'add it to test/docs/codes.ts',
    )
  })
})

function linksIn(markdown: string): string[] {
  const prose = markdown.replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^()\s]+)(?:\s+"[^"]*")?\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/i.test(link))
}

/** The link, if its file or its heading does not exist. */
function brokenLink(page: string, link: string): string[] {
  const [file = '', anchor] = decodeURIComponent(link).split('#')
  const target = file === '' ? page : resolve(dirname(page), file)
  const isInside = !relative(projectRoot, target).startsWith('..')
  if (!isInside || !existsSync(target)) return [link]
  if (anchor === undefined || !isPage(target)) return []
  return anchorsOf(readFileSync(target, 'utf8')).has(anchor) ? [] : [link]
}

/** The anchors that GitHub makes of headings. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>()
  const prose = markdown.replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '')
  for (const [, heading] of prose.matchAll(/^#{1,6}\s+(.*?)\s*#*$/gm)) {
    const text = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')
    let anchor = slug
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`
    anchors.add(anchor)
  }
  for (const [, id] of prose.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id!)
  return anchors
}
