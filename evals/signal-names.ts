// Which signals have a say in which question. Signals that only repeat another one were left out by trial.

/** What reading a record together with the proposal says. */
const read = [
  'read: against',
  'read: along',
  'read: gap',
  'read: beside',
  'read: title against',
  'read: title along',
  'read: often against',
  'read: often along',
  'read: amounts',
]

/** What reading its nearest statements at once says. */
const atOnce = ['at once: against', 'at once: along', 'at once: gap', 'at once: beside']

/** How it stands among the other records that were read. */
const readAmongOthers = [
  'read: against: rank',
  'read: against: margin',
  'read: beside: rank',
  'read: beside: margin',
]

/** How clearly. */
const readClearly = ['read: clearly against', 'read: clearly along', 'read: apart', 'read: against and apart']

/** Is the proposal about this record? */
export const aboutSignals = [
  'score',
  'score: rank',
  'score: margin',
  'known',
  'terms',
  'title wanted',
  'title unwanted',
  'against',
  'along',
  'family: same',
]

/** Does it go against it, or along with it? */
export const sideSignals = [
  'rule: picks option',
  'rule: picks said',
  'rule: negates option',
  'rule: negates said',
  'rule: opposite end',
  'rule: other value',
  'rule: other option',
  'rule: along option',
  'rule: along said',
  'known',
  'affirmed',
  'affirmed title',
  'denied',
  'denied title',
  'from wanted',
  'from unwanted',
  'from nowhere',
  'refuses wanted',
  'names a choice',
  'title wanted',
  'title unwanted',
  'family: rival',
  'family: same',
  'family: dropped',
  'family: refused',
  'new names',
  'names chosen',
  'names dropped',
  'names another',
  'option affirmed',
  'loosens',
  'tone: talk',
  'tone: refusal',
  'tone: contrast',
  'tone: again',
  'tone: keep',
  'tone: no more',
  'tone: change',
  'tone: wish',
  'tone: alone',
  'tone: whatever',
  'tone: directly',
  'tone: themselves',
  'tone: own',
  'tone: goes on',
  'tone: complaint',
  'tone: may',
  'tone: let',
  'tone: must',
  'tone: new',
  'tone: length',
  'tone: clauses',
]

export const readAboutSignals = [...aboutSignals, ...read, ...readAmongOthers]
export const readSideSignals = [...sideSignals, ...read, ...atOnce]
/** Both questions at once: the fewer the better. */
export const readConflictSignals = [
  'read: against',
  'read: gap',
  'read: beside',
  'read: amounts',
  'at once: against',
  'at once: gap',
  'at once: beside',
  ...readAmongOthers,
  ...readClearly,
  'score',
  'score: rank',
  'score: margin',
  'known',
]
