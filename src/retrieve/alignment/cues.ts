// The words by which a sentence takes a side. General English, none of it about any product.

/** Small words that turn a clause round. */
export const negators =
  /\b(?:not|never|no|none|nor|nothing|without|nobody|neither|nowhere|hardly|rarely|seldom|anything but|no one)\b/i

/** Verbs that turn down what they are said of. */
export const refusals =
  /\b(?:avoid(?:s|ed|ing)?|stop(?:s|ped|ping)?|drop(?:s|ped|ping)?|remov(?:e|es|ed|ing|al)|retir(?:e|es|ed|ing)|abandon(?:s|ed|ing)?|reject(?:s|ed|ing)?|refus(?:e|es|ed|ing)|prevent(?:s|ed|ing)?|declin(?:e|es|ed|ing)|deprecat(?:e|es|ed|ing)|decommission(?:s|ed|ing)?|disabl(?:e|es|ed|ing)|forbid(?:s|den)?|bans?|banned|prohibit(?:s|ed)?|disallow(?:s|ed)?|eliminat(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|discard(?:s|ed|ing)?|dismiss(?:es|ed)?|ceas(?:e|es|ed)|discontinu(?:e|es|ed|ing)|archiv(?:e|es|ed|ing)|(?:get|gets|getting|got) rid of|(?:give|gives|giving|gave|given) up|(?:shut|turn|turned|switch|switched)(?: [\w.-]+){0,5} (?:down|off)|down to zero|(?:go|goes|going|gone) away|(?:has|have|needs?|must)(?: to)? go(?=\W*$)|on its way out|(?:stay|keep|move|moving|migrate|migrating|switch|steer)(?: (?!to )[\w-]+){0,4} away from|(?:move|migrate|get|come) off|leav(?:e|es|ing)(?: [\w.-]+){0,5} (?:out|off|behind|aside)|ruled? out|rul(?:e|es|ing)(?: [\w.-]+){0,4} out|shuts? out|abolish(?:es|ed|ing)?|exclud(?:e|es|ed|ing)|omit(?:s|ted|ting)?|do(?:es|ing)? away with|unnecessary|superfluous|redundant|needless|pointless|out of the question|barred|wind(?:ing)? down|tear(?:ing)?(?: [\w.-]+){0,4} down|phas(?:e|ed|ing)(?: \w+){0,4} out|obsolete|undo|undone|unsupported|replac(?:e|es|ed|ing)|ditch(?:ed|ing)?|scrap(?:ped|ping)?|kill(?:ed|ing)?|axed?|dump(?:ed|ing)?|sunset(?:ting)?|uninstall(?:ed|ing)?|revert(?:ed|ing)?|roll(?:ed|ing)? back|revers(?:e|ed|ing)|withdraw(?:n|ing)?|cancel(?:l?ed|l?ing)?|revok(?:e|ed|ing)|repeal(?:ed)?|overturn(?:ed|ing)?|overrul(?:e|ed|ing)|exempt(?:ed|ing)?|bypass(?:ed|es|ing)?|skip(?:ped|ping)?|ignor(?:e|ed|ing)|violat(?:e|ed|ing)|opt(?:ed|ing)? out|discourag(?:e|ed|ing)|oppos(?:e|ed|ing)|outgrown|goodbye|disagree|(?:decid(?:e|ed)|vot(?:e|ed)|argu(?:e|ed)|is|are|be|am|we're|I'm) against|relax(?:ed|ing)?|loosen|weaken|(?:tear|rip|throw)(?:ing)?(?: \w+){0,3} out)\b/i

/** Where the side changes inside a clause: what follows is what is not done. */
export const turns =
  /\b(?:instead of|rather than|in place of|in lieu of|as opposed to|as a replacement for|and not|but not|away from|without|with no|with nothing|(?:better|simpler|faster|easier|cheaper|safer|clearer|nicer|superior|more \w+) (?:than|to)|beats|outperforms|trumps|not)\s+/i

/** Verbs of speaking, counting and looking: a sentence led by one decides nothing. */
export const talk =
  /^(?:(?:please|let's|let us|we|i|they|someone|somebody|the team|you|should|could|will|would|want to|need to|must|have to|plan to|also|then|first|next)\s+)*(?:review|compare|measur|count (?:how|the|all|which)|list (?:the|all|which|what|every|those)|estimat|report|explain|read (?:up|about|the|what|how)|thank|train|ask|investigat|research|evaluat|assess|monitor|describ(?!e\b.* (?:as|with|in|by) )|discuss|analy[sz]|benchmark|survey|collect|check (?:how|what|which|whether|if|who|that|on)|highlight|look(?:ed|ing)? (?:at|into)|consider|explor|document(?!s?\b.* (?:with|as) )|(?:publish|write) (?:up|down|about|(?:an? |the )?(?:[\w-]+ ){0,2}(?:guide|report|post|note|doc|docs|documentation|page|article|blog|summary|tutorial|runbook|faq|story|letter)\b(?!s? (?:in|with|as) ))|talk|learn|teach|watch|track|audit|celebrat|announc|show(?! .* as )|profil|try (?:out|how)|work out|draw|alert|add an? (?:dashboard|alert|chart|graph|report|note|page)\b|record how|summari[sz]|thank|find out|study|debate|illustrat)/i

/** "List markers are …": a noun that looks like one of those verbs, because a verb follows it. */
export const nounLed =
  /^[\w'-]+\s+(?!(?:how|what|which|whether|who|why|when|if|that|the|an?|our)\b)(?:[\w-]+\s+)?(?:is|are|will|must|should|shall|may|can)\b/i

/** What a sentence may begin with that makes it a thought rather than a decision. */
export const thought =
  /^(?:whether|suppose|imagine|although|though|should we|could we|why|how|who)\b|^(?:if|when|while|unless|in case|what)\b(?!.*(?:,| must | should | will | never ))|\b(?:considered|looked at|thought about|discussed|evaluated|investigated|explored|might|could one day|perhaps|maybe|was considering)\b|\bnot yet\b|\?\s*$/i

/** A complaint, a permission or an exception is no choice: it neither picks nor turns down. */
export const lukewarm =
  /\b(?:too (?!many\b|few\b)\w+|mistakes?|problematic|painful|immature|insufficient|lacks?|lacking|broken|buggy|fragile|unsuitable|inadequate|optional(?:ly)?|voluntary|up to (?:each|the|every) team)\b/i

/** Somebody who writes this is not simply agreeing with anything. */
export const dissent =
  /\b(?:disagree|oppos(?:e|es|ed|ing)|overrul|overturn|revers(?:e|es|ing)\b|revisit|supersed|contrary to|again\b|despite|regardless of|except(?:ion|ions|ing)?\b|exempt|in spite of|goodbye|reconsider|unlike|mistake|undo\b)/i

/** Orders that change what they are given: whoever splits or renames a thing does not leave it as it was decided. */
export const changing =
  /^(?:renam|split|merg|fold|widen|broaden|narrow|extend|chang|turn|convert|rewrit|rework|reshap|reorgani[sz]|restructur|swap|shift|lock|unlock|rais|lower|raise|reduc|increas|shorten|lengthen|alter|amend|modif|adjust|transform|mov|migrat|reopen|reinstat|restor|tr(?:y|ies) (?:out|how))/i

/** A record that allows a thing under a condition has not chosen it. */
export const conditions =
  /\b(?:provided|unless|as long as|on condition|only if|only when|except)\b|^\W*(?:if|unless|in case|in the event)\b/i

/** Reasons say why, not what. */
export const reasons =
  /[,;:]?\s+(?:because|since|so that|in order to|due to|given that|as it|as this|as they|so as to|thanks to|such that|as we did|like we did|as before)\b.*$/is

export const decisionVerbs =
  'list|use|using|adopt|keep|write|run|build|move|put|store|host|deploy|offer|let|allow|make|give|create|add|introduce|switch|migrate|replace|set|name|call|define|manage|scale|enforce|prefer|pick|choose|select|go|return|bring|place|include|encode|generate|export|import|parse|treat|resolve|distribute|identify|mark|serve|ship|route|expose|pull|push|start|stop|avoid|drop|remove|retire|reject|disable|forbid|delete|archive|rename|read|share|split|merge|fold|rewrite|type|lint|format|package|deliver|implement|support|require|restrict|rely|provide|apply|upgrade|pin|install|publish|extend|represent|serialize|declare|log|sign|authenticate|test|tell|order|send|print|stay|plain|everything|configure|develop|release|cease|abandon|refuse|decommission'

/** A title or sentence that says what to do. */
export const orders = new RegExp(`^(?:${decisionVerbs})\\b`, 'i')

/** Pairs of ends: who stands at one cannot stand at the other on the same matter. */
export const axes: readonly (readonly [name: string, one: RegExp, other: RegExp])[] = [
  [
    'one or several',
    /\b(?:one|single|shared?|shares|sharing|same|together|central(?:i[sz]ed)?|common|combined?|merged?|monolith(?:ic)?|unified|monorepo)\b/i,
    /\b(?:multi|multiple|many|several|separate(?:d|ly)?|per|each|every|own|dedicated|split(?:ting)?|apart|individual|isolated|distributed|independent|multirepo|polyrepo|more than one|two)\b/i,
  ],
  [
    'public or private',
    /\b(?:public(?:ly)?|internet|exposed?|anyone|open)\b/i,
    /\b(?:private(?:ly)?|restrict(?:s|ed|ing)?|internal(?:ly)?|closed|locked|lock(?:s|ing)?(?=(?: \w+){0,3} down\b))\b/i,
  ],
  [
    'ours or managed',
    /\b(?:self[- ](?:hosted|managed|host)|in[- ]house|on[- ]prem(?:ises)?|our own|of our own|ourselves|home[- ]grown)\b/i,
    /\b(?:managed|saas|hosted by|third[- ]party)\b/i,
  ],
  [
    'by hand or automatic',
    /\b(?:manual(?:ly)?|by hand|hand-written)\b/i,
    /\b(?:automatic(?:ally)?|automated?|generated)\b/i,
  ],
  [
    'old or new',
    /\b(?:old|older|outdated|pin|pins|pinned|previous)\b/i,
    /\b(?:latest|newest|up[- ]to[- ]date|current)\b/i,
  ],
  ['before or after', /\b(?:before|precedes?|ahead of)\b/i, /\b(?:after|follows|behind)\b/i],
  ['global or local', /\b(?:global(?:ly)?)\b/i, /\b(?:local(?:ly)?)\b/i],
  [
    'at least or at most',
    /\b(?:at least|minimum|no (?:less|fewer) than|or more)\b/i,
    /\b(?:at most|maximum|no more than|up to|exactly|or (?:less|fewer))\b/i,
  ],
  ['mutable or not', /\b(?:mutable)\b/i, /\b(?:immutable)\b/i],
  [
    'waiting or not',
    /\b(?:synchronous(?:ly)?|blocking)\b/i,
    /\b(?:asynchronous(?:ly)?|async|non-blocking)\b/i,
  ],
  ['static or dynamic', /\b(?:static(?:ally)?)\b/i, /\b(?:dynamic(?:ally)?)\b/i],
  ['must or may', /\b(?:mandatory|required|must|always)\b/i, /\b(?:optional(?:ly)?|voluntary|anywhere)\b/i],
  ['stateful or not', /\b(?:stateful)\b/i, /\b(?:stateless)\b/i],
  ['eager or lazy', /\b(?:eager(?:ly)?)\b/i, /\b(?:lazy|lazily)\b/i],
  ['push or pull', /\b(?:push(?:es|ed)?)\b/i, /\b(?:pull(?:s|ed)?|poll(?:s|ed|ing)?)\b/i],
  ['strict or loose', /\b(?:strict(?:ly)?|typed)\b/i, /\b(?:loose(?:ly)?|untyped)\b/i],
]
