import { checkDeclarations as check } from '../../../test/support/check-declarations.js'

check(
  'Python: decorators, docstrings, nested classes, module constants',
  'python',
  `
"""What the module is for."""
import os

MAX_RETRIES: int = 3
logger = logging.getLogger(__name__)
a, b = 1, 2
type Pair = tuple[int, int]

# Says how long to wait.
@cache
@retry(times=3)
async def backoff(attempt, *, base=2) -> float:
    """Grows."""
    def capped(value):
        return value
    return capped(base ** attempt)


class Policy(Base):
    """Keeps count."""
    limit = 3

    class Error(Exception):
        pass

    @property
    def left(self): return self.limit

if os.name == 'nt':
    def fallback():
        pass
`,
  [
    'constant MAX_RETRIES 4-4',
    'variable logger 5-5',
    'type Pair 7-7',
    'function backoff 9-16',
    'function backoff.capped 14-15',
    'class Policy 19-27',
    'class Policy.Error 23-24',
    'method Policy.left 26-27',
    'function fallback 30-31',
  ],
)

check('Python: aliases of types', 'python', 'type Vec[T] = list[T]\ntype Row = list[int]\n', [
  'type Vec 1-1',
  'type Row 2-2',
])

check(
  'Ruby: modules, classes, singleton methods, constants',
  'ruby',
  `
require 'set'

# Tries again.
module Carrel::Retry
  LIMIT = 3

  class Policy < Base
    attr_reader :max

    # Makes one.
    def self.build(max: 3) = new(max)

    def run!(work)
      work.call
    end

    def ==(other); end

    class << self
      def default; end
    end
  end
end

def main
end
`,
  [
    'module Carrel.Retry 3-23',
    'constant Carrel.Retry.LIMIT 5-5',
    'class Carrel.Retry.Policy 7-22',
    'method Carrel.Retry.Policy.build 10-11',
    'method Carrel.Retry.Policy.run! 13-15',
    'method Carrel.Retry.Policy.== 17-17',
    'method Carrel.Retry.Policy.default 20-20',
    'method main 25-26',
  ],
)

check(
  'PHP: namespaces, classes, traits, enums, functions',
  'php',
  `
<?php
namespace Carrel\\Retry;

use Psr\\Log\\LoggerInterface;

const LIMIT = 3;

/** When to try again. */
#[Final]
abstract class Policy extends Base implements Clock
{
    const MAX = 3;
    private $count = 0;

    public function __construct(private int $max) {}

    /** Runs it. */
    abstract protected function run(callable $work): mixed;
}
interface Clock { public function now(): int; }
trait Counts { function count() { return 1; } }
enum State: string { case Open = 'open'; }
function backoff(int $attempt): int { return $attempt; }
`,
  [
    'namespace Carrel.Retry 2-2',
    'constant Carrel.Retry.LIMIT 6-6',
    'class Carrel.Retry.Policy 8-19',
    'constant Carrel.Retry.Policy.MAX 12-12',
    'method Carrel.Retry.Policy.__construct 15-15',
    'method Carrel.Retry.Policy.run 17-18',
    'interface Carrel.Retry.Clock 20-20',
    'method Carrel.Retry.Clock.now 20-20',
    'trait Carrel.Retry.Counts 21-21',
    'method Carrel.Retry.Counts.count 21-21',
    'enum Carrel.Retry.State 22-22',
    'function Carrel.Retry.backoff 23-23',
  ],
)

check(
  'Shell: functions in both forms and variables of the script',
  'shell',
  `
#!/usr/bin/env bash
# Installs it.
install() {
  local inner=1
  echo "$inner"
}

readonly TARGET=/opt
export MODE=fast

function clean_up {
  rm -rf "$TARGET"
}
`,
  ['function install 2-6', 'constant TARGET 8-8', 'constant MODE 9-9', 'function clean_up 11-13'],
)

check(
  'CSS: rules by their selectors',
  'css',
  `
@import 'base.css';
/* A button. */
.button:hover, a > b { color: red; }
@media print { .note { display: none } }
@keyframes spin { from { rotate: 0deg } }
`,
  ['rule .button:hover, a > b 2-3', 'rule .note 4-4', 'keyframes spin 5-5'],
)
