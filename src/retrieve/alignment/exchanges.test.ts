import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exchangeIn } from './exchanges.js'

describe('one thing given up for another', () => {
  const said: Record<string, [gone: string, taken: string]> = {
    'Replace Helm with Kustomize': ['Helm', 'Kustomize'],
    'Swap Lunr out for Algolia': ['Lunr', 'Algolia'],
    'Swap out Lunr for Algolia': ['Lunr', 'Algolia'],
    'We should trade Helm in for Kustomize': ['Helm', 'Kustomize'],
    'Ditch Jenkins for Concourse': ['Jenkins', 'Concourse'],
    'Substitute Kustomize for Helm': ['Helm', 'Kustomize'],
    'Substitute Helm with Kustomize': ['Helm', 'Kustomize'],
    'Kyverno replaces OPA': ['OPA', 'Kyverno'],
    'CircleCI will take over from GitHub Actions': ['GitHub Actions', 'CircleCI'],
    'Sealed Secrets takes the place of external-secrets': ['external-secrets', 'Sealed Secrets'],
    'OPA is replaced by Kyverno': ['OPA', 'Kyverno'],
    'Helm gives way to Kustomize': ['Helm', 'Kustomize'],
    'Go back to the Cluster Autoscaler from Karpenter': ['Karpenter', 'the Cluster Autoscaler'],
    'Out with Lunr and in with Algolia': ['Lunr', 'Algolia'],
  }
  for (const [clause, [gone, taken]] of Object.entries(said))
    test(clause, () => {
      const found = exchangeIn(clause)
      assert.deepEqual([found?.gone, found?.taken], [gone, taken])
    })

  for (const clause of [
    'Do not replace Helm with Kustomize',
    'We will never swap Lunr for Algolia',
    'OPA must not be replaced by Kyverno',
    "Kyverno won't replace OPA",
    'Helm will no longer be replaced by Kustomize',
    'We replace Helm',
    'Exchange notes on Helm with other departments',
    'Use gRPC over HTTP/2',
    '',
  ])
    test(`none: ${clause || 'nothing'}`, () => assert.equal(exchangeIn(clause), null))
})
