// Values as bytes, the same in the process of the tests and in the one of the code. Each value is at least one byte, so
// that a length never exceeds the bytes that follow it.
#![allow(dead_code)]

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::io::{Read, Write};
use std::os::unix::io::RawFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

pub const MESSAGE_BYTES_MAX: usize = 16 << 20;
pub const RESULT: u8 = 0;
pub const PANIC: u8 = 1;
pub const RELEASE: u32 = u32::MAX;
const SET_DESCRIPTOR_FLAGS: i32 = 2;
const CLOSE_ON_EXEC: i32 = 1;

extern "C" {
    fn fcntl(descriptor: i32, command: i32, argument: i32) -> i32;
}

/// Those that the process was started with; its own programs do not get them.
pub fn given_descriptors() -> Vec<RawFd> {
    let name = "AGENTCLASH_DESCRIPTORS";
    let text = std::env::var(name).unwrap_or_default();
    std::env::remove_var(name);
    let descriptors: Vec<RawFd> = text.split(' ').filter_map(|each| each.parse().ok()).collect();
    for each in &descriptors {
        unsafe { fcntl(*each, SET_DESCRIPTOR_FLAGS, CLOSE_ON_EXEC) };
    }
    descriptors
}

pub fn send(link: &mut UnixStream, message: &[u8]) -> Option<()> {
    link.write_all(&(message.len() as u32).to_be_bytes()).ok()?;
    link.write_all(message).ok()
}

pub fn receive(link: &mut UnixStream) -> Option<Vec<u8>> {
    let mut head = [0; 4];
    link.read_exact(&mut head).ok()?;
    let length = u32::from_be_bytes(head) as usize;
    if length > MESSAGE_BYTES_MAX {
        return None;
    }
    let mut message = vec![0; length];
    link.read_exact(&mut message).ok()?;
    Some(message)
}

pub struct Reader<'a> {
    pub rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        if count > self.rest.len() {
            return None;
        }
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        Some(taken)
    }

    fn length(&mut self) -> Option<usize> {
        let length = u32::take(self)? as usize;
        if length > self.rest.len() {
            return None;
        }
        Some(length)
    }

    pub fn end(&self) -> Option<()> {
        if self.rest.is_empty() {
            Some(())
        } else {
            None
        }
    }
}

pub trait Show {
    fn show(&self, out: &mut Vec<u8>);
}

pub trait Take: Sized {
    fn take(from: &mut Reader) -> Option<Self>;
}

