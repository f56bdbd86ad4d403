// The prompts that every project has. A file of the project with the same name takes the place of one.
import type { ProjectPrompt } from './prompt-files.js'
import { readTemplate } from './template.js'

/**
 * Their text names no tool that is not offered: steps say what to do, and `{{tool:…}}` names the tool, or says it is
 * missing.
 */
export function builtInPrompts(isOffered: (tool: string) => boolean): ProjectPrompt[] {
  return prompts(isOffered(reader) ? `${reader} takes their uris` : 'they are resources, by their uris')
}

const reader = 'documents_get_document'

const prompts = (howToRead: string): ProjectPrompt[] => [
  prompt({
    name: 'create-adr',
    title: 'Create a decision record',
    summary: 'Writes a new architecture decision record, checked against the decisions that stand.',
    arguments: [
      argument('title', 'What is decided, in a few words', true),
      argument('context', 'The problem, and what bears on it'),
      argument('decision', 'What is to be decided, if that is known'),
    ],
    text: `Help me record an architecture decision: {{title}}

Context, as far as I know it:
{{context}}

What I lean towards:
{{decision}}

These decisions exist:
{{index:architecture://adr/*}}

1. Compare the proposal with them before you write anything.

{{tool:check-adr-alignment}}

Quote every conflict to me, with the decision's uri. If an accepted decision says otherwise, ask me whether the new record supersedes it.

2. Read one or two accepted records (${howToRead}) and use their form, their folder and the next free number. Without any, use docs/adr and these parts: status, date and deciders; context and problem; considered options, each with what speaks for and against it; decision and why; consequences, good and bad.

3. Start with the status "proposed". If it supersedes another record, link both ways.

4. Where a program could check the decision, end with a rule block, so that "carrel check" enforces it:

\`\`\`rule
id: a-short-name
kind: forbid-import
from: src/domain
import: ../adapters
message: Why this is wrong, and which decision says so.
\`\`\`

Show me the record before you save it.

workflow_id: {{workflow_id}} (for tools that take one: what they find is kept together for one hour)`,
  }),
  prompt({
    name: 'guided-pattern-validation',
    title: 'Validate code against a pattern',
    summary: 'Holds a piece of code against one documented pattern, step by step.',
    arguments: [
      argument('code', 'The code to validate', true),
      argument('pattern_name', 'The pattern; left out, one is chosen with you', false, 'patterns'),
      argument('language', 'The programming language'),
    ],
    text: `Validate this code against one of our patterns.

Pattern: {{pattern_name}}
Language: {{language}}

Code:
{{code}}

The patterns we have:
{{index:architecture://patterns/*}}

{{resource:architecture://patterns/{pattern_name}}}

1. If no pattern is named above, propose the one or two that fit this code and why, and go on with the best.

2. Validate the code as it stands.

{{tool:validate-against-pattern}}

3. For each violation: show the line, say in a sentence what goes wrong because of it, and show the smallest change that mends it.

4. Rules that were not checkable are yours to judge, but for those about other languages or places: read the pattern's advice and say for each whether the code follows it, with the line you judge by. Say so where you cannot tell.

5. Show the mended code and validate it again.

workflow_id: {{workflow_id}} (for tools that take one: what they find is kept together for one hour)`,
  }),
  prompt({
    name: 'review-code-against-patterns',
    title: 'Review code against the architecture',
    summary: 'Reviews code against every pattern, guideline and decision that bears on it.',
    arguments: [
      argument('code', 'The code to review', true),
      argument('path', 'Where the code lies, for rules about folders'),
      argument('focus', 'What to look at first'),
    ],
    text: `Review this code against our architecture.

Path: {{path}}
Focus: {{focus}}

Code:
{{code}}

Patterns:
{{index:architecture://patterns/*}}

Guidelines:
{{index:architecture://guidelines/*}}

1. Find what bears on this code. Search with the words of the code's subject, not of its syntax.

{{tool:search-architecture}}

2. Validate against each pattern and guideline that applies. Leave out those that do not, and name them.

{{tool:validate-against-pattern}}

3. Report, most serious first: the line, what is wrong, the rule or sentence it breaks with its uri, and the change you propose. Keep what a tool found apart from what you judged yourself. No praise, no remarks on taste.

4. End with one sentence: may this be merged as it is?

workflow_id: {{workflow_id}} (for tools that take one: what they find is kept together for one hour)`,
  }),
  prompt({
    name: 'suggest-patterns',
    title: 'Suggest patterns for a problem',
    summary: 'Finds the documented patterns and decisions that fit a design problem.',
    arguments: [
      argument('problem', 'The design problem', true),
      argument('constraints', 'What must hold: load, team, technology, time'),
    ],
    text: `Which of our patterns fit this problem?

Problem: {{problem}}

Constraints: {{constraints}}

Patterns:
{{index:architecture://patterns/*}}

Decisions:
{{index:architecture://adr/*}}

1. Search for it in two or three wordings.

{{tool:search-architecture}}

2. Read the promising documents whole before you recommend them: ${howToRead}.

3. Suggest at most three, best first: why it fits this problem, what it costs here, and the first step. Quote the sentence you rely on. If an accepted decision rules one out, say so instead of suggesting it.

4. If none fits, say that plainly, and what a new pattern would have to answer.

workflow_id: {{workflow_id}} (for tools that take one: what they find is kept together for one hour)`,
  }),
]

function prompt({
  text,
  ...rest
}: Omit<ProjectPrompt, 'file' | 'messages'> & { text: string }): ProjectPrompt {
  const parts = readTemplate(text).map((part) =>
    part.kind === 'argument' ? { ...part, absent: '(not given)', isCode: part.name === 'code' } : part,
  )
  return { file: 'built in', ...rest, messages: [{ role: 'user', parts }] }
}

function argument(name: string, description: string, required = false, complete: string | null = null) {
  return { name, description, required, complete }
}
