import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseAdr } from '../../parse/adr/parse-adr.js'
import { align, prepared, proposalOf, weightsOf } from './align.js'

const nygard = (title: string, decision: string, status = 'Accepted') =>
  `# ${title}\n\n## Status\n\n${status}\n\n## Context\n\nWe need to choose.\n\n## Decision\n\n${decision}\n`
const records = [
  parseAdr('adr/0001-helm.md', nygard('Use Helm for application package management', 'Use Helm v3+.')),
  parseAdr(
    'adr/0002-exports.md',
    nygard('Avoid default exports', 'We will avoid default exports and use named exports instead.'),
  ),
  parseAdr(
    'adr/0003-endpoint.md',
    nygard('Use a private cluster endpoint', 'The cluster endpoint will be private.'),
  ),
  parseAdr(
    'adr/0004-ttl.md',
    nygard('Give cache records a TTL of 300', 'We will give cache records a TTL of 300.'),
  ),
  parseAdr(
    'adr/0005-lambda.md',
    nygard('Offer Lambda functions to teams', 'We will offer Lambda functions to teams.', 'Rejected'),
  ),
  parseAdr(
    'adr/0006-search.md',
    '# Search in the browser\n\n- Status: accepted\n\n## Considered Options\n\n* Fuse.js\n* Lunr.js\n* Go\n\n## Decision Outcome\n\nChosen option: "Lunr.js", because it stems words in the search index.\n',
  ),
  parseAdr(
    'adr/0007-delivery.md',
    nygard('Deliver messages at least once', 'We deliver every message at least once.'),
  ),
  parseAdr(
    'adr/0008-layers.md',
    nygard('Layers', 'The domain must not import adapters. Adapters import the domain.'),
  ),
  parseAdr(
    'adr/0009-catalogue.md',
    nygard('Flat catalogue', 'We will remove subclasses, mixins and inheritance from the catalogue.'),
  ),
  parseAdr(
    'adr/0010-reports.md',
    nygard('Write reports in Typst', 'Use Typst for reports.').replace(
      'We need to choose.',
      'Reports are long. We chose not to use Quarto for reports.',
    ),
  ),
  parseAdr(
    'adr/0011-mirrors.md',
    nygard(
      'Names of hosts',
      'A mirror may be used in serving pages, provided nobody can see it. If the queue is long, do not use the fast lane.',
    ),
  ),
].map((adr) => prepared(adr))
const weights = weightsOf(records)

function verdictOn(id: string, text: string) {
  const proposal = proposalOf(text)
  return align(proposal, records.find(({ adr }) => adr.id === id)!, weights)
}

const check = (id: string, alignment: string, ...texts: string[]) => {
  for (const text of texts)
    test(`${alignment}: ${text}`, () => {
      const { alignment: found, evidence } = verdictOn(id, text)
      assert.equal(found, alignment, JSON.stringify(evidence))
      if (alignment !== 'related')
        assert.ok(evidence && text.includes(evidence.proposal) && evidence.decision !== '')
    })
}

describe('a choice that was made', () => {
  check(
    '0001',
    'supports',
    'Ship the new service as a Helm chart with the application packages.',
    'Keep Helm for application packages; do not move to Kustomize.',
    'We looked at dropping Helm and decided against it: application packages stay Helm charts.',
  )
  check(
    '0001',
    'conflicts',
    'We will not use Helm for application packages.',
    'Stop using Helm.',
    'Use Kustomize instead of Helm.',
    'Replace Helm with Kustomize for application packages.',
    'Switch from Helm to Kustomize.',
    'Prefer Kustomize over Helm.',
    'Ditch Helm.',
    'Nobody should use Helm any more.',
    'Phase Helm out by the summer.',
    'Use Kustomize for application package management.',
    'Kustomize is simpler than Helm, so use Kustomize.',
    'Package applications with Kustomize, without Helm.',
    'Roll back the move to Helm.',
    'Move application package management to Kustomize.',
    'Everybody knows Helm by now. Drop it.',
    'Rename Helm to Kustomize for application packages.',
  )
})

// None of these agrees with Helm, however often it says the word.
const dissenting = [
  'Helm is too complex; Kustomize it is.',
  'Migrate Helm charts to Kustomize.',
  'Turn the Helm charts into Kustomize overlays.',
  'Allow plain manifests besides Helm.',
  'Helm is optional for application packages.',
  'Why do we still use Helm for application packages?',
  'Use Helm only for charts of third parties; our own packages are Kustomize overlays.',
  'The record says to use Helm for application package management. We disagree.',
  'Use anything but Helm.',
  'Helm must go.',
  'We have outgrown Helm.',
  'Helm → Kustomize',
  'Use Helm, except for application packages.',
  'Say goodbye to Helm.',
  'Measure how long Helm takes.',
  'Adopting Helm was a mistake.',
  'Exempt the router from Helm.',
  'Split Helm into application packages again.',
  'Widen Helm for application package management to databases.',
  'Profile how much memory Helm takes for application packages.',
  'Use Helm for application packages, and write those of the router as manifests.',
  'Let application packages be Helm charts of last year.',
]
describe('what is no agreement is not called support', () => {
  for (const text of dissenting)
    test(text, () =>
      assert.notEqual(
        verdictOn('0001', text).alignment,
        'supports',
        JSON.stringify(verdictOn('0001', text).evidence),
      ),
    )
})

