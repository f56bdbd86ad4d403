// Which files beside records are records. A README, an index, a template and a guide to the process are none.
import type { Fields } from './fields.js'
import { stemOf } from './names.js'
import type { Page } from './page.js'
import { isPlaceholder } from './statuses.js'

export type Kind = 'adr' | 'template' | 'index' | 'other'

export function kindOf(page: Page, fields: Fields): Kind {
  const stem = stemOf(page.path)
  if (isTemplateName(stem) || isTemplateTitle(page.title?.text ?? '')) return 'template'
  if (
    /^(?:readme|index|_index|toc|contents|summary|contributing|changelog|license|licence|decision-?log)$/i.test(
      stem,
    )
  )
    return 'index'
  return isRecord(page, fields, stem) ? 'adr' : 'other'
}

/** "adr-template-bare", "0000-template"; what has a number or other words is about templates. */
function isTemplateName(stem: string): boolean {
  const [, number, name = ''] = /^(?:adr[-_ ]?)?(\d{0,8})[-_. ]*(.*)$/i.exec(stem) ?? []
  return Number(number) === 0 && templateName.test(name)
}

const templateWord =
  '(?:m?adr|nygard|decision|record|short|long|full|simple|basic|minimal|bare|default|v\\d+)'
const templateName = new RegExp(`^(?:${templateWord}[-_ ]?)*template(?:[-_ ]${templateWord})*$`, 'i')

function isTemplateTitle(title: string): boolean {
  return (
    isPlaceholder(title) ||
    /^(?:adr|decision record|architecture decision record)?[\s:#-]*(?:template|\{[^}]*\}|\[[^\]]*\]|<[^>]*>|n+|x{2,}|number)[\s.:–-]*(?:\{[^}]*\}|\[[^\]]*\]|<[^>]*>|title)?$/i.test(
      title,
    )
  )
}

/** A numbered or dated name is enough of a sign with any part of a record; another name needs two of them. */
function isRecord(page: Page, fields: Fields, stem: string): boolean {
  const own = page.parts.map((part) => ({ role: part.own, level: part.level }))
  const top = Math.min(...own.filter(({ role }) => role !== null).map(({ level }) => level))
  const roles = new Set(own.filter(({ level }) => level <= top + 1).map(({ role }) => role))
  const signs =
    Number(Boolean(fields.status) || roles.has('status')) +
    Number(roles.has('decision')) +
    Number(roles.has('context')) +
    Number(roles.has('consequences') || roles.has('options'))
  if (isNumbered(stem))
    return signs > 0 || Boolean(fields.date) || isAdrFolder(page.path) || /^m?adr[-_ ]?\d/i.test(stem)
  return signs >= 2
}

export function isNumbered(stem: string): boolean {
  return /^(?:m?adr[-_ ]?)?\d{1,5}(?=[-_. ]|$)|^\d{4}-?\d{2}-?\d{2}(?!\d)/i.test(stem)
}

function isAdrFolder(path: string): boolean {
  return /(?:^|[\\/])(?:adrs?|decisions|architecture[-_ ]?decisions?(?:[-_ ]?records?)?|decision[-_ ]?(?:records?|log))[\\/]/i.test(
    path,
  )
}
