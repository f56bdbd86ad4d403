import assert from 'node:assert/strict'
import { test } from 'node:test'
import { places } from './places.js'

test('decisions are found where people usually keep them', () => {
  const { of } = places(undefined)
  const decisions = [
    'docs/adr/0001-use-nats.md',
    'doc/architecture/decisions/0001-use-nats.md',
    'docs/architecture/adr-001-use-nats.md',
    'docs/architecture/adr/001-use-nats.md',
    'architecture-decision-record/001-Use-NATS.md',
    'adrs/0001-use-nats.md',
    'docs/architecture-decisions/adr001-use-nats.md',
    'docs/developer/decision-records/2024-03-18-use-nats/README.md',
    'src/adr/0001-use-nats.md',
  ]
  for (const path of decisions) assert.equal(of(path)?.kind, 'adr', path)
  for (const path of [
    'docs/architecture/overview.md',
    'docs/architecture/adr-template.md',
    'docs/adr/README.md',
    'docs/adr/backend/README.md',
    'src/adr/a.ts',
  ])
    assert.equal(of(path), null, path)
})

test('a document about templates is no template', () => {
  const { of } = places(undefined)
  assert.equal(of('mcp/resources/patterns/template-method.md')?.name, 'template-method')
  for (const path of ['docs/adr/0007-template-engine.md', 'docs/adr/0002-use-adr-template.md'])
    assert.equal(of(path)?.kind, 'adr', path)
  for (const path of [
    'docs/adr/template.md',
    'docs/adr/our-adr-template.md',
    'mcp/resources/patterns/_template.md',
  ])
    assert.equal(of(path), null, path)
})
