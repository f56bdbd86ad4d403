// Reads a record of a decision in any of the usual forms: Nygard, MADR, log4brains, bullets, tables, frontmatter.
import type { Adr, AdrReading } from './adr.js'
import { consequencesOf, decisionOf, elsewhereIn, sentencesUnder } from './content.js'
import { type Fields, fieldsOf } from './fields.js'
import { codeOf, fileStem, isIndexName, isNumbered, stemOf } from './file-names.js'
import { optionsOf } from './options.js'
import { type Page, pageOf } from './page.js'
import { type Standing, standingOf } from './standing.js'
import { isPlaceholder } from './statuses.js'
import { namesOf } from './title.js'

/** Reads a record, or says what else the file is. Never throws: of a broken file it reads what it can. */
export function readAdr(path: string, text: string): AdrReading {
  const page = pageOf(path, text)
  const fields = fieldsOf(page)
  const kind = kindOf(page, fields)
  return kind === 'adr'
    ? { kind, adr: adrOf(page, fields) }
    : { kind, path, title: namesOf(page, fields).title }
}

/** Reads a file as a record whatever it looks like, for those who know that it is one. */
export function parseAdr(path: string, text: string): Adr {
  const page = pageOf(path, text)
  return adrOf(page, fieldsOf(page))
}

function adrOf(page: Page, fields: Fields): Adr {
  const standing = standingOf(page, fields)
  const lines = new Set(Object.values(fields).flatMap((values) => values.map(({ line }) => line)))
  const decision = decisionOf(page, lines)
  return {
    path: page.path,
    ...namesOf(page, fields),
    titleLine: page.title?.line ?? null,
    status: statusOf(standing),
    supersedes: standing.supersedes,
    supersededBy: standing.supersededBy,
    partly: standing.partly,
    context: sentencesUnder(page, 'context').slice(0, 400),
    options: optionsOf(page, decision),
    decision,
    consequences: consequencesOf(page),
    elsewhere: elsewhereIn(page),
  }
}

/**
 * A field that names a successor means that the record was superseded, even if its status was not changed. Other words
 * than a number or a path name a successor if a record has that title: see supersession.ts.
 */
function statusOf({ statement, supersededBy, partly }: Standing): Adr['status'] {
  const status = statement?.status ?? 'unknown'
  const isNamed = supersededBy.some(({ number, path }) => number !== null || path !== null)
  const overtaken = isNamed && !partly && (status === 'accepted' || status === 'unknown')
  return overtaken ? 'superseded' : status
}

// Distinguishes records from other files in their folders: a README, an index, a template, a guide to the process.

type Kind = 'adr' | 'template' | 'index' | 'other'

function kindOf(page: Page, fields: Fields): Kind {
  const stem = stemOf(page.path)
  if (isTemplateName(page.path, stem) || isTemplateTitle(page.title?.text ?? '', stem)) return 'template'
  const file = fileStem(page.path)
  if (isIndexName(file) && stem !== file) return isFolderOfRecord(page, fields, stem) ? 'adr' : 'index'
  if (isIndexName(file) || asides.test(file)) return 'index'
  return isRecord(page, fields, stem) ? 'adr' : 'other'
}

const asides = /^(?:toc|contents|summary|contributing|changelog|license|licence|decision-?log)$/i

/** "adr-template-bare", "0000-template". A name with a number or other words may be a record about templates. */
function isTemplateName(path: string, stem: string): boolean {
  const { digits = '0', rest = stem } = codeOf(stem) ?? {}
  if (Number(digits) !== 0) return false
  if (rest !== stem && /^(?:sample|example)$/i.test(rest)) return true
  return templateName.test(rest) || (/(?:^|[\\/])templates?[\\/]/i.test(path) && /template$/i.test(rest))
}

const templateWord =
  '(?:[ml]?adr|nygard|decision|record|short|long|full|simple|basic|minimal|bare|default|v\\d+)'
const templateName = new RegExp(`^(?:${templateWord}[-_ ]?)*template(?:[-_ ]${templateWord})*$`, 'i')

function isTemplateTitle(title: string, stem: string): boolean {
  // A record that was copied from the template may still have its title.
  const isCopy = Number(codeOf(stem)?.digits ?? 0) > 0
  const isNamed = isCopy && /^\[[^\]|]{3,}\]$/.test(title) && !asksForTitle.test(title)
  return (
    (isPlaceholder(title) && !isNamed) ||
    (!isCopy && namesTemplate.test(title)) ||
    /^(?:\d+\. )?(?:short )?title(?: of .*)?$/i.test(title) ||
    (!isNamed &&
      /^(?:adr|decision record|architecture decision record)?[\s:#-]*(?:\{[^}]*\}|\[[^\]]*\]|<[^>]*>|n+|x{2,}|number)[\s.:–-]*(?:\{[^}]*\}|\[[^\]]*\]|<[^>]*>|title)?$/i.test(
        title,
      ))
  )
}

/** "[short title of the problem]". */
const asksForTitle =
  /\b(?:title|name|number|short|problem|solution|summary|subject|your|insert|placeholder)\b/i

const namesTemplate =
  /\b(?:adr|decision(?: record)?)[\s:#-]*template\b|^template$|^(?:plantilla|szablon|шаблон)\s.*(?:adr|decis|decyzj|решен)|adr[-\s]?(?:vorlage|模板|テンプレート|템플릿)/iu

/** The README of a folder is a record if it has the parts of one. */
function isFolderOfRecord(page: Page, fields: Fields, folder: string): boolean {
  const signs = signsOf(page, fields)
  const hasOutcome = signs.includes('decision') || Boolean(fields.status)
  const least = isNumbered(folder) ? (hasDecisionText(page) ? 1 : 2) : 3
  return hasOutcome && signs.length >= least
}

/** A mere list of files has no paragraph under "Decision". */
function hasDecisionText({ parts }: Page): boolean {
  return parts.some(
    ({ own, pieces }) => own === 'decision' && pieces.some(({ kind }) => kind === 'paragraph'),
  )
}

/** A numbered or dated name is enough of a sign with any part of a record; another name needs two of them. */
function isRecord(page: Page, fields: Fields, stem: string): boolean {
  const signs = signsOf(page, fields).length
  if (isNumbered(stem))
    return (
      signs > 0 || Boolean(fields.date) || isAdrFolder(page.path) || /^(?:[a-z]{1,12}-)?m?adr/i.test(stem)
    )
  return signs >= 2
}

function signsOf(page: Page, fields: Fields): string[] {
  const own = page.parts.map((part) => ({ role: part.own, level: part.level }))
  const top = Math.min(...own.filter(({ role }) => role !== null).map(({ level }) => level))
  const roles = new Set(own.filter(({ level }) => level <= top + 1).map(({ role }) => role))
  return [
    ...(fields.status || roles.has('status') ? ['status'] : []),
    ...(['decision', 'context'] as const).filter((role) => roles.has(role)),
    ...(roles.has('consequences') || roles.has('options') ? ['outlook'] : []),
  ]
}

function isAdrFolder(path: string): boolean {
  return /(?:^|[\\/])(?:adrs?|decisions|architecture[-_ ]?decisions?(?:[-_ ]?records?)?|decision[-_ ]?(?:records?|log))[\\/]/i.test(
    path,
  )
}
