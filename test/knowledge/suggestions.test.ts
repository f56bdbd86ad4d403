// An obedient agent: for every way a call can fail, it does what the suggestion says, and that works.
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { recordDiscovery } from '../../src/toolsets/context/record-discovery.js'
import { pdf } from '../support/office-files.js'
import {
  type DocumentAnswer,
  type Failed,
  type KnowledgeWorld,
  knowledgeWorld,
  type ListAnswer,
  sharedWorld,
} from './kit.js'

type Args = Record<string, unknown>
interface Case {
  tool: string
  /** It changes the world for others. */
  alone?: true
  args(w: KnowledgeWorld): Args | Promise<Args>
  /** What the suggestion says to do; the words must be in it. Without it, the suggestion is a call or an argument. */
  follow?: { says: RegExp; args(given: Args, w: KnowledgeWorld, suggestion: string): Args | Promise<Args> }
}

const documents = 'manage_document'
const sources = 'manage_source'
const search = 'search_knowledge_base'

const cases: Record<string, Case> = {
  'an unknown source in a search': { tool: search, args: () => ({ query: 'wick', source_id: 'src_abc123' }) },
  'a misspelt source': {
    tool: search,
    args: async (w) => {
      await w.source({ action: 'create', title: 'Research papers' })
      return { query: 'wick', source_id: 'Reserch papers' }
    },
  },
  'an empty query': { tool: search, args: () => ({ query: '' }) },
  'an unknown kind of search': {
    tool: search,
    args: () => ({ query: 'wick', search_type: 'semantic' }),
    follow: { says: /'hybrid'/, args: (given) => ({ ...given, search_type: 'hybrid' }) },
  },
  'no query at all': {
    tool: search,
    args: () => ({}),
    follow: { says: /Provide query: text/, args: () => ({ query: 'wick' }) },
  },
  'too many': {
    tool: search,
    args: () => ({ query: 'wick', match_count: 0 }),
    follow: { says: /Set match_count to .*at least 1/, args: (given) => ({ ...given, match_count: 1 }) },
  },
  'a threshold out of range': {
    tool: search,
    args: () => ({ query: 'wick', similarity_threshold: 3 }),
    follow: { says: /at most 1/, args: (given) => ({ ...given, similarity_threshold: 1 }) },
  },
  'an argument by another name': {
    tool: search,
    args: () => ({ query: 'wick', matchCount: 3 }),
    follow: {
      says: /Use "match_count" in place of matchCount/,
      args: () => ({ query: 'wick', match_count: 3 }),
    },
  },
  'an argument that means nothing': {
    tool: search,
    args: () => ({ query: 'wick', zzzzzzzzzzzzz: 3 }),
    follow: { says: /Leave zzzzzzzzzzzzz out/, args: () => ({ query: 'wick' }) },
  },
  'a document in another source than its own': {
    tool: documents,
    args: async (w) => {
      const { source } = await w.source({ action: 'create', title: 'Elsewhere' })
      const { document } = await w.document({ action: 'create', content: 'Soot.', title: 'Soot' })
      return { action: 'update', document_id: document.id, title: 'Soot again', source_id: source.id }
    },
    follow: { says: /^Leave source_id out\./, args: ({ source_id: _, ...rest }) => rest },
  },
  'a document in a source that is not there': {
    tool: documents,
    args: async (w) => {
      const { document } = await w.document({ action: 'create', content: 'Ash.', title: 'Ash' })
      return { action: 'update', document_id: document.id, title: 'Ash again', source_id: 'Uplaods' }
    },
  },
  'create without anything': {
    tool: documents,
    args: () => ({ action: 'create' }),
    follow: { says: /content='…' with title='…'/, args: (given) => ({ ...given, content: 'x', title: 'y' }) },
  },
  'create with two contents': {
    tool: documents,
    args: () => ({ action: 'create', file_path: 'guide.md', content: 'x', title: 'y' }),
    follow: { says: /one of them: file_path/, args: () => ({ action: 'create', file_path: 'guide.md' }) },
  },
  'content without a title': {
    tool: documents,
    args: () => ({ action: 'create', content: 'x' }),
    follow: { says: /Provide title/, args: (given) => ({ ...given, title: 'A title' }) },
  },
  'a title that is too long': {
    tool: documents,
    args: () => ({ action: 'create', content: 'x', title: 'y'.repeat(1_001) }),
    follow: { says: /to 1000 characters/, args: (given) => ({ ...given, title: 'y'.repeat(1_000) }) },
  },
  'a misspelt file': { tool: documents, args: () => ({ action: 'create', file_path: 'giude.md' }) },
  'a file outside': {
    tool: documents,
    args: () => {
      const folder = mkdtempSync(join(tmpdir(), 'carrel-outside-'))
      writeFileSync(join(folder, 'out.txt'), 'From elsewhere.')
      return { action: 'create', file_path: join(folder, 'out.txt') }
    },
    follow: {
      says: /Copy the file into (\S+) and name it there/,
      args: (given, _, suggestion) => {
        const path = given.file_path as string
        copyFileSync(path, join(/into (\S+) and/.exec(suggestion)![1]!, 'copied.txt'))
        rmSync(join(path, '..'), { recursive: true })
        return { action: 'create', file_path: 'copied.txt' }
      },
    },
  },
  'a secret': {
    tool: documents,
    args: (w) => {
      writeFileSync(join(w.root, '.env'), 'A=1')
      return { action: 'create', file_path: '.env' }
    },
    follow: {
      says: /content with a title/,
      args: () => ({ action: 'create', content: 'A is set.', title: 'Variables' }),
    },
  },
  'a folder': {
    tool: documents,
    args: (w) => {
      mkdirSync(join(w.root, 'papers'))
      writeFileSync(join(w.root, 'papers/one.txt'), 'One.')
      return { action: 'create', file_path: 'papers' }
    },
    follow: { says: /Name one file in it/, args: (given) => ({ ...given, file_path: 'papers/one.txt' }) },
  },
  'a kind of file that is not read': {
    tool: documents,
    args: (w) => {
      writeFileSync(join(w.root, 'picture.png'), 'x')
      return { action: 'create', file_path: 'picture.png' }
    },
    follow: {
      says: /Save it as PDF/,
      args: (given, w) => {
        writeFileSync(join(w.root, 'picture.pdf'), pdf([[[12, 'A picture.']]]))
        return { ...given, file_path: 'picture.pdf' }
      },
    },
  },
  'a broken file': {
    tool: documents,
    args: (w) => {
      writeFileSync(join(w.root, 'broken.docx'), 'no archive')
      return { action: 'create', file_path: 'broken.docx' }
    },
    follow: {
      says: /its text as content with a title/,
      args: () => ({ action: 'create', content: 'no archive', title: 'Broken' }),
    },
  },
  'get without an id': { tool: documents, args: () => ({ action: 'get' }) },
  'get of nothing': { tool: documents, args: () => ({ action: 'get', document_id: 'doc_0000000000000000' }) },
  'delete without an id': { tool: documents, args: () => ({ action: 'delete' }) },
  'an address that two documents have': {
    alone: true,
    tool: documents,
    args: async (w) => {
      await w.document({ action: 'create', file_path: 'guide.md' })
      return { action: 'get', document_id: 'guide.md' }
    },
    follow: {
      says: /source_id: '/,
      args: (given, _, suggestion) => ({ ...given, source_id: /source_id: '([^']+)'/.exec(suggestion)![1] }),
    },
  },
  'an update of nothing': {
    tool: documents,
    args: async (w) => {
      const { document } = await w.document({ action: 'create', file_path: 'guide.md' })
      return { action: 'update', document_id: document.id }
    },
    follow: { says: /title, url, metadata/, args: (given) => ({ ...given, metadata: { reviewed: true } }) },
  },
  'a bad url': {
    tool: documents,
    args: () => ({ action: 'create', title: 'a', content: 'b', url: 'ftp://x' }),
  },
  'too much metadata': {
    tool: documents,
    args: () => ({ action: 'create', title: 'a', content: 'b', metadata: { text: 'x'.repeat(17_000) } }),
    follow: { says: /short facts/, args: (given) => ({ ...given, metadata: { author: 'Ada' } }) },
  },
  'a document for a configured folder': {
    tool: documents,
    args: () => ({ action: 'create', file_path: 'guide.md', source_id: 'library' }),
  },
  'a note of a folder': {
    alone: true,
    tool: documents,
    args: () => ({ action: 'delete', document_id: 'guide.md' }),
    follow: {
      says: /delete_node deletes one/,
      args: async (_, w) => {
        await w.ask('delete_node', { id: 'guide.md' })
        return { action: 'list' }
      },
    },
  },
  'a file of a folder': {
    alone: true,
    tool: documents,
    args: () => ({ action: 'delete', document_id: 'notes.txt' }),
    follow: {
      says: /delete the file notes\.txt; the index follows/,
      args: async (_, w) => {
        rmSync(join(w.root, 'notes.txt'))
        const gone = await w.document<Failed>({ action: 'get', document_id: 'notes.txt' })
        assert.equal(gone.success, false)
        return { action: 'list' }
      },
    },
  },
  'a discovery': {
    alone: true,
    tool: documents,
    args: async (w) => {
      await say(w, 'Use tallow for every lamp')
      const { documents } = await w.document<ListAnswer>({ action: 'list', source_id: 'discoveries' })
      return { action: 'update', document_id: documents[0]!.id, title: 'Another' }
    },
    follow: {
      says: /^Provide content='…' alone/,
      args: ({ document_id }) => ({
        action: 'update',
        document_id,
        content: 'Use rape oil instead of tallow for every lamp',
      }),
    },
  },
  'a source without a title': { tool: sources, args: () => ({ action: 'create' }) },
  'an unknown action': {
    tool: sources,
    args: () => ({ action: 'find' }),
    follow: { says: /^Use .*'list'/, args: () => ({ action: 'list' }) },
  },
  'get of no source': { tool: sources, args: () => ({ action: 'get', source_id: 'nowhere' }) },
  'get without a source': { tool: sources, args: () => ({ action: 'get' }) },
  'a url with a password': {
    tool: sources,
    args: () => ({ action: 'create', title: 'x', url: 'https://a:b@docs.example/x' }),
  },
  'delete of a configured folder': {
    tool: sources,
    args: () => ({ action: 'delete', source_id: 'library' }),
  },
  'a source updated with nothing': {
    tool: sources,
    args: async (w) => ({
      action: 'update',
      source_id: (await w.source({ action: 'create', title: 'Mine' })).source.id,
    }),
    follow: { says: /Provide title or url/, args: (given) => ({ ...given, title: 'Yours' }) },
  },
}

