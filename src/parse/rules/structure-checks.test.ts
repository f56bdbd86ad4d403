import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { structuresIn } from './structure-checks.js'

const asks = (sentence: string, isPitfall = false) =>
  structuresIn(sentence, isPitfall).map(({ name }) => name)

describe('a few key words say which check a sentence asks for', () => {
  const sentences: Record<string, string[]> = {
    interface: [
      'Repositories expose an interface; concrete classes implement it.',
      'Each service should have an interface.',
      'Declare a repository interface and provide an implementation class.',
      'Create an interface for data access.',
      'Program against interfaces.',
      'The repository must implement an interface',
      'Define a repository interface',
    ],
    layer: [
      'Business logic must not access the database directly.',
      'Keep SQL queries out of controllers.',
      "Controllers shouldn't contain SQL.",
      'Services must not make HTTP calls.',
      'Views must not query the database.',
      'Handlers delegate to services and never touch the DB.',
      'Only repositories may access the database.',
      'Database access belongs only in the repository layer.',
      'Domain code must not call external APIs',
      'Do not access the database from controllers',
      'The service layer must not issue SQL queries',
      'Do not perform database queries outside of repositories',
      'Route handlers must not run SQL',
      'Controllers must go through services, never directly to the database.',
    ],
    injection: [
      'Inject dependencies via the constructor.',
      'Use constructor injection.',
      'Do not instantiate dependencies inside classes.',
      'Classes receive their collaborators through the constructor.',
      'Prefer dependency injection over creating objects inline.',
      'Dependencies are injected, never created with `new`.',
      'Dependencies come through the constructor.',
      'Use dependency injection',
      'Accept dependencies as constructor parameters',
      'Services must not create their own dependencies',
    ],
    'empty-catch': [
      "Don't swallow errors.",
      'No empty catch blocks.',
      'Catch blocks must handle or rethrow the error.',
      'Never ignore exceptions.',
      'Empty `catch` blocks are forbidden.',
      'Never catch an error without handling it',
      'Catch blocks must not be empty.',
      'Do not suppress exceptions',
    ],
    documented: [
      'All public methods must have documentation comments.',
      'Document every exported function.',
      'Add docstrings to public functions.',
      'Public functions must be documented.',
      'Exported functions carry a JSDoc comment.',
      'Public APIs need doc comments',
      'Every public method must have a comment',
    ],
    async: [
      'Use async/await, not callbacks.',
      'Prefer promises over callbacks.',
      'Avoid callback-style APIs.',
      'Do not use callbacks for asynchronous code.',
      'Use async functions instead of callbacks.',
      'Asynchronous code uses async/await rather than callbacks',
    ],
    'one-class': [
      'One class per file.',
      'Each file contains exactly one class.',
      'A file must not define more than one class.',
      'Only one class in each file',
      'Put every class in its own file.',
      'Each class lives in its own file',
      'There must be a single exported class per module.',
    ],
    'mutable-global': [
      'No global mutable state.',
      "Don't use global variables.",
      'Avoid module-level mutable variables.',
      'Never use mutable globals.',
      'No mutable module-level state.',
      'Global state is forbidden',
      'Do not keep state in module-level variables.',
    ],
    parameters: [
      'Functions should have no more than 3 parameters.',
      'Limit function parameters to four.',
      'A function must not take more than five arguments.',
      'Keep parameter lists short (max 4 parameters).',
      'Methods accept a maximum of three parameters.',
      'Functions have at most 3 parameters',
      'No more than four function parameters',
      'Use three or fewer parameters',
    ],
    naming: [
      'Class names of repositories must end in Repository.',
      'Suffix services with `Service`.',
      'Use the suffix Repository for repository classes.',
      'Event names use the past tense.',
      'Interfaces start with I.',
      'Exception classes end with Error.',
      'Repository classes must be named with the `Repository` suffix',
      'Name events in past tense',
      'Service classes have names ending in "Service"',
      'Events are named in the past tense (e.g. `OrderPlaced`).',
    ],
    'magic-number': [
      'Avoid magic numbers.',
      'Use named constants instead of numeric literals.',
      'Extract numeric literals into constants.',
      'No magic numbers: use named constants.',
      'Do not hardcode numbers',
    ],
    'typed-errors': [
      'Throw custom error classes.',
      'Errors should be typed.',
      "Don't throw strings.",
      'Raise specific exceptions instead of Exception.',
      'Never throw raw Error objects.',
      'Use typed errors rather than plain Error.',
      'Errors must be typed classes',
      'Throw domain-specific errors.',
      'Do not throw generic errors',
      'Use custom exception types',
      'Never throw plain `Error`; define typed error classes.',
    ],
    'domain-objects': [
      'Return domain objects instead of DB rows.',
      'Repositories return entities, never raw records.',
      'Return domain objects.',
      'Never return database rows',
      'Methods return domain entities, not ORM models.',
    ],
  }
  for (const [name, list] of Object.entries(sentences))
    for (const sentence of list) test(`${name}: ${sentence}`, () => assert.deepEqual(asks(sentence), [name]))

  test('finds the checks for pitfalls', () => {
    assert.deepEqual(asks('Controllers that query the database directly.', true), ['layer'])
    assert.deepEqual(asks('Global variables that hold state.', true), ['mutable-global'])
    assert.deepEqual(asks('Swallowing exceptions.', true), ['empty-catch'])
  })

  for (const sentence of [
    'Keep it simple.',
    'Repositories talk to the database.',
    'Services call other services through a queue.',
    'Write tests for every module.',
    'Never swallow exceptions unless you log them.',
    'Prefer composition over inheritance.',
    'Retry failed requests with back-off.',
    'Use the repository for all data access.',
    'Callbacks are fine.',
    `Never swallow ${'errors '.repeat(200)}`,
  ])
    test(`left to the reader: ${sentence.slice(0, 60)}`, () => assert.deepEqual(asks(sentence), []))
})