macro_rules! numbers {
    ($($kind:ty)*) => {$(
        impl Show for $kind {
            fn show(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
        impl Take for $kind {
            fn take(from: &mut Reader) -> Option<Self> {
                let mut bytes = [0; std::mem::size_of::<$kind>()];
                bytes.copy_from_slice(from.bytes(std::mem::size_of::<$kind>())?);
                Some(<$kind>::from_le_bytes(bytes))
            }
        }
    )*};
}
numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);

impl Show for bool {
    fn show(&self, out: &mut Vec<u8>) {
        out.push(*self as u8);
    }
}
impl Take for bool {
    fn take(from: &mut Reader) -> Option<Self> {
        match u8::take(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}
impl Show for () {
    fn show(&self, out: &mut Vec<u8>) {
        out.push(0);
    }
}
impl Take for () {
    fn take(from: &mut Reader) -> Option<Self> {
        u8::take(from).map(|_| ())
    }
}
impl Show for char {
    fn show(&self, out: &mut Vec<u8>) {
        (*self as u32).show(out);
    }
}
impl Take for char {
    fn take(from: &mut Reader) -> Option<Self> {
        char::from_u32(u32::take(from)?)
    }
}
impl Show for str {
    fn show(&self, out: &mut Vec<u8>) {
        (self.len() as u32).show(out);
        out.extend_from_slice(self.as_bytes());
    }
}
impl Show for String {
    fn show(&self, out: &mut Vec<u8>) {
        self.as_str().show(out);
    }
}
impl Take for String {
    fn take(from: &mut Reader) -> Option<Self> {
        let length = from.length()?;
        String::from_utf8(from.bytes(length)?.to_vec()).ok()
    }
}
impl Show for Ordering {
    fn show(&self, out: &mut Vec<u8>) {
        (*self as i8).show(out);
    }
}
impl Take for Ordering {
    fn take(from: &mut Reader) -> Option<Self> {
        match i8::take(from)? {
            -1 => Some(Ordering::Less),
            0 => Some(Ordering::Equal),
            1 => Some(Ordering::Greater),
            _ => None,
        }
    }
}
impl Show for Duration {
    fn show(&self, out: &mut Vec<u8>) {
        self.as_nanos().show(out);
    }
}
impl Take for Duration {
    fn take(from: &mut Reader) -> Option<Self> {
        let nanoseconds = u128::take(from)?;
        let seconds = u64::try_from(nanoseconds / 1_000_000_000).ok()?;
        Some(Duration::new(seconds, (nanoseconds % 1_000_000_000) as u32))
    }
}

impl<T: Show + ?Sized> Show for &T {
    fn show(&self, out: &mut Vec<u8>) {
        (**self).show(out);
    }
}
impl<T: Show + ?Sized> Show for &mut T {
    fn show(&self, out: &mut Vec<u8>) {
        (**self).show(out);
    }
}
impl<T: Show + ?Sized> Show for Box<T> {
    fn show(&self, out: &mut Vec<u8>) {
        (**self).show(out);
    }
}
impl<T: Take> Take for Box<T> {
    fn take(from: &mut Reader) -> Option<Self> {
        T::take(from).map(Box::new)
    }
}
// What is borrowed on the other side lives as long as this process.
impl<'a> Take for &'a str {
    fn take(from: &mut Reader) -> Option<Self> {
        Some(Box::leak(String::take(from)?.into_boxed_str()))
    }
}
impl<'a, T: Take + 'a> Take for &'a [T] {
    fn take(from: &mut Reader) -> Option<Self> {
        Some(Box::leak(Vec::take(from)?.into_boxed_slice()))
    }
}
impl<'a, T: Take + 'a> Take for &'a T {
    fn take(from: &mut Reader) -> Option<Self> {
        Some(Box::leak(Box::new(T::take(from)?)))
    }
}

impl<T: Show> Show for Option<T> {
    fn show(&self, out: &mut Vec<u8>) {
        self.is_some().show(out);
        if let Some(value) = self {
            value.show(out);
        }
    }
}
impl<T: Take> Take for Option<T> {
    fn take(from: &mut Reader) -> Option<Self> {
        Some(if bool::take(from)? { Some(T::take(from)?) } else { None })
    }
}
impl<T: Show, E: Show> Show for Result<T, E> {
    fn show(&self, out: &mut Vec<u8>) {
        self.is_ok().show(out);
        match self {
            Ok(value) => value.show(out),
            Err(error) => error.show(out),
        }
    }
}
impl<T: Take, E: Take> Take for Result<T, E> {
    fn take(from: &mut Reader) -> Option<Self> {
        Some(if bool::take(from)? { Ok(T::take(from)?) } else { Err(E::take(from)?) })
    }
}

impl<T: Show> Show for [T] {
    fn show(&self, out: &mut Vec<u8>) {
        (self.len() as u32).show(out);
        self.iter().for_each(|each| each.show(out));
    }
}
impl<T: Show, const N: usize> Show for [T; N] {
    fn show(&self, out: &mut Vec<u8>) {
        self[..].show(out);
    }
}
impl<T: Take, const N: usize> Take for [T; N] {
    fn take(from: &mut Reader) -> Option<Self> {
        Vec::take(from)?.try_into().ok()
    }
}

macro_rules! lists {
    ($($kind:ident ($($bound:tt)*);)*) => {$(
        impl<T: Show> Show for $kind<T> {
            fn show(&self, out: &mut Vec<u8>) {
                (self.len() as u32).show(out);
                self.iter().for_each(|each| each.show(out));
            }
        }
        impl<T: Take $($bound)*> Take for $kind<T> {
            fn take(from: &mut Reader) -> Option<Self> {
                (0..from.length()?).map(|_| T::take(from)).collect()
            }
        }
    )*};
}
lists! { Vec(); VecDeque(); HashSet(+ Eq + Hash); BTreeSet(+ Ord); }

macro_rules! maps {
    ($($kind:ident ($($bound:tt)*);)*) => {$(
        impl<K: Show, V: Show> Show for $kind<K, V> {
            fn show(&self, out: &mut Vec<u8>) {
                (self.len() as u32).show(out);
                self.iter().for_each(|(key, value)| { key.show(out); value.show(out); });
            }
        }
        impl<K: Take $($bound)*, V: Take> Take for $kind<K, V> {
            fn take(from: &mut Reader) -> Option<Self> {
                (0..from.length()?).map(|_| Some((K::take(from)?, V::take(from)?))).collect()
            }
        }
    )*};
}
maps! { HashMap(+ Eq + Hash); BTreeMap(+ Ord); }

macro_rules! tuples {
    ($(($($name:ident $at:tt)+))*) => {$(
        impl<$($name: Show),+> Show for ($($name,)+) {
            fn show(&self, out: &mut Vec<u8>) {
                $(self.$at.show(out);)+
            }
        }
        impl<$($name: Take),+> Take for ($($name,)+) {
            fn take(from: &mut Reader) -> Option<Self> {
                Some(($($name::take(from)?,)+))
            }
        }
    )*};
}
tuples! { (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4) (A 0 B 1 C 2 D 3 E 4 F 5) }