describe('every suggestion works when it is followed', () => {
  const shared = sharedWorld()
  for (const [what, { tool, args, follow, alone }] of Object.entries(cases))
    test(what, async (t) => {
      const w = await (alone ? knowledgeWorld(t) : shared())
      const given = await args(w)
      const failed = await w.ask<Failed>(tool, given)
      assert.equal(failed.success, false, JSON.stringify(failed))
      const { suggestion } = failed
      const next = follow ? await listen(tool, given, follow, w, suggestion) : obey(tool, given, suggestion)
      const done = await w.ask<DocumentAnswer | Failed>(next.tool, next.args)
      assert.equal(done.success, true, `${suggestion}\n${JSON.stringify(next)}\n${JSON.stringify(done)}`)
    })
})

function say({ library }: KnowledgeWorld, content: string) {
  return recordDiscovery(library, { type: 'decision', content, from: { by: 'command' } })
}

async function listen(
  tool: string,
  given: Args,
  follow: NonNullable<Case['follow']>,
  w: KnowledgeWorld,
  suggestion: string,
) {
  assert.match(suggestion, follow.says)
  return { tool, args: await follow.args(given, w, suggestion) }
}

/** The argument that is proposed for the same call, else the first call that is named. */
function obey(tool: string, given: Args, suggestion: string): { tool: string; args: Args } {
  const proposed = /(?:mean|as|out:|for:|title,? such as|for:?) (\w+)='([^'…]+)'/.exec(suggestion)
  if (proposed) return { tool, args: { ...given, [proposed[1]!]: proposed[2] } }
  const call = /(manage_\w+|search_knowledge_base)\(([^)]*)\)/.exec(suggestion)
  assert.ok(call, `nothing to do in: ${suggestion}`)
  const pairs = [...call[2]!.matchAll(/(\w+)='([^']*)'/g)].map(([, name, value]) => [name!, value!])
  return { tool: call[1]!, args: Object.fromEntries(pairs) as Args }
}
