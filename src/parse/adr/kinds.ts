// Which files beside records are records. A README, an index, a template and a guide to the process are none.
import { isDated } from './dates.js'
import type { Fields } from './fields.js'
import { digitsOf, isPage, stemOf } from './names.js'
import type { Page } from './page.js'
import { isPlaceholder } from './statuses.js'

export type Kind = 'adr' | 'template' | 'index' | 'other'

export function kindOf(page: Page, fields: Fields): Kind {
  const stem = stemOf(page.path)
  if (isTemplateName(page.path, stem) || isTemplateTitle(page.title?.text ?? '')) return 'template'
  if (isPage(stem) || notes.test(stem)) return 'index'
  if (isPageOfFolder(page.path) && !tellsDecision(page)) return 'index'
  return isRecord(page, fields, stem) ? 'adr' : 'other'
}

const notes = /^(?:toc|contents|summary|contributing|changelog|license|licence|decision-?log)$/i

/** The page of a record's own folder may be that record, or list what else lies there. */
function isPageOfFolder(path: string): boolean {
  return isPage(/([^\\/]*)\.[a-z]+$/i.exec(path)?.[1] ?? '')
}

function tellsDecision({ parts }: Page): boolean {
  return parts.some(
    ({ own, pieces }) => own === 'decision' && pieces.some(({ kind }) => kind === 'paragraph'),
  )
}

/** "adr-template-bare", "0000-template"; what has a number or other words is about templates. */
function isTemplateName(path: string, stem: string): boolean {
  const [, number = '', name = ''] =
    /^(?:(?:[a-z]{1,12}-)?adr[-_ ]?(?=\d)|adr[-_ ]?)?(\d{0,8})[-_. ]*(.*)$/i.exec(stem) ?? []
  if (Number(number) !== 0) return false
  if (number !== '' && /^(?:sample|example)$/i.test(name)) return true
  return templateName.test(name) || (/(?:^|[\\/])templates?[\\/]/i.test(path) && /template$/i.test(name))
}

const templateWord =
  '(?:[ml]?adr|nygard|decision|record|short|long|full|simple|basic|minimal|bare|default|v\\d+)'
const templateName = new RegExp(`^(?:${templateWord}[-_ ]?)*template(?:[-_ ]${templateWord})*$`, 'i')

function isTemplateTitle(title: string): boolean {
  return (
    isPlaceholder(title) ||
    /^(?:\d+\. )?(?:short )?title(?: of .*)?$/i.test(title) ||
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
  if (isDated(stem) || digitsOf(stem) !== null)
    return (
      signs > 0 || Boolean(fields.date) || isAdrFolder(page.path) || /^(?:[a-z]{1,12}-)?m?adr/i.test(stem)
    )
  return signs >= 2
}

function isAdrFolder(path: string): boolean {
  return /(?:^|[\\/])(?:adrs?|decisions|architecture[-_ ]?decisions?(?:[-_ ]?records?)?|decision[-_ ]?(?:records?|log))[\\/]/i.test(
    path,
  )
}
