// Equations of Word on one line, in the way one would type them: (a+b)/2, x_i^2, √(n).
import { term } from '../raised.js'
import { child, type Element, elementsOf, textOf } from './xml.js'

export function formulaText(element: Element): string {
  const shape = shapes.get(element.name)
  if (shape) return shape((name) => formulaText(child(element, name) ?? nothing), element)
  return element.name === 't' ? textOf(element) : elementsOf(element).filter(isSaid).map(formulaText).join('')
}

const nothing: Element = { name: '', attributes: {}, children: [] }

/** How a thing looks, and what was struck out of it, are no part of it. */
function isSaid({ name }: Element): boolean {
  return !name.endsWith('Pr') && name !== 'del' && name !== 'moveFrom'
}

type Shape = (part: (name: string) => string, element: Element) => string

const shapes = new Map<string, Shape>(
  Object.entries({
    br: () => ' ',
    f: (part) => `${term(part('num'))}/${term(part('den'))}`,
    sSup: (part) => term(part('e')) + raised(part),
    sSub: (part) => term(part('e')) + lowered(part),
    sSubSup: (part) => term(part('e')) + lowered(part) + raised(part),
    sPre: (part) => `${lowered(part)}${raised(part)} ${part('e')}`,
    limLow: (part) => `${part('e')}_${term(part('lim'))}`,
    limUpp: (part) => `${part('e')}^${term(part('lim'))}`,
    func: (part) => `${part('fName')} ${part('e')}`,
    rad: (part) => `${part('deg')}√${term(part('e'))}`,
    nary: (part, element) => `${sign(element, 'chr', '∫')}${lowered(part)}${raised(part)} ${part('e')}`,
    d: (_, element) =>
      sign(element, 'begChr', '(') +
      members(element, 'e').join(sign(element, 'sepChr', '|')) +
      sign(element, 'endChr', ')'),
    eqArr: (_, element) => members(element, 'e').join('; '),
    m: (_, element) => `[${members(element, 'mr').join('; ')}]`,
    mr: (_, element) => members(element, 'e').join(', '),
  } satisfies Record<string, Shape>),
)

function lowered(part: (name: string) => string): string {
  return script('_', part('sub'))
}

function raised(part: (name: string) => string): string {
  return script('^', part('sup'))
}

function script(mark: string, text: string): string {
  return text === '' ? '' : mark + term(text)
}

function members(element: Element, name: string): string[] {
  return elementsOf(element)
    .filter((inner) => inner.name === name)
    .map(formulaText)
}

/** A sign that the writer may have chosen, even to be none. */
function sign(element: Element, name: string, usual: string): string {
  const chosen = child(element, `${element.name}Pr`, name)
  const value = chosen && Object.values(chosen.attributes)[0]
  return chosen ? (value ?? '') : usual
}
