// The process of the tests: its memory is hidden before code under test runs.

use super::peer::{self, Reader, Show, Take};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::io::FromRawFd;
use std::os::unix::net::UnixStream;
use std::sync::Mutex;

const ENDED_CODE: i32 = 3;
const SET_DUMPABLE: i32 = 4;
const CHANGED_PROTOCOL: &str = "the code under test did not keep to the protocol";
const HAS_ENDED: &str = "the process of the code under test has ended";

extern "C" {
    fn prctl(option: i32, value: usize, third: usize, fourth: usize, fifth: usize) -> i32;
    fn _exit(code: i32) -> !;
}

struct Connections {
    control: UnixStream,
    link: UnixStream,
}

static CONNECTIONS: Mutex<Option<Connections>> = Mutex::new(None);

/// Runs before `main`. The arguments that the process was started with are replaced by those that the harness sends, for
/// every process could read the former.
pub extern "C" fn start(count: i32, arguments: *mut *mut u8) {
    let descriptors = peer::given_descriptors();
    if descriptors.len() != 2 || unsafe { prctl(SET_DUMPABLE, 0, 0, 0, 0) } != 0 {
        unsafe { _exit(ENDED_CODE) };
    }
    let mut control = unsafe { UnixStream::from_raw_fd(descriptors[0]) };
    let link = unsafe { UnixStream::from_raw_fd(descriptors[1]) };
    let mut sent = String::new();
    let is_sent = control.write_all(b"{\"isReady\": true}\n").is_ok()
        && BufReader::new(&control).read_line(&mut sent).is_ok();
    if !is_sent {
        unsafe { _exit(ENDED_CODE) };
    }
    for (at, text) in sent.trim_end_matches('\n').split('\0').enumerate() {
        if at + 1 < count as usize {
            let mut bytes = text.as_bytes().to_vec();
            bytes.push(0);
            unsafe { *arguments.add(at + 1) = Box::leak(bytes.into_boxed_slice()).as_mut_ptr() };
        }
    }
    *CONNECTIONS.lock().unwrap() = Some(Connections { control, link });
}

/// No test may take this for a panic of the code.
fn end(connections: &mut Connections, reason: &str) -> ! {
    let _ = writeln!(connections.control, "{{\"ended\": \"{}\"}}", reason);
    unsafe { _exit(ENDED_CODE) }
}

pub struct Request(Vec<u8>);

impl Request {
    pub fn new(function: u32) -> Request {
        let mut message = Vec::new();
        function.show(&mut message);
        Request(message)
    }

    pub fn give<T: Show + ?Sized>(&mut self, value: &T) {
        value.show(&mut self.0);
    }

    /// The bytes of what the function returned; a panic of the code is one of the test.
    pub fn send(self) -> Vec<u8> {
        assert!(self.0.len() <= peer::MESSAGE_BYTES_MAX, "agentclash-grade: the value is too large");
        let reply = {
            let mut held = CONNECTIONS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let connections = held.as_mut().expect("agentclash-grade: the test was not started by the harness");
            if peer::send(&mut connections.link, &self.0).is_none() {
                end(connections, HAS_ENDED);
            }
            match peer::receive(&mut connections.link) {
                Some(reply) => reply,
                None => end(connections, HAS_ENDED),
            }
        };
        match reply.first() {
            Some(&peer::RESULT) => reply,
            Some(&peer::PANIC) => {
                let text: String = taken(&mut Reader { rest: &reply[1..] });
                panic!("{}", text);
            }
            _ => broken(),
        }
    }
}

pub fn taken<T: Take>(from: &mut Reader) -> T {
    T::take(from).unwrap_or_else(|| broken())
}

pub fn ended(from: &Reader) {
    from.end().unwrap_or_else(|| broken());
}

pub fn restore_list<T: Take>(list: &mut [T], from: &mut Reader) {
    let changed: Vec<T> = taken(from);
    if changed.len() != list.len() {
        broken();
    }
    for (old, new) in list.iter_mut().zip(changed) {
        *old = new;
    }
}

fn broken() -> ! {
    let mut held = CONNECTIONS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    match held.as_mut() {
        Some(connections) => end(connections, CHANGED_PROTOCOL),
        None => unsafe { _exit(ENDED_CODE) },
    }
}

/// An object of the code that the test holds no longer.
pub fn release(object: u64) {
    let mut request = Request::new(peer::RELEASE);
    request.give(&object);
    request.send();
}