describe('what was turned down', () => {
  check('0002', 'conflicts', 'Use default exports in all modules.', 'Allow default exports again.')
  check(
    '0002',
    'supports',
    'Default exports should not be used.',
    'Avoid default exports in the new package.',
  )
  check('0005', 'conflicts', 'Offer Lambda functions to the teams.', 'Introduce Lambda functions.')
  check('0005', 'supports', 'We will not offer Lambda functions.')
  check('0006', 'conflicts', 'Build the search with Fuse.js.', 'Write the search index in Go.')
  check('0006', 'supports', 'Build the search index with Lunr.js.')
  check('0006', 'related', 'We go on improving the search.')
  check('0009', 'conflicts', 'Support subclasses in the catalogue.', 'Let catalogue entries have mixins.')
  check('0010', 'conflicts', 'Write the reports in Quarto.')
})

test('what a record allows under a condition, or weighs with an "if", carries no verdict', () => {
  assert.equal(verdictOn('0011', 'Serve the pages from a mirror.').alignment, 'related')
  assert.equal(verdictOn('0011', 'Use the fast lane for invoices.').alignment, 'related')
})

test('an option that was turned down keeps a proposal from being called support', () => {
  assert.notEqual(verdictOn('0006', 'Show Fuse.js in the search with Lunr.js.').alignment, 'supports')
})

describe('ends, values and directions', () => {
  check('0003', 'conflicts', 'Make the cluster endpoint public.')
  check('0003', 'supports', 'The cluster endpoint must not be public.', 'Keep the cluster endpoint private.')
  check('0004', 'conflicts', 'Set the TTL of cache records to 3600.')
  check('0004', 'supports', 'Keep the TTL of cache records at 300.')
  check('0007', 'conflicts', 'Deliver each message at most once.')
  check('0007', 'supports', 'Deliver every message at least once.')
  check('0008', 'conflicts', 'Let the domain import adapters.')
})

test('a sentence that names both ends of what was decided is not called support', () => {
  assert.notEqual(
    verdictOn('0003', 'The private part of the cluster endpoint becomes public.').alignment,
    'supports',
  )
})

test('turning a sentence round never keeps a verdict of support', () => {
  const verbs = fc.constantFrom('use', 'adopt', 'keep', 'introduce')
  const rests = fc.constantFrom('Helm for application packages', 'Helm charts', 'Helm v3')
  const nos = fc.constantFrom(
    'We will not',
    "We won't",
    'We should never',
    'Nobody may',
    'We will no longer',
    'We must not',
  )
  fc.assert(
    fc.property(nos, verbs, rests, (no, verb, rest) => {
      assert.notEqual(verdictOn('0001', `${no} ${verb} ${rest}.`).alignment, 'supports')
    }),
    { seed: 8, numRuns: 100 },
  )
})

describe('hostile proposals are answered in time', () => {
  const inputs: Record<string, string> = {
    spaces: ' '.repeat(5000),
    negations: 'not '.repeat(1250),
    'one word': 'a'.repeat(5000),
    commas: 'use, '.repeat(1000),
    'turns without end': 'instead of rather than '.repeat(217),
    'replace without end': 'replace x with '.repeat(330),
    'from and to': 'move from a to '.repeat(330),
    punctuation: '!?;:,.'.repeat(830),
    brackets: '(e.g. '.repeat(830),
    lines: '\n- '.repeat(1600),
    capitals: 'Helm Kube '.repeat(500),
    dashes: 'a-'.repeat(2500),
  }
  for (const [name, text] of Object.entries(inputs))
    test(name, () => {
      const before = process.cpuUsage()
      verdictOn('0001', text)
      const { user } = process.cpuUsage(before)
      assert.ok(user < 500_000, `took ${user / 1000} ms of processor time`)
    })
})

test('a quoted sentence comes with the line it stands on', () => {
  const text =
    '# Use PostgreSQL\n\n## Status\n\nAccepted\n\n## Considered Options\n\n* PostgreSQL\n* MongoDB\n\n## Decision\n\nWe looked at three.\nWe will use PostgreSQL\nfor all data.\n'
  const { stances } = prepared(parseAdr('adr/0012.md', text))
  const said = stances.map(({ from, side, sentence, line }) => [from, side, sentence, line])
  assert.deepEqual(said, [
    ['title', 1, 'Use PostgreSQL', 1],
    ['option', 1, 'We will use PostgreSQL for all data.', 15],
    ['option', -1, 'MongoDB', 10],
    ['decision', 1, 'We will use PostgreSQL for all data.', 15],
  ])
})
