import { checkDeclarations as check } from '../../../test/support/check-declarations.js'

check(
  'Go: receivers are the scope, grouped declarations stay apart',
  'go',
  `
package retry

import "time"

// ErrGaveUp says that it gave up.
var ErrGaveUp = errors.New("gave up")

const (
	// First is the first.
	First = iota
	Second
)

// Policy says when.
type Policy struct {
	Max int
}

type (
	Clock interface{ Now() time.Time }
	Step  func(int) int
)

// Do runs it.
func (p *Policy) Do(work func() error) error {
	return work()
}

func (s Stack[T]) Push(item T) {}

func New(max int) *Policy { return &Policy{max} }
`,
  [
    'variable ErrGaveUp 5-6',
    'constant First 8-10',
    'constant Second 11-12',
    'struct Policy 14-17',
    'interface Clock 19-20',
    'type Step 21-22',
    'method Policy.Do 24-27',
    'method Stack.Push 29-29',
    'function New 31-31',
  ],
)

check(
  'Rust: attributes and doc comments, impl blocks, traits, macros, modules',
  'rust',
  `
//! The crate.

use std::fmt;

/// When to try again.
#[derive(Debug, Clone)]
pub struct Policy<T> { max: T }

pub enum Outcome { Done, Failed(String) }
pub trait Clock {
    const TICK: u64;
    type Instant;
    fn now(&self) -> u64;
}
impl<T: fmt::Debug> fmt::Display for Policy<T> {
    /// Writes it.
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) }
}
impl Clock for &mut Wall { fn now(&self) -> u64 { 0 } }
pub(crate) mod inner {
    pub async fn run() {}
}
mod elsewhere;
type Alias = Policy<u8>;
const LIMIT: usize = 3;
static mut COUNT: u32 = 0;
macro_rules! square { ($x:expr) => { $x * $x }; }
union Bits { a: u8, b: i8 }
extern "C" { fn abs(x: i32) -> i32; }
`,
  [
    'struct Policy 5-7',
    'enum Outcome 9-9',
    'trait Clock 10-14',
    'constant Clock.TICK 11-11',
    'type Clock.Instant 12-12',
    'method Clock.now 13-13',
    'impl Policy 15-19',
    'method Policy.fmt 16-18',
    'impl Wall 20-20',
    'method Wall.now 20-20',
    'module inner 21-23',
    'function inner.run 22-22',
    'type Alias 25-25',
    'constant LIMIT 26-26',
    'constant COUNT 27-27',
    'macro square 28-28',
    'union Bits 29-29',
    'function abs 30-30',
  ],
)

check(
  'Java: annotations and Javadoc, nested types, records, constants',
  'java',
  `
package org.example.retry;

import java.time.Duration;

/**
 * When to try again.
 */
@Deprecated
public final class Policy<T> extends Base implements Clock {
  private static final int MAX = 3;
  private int count;

  public Policy(int max) { this.count = max; }

  /** Runs it. */
  @Override
  public T run(Work<T> work) throws Exception {
    return work.call();
  }

  enum State { OPEN, CLOSED; boolean open() { return this == OPEN; } }
  record Pair(int a, int b) { Pair { assert a < b; } }
}

interface Clock { long now(); }
@interface Marker { int value() default 1; }
`,
  [
    'class Policy 5-23',
    'constant Policy.MAX 10-10',
    'constructor Policy.Policy 13-13',
    'method Policy.run 15-19',
    'enum Policy.State 21-21',
    'method Policy.State.open 21-21',
    'record Policy.Pair 22-22',
    'constructor Policy.Pair.Pair 22-22',
    'interface Clock 25-25',
    'method Clock.now 25-25',
    'annotation Marker 26-26',
  ],
)

check(
  'C: definitions, prototypes in headers, macros, typedefs, enums',
  'c',
  `
#ifndef RETRY_H
#define RETRY_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
#define MAX_RETRIES 3
#define SQUARE(x) ((x) * (x))

/* When to try again. */
struct policy { int max; };
typedef struct node { struct node *next; } node_t;
typedef int (*work_fn)(void *);
enum state { OPEN, CLOSED };
union bits { int i; float f; };

/* Runs it. */
int retry_run(struct policy *p, work_fn work);
const char **retry_names(void);
static const int steps[] = { 1, 2 };
extern void (*on_error)(int);

static inline int twice(int x)
{
  return x * 2;
}
char *name(void) { return "a"; }
#if defined(__cplusplus)
} /* extern "C" */
#endif
#endif
`,
  [
    'macro MAX_RETRIES 7-7',
    'macro SQUARE 8-8',
    'struct policy 10-11',
    'struct node_t 12-12',
    'type work_fn 13-13',
    'enum state 14-14',
    'union bits 15-15',
    'function retry_run 17-18',
    'function retry_names 19-19',
    'variable steps 20-20',
    'function twice 23-26',
    'function name 27-27',
  ],
)

