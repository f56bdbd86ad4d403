// The names of a record's fields in other languages than English.
import type { FieldName } from './fields.js'

const written: Partial<Record<FieldName, string>> = {
  status: 'statut, estado, stato, статус, 状态, 狀態, 状態, ステータス, 상태, trạng thái',
  date: 'datum, entscheidungsdatum, erstellt, erstellt am, date de décision, fecha, fecha de decisión, data, data da decisão, дата, дата решения, 日期, 日付, 作成日, 決定日, 날짜, 작성일, 결정일',
  deciders:
    'entscheider, entscheidungsträger, entschieden von, entscheidung durch, décideurs, décideur, décidé par, décidée par, decisores, decisor, decidido por, decidida por, tomadores de decisão, responsables de la decisión, decisori, deciso da, beslissers, decydenci, решающие, принимающие решение, кто принял решение, 决策者, 决策人, 決策者, 決定者, 意思決定者, 결정자, 의사결정자',
  authors:
    'autor, autorin, autoren, verfasser, auteur, auteurs, autora, autores, autore, autori, autorzy, автор, авторы, 作者, 作成者, 起案者, 提案者, 저자, 작성자',
  consulted: 'konsultiert, consultés, consultados, consultati, консультанты',
  informed: 'informiert, informés, informados, informati',
  supersedes: '取代, 替代, 替换',
}

export const translatedFields: Readonly<Record<string, FieldName>> = Object.fromEntries(
  Object.entries(written).flatMap(([field, names]) =>
    names.split(', ').map((name) => [name.normalize('NFC'), field as FieldName]),
  ),
)
