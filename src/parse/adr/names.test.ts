import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr, readAdr } from './parse-adr.js'
import { supersessionOf } from './supersession.js'

const body =
  '## Status\n\nAccepted\n\n## Context\n\nWhy.\n\n## Decision\n\nDone.\n\n## Consequences\n\nMore.\n'

describe('a record is called by its file and its title', () => {
  const check = (path: string, heading: string, id: string, title: string) =>
    test(`${path}: ${heading}`, () => {
      const reading = readAdr(path, `${heading === '' ? '' : `# ${heading}\n\n`}${body}`)
      assert.equal(reading.kind, 'adr')
      const adr = parseAdr(path, `${heading === '' ? '' : `# ${heading}\n\n`}${body}`)
      assert.deepEqual([adr.id, adr.title], [id, title])
    })
  check('adr/ACME-ADR-0012-use-redis.md', 'ACME-ADR-0012: Use Redis', '0012', 'Use Redis')
  check('adr/ACME-ADR-Web-0012-use-redis.md', 'Acme web - ACME-ADR-0012 - Use Redis', '0012', 'Use Redis')
  check('adr/DEC-012-use-redis.md', 'DEC-012 — Use Redis', '012', 'Use Redis')
  check('adr/dec-012-use-redis.md', '', '012', 'Use redis')
  check('adr/adr012-use-redis.md', 'ADR012: Use Redis', '012', 'Use Redis')
  check('adr/0012-use-redis.md', 'ADR-0012 · Use Redis', '0012', 'Use Redis')
  check('adr/0012-use-redis.md', 'ADR-0012 (web shop): Use Redis', '0012', 'Use Redis')
  check('adr/0012-use-redis.md', '[ADR] Use Redis', '0012', 'Use Redis')
  check('adr/0012-use-redis.md', '[Use Redis]', '0012', 'Use Redis')
  check('adr/0012-x.md', 'Acme Web Architecture Decision Record #12: Use Redis', '0012', 'Use Redis')
  check(
    'adr/0012-x.md',
    'Our architecture decision record tools',
    '0012',
    'Our architecture decision record tools',
  )
  check('adr/0012-use-redis.md', 'ADR tools are gone', '0012', 'ADR tools are gone')
  check('adr/0002-phases.md', 'Phase 2: a store', '0002', 'Phase 2: a store')
  check('adr/use-2-stores.md', 'Use 2 stores', 'use-2-stores', 'Use 2 stores')
  check('adr/DEC-2024-02-03-use-redis.md', 'Use Redis', 'DEC-2024-02-03-use-redis', 'Use Redis')
  check('adr/DEC-2024-02-03-x.md', 'DEC-2024-02-03: Redis', 'DEC-2024-02-03-x', 'DEC-2024-02-03: Redis')
  check('adr/DEC-2024-02-03-use-redis.md', '', 'DEC-2024-02-03-use-redis', 'Use redis')
  check('adr/0012-use-redis/README.md', 'Use Redis', '0012', 'Use Redis')
  check('adr/0012-use-redis/index.md', '', '0012', 'Use redis')
  check('adr/use-redis/index.md', 'Use Redis', 'use-redis', 'Use Redis')

  test('a declared number counts behind the marks of a house', () => {
    const adr = parseAdr('adr/use-redis.md', `# Use Redis\n\n- ID: ACME-ADR-0012\n\n${body}`)
    assert.deepEqual([adr.id, adr.number], ['0012', 12])
  })
})

describe('files that are no records', () => {
  const check = (path: string, heading: string, kind: string) =>
    test(`${path}: ${heading}`, () => assert.equal(readAdr(path, `# ${heading}\n\n${body}`).kind, kind))
  check('adr/README.md', 'Decisions', 'index')
  check('docs/architecture-decisions/index.md', 'Decisions', 'index')
  check('adr/ACME-ADR-0000-template.md', 'Acme', 'template')
  check('adr/business-case.md', 'Decision record template for a business case', 'template')
  check('adr/tyree/index.md', 'Plantilla de registro de decisiones', 'template')
  check('adr/0007-copy.md', '[short title of solved problem and solution]', 'template')
  check('adr/0007-engine.md', 'Template engine for mails', 'adr')
  check('adr/0007-engine.md', 'Architecture decision record template', 'adr')
  test('the file that introduces a part of the records', () =>
    assert.equal(readAdr('adr/web/README.md', '# Web\n\n## Status\n\nSee each record.\n').kind, 'index'))
})

test('a record can be named by its own folder', () => {
  const before = parseAdr(
    'adr/0001-a/README.md',
    '# A\n\n## Status\n\nSuperseded by [B](../0002-b/)\n\n## Decision\n\nDone.\n',
  )
  const after = parseAdr('adr/0002-b/README.md', `# B\n\n${body}`)
  assert.deepEqual(supersessionOf([before, after]).current(before), [after])
})