check(
  'C: functions in old style, and with the names of macros before their own',
  'c',
  `
int
parse_line(buf, len)
  char *buf;
  int len;
{
  return len;
}
main(argc, argv)
  char **argv;
{
  usage();
}
static int __init foo_init(void) { return 0; }
int WINAPI WinMain(HINSTANCE h, int n) { return 0; }
static HANDLE open_it(int n) { return 0; }
struct flags { enum MODE mode : 3; };
`,
  [
    'function parse_line 1-7',
    'function main 8-12',
    'function foo_init 13-13',
    'function WinMain 14-14',
    'function open_it 15-15',
    'struct flags 16-16',
  ],
)

check(
  'C++: classes behind the name of a macro, conversions',
  'cpp',
  `
class UI_EXPORT Panel : public Base {
  void one() {}
  void two() {}
  operator bool() const { return true; }
};
struct API_V(2) Row final { int a; };
`,
  [
    'class Panel 1-5',
    'method Panel.one 2-2',
    'method Panel.two 3-3',
    'method Panel.operator bool 4-4',
    'struct Row 6-6',
  ],
)

check(
  'C++: namespaces, templates, members inside and outside of their class, operators',
  'cpp',
  `
namespace carrel::retry {

// When to try again.
template <typename T>
class Policy : public Base {
public:
  explicit Policy(int max) : max_(max) {}
  ~Policy();
  T *run(std::function<T()> work) const;
  virtual void reset() = 0;
  bool operator==(const Policy &other) const { return true; }
  enum class State { Open, Closed };
private:
  int max_;
};

template <typename T>
T *Policy<T>::run(std::function<T()> work) const {
  return nullptr;
}

namespace {
int hidden() { return 1; }
}

using Step = int;
struct Pair { int a; };
}

Store::Store() : open(true) {}
Store::~Store() {}
Store &Store::operator+=(int n) { return *this; }
Store::operator bool() const { return true; }
int main(int argc, char **argv) { return 0; }
`,
  [
    'namespace carrel.retry 1-28',
    'class carrel.retry.Policy 3-15',
    'method carrel.retry.Policy.Policy 7-7',
    'method carrel.retry.Policy.~Policy 8-8',
    'method carrel.retry.Policy.run 9-9',
    'method carrel.retry.Policy.reset 10-10',
    'method carrel.retry.Policy.operator== 11-11',
    'enum carrel.retry.Policy.State 12-12',
    'method carrel.retry.Policy.run 17-20',
    'function carrel.retry.hidden 23-23',
    'type carrel.retry.Step 26-26',
    'struct carrel.retry.Pair 27-27',
    'method Store.Store 30-30',
    'method Store.~Store 31-31',
    'method Store.operator+= 32-32',
    'method Store.operator bool 33-33',
    'function main 34-34',
  ],
)

check(
  'C#: a namespace for the whole file, properties, records, local functions',
  'csharp',
  `
using System;

namespace Carrel.Retry;

/// <summary>When to try again.</summary>
[Serializable]
public sealed class Policy<T> : Base
{
    public const int Max = 3;
    private int count;
    public int Count { get; set; }
    public Policy(int count) { this.count = count; }
    public static Policy<T> operator +(Policy<T> a, Policy<T> b) => a;
    /// <summary>Runs it.</summary>
    [Obsolete]
    public async Task<T> Run(Func<T> work)
    {
        T Inner()
        {
            return work();
        }
        return Inner();
    }
}
public record Pair(int A, int B);
public delegate void Changed(int count);
interface IClock { long Now(); }
enum State { Open, Closed }
`,
  [
    'namespace Carrel.Retry 3-3',
    'class Carrel.Retry.Policy 5-24',
    'constant Carrel.Retry.Policy.Max 9-9',
    'property Carrel.Retry.Policy.Count 11-11',
    'constructor Carrel.Retry.Policy.Policy 12-12',
    'operator Carrel.Retry.Policy.+ 13-13',
    'method Carrel.Retry.Policy.Run 14-23',
    'function Carrel.Retry.Policy.Run.Inner 18-21',
    'record Carrel.Retry.Pair 25-25',
    'delegate Carrel.Retry.Changed 26-26',
    'interface Carrel.Retry.IClock 27-27',
    'method Carrel.Retry.IClock.Now 27-27',
    'enum Carrel.Retry.State 28-28',
  ],
)
