/** A crate whose tests exchange values of all kinds with it, and hold objects of it. */
export const RUST_TYPES = {
  tests: {
    'tests/common/mod.rs': 'pub const RESULT: i64 = 42;\n',
    'tests/interface.rs': `#![crate_name = "geometry"]
use std::collections::{BTreeMap, HashMap};
/// A point.
#[derive(Debug, Clone, PartialEq)]
pub struct Point { pub x: f64, pub y: f64 }
impl Point { pub fn norm(&self) -> f64; pub fn scale(&mut self, by: f64); pub fn new(x: f64, y: f64) -> Self; }
#[derive(Debug, Clone, PartialEq)]
pub enum Token { Number(i64), Op(char), Pair { a: u8, b: Option<String> }, End }
pub fn add(a: i64, b: i64) -> i64;
pub fn tokens(text: &str) -> Result<Vec<Token>, ParseError>;
#[derive(Debug, PartialEq, Eq)]
pub struct ParseError(pub String);
pub fn sort(items: &mut [i32]);
pub fn fill(items: &mut Vec<String>, n: usize);
pub fn longest<'a>(a: &'a str, b: &'a str) -> &'a str;
pub fn counts(words: &[&str]) -> HashMap<String, usize>;
pub fn largest(items: &[f64]) -> Option<&f64>;
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Corner { Low = 3, High = 7 }
#[derive(Debug, Clone, PartialEq)]
pub struct Square { pub side: u32, pub corners: BTreeMap<Corner, (i8, u128)>, pub inner: Option<Box<Square>> }
#[derive(Debug, PartialEq)]
pub struct Nothing;
impl TryFrom<u32> for Square { type Error = Nothing; fn try_from(side: u32) -> Result<Square, Nothing>; }
pub fn bits(value: [u8; 2], pause: std::time::Duration, none: (), letters: &[char]) -> (Vec<bool>, std::time::Duration, (), String);
pub fn quiet(n: u8);
pub fn pick(at: usize) -> u8;
pub mod stacks {
    use super::Point;
    pub type Stack;
    impl Stack {
        pub fn new() -> Stack;
        pub fn push(&mut self, item: Point);
        pub fn pop(&mut self) -> Option<Point>;
        pub fn len(&self) -> usize;
        pub fn merge(&mut self, other: Stack);
        pub fn twin(&self, other: &Stack) -> Result<(Stack, bool), String>;
        pub fn first(&self) -> Option<&Point>;
    }
    impl Default for Stack { fn default() -> Self; }
    impl Iterator for Stack { type Item = Point; fn next(&mut self) -> Option<Point>; }
}
`,
    'tests/all.rs': `use geometry::{stacks::Stack, *};
mod common;
#[test]
fn sums() {
    assert_eq!(add(17, 25), common::RESULT);
}
#[test]
fn points() {
    let mut p = Point::new(3.0, 4.0);
    assert_eq!(p.norm(), 5.0);
    p.scale(2.0);
    assert_eq!(p, Point { x: 6.0, y: 8.0 });
}
#[test]
fn parse() -> Result<(), ParseError> {
    assert_eq!(
        tokens("1 + 2")?,
        vec![
            Token::Number(1),
            Token::Op('+'),
            Token::Number(2),
            Token::Pair {
                a: 1,
                b: Some("ü".into())
            },
            Token::End
        ]
    );
    assert_eq!(tokens("?"), Err(ParseError("?".to_string())));
    Ok(())
}
#[test]
fn refs() {
    let mut v = vec![3, 1, 2];
    sort(&mut v);
    assert_eq!(v, [1, 2, 3]);
    sort(&mut v[1..]);
    let mut s = vec![];
    fill(&mut s, 2);
    assert_eq!(s, ["x", "x"]);
    assert_eq!(longest("ab", "c"), "ab");
    assert_eq!(counts(&["a", "b", "a"])["a"], 2);
    assert_eq!(largest(&[1.0, 3.0]), Some(&3.0));
    quiet(1);
}
#[test]
#[should_panic(expected = "out of range")]
fn bounds() {
    pick(100);
}
#[test]
#[should_panic(expected = "no square")]
fn chosen() {
    std::panic::catch_unwind(|| quiet(1)).unwrap();
    Square::try_from(0).map(|_| ()).expect("no square");
}
#[test]
fn stack() {
    let mut s = Stack::new();
    s.push(Point { x: 1.0, y: 2.0 });
    s.push(Point { x: 3.0, y: 2.0 });
    assert_eq!(s.len(), 2);
    assert_eq!(s.first().unwrap().x, 1.0);
    let mut t = Stack::default();
    t.merge(s);
    assert_eq!(t.len(), 2);
    let (u, same) = t.twin(&t).unwrap();
    assert!(same);
    assert_eq!(u.len(), 2);
    assert_eq!(t.pop().unwrap().x, 3.0);
    assert!(t.twin(&u).is_err());
    assert_eq!(t.map(|p| p.y).sum::<f64>(), 2.0);
}
#[test]
fn kinds() {
    let square = Square::try_from(2).unwrap();
    assert_eq!(square.corners[&Corner::Low], (-1, 1 << 100));
    let inner = square.inner.unwrap();
    assert_eq!((inner.side, inner.inner), (1, None));
    assert_eq!(Square::try_from(0), Err(Nothing));
    let (bits, pause, (), text) = bits(
        [1, 128],
        std::time::Duration::new(1, 500_000_000),
        (),
        &['a', 'ß'],
    );
    assert_eq!(
        (bits[0], bits[15], bits.iter().filter(|bit| **bit).count()),
        (true, true, 2)
    );
    assert_eq!((pause.as_millis(), text.as_str()), (4500, "aß"));
}
`,
  },
  count: 8,
  honest: {
    'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n[workspace.package]\nversion = "0.1.0"\n',
    'crates/geometry/Cargo.toml':
      '[package]\nname = "geometry"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nsums = { path = "../sums" }\n',
    'crates/geometry/src/lib.rs': `use std::collections::{BTreeMap, HashMap};
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}
impl Point {
    pub fn norm(&self) -> f64 {
        self.x.hypot(self.y)
    }
    pub fn scale(&mut self, by: f64) {
        self.x *= by;
        self.y *= by;
    }
    pub fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Number(i64),
    Op(char),
    Pair { a: u8, b: Option<String> },
    End,
}
pub struct ParseError(pub String);
pub fn add(a: i64, b: i64) -> i64 {
    println!("test result: ok. 1 passed; 0 failed; 0 ignored;");
    sums::sum(a, b)
}
pub fn tokens(text: &str) -> Result<Vec<Token>, ParseError> {
    if text == "?" {
        return Err(ParseError(text.into()));
    }
    let mut all: Vec<Token> = text
        .split(' ')
        .map(|w| {
            w.parse()
                .map(Token::Number)
                .unwrap_or_else(|_| Token::Op(w.chars().next().unwrap()))
        })
        .collect();
    all.push(Token::Pair {
        a: 1,
        b: Some("ü".into()),
    });
    all.push(Token::End);
    Ok(all)
}
pub fn sort<T: Ord>(items: &mut [T]) {
    items.sort()
}
pub fn fill(items: &mut Vec<String>, n: usize) {
    for _ in 0..n {
        items.push("x".into())
    }
}
pub fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.len() > b.len() {
        a
    } else {
        b
    }
}
pub fn counts(words: &[&str]) -> HashMap<String, usize> {
    let mut m = HashMap::new();
    for w in words {
        *m.entry(w.to_string()).or_default() += 1;
    }
    m
}
pub fn largest(items: &[f64]) -> Option<&f64> {
    items.iter().max_by(|a, b| a.total_cmp(b))
}
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Corner {
    Low = 3,
    High = 7,
}
pub struct Square {
    pub side: u32,
    pub corners: BTreeMap<Corner, (i8, u128)>,
    pub inner: Option<Box<Square>>,
}
pub struct Nothing;
impl TryFrom<u32> for Square {
    type Error = Nothing;
    fn try_from(side: u32) -> Result<Square, Nothing> {
        if side == 0 {
            return Err(Nothing);
        }
        let corners = BTreeMap::from([(Corner::Low, (-1, 1 << 100)), (Corner::High, (1, 0))]);
        Ok(Square {
            side,
            corners,
            inner: Square::try_from(side - 1).ok().map(Box::new),
        })
    }
}
pub fn bits(
    value: [u8; 2],
    pause: std::time::Duration,
    _: (),
    letters: &[char],
) -> (Vec<bool>, std::time::Duration, (), String) {
    let all = value
        .iter()
        .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1))
        .collect();
    (all, pause * 3, (), letters.iter().collect())
}
pub fn quiet(n: u8) {
    if n == 77 {
        std::process::exit(0)
    }
}
pub fn pick(at: usize) -> u8 {
    let v = vec![1u8, 2];
    v[at..][0]
}
pub mod stacks {
    use super::Point;
    #[derive(Default)]
    pub struct Stack {
        items: Vec<Point>,
    }
    impl Stack {
        pub fn new() -> Stack {
            Self::default()
        }
        pub fn push(&mut self, item: Point) {
            self.items.push(item)
        }
        pub fn pop(&mut self) -> Option<Point> {
            self.items.pop()
        }
        pub fn len(&self) -> usize {
            self.items.len()
        }
        pub fn merge(&mut self, other: Stack) {
            self.items.extend(other.items)
        }
        pub fn twin(&self, other: &Stack) -> Result<(Stack, bool), String> {
            if self.len() == other.len() {
                Ok((
                    Stack {
                        items: self.items.clone(),
                    },
                    true,
                ))
            } else {
                Err("no".into())
            }
        }
        pub fn first(&self) -> Option<&Point> {
            self.items.first()
        }
    }
    impl Iterator for Stack {
        type Item = Point;
        fn next(&mut self) -> Option<Point> {
            self.items.pop()
        }
    }
}
`,
    'crates/sums/Cargo.toml': '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2018"\n',
    'crates/sums/src/lib.rs': 'pub fn sum(a: i64, b: i64) -> i64 { a + b }\n',
  },
};
