// The options a record weighed, which one it took, and why.
import type { Adr, AdrOption } from './adr.js'
import { type Choice, choiceIn } from './choice.js'
import { type List, optionLists } from './option-lists.js'
import { likenesses, sameWords } from './option-names.js'
import type { Page } from './page.js'

export function optionsOf(page: Page, decision: Adr['decision']): AdrOption[] {
  const options = firstOf(optionLists(page)).reduce<AdrOption[]>(joined, [])
  const choice = choiceIn(options, decision)
  if (choice) take(options, choice)
  return options
}

/** What the decision takes counts; one that a list only prefers or recommends stays listed then. */
function take(options: readonly AdrOption[], { option, because }: Choice) {
  for (const one of options) if (one.outcome === 'chosen') one.outcome = 'listed'
  option.outcome = 'chosen'
  option.because ??= because
}

// Names are compared with each other: a record with more options than this has something else in mind.
const most = 80

function firstOf(lists: readonly List[]): List[] {
  let left = most
  return lists.flatMap((list) => {
    const options = list.options.slice(0, left)
    left -= options.length
    return options.length > 0 ? { ...list, options } : []
  })
}

/** What stands in one list is told apart there, however alike: only another list can name it once more. */
function joined(options: AdrOption[], list: List): AdrOption[] {
  let known = options
  let left = list.options.filter(
    ({ name }, i) => name && list.options.findIndex((one) => sameWords(one.name, name)) === i,
  )
  for (const isSame of list.isHeadings ? likenesses : likenesses.slice(0, 2)) {
    const pairs = pairsOf(known, left, isSame)
    for (const [option, again] of pairs) absorb(option, again, list)
    known = known.filter((option) => !pairs.some(([one]) => one === option))
    left = left.filter((option) => !pairs.some(([, one]) => one === option))
  }
  return [...options, ...left]
}

/** Those of two lists that are like each other, and like no other there. */
function pairsOf(
  options: readonly AdrOption[],
  others: readonly AdrOption[],
  isSame: (a: string, b: string) => boolean,
): [AdrOption, AdrOption][] {
  const all = options.flatMap((one) =>
    others.filter(({ name }) => isSame(one.name, name)).map((other): [AdrOption, AdrOption] => [one, other]),
  )
  return all.filter(([one, other]) => all.filter((pair) => pair[0] === one || pair[1] === other).length === 1)
}

function absorb(option: AdrOption, again: AdrOption, { isHeadings }: List) {
  const [first, second] = isHeadings ? [again, option] : [option, again]
  option.label = first.label ?? second.label
  if (option.outcome === 'listed')
    Object.assign(option, { outcome: again.outcome, because: option.because ?? again.because })
}
