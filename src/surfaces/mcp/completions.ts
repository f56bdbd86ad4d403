import { Problem } from '../../model/problem.js'
import type { Complete } from '../../server/define.js'
import { oneLine } from '../../text/one-line.js'
import { promptCompletion } from './prompts.js'
import { resourceCompletion } from './resources.js'
import type { Serving } from './server.js'

/** The protocol's limit on one answer. */
const mostValues = 100

export function serveCompletions<Services>(serving: Serving<Services>) {
  serving.server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }, ctx) =>
    serving.run({ name: 'completion/complete' }, ctx, async () => {
      const offer = serving.offerTo(ctx)
      if (ref.type === 'ref/prompt' && !offer.lists.capabilities.prompts)
        throw new Problem('invalid', 'There are no prompts here.')
      const complete: Complete<Services> | undefined =
        ref.type === 'ref/prompt'
          ? await promptCompletion(offer, ref.name, argument.name)
          : resourceCompletion(offer, ref.uri, argument.name)
      const all = (await complete?.(offer.registry.services, argument.value, context?.arguments ?? {})) ?? []
      // A value is an argument to be: one that has to be changed before it can be shown would no longer fit.
      const found = all.filter((value) => oneLine(value) === value)
      const values = found.slice(0, mostValues)
      return { completion: { values, total: found.length, hasMore: found.length > values.length } }
    }),
  )
}
